// What `routh impact --json` prints, in one form for scenes, problem files and several contacts at once.

import type { ImpactDocument, Value } from '../document';
import { kind_of, kinds_in, type Kind, type Kinds } from '../kinds';
import { list, at, dictionaries, dictionary, real, reals, text, texts, type Dictionary } from './json';

export interface Phase {
  kind: Kind;
  stage: string;
  impulse: Value;
  velocity: Value[];
}
export interface Energy {
  normal_work: Value;
  tangential_work: Value;
  supplied: Value;
  change: Value;
  consistent: boolean;
}
export interface Path {
  velocity: number[][];
  impulse: number[];
}
export interface Law {
  name: string;
  status: Kind;
  mode: Kind;
  velocity: Value[];
  contact_velocity: Value[];
  relative_velocity: Value[];
  impulse: Value[];
  restitution: Value;
  energy: Energy;
  phases: Phase[];
  warnings: string[];
  joints: { name: string; force: Value[]; moment: Value[] }[];
  /** Of Routh's increment, by the letters of the paper. */
  increment: Dictionary | null;
  path: Path | null;
  bounds: Bound[];
}
export interface Bound {
  kind: Kind;
  value: Value;
  /** Why there is no number. */
  reason: string;
}
export interface Strike {
  name: string;
  spatial: boolean;
  before: number[] | null;
  laws: Law[];
}
export interface SeveralContact {
  name: string;
  role: Kind;
  approach: Value;
  departure: Value;
  restitution: Value;
  residual: Value;
  normal_impulse: Value;
  tangential_impulse: Value[];
  unique: boolean;
  inside_cone: boolean;
}
export interface Several {
  title: string;
  status: string;
  velocity: Value[];
  rank: Value;
  rows: Value;
  energy: { change: Value; supplied: Value; ratio: Value; consistent: boolean };
  contacts: SeveralContact[];
  /** Of a march; else empty. */
  path: MarchPoint[];
}
/** Of each contact: impulse so far, velocity, and what it does from there on. */
export interface MarchPoint {
  impulse: Value[][];
  velocity: Value[][];
  stage: string[];
  slip: string[];
}
/** With friction and without rebound: slip and stick as they come. */
export interface Frictional {
  status: string;
  residual: Value;
  change: Value;
  unique: boolean;
  velocity: Value[];
  contacts: { name: string; state: string; velocity: Value[]; impulse: Value[] }[];
}
export interface Impact {
  time: Value;
  dofs: string[];
  strikes: Strike[];
  touching: { name: string; kind: string; normal_velocity: Value }[];
  several: Several[];
  frictional: Frictional | null;
  /** A sentence about the rule that gave `several`. */
  rule: string;
}

type Paths = (ImpactDocument['paths'][number] & { contact?: number })[];

export function read_impact(data: Dictionary, paths: Paths, kinds?: Kinds): Impact {
  const simultaneous =
    dictionary(data['simultaneous']) ?? (data['smooth'] || data['sticking'] || data['together'] ? data : {});
  const several = kinds_in(kinds, 'answer').map((answer) =>
    read_several(answer.label, simultaneous[answer.name], texts(simultaneous['names']), kinds),
  );
  return {
    time: real(data['time']),
    dofs: texts(data['dofs']),
    strikes: read_strikes(data, paths ?? [], kinds),
    touching: dictionaries(data['touching']).map((t) => ({
      name: text(t['contact']),
      kind: text(t['kind']),
      normal_velocity: real(t['normal_velocity']),
    })),
    several: several.filter((s): s is Several => s !== null),
    frictional: read_frictional(simultaneous),
    rule: String(kind_of(kinds, 'rule', text(simultaneous['rule']))['sentence'] ?? ''),
  };
}

function read_strikes(data: Dictionary, paths: Paths, kinds: Kinds | undefined): Strike[] {
  if (data['strikes']) {
    return dictionaries(data['strikes']).map((strike, row) => {
      const own = paths.filter((p) => (p.contact ?? 0) === row);
      return read_strike(text(strike['contact']), dictionaries(strike['results']), own, kinds);
    });
  }
  const results = data['results'] ? dictionaries(data['results']) : data['law'] ? [data] : [];
  return results.length > 0 ? [read_strike('', results, paths, kinds)] : [];
}

function read_strike(name: string, results: Dictionary[], paths: Paths, kinds: Kinds | undefined): Strike {
  const laws = results.map((result) => read_law(result, paths, kinds));
  const spatial = laws.some((law) => law.relative_velocity.length === 3);
  const first = laws.find((law) => law.path)?.path?.velocity[0];
  return { name, spatial, before: first ?? null, laws };
}

function read_law(result: Dictionary, paths: Paths, kinds: Kinds | undefined): Law {
  const energy = dictionary(result['energy']) ?? {};
  return {
    name: text(result['law']),
    status: kind_of(kinds, 'status', text(result['status'])),
    mode: kind_of(kinds, 'impact_mode', text(result['mode'])),
    velocity: reals(result['velocity']),
    contact_velocity: reals(result['contact_velocity']),
    relative_velocity: reals(result['relative_velocity'] ?? result['contact_velocity']),
    impulse: reals(result['impulse']),
    restitution: real(result['restitution']),
    energy: {
      normal_work: real(energy['normal_work']),
      tangential_work: real(energy['tangential_work']),
      supplied: real(energy['supplied']),
      change: real(energy['change']),
      consistent: energy['consistent'] !== false,
    },
    phases: dictionaries(result['phases']).map((p) => ({
      kind: kind_of(kinds, 'phase', text(p['kind'])),
      stage: text(p['stage']),
      impulse: real(p['normal_impulse']),
      velocity: reals(p['contact_velocity']),
    })),
    warnings: dictionaries(result['warnings']).map((w) => text(w['message'])),
    joints: dictionaries(result['joint_impulses']).map((j) => ({
      name: text(j['joint']),
      force: reals(j['force']),
      moment: reals(j['moment']),
    })),
    increment: dictionary(result['increment']) ?? null,
    path: read_path(paths.find((p) => p.law === result['law'])),
    bounds: read_bounds(result, kinds),
  };
}

/** Only points whose numbers are all there. */
function read_path(path: Paths[number] | undefined): Path | null {
  if (!path || !Array.isArray(path.velocity) || !Array.isArray(path.impulse)) return null;
  const kept = path.velocity
    .map((velocity, i) => ({ velocity, impulse: path.impulse[i] }))
    .filter((p) => Array.isArray(p.velocity) && [...p.velocity, p.impulse].every((x) => typeof x === 'number'));
  if (kept.length === 0) return null;
  return { velocity: kept.map((p) => p.velocity as number[]), impulse: kept.map((p) => p.impulse as number) };
}

function read_bounds(result: Dictionary, kinds: Kinds | undefined): Bound[] {
  const reasons = dictionary(result['reasons']) ?? {};
  return kinds_in(kinds, 'bound')
    .map((kind) => ({ kind, found: at(result, ...kind.name.split('.')) }))
    .filter(({ found }) => found !== undefined)
    .map(({ kind, found }) => ({ kind, value: real(found), reason: text(reasons[kind.name]) }));
}

function read_several(
  title: string,
  value: Dictionary[string] | undefined,
  names: string[],
  kinds: Kinds | undefined,
): Several | null {
  const answer = dictionary(value);
  if (!answer) return null;
  const energy = dictionary(answer['energy']) ?? {};
  return {
    title,
    status: text(answer['status']),
    velocity: reals(answer['velocity']),
    rank: real(answer['rank']),
    rows: real(answer['rows']),
    energy: {
      change: real(energy['change']),
      supplied: real(energy['supplied']),
      ratio: real(energy['ratio']),
      consistent: energy['consistent'] !== false,
    },
    contacts: dictionaries(answer['contacts']).map((c, row) => ({
      name: names[row] ?? `contact ${row + 1}`,
      role: kind_of(kinds, 'role', text(c['role'])),
      approach: real(c['approach']),
      departure: real(c['departure']),
      restitution: real(c['restitution']),
      residual: real(c['residual']),
      normal_impulse: real(c['normal_impulse']),
      tangential_impulse: reals(c['tangential_impulse']),
      unique: c['impulse_unique'] !== false,
      inside_cone: c['inside_cone'] !== false,
    })),
    path: dictionaries(answer['path']).map((point) => ({
      impulse: list(point['impulse']).map(reals),
      velocity: list(point['velocity']).map(reals),
      stage: texts(point['stage']),
      slip: texts(point['slip']),
    })),
  };
}

function read_frictional(simultaneous: Dictionary): Frictional | null {
  const answer = dictionary(simultaneous['frictional']);
  const count = dictionaries(at(simultaneous, 'smooth', 'contacts')).length;
  if (!answer || count === 0) return null;
  const names = texts(simultaneous['names']);
  const states = texts(answer['states']);
  const [impulse, velocity] = [reals(answer['impulse']), reals(answer['velocity'])];
  // Rows of loops come last.
  const rows = (impulse.length - reals(at(simultaneous, 'smooth', 'loop_multipliers')).length) / count;
  return {
    status: text(answer['status']),
    residual: real(answer['residual']),
    change: real(at(answer, 'energy', 'change')),
    unique: answer['impulse_unique'] !== false,
    velocity: reals(answer['machine_velocity']),
    contacts: Array.from({ length: count }, (_, k) => ({
      name: names[k] ?? `contact ${k + 1}`,
      state: states[k] ?? '',
      velocity: velocity.slice(rows * k, rows * (k + 1)),
      impulse: impulse.slice(rows * k, rows * (k + 1)),
    })),
  };
}

/** The law gave an impulse. */
export function solved(law: Law): boolean {
  return law.status.category === 'good';
}

/** What the law says can be used: an impulse, or that there is none. */
export function usable(law: Law): boolean {
  return law.status.category !== 'bad';
}
