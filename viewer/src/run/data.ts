// A run with its arrays decoded, and the questions the page asks of it.

import { decode, DocumentError, number_of, type Numbers, type Packed, type RunDocument } from '../document';
import { kind_of, kinds_in, type Kind } from '../kinds';
import { pose_at } from './interpolate';
import { place_at, type Place } from './search';

export interface Quantities {
  names: string[];
  units: string[];
  values: Numbers;
}

export class RunData {
  readonly count: number;
  readonly bodies: number;
  readonly contacts: number;
  readonly time: Numbers;
  readonly poses: Numbers;
  readonly position: Quantities;
  readonly velocity: Quantities;
  readonly kinetic: Numbers;
  readonly potential: Numbers;
  readonly dissipated: Numbers;
  readonly supplied: Numbers;
  readonly corrected: Numbers;
  readonly first: Numbers;
  readonly contact: Numbers;
  readonly mode: Numbers;
  readonly force: Numbers;
  readonly point: Numbers;
  readonly normal: Numbers;
  readonly tangent1: Numbers;
  readonly gap: Numbers;
  readonly slip_margin: Numbers | undefined;
  readonly jam_margin: Numbers | undefined;
  readonly slip_speed: Numbers;
  readonly normal_force: Numbers;
  readonly event_times: Float64Array;
  /** By the codes of `mode`. */
  readonly contact_modes: Kind[];

  constructor(readonly page: RunDocument) {
    const { samples, contact_samples } = page;
    if (!samples || !contact_samples || !Array.isArray(page.events)) {
      throw new DocumentError('The run has no samples, contact_samples or events.');
    }
    this.count = samples.count;
    this.bodies = page.bodies.length;
    this.contacts = page.contacts.length;
    if (this.count < 1) throw new DocumentError('The run has no samples.');
    const take = (packed: Packed, length: number | null, what: string): Numbers => {
      const values = decode(packed, what);
      if (length !== null && values.length !== length) {
        throw new DocumentError(`${what}: ${values.length} numbers where ${length} are needed`);
      }
      return values;
    };
    const n = this.count;
    this.time = take(samples.time, n, 'samples.time');
    this.poses = take(samples.poses, n * this.bodies * 7, 'samples.poses');
    const columns = (what: 'position' | 'velocity'): Quantities => {
      const { names, units, values } = samples[what];
      return { names, units, values: take(values, n * names.length, `samples.${what}`) };
    };
    this.position = columns('position');
    this.velocity = columns('velocity');
    this.kinetic = take(samples.energy.kinetic, n, 'energy.kinetic');
    this.potential = take(samples.energy.potential, n, 'energy.potential');
    this.dissipated = take(samples.energy.dissipated, n, 'energy.dissipated');
    this.supplied = take(samples.energy.supplied, n, 'energy.supplied');
    this.corrected = take(samples.energy.corrected, n, 'energy.corrected');
    const rows = contact_samples;
    this.first = take(rows.first, n + 1, 'contact_samples.first');
    this.contact = take(rows.contact, null, 'contact_samples.contact');
    const r = this.contact.length;
    if (this.first[n] !== r) throw new DocumentError('contact_samples.first does not end at the number of rows.');
    this.mode = take(rows.mode, r, 'contact_samples.mode');
    this.force = take(rows.force, 3 * r, 'contact_samples.force');
    this.point = take(rows.point, 3 * r, 'contact_samples.point');
    this.normal = take(rows.normal, 3 * r, 'contact_samples.normal');
    this.tangent1 = take(rows.tangent1, 3 * r, 'contact_samples.tangent1');
    this.gap = take(rows.gap, n * this.contacts, 'contact_samples.gap');
    this.slip_speed = take(rows.slip_speed, n * this.contacts, 'contact_samples.slip_speed');
    this.normal_force = take(rows.normal_force, n * this.contacts, 'contact_samples.normal_force');
    const margin = (packed: Packed | undefined, name: string) =>
      packed && take(packed, n * this.contacts, `contact_samples.${name}`);
    this.slip_margin = margin(rows.slip_margin, 'slip_margin');
    this.jam_margin = margin(rows.jam_margin, 'jam_margin');
    this.contact_modes = kinds_in(page.kinds, 'contact_mode');
    this.event_times = Float64Array.from(page.events, (event) => event.time);
  }

  get planar(): boolean {
    return this.page.dimension === 'planar';
  }
  get start(): number {
    return this.time[0] as number;
  }
  get end(): number {
    return this.time[this.count - 1] as number;
  }
  get initial_energy(): number {
    return number_of(this.page.samples.energy.initial);
  }

  event_kind(name: string): Kind {
    return kind_of(this.page.kinds, 'event', name);
  }

  place(t: number): Place {
    return place_at(this.time, t);
  }

  pose(body: number, place: Place, out: Float64Array): void {
    pose_at(this.poses, this.bodies, body, place, out);
  }

  /** kinetic + potential + dissipated − supplied − corrected: what stays constant. */
  energy_sum(sample: number): number {
    return (
      (this.kinetic[sample] as number) +
      (this.potential[sample] as number) +
      (this.dissipated[sample] as number) -
      (this.supplied[sample] as number) -
      (this.corrected[sample] as number)
    );
  }

  /** The largest distance of the energy sum from its initial value, over all samples of the page. */
  energy_drift(): number {
    let drift = 0;
    const initial = Number.isFinite(this.initial_energy) ? this.initial_energy : this.energy_sum(0);
    for (let k = 0; k < this.count; ++k) {
      const distance = Math.abs(this.energy_sum(k) - initial);
      if (distance > drift) drift = distance;
    }
    return drift;
  }

  /** The row of a contact in a sample, or −1 where it is open. */
  row_of(sample: number, contact: number): number {
    for (let row = this.first[sample] as number; row < (this.first[sample + 1] as number); ++row) {
      if (this.contact[row] === contact) return row;
    }
    return -1;
  }
}
