// Closed contacts at the time shown: points coloured by mode, forces, friction cones; impulses around an impact.

import { Group, Vector3 } from 'three';
import { number_of, type EventContact } from '../document';
import { category_colour } from '../kinds';
import { lay_arrow, lay_cone, make_arrow, make_ball, make_cone, Store } from './arrows';
import type { Bounds } from './bounds';
import type { RunData } from './data';
import { spread } from './decimate';
import type { Palette } from './palette';
import { first_at_or_after, last_at_or_before, type Place } from './search';

export interface Shown {
  forces: boolean;
  cones: boolean;
  impulses: boolean;
}

const most_impacts = 12;

export class Contacts {
  readonly root = new Group();
  readonly shown: Shown = { forces: true, cones: true, impulses: true };
  private readonly balls;
  private readonly cones;
  private readonly forces;
  private readonly impulses;
  private readonly force_scale: number;
  private readonly impulse_scale: number;
  private readonly point = new Vector3();
  private readonly normal = new Vector3();
  private readonly tangent = new Vector3();
  private readonly way = new Vector3();

  constructor(
    private readonly data: RunData,
    bounds: Bounds,
    private readonly palette: Palette,
  ) {
    this.balls = new Store(() => make_ball(palette));
    this.cones = new Store(() => make_cone(palette, data.planar));
    this.forces = new Store(() => make_arrow(palette, '--text'));
    this.impulses = new Store(() => make_arrow(palette, '--impulse'));
    this.root.add(this.cones.root, this.balls.root, this.forces.root, this.impulses.root);
    this.force_scale = (0.35 * bounds.machine) / usual_force(data);
    this.impulse_scale = (0.4 * bounds.machine) / largest_impulse(data);
  }

  update(place: Place, time: number, window: number, pixel: number): void {
    for (const store of [this.balls, this.cones, this.forces, this.impulses]) store.begin();
    const { data } = this;
    const end = data.first[place.sample + 1] as number;
    for (let row = data.first[place.sample] as number; row < end; ++row) this.draw_row(row, place, pixel);
    if (this.shown.impulses) this.draw_impulses(time, window, pixel);
    for (const store of [this.balls, this.cones, this.forces, this.impulses]) store.end();
  }

  private draw_row(row: number, place: Place, pixel: number): void {
    const { data, point, normal, tangent, way } = this;
    const contact = data.contact[row] as number;
    const other = place.fraction > 0 ? data.row_of(place.next, contact) : -1;
    const blend = (values: ArrayLike<number>, i: number) => {
      const value = values[3 * row + i] as number;
      return other < 0 ? value : value + place.fraction * ((values[3 * other + i] as number) - value);
    };
    point.set(blend(data.point, 0), blend(data.point, 1), blend(data.point, 2));
    normal.set(blend(data.normal, 0), blend(data.normal, 1), blend(data.normal, 2)).normalize();
    tangent.set(blend(data.tangent1, 0), blend(data.tangent1, 1), blend(data.tangent1, 2));
    if (!Number.isFinite(point.x + point.y + point.z + normal.x)) return;
    const mode = data.contact_modes[data.mode[row] as number];
    const name = category_colour(mode?.category ?? 'free');
    const ball = this.balls.next();
    ball.material = this.palette.flat(name);
    ball.position.copy(point);
    ball.scale.setScalar(4.5 * pixel);

    const n = blend(data.force, 0);
    combine(way, normal, tangent, n, blend(data.force, 1), blend(data.force, 2)).multiplyScalar(this.force_scale);
    const known = Number.isFinite(way.x + way.y + way.z);
    const friction = data.page.contacts[contact]?.friction;
    const mu = number_of(mode?.['friction'] === 'kinetic' ? friction?.kinetic : friction?.static);
    if (this.shown.cones && friction && mu !== 0) {
      const cone = this.cones.next();
      cone.material = this.palette.flat(name, 0.22);
      lay_cone(cone, point, normal, mu, Math.max(known ? n * this.force_scale : 0, 22 * pixel));
    }
    if (this.shown.forces && known && way.length() > 2 * pixel) lay_arrow(this.forces.next(), point, way, pixel);
  }

  /** The impulses of impacts within `window` of the time shown, the nearest first where there are many. */
  private draw_impulses(time: number, window: number, pixel: number): void {
    const { data } = this;
    const from = first_at_or_after(data.event_times, time - window);
    const to = last_at_or_before(data.event_times, time + window);
    const latest = last_at_or_before(data.event_times, time);
    const first = Math.max(from, Math.min(latest - most_impacts + 1, to));
    for (let i = first; i <= Math.min(to, first + most_impacts - 1); ++i) {
      for (const contact of data.page.events[i]?.contacts ?? []) this.draw_impulse(contact, pixel);
    }
  }

  private draw_impulse(contact: EventContact, pixel: number): void {
    if (!contact.point || !contact.normal || !contact.tangent1 || !contact.impulse) return;
    const [n = null, t1 = null, t2 = null] = contact.impulse;
    this.point.fromArray(contact.point);
    this.normal.fromArray(contact.normal);
    this.tangent.fromArray(contact.tangent1);
    combine(this.way, this.normal, this.tangent, n ?? 0, t1 ?? 0, t2 ?? 0);
    const size = this.way.length();
    if (size === 0) return;
    const length = Math.max(size * this.impulse_scale, 20 * pixel);
    lay_arrow(this.impulses.next(), this.point, this.way.multiplyScalar(length / size), 1.5 * pixel);
  }
}

/** n·normal + t1·tangent1 + t2·(normal × tangent1). */
function combine(out: Vector3, normal: Vector3, tangent: Vector3, n: number, t1: number, t2: number): Vector3 {
  out.crossVectors(normal, tangent).multiplyScalar(t2);
  return out.addScaledVector(normal, n).addScaledVector(tangent, t1);
}

/** A force that most forces of the run do not exceed; a few peaks shall not make all others invisible. */
function usual_force(data: RunData): number {
  const sizes = spread(data.contact.length, 4000)
    .map((row) => Math.hypot(data.force[3 * row]!, data.force[3 * row + 1]!, data.force[3 * row + 2]!))
    .filter((size) => size > 0 && Number.isFinite(size))
    .sort((a, b) => a - b);
  return sizes[Math.floor(0.9 * (sizes.length - 1))] ?? 1;
}

function largest_impulse(data: RunData): number {
  let largest = 0;
  for (const event of data.page.events) {
    for (const contact of event.contacts) {
      const size = Math.hypot(...(contact.impulse ?? []).map((v) => v ?? 0));
      if (size > largest) largest = size;
    }
  }
  return largest || 1;
}
