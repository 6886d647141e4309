// The engine: play/play.wasm behind typed calls. It is the program's own C++; nothing is computed here.

import type { ImpactDocument, Json, RunEvent } from '../document';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  play_take(bytes: number): number;
  play_give_back(address: number): void;
  play_error(): number;
  play_open(start: number): number;
  play_reset(): number;
  play_set(changes: number): number;
  play_advance(until: number, budget: number, to_event: number): number;
  play_message(): number;
  play_grab(body: number, x: number, y: number, z: number): number;
  play_pull(x: number, y: number, z: number): number;
  play_release(): number;
  play_poke(body: number, x: number, y: number, z: number, ix: number, iy: number, iz: number): number;
  play_frame(): number;
  play_events(): number;
  play_verdicts(): number;
  play_impact(question: number): number;
}

export type Point = readonly [number, number, number];

/** Numbers at the head of a frame, in their order. */
const head = [
  'time', 'status', 'events', 'kinetic', 'potential', 'dissipated', 'supplied', 'corrected', 'step_errors', 'initial',
  'bodies', 'contacts', 'coordinates', 'velocities',
] as const;
const pose_size = 7;
export const contact_size = 14;

/** The machine at a moment. */
export type Frame = Record<(typeof head)[number], number> & {
  /** x, y, z, then the quaternion w, x, y, z of each body. */
  poses: Float64Array;
  /** Of each closed contact: point, normal, tangent, force (n, t1, t2), mode, friction. */
  contact_rows: Float64Array;
  q: Float64Array;
  v: Float64Array;
};

export interface Verdict {
  contact: string;
  verdict: string;
  tone: string;
  sentences: string[];
}

export class EngineError extends Error {}

/** Bytes of a gzip file, unpacked. */
export async function unpack(packed: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/** What the engine asks of its surroundings: a clock, and an environment, which is empty. Everything else it must do without. */
class Surroundings {
  memory: WebAssembly.Memory | null = null;

  private readonly known: Record<string, (...values: number[]) => number | void> = {
    play_clock: () => performance.now(),
    emscripten_notify_memory_growth: () => {},
    environ_sizes_get: (...addresses) => {
      const view = new DataView((this.memory as WebAssembly.Memory).buffer);
      for (const address of addresses) view.setUint32(address, 0, true);
      return 0;
    },
    environ_get: () => 0,
  };

  imports(module: WebAssembly.Module): WebAssembly.Imports {
    const imports: WebAssembly.Imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      if (kind !== 'function') continue;
      const refuse = () => {
        throw new EngineError(`the engine asked for ${name}, which a page does not have`);
      };
      (imports[from] ??= {})[name] = this.known[name] ?? refuse;
    }
    return imports;
  }
}

export class Engine {
  private readonly decoder = new TextDecoder();
  private readonly encoder = new TextEncoder();

  private constructor(private readonly calls: Exports) {}

  static async make(wasm: BufferSource): Promise<Engine> {
    const module = await WebAssembly.compile(wasm);
    const surroundings = new Surroundings();
    const { exports } = await WebAssembly.instantiate(module, surroundings.imports(module));
    const calls = exports as unknown as Exports;
    surroundings.memory = calls.memory;
    calls._initialize();
    return new Engine(calls);
  }

  open(start: string): void {
    this.with_text(start, (address) => this.expect(this.calls.play_open(address)));
  }
  reset(): void {
    this.expect(this.calls.play_reset());
  }
  /** Values by JSON pointer into the start. */
  set(changes: { [path: string]: number | string | null }): void {
    this.with_text(JSON.stringify(changes), (address) => this.expect(this.calls.play_set(address)));
  }
  /** Runs up to `until` [s], for at most `budget` seconds; returns the row of `statuses`. */
  advance(until: number, budget: number, to_event = false): number {
    const status = this.calls.play_advance(until, budget, to_event ? 1 : 0);
    this.expect(status >= 0 ? 1 : 0);
    return status;
  }
  message(): string {
    return this.text(this.calls.play_message());
  }
  grab(body: number, at: Point): void {
    this.expect(this.calls.play_grab(body, ...at));
  }
  pull(to: Point): void {
    this.expect(this.calls.play_pull(...to));
  }
  release(): void {
    this.expect(this.calls.play_release());
  }
  poke(body: number, at: Point, impulse: Point): void {
    this.expect(this.calls.play_poke(body, ...at, ...impulse));
  }

  frame(): Frame {
    const address = this.calls.play_frame();
    this.expect(address === 0 ? 0 : 1);
    const numbers = new Float64Array(this.calls.memory.buffer, address);
    const frame = Object.fromEntries(head.map((name, i) => [name, numbers[i] as number])) as unknown as Frame;
    let next = head.length;
    const take = (count: number) => numbers.slice(next, (next += count));
    frame.poses = take(pose_size * frame.bodies);
    frame.contact_rows = take(contact_size * frame.contacts);
    frame.q = take(frame.coordinates);
    frame.v = take(frame.velocities);
    return frame;
  }
  /** Events since the last call; `contact` of their contacts is a row of `contacts`. */
  events(): { events: RunEvent[]; contacts: string[] } {
    return JSON.parse(this.text(this.calls.play_events()));
  }
  /** `data` and `paths` of an impact's document, for other numbers; needs no machine. */
  impact(question: Json): Pick<ImpactDocument, 'data' | 'paths'> {
    let answer = '';
    this.with_text(JSON.stringify(question), (address) => {
      answer = this.text(this.calls.play_impact(address));
    });
    this.expect(answer ? 1 : 0);
    return JSON.parse(answer);
  }
  verdicts(): Verdict[] {
    return JSON.parse(this.text(this.calls.play_verdicts())).verdicts;
  }

  private expect(good: number): void {
    if (!good) throw new EngineError(this.text(this.calls.play_error()) || 'the engine failed');
  }
  private text(address: number): string {
    const bytes = new Uint8Array(this.calls.memory.buffer, address);
    return this.decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }
  private with_text(text: string, use: (address: number) => void): void {
    const bytes = this.encoder.encode(text + '\0');
    const address = this.calls.play_take(bytes.length);
    try {
      new Uint8Array(this.calls.memory.buffer, address, bytes.length).set(bytes);
      use(address);
    } finally {
      this.calls.play_give_back(address);
    }
  }
}
