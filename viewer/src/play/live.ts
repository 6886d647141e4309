// The machine as the engine has it now, for what draws it.

import type { PlayDocument, RunEvent } from '../document';
import type { EventSource } from '../run/impact';
import type { Posed } from '../run/machine';
import type { Place } from '../run/search';
import type { Engine, Frame } from './engine';

export class Live implements Posed, EventSource {
  frame: Frame;
  readonly count = 1;
  readonly contacts: { name: string }[] = [];
  readonly page: PlayDocument & { contacts: { name: string }[] };
  /** The latest events, the last one last. */
  readonly events: RunEvent[] = [];
  /** Events that were fetched since the start; one may happen at the start itself. */
  private seen = 0;

  constructor(
    document: PlayDocument,
    readonly engine: Engine,
  ) {
    this.page = { ...document, contacts: this.contacts };
    this.frame = engine.frame();
  }

  get planar(): boolean {
    return this.page.dimension === 'planar';
  }

  pose(body: number, _place: Place, out: Float64Array): void {
    out.set(this.frame.poses.subarray(7 * body, 7 * body + 7));
  }

  /** Looks at the engine again. */
  look(): void {
    const before = this.frame;
    this.frame = this.engine.frame();
    if (this.frame.time < before.time || this.frame.events < this.seen) {
      this.events.length = 0;
      this.seen = 0;
    }
    if (this.frame.events === this.seen) return;
    this.seen = this.frame.events;
    const { events, contacts } = this.engine.events();
    for (let i = this.contacts.length; i < contacts.length; ++i) this.contacts.push({ name: contacts[i] as string });
    this.events.push(...events);
    this.events.splice(0, Math.max(0, this.events.length - 200));
  }
}
