// The types of FORMAT.md and the decoding of its packed arrays.

import type { Kinds } from './kinds';

export type Vector3 = [number, number, number];
export type Quaternion4 = [number, number, number, number];
/** JSON has no NaN and no infinity: null stands for both. */
export type Value = number | null;

export interface Packed {
  type: 'f32' | 'f64' | 'i32' | 'u8';
  shape: number[];
  base64: string;
}
export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

export interface Common {
  routh: number;
  kind: string;
  title: string;
  program_version: string;
  warnings: string[];
  kinds?: Kinds;
}

export type ShapeKind =
  | 'point'
  | 'sphere'
  | 'capsule'
  | 'box'
  | 'cylinder'
  | 'ellipsoid'
  | 'mesh'
  | 'half_space'
  | 'pin'
  | 'hole'
  | 'polygon';
export interface Shape {
  name: string;
  body: number;
  kind: ShapeKind;
  position: Vector3;
  rotation: Quaternion4;
  size: {
    radius?: number;
    length?: number;
    x?: number;
    y?: number;
    z?: number;
    points?: number[][];
    triangles?: number[][];
  };
}
export interface Anchor {
  body: number;
  position: Vector3;
}
export interface Spring {
  name: string;
  a: Anchor;
  b: Anchor;
}
export interface Bone {
  body: number;
  from: Vector3;
  to: Vector3;
}
export interface Joint extends Anchor {
  name: string;
  kind: string;
}
export interface Columns {
  names: string[];
  units: string[];
  values: Packed;
}
export interface Samples {
  count: number;
  of: number;
  time: Packed;
  poses: Packed;
  position: Columns;
  velocity: Columns;
  energy: {
    kinetic: Packed;
    potential: Packed;
    dissipated: Packed;
    supplied: Packed;
    corrected: Packed;
    gained: Packed;
    initial: Value;
  };
}
export interface ContactSamples {
  first: Packed;
  contact: Packed;
  mode: Packed;
  force: Packed;
  point: Packed;
  normal: Packed;
  tangent1: Packed;
  gap: Packed;
  slip_speed: Packed;
  normal_force: Packed;
  /** Of a run whose margins were asked for. */
  slip_margin?: Packed;
  jam_margin?: Packed;
}
export interface Phase {
  kind: string;
  normal_impulse: Value;
  contact_velocity: Value[];
}
export interface ImpactPath {
  velocity: Value[][];
  impulse: Value[];
  phases?: Phase[];
}
export interface EventContact {
  contact: number;
  velocity_before: Value[] | null;
  velocity_after: Value[] | null;
  impulse: Value[] | null;
  mode: string | null;
  restitution: Value;
  friction: Value;
  point: Vector3 | null;
  normal: Vector3 | null;
  tangent1: Vector3 | null;
  path: ImpactPath | null;
  /** Why there is none. */
  no_path: string | null;
}
export interface RunEvent {
  time: number;
  sample: number;
  kind: string;
  rule: string | null;
  law: string | null;
  label: string | null;
  contacts: EventContact[];
  energy: {
    normal_work: Value;
    tangential_work: Value;
    supplied: Value;
    change: Value;
    consistent: boolean | null;
  } | null;
  warnings: string[];
  error_bound: Value;
  duration: Value; // of a crowd, up to `time`
}
/** A machine as it is drawn. */
export interface MachineParts {
  dimension: 'planar' | 'spatial';
  gravity: Vector3;
  bodies: { name: string }[];
  shapes: Shape[];
  bones: Bone[];
  joints: Joint[];
  springs: Spring[];
  /** Rows of `shapes` that enter others. */
  overlapping?: number[];
}
export interface RunDocument extends Common, MachineParts {
  kind: 'run';
  info: { [name: string]: string | number | null };
  outcome: {
    status: string;
    ending: string;
    tone: string;
    message: string | null;
    time: Value;
    energy: {
      initial: Value;
      final: Value;
      dissipated: Value;
      supplied: Value;
      corrected: Value;
      gained: Value;
      balance: Value;
    };
    statistics: { [name: string]: Value };
  };
  samples: Samples;
  contacts: { name: string; kind: string; friction: { static: Value; kinetic: Value } }[];
  contact_samples: ContactSamples;
  events: RunEvent[];
  /** A posture, not a run: what touches in it, in words. */
  still?: string[];
}

/** A number of the start that may be changed, under all of its paths at once. */
export interface Slider {
  label: string;
  unit: string;
  paths: string[];
  value: number;
  low: number;
  high: number;
}
/** One of several words, or null where `none` says what that stands for. */
export interface Choice {
  label: string;
  path: string;
  value: string | null;
  none: string | null;
  words: string[];
}
export interface PlayDocument extends Common, MachineParts {
  kind: 'play';
  statuses: { name: string; sentence: string; failed: boolean }[];
  scales: { length: number; mass: number; time: number };
  controls: { title: string; sliders: Slider[] }[];
  choices: Choice[];
  /** What the engine starts from; the page only hands it on. */
  start: Json;
  /** The engine, WebAssembly compressed by gzip, in base64. */
  engine?: string;
}

/** What the command prints with --json: read it defensively. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface ImpactDocument extends Common {
  kind: 'impact';
  data: { [key: string]: Json };
  paths: { law: string; velocity: Value[][]; impulse: Value[] }[];
  /** Of each strike what the engine answers with other numbers; null: it does not. */
  questions?: (ImpactQuestion | null)[];
  /** As of a page that plays. */
  engine?: string;
}
/** As `play/impact_question.h`: a machine with one contact, or the contact alone. */
export interface ImpactQuestion {
  velocity: number[];
  contact_velocity: number[];
  surface_velocity: number[];
  surface: {
    friction: { static: number | 'inf'; kinetic: number | 'inf' };
    restitution: { kind: string; normal: number; tangential: number };
    [key: string]: Json;
  };
  [key: string]: Json;
}
export interface Cone {
  contact: string | number;
  friction: number;
  delassus: number[][];
  force_rays: number[][];
  velocity_rays: number[][];
}
export interface DiagnosisDocument extends Common {
  kind: 'diagnosis';
  data: { [key: string]: Json };
  /** On all resting contacts, where there are several. */
  together?: { tone: string; sentences: string[] };
  verdicts: { tone: string; sentences: string[] }[];
  cones: Cone[];
}
export interface MapDocument extends Common {
  kind: 'map';
  data: { [key: string]: Json };
  colours: string[];
  number: string;
  unit: string;
  figure: string;
}
export interface PaperValue {
  name: string;
  where: string;
  printed: Json;
  ours: Json;
  difference: Value;
  status: 'agrees' | 'misprint' | 'mismatch';
  note: string | null;
}
export interface Paper {
  name: string;
  title: string;
  reference: string;
  values: PaperValue[];
  figures: { name: string; caption: string; svg: string }[];
}
export interface PapersDocument extends Common {
  kind: 'papers';
  papers: Paper[];
  summary: { agrees: number; misprints: number; mismatches: number };
}

/** Text for the reader of a document that cannot be shown. */
export class DocumentError extends Error {}

const bytes_of = { f32: 4, f64: 8, i32: 4, u8: 1 } as const;

export function bytes(base64: string): Uint8Array {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (native) return native.call(Uint8Array, base64);
  const text = atob(base64);
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) result[i] = text.charCodeAt(i);
  return result;
}

/** The numbers of a packed array; its length must be the product of its shape. */
export function decode(packed: Packed, what = 'array'): Numbers {
  if (!packed || typeof packed.base64 !== 'string' || !Array.isArray(packed.shape) || !(packed.type in bytes_of)) {
    throw new DocumentError(`${what}: not a packed array`);
  }
  let raw: Uint8Array;
  try {
    raw = bytes(packed.base64);
  } catch {
    throw new DocumentError(`${what}: the base64 text is damaged`);
  }
  const expected = packed.shape.reduce((product, n) => product * n, 1) * bytes_of[packed.type];
  if (raw.length !== expected) {
    throw new DocumentError(`${what}: ${raw.length} bytes where its shape asks for ${expected}`);
  }
  switch (packed.type) {
    case 'f32':
      return new Float32Array(raw.buffer, raw.byteOffset, raw.length / 4);
    case 'f64':
      return new Float64Array(raw.buffer, raw.byteOffset, raw.length / 8);
    case 'i32':
      return new Int32Array(raw.buffer, raw.byteOffset, raw.length / 4);
    case 'u8':
      return raw;
  }
}

/** NaN for null, so that arithmetic carries "no value" on. */
export function number_of(value: Value | undefined): number {
  return value ?? NaN;
}

/** The document in the page, or an error that says what is wrong with it. */
export function parse_document(text: string): Common {
  const trimmed = text.trim();
  if (trimmed === '') throw new DocumentError('The page holds no document.');
  if (trimmed.startsWith('@')) {
    throw new DocumentError('This is the empty page. The program routh fills it, for example by "routh report".');
  }
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch (error) {
    throw new DocumentError(`The document is not valid JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DocumentError('The document is not an object.');
  }
  const common = value as Partial<Common>;
  if (common.routh !== 1) {
    throw new DocumentError(`The document has format version ${String(common.routh)}; this page reads version 1.`);
  }
  if (typeof common.kind !== 'string') throw new DocumentError('The document does not say its kind.');
  return {
    ...(value as Common),
    title: typeof common.title === 'string' ? common.title : 'Routh',
    program_version: typeof common.program_version === 'string' ? common.program_version : '',
    warnings: Array.isArray(common.warnings) ? common.warnings.map(String) : [],
  };
}
