import { describe, expect, it } from 'vitest';
import type { RunDocument } from '../src/document';
import { first_speed } from '../src/run/clock';
import { RunData } from '../src/run/data';
import { energy_series } from '../src/run/energy_series';
import { pose_at } from '../src/run/interpolate';
import { first_at_or_after, last_at_or_before, place_at, step_event } from '../src/run/search';
import { contact_specs } from '../src/run/contact_plots';
import { category_colour } from '../src/kinds';
import kept from './pages_data/run.json';
import { pack } from './packing.mjs';
import { bouncing_disc, sliding_box } from './samples.mjs';

describe('search', () => {
  it('agrees with looking at every entry', () => {
    let seed = 7;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let round = 0; round < 200; ++round) {
      const times = Array.from({ length: Math.floor(random() * 12) }, () => Math.floor(random() * 6)).sort((a, b) => a - b);
      const t = Math.floor(random() * 8) - 1;
      expect(last_at_or_before(times, t)).toBe(times.filter((x) => x <= t).length - 1);
      expect(first_at_or_after(times, t)).toBe(times.filter((x) => x < t).length);
    }
  });
  it('takes the sample after an event and never goes across it', () => {
    const times = [0, 1, 1, 2];
    expect(place_at(times, 1)).toEqual({ sample: 2, next: 3, fraction: 0 });
    expect(place_at(times, 0.75)).toEqual({ sample: 0, next: 1, fraction: 0.75 });
    expect(place_at(times, 1.25)).toEqual({ sample: 2, next: 3, fraction: 0.25 });
    expect(place_at(times, -1)).toMatchObject({ sample: 0, fraction: 0 });
    expect(place_at(times, 9)).toEqual({ sample: 3, next: 3, fraction: 0 });
  });
  it('steps through events at one time one after the other', () => {
    const times = [1, 2, 2, 3];
    const visited = [];
    for (let t = 0, at = -1; (at = step_event(times, t, at, 1)) >= 0; t = times[at]!) visited.push(at);
    expect(visited).toEqual([0, 1, 2, 3]);
    const back = [];
    for (let t = 9, at = -1; (at = step_event(times, t, at, -1)) >= 0; t = times[at]!) back.push(at);
    expect(back).toEqual([3, 2, 1, 0]);
    expect(step_event(times, 2.5, 0, 1)).toBe(3);
    expect(step_event(times, 2.5, 0, -1)).toBe(2);
    expect(step_event([], 0, -1, 1)).toBe(-1);
  });
});

describe('interpolation', () => {
  const turned = (angle: number) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
  it('turns evenly, the short way, with a unit quaternion', () => {
    for (const sign of [1, -1]) {
      const end = turned(1.2).map((x) => sign * x);
      const poses = [0, 0, 0, ...turned(0.2), 2, 4, 6, ...end];
      for (const fraction of [0, 0.25, 0.5, 1]) {
        const out = new Float64Array(7);
        pose_at(poses, 1, 0, { sample: 0, next: 1, fraction }, out);
        expect([...out.slice(0, 3)]).toEqual([2 * fraction, 4 * fraction, 6 * fraction]);
        const angle = 2 * Math.atan2(out[6]!, out[3]!);
        expect(Math.cos(angle - (0.2 + fraction))).toBeCloseTo(1, 12);
        expect(Math.hypot(...out.slice(3))).toBeCloseTo(1, 14);
      }
    }
  });
  it('finds the body among others', () => {
    const poses = [0, 0, 0, 1, 0, 0, 0, 5, 6, 7, 1, 0, 0, 0];
    const out = new Float64Array(7);
    pose_at(poses, 2, 1, { sample: 0, next: 0, fraction: 0 }, out);
    expect([...out]).toEqual([5, 6, 7, 1, 0, 0, 0]);
  });
  it('is no quaternion of zeros', () => {
    const out = new Float64Array(7);
    pose_at([0, 0, 0, 0, 0, 0, 0], 1, 0, { sample: 0, next: 0, fraction: 0 }, out);
    expect([...out.slice(3)]).toEqual([1, 0, 0, 0]);
  });
});

describe('a run', () => {
  const load = (page: unknown) => new RunData(page as RunDocument);
  it('has an energy sum that stays', () => {
    // m g h + m v²/2 + (m r²/2) ω²/2 with m = 1, h = 1, v = 1.2, r = 0.1, ω = 4
    const disc = load(bouncing_disc());
    const initial = 9.81 + 0.72 + 0.04;
    expect(disc.initial_energy).toBeCloseTo(initial, 12);
    for (const sample of [0, 100, disc.count - 1]) expect(disc.energy_sum(sample)).toBeCloseTo(initial, 10);
    expect(disc.energy_drift()).toBeLessThan(1e-12);
  });
  it('does not count what was supplied', () => {
    const page = bouncing_disc() as unknown as RunDocument;
    page.samples.energy.supplied = pack('f64', [page.samples.count], new Array(page.samples.count).fill(1.5));
    expect(load(page).energy_sum(3)).toBeCloseTo(10.57 - 1.5, 10);
  });
  it('does not count what was corrected', () => {
    const page = bouncing_disc() as unknown as RunDocument;
    page.samples.energy.corrected = pack('f64', [page.samples.count], new Array(page.samples.count).fill(-0.25));
    expect(load(page).energy_sum(3)).toBeCloseTo(10.57 + 0.25, 10);
  });
  it('stacks what was corrected at the height of the others', () => {
    const page = bouncing_disc() as unknown as RunDocument;
    page.samples.energy.corrected = pack('f64', [page.samples.count], new Array(page.samples.count).fill(-0.25));
    const series = energy_series(load(page));
    const corrected = series.find((each) => each.name === 'corrected')!;
    expect(corrected.curve(3)).toBeCloseTo(10.57 + 0.25, 10);
    expect(corrected.value!(3)).toBe(-0.25);
    expect(series.at(-1)!.name).toBe('sum − corrected');
    expect(energy_series(load(bouncing_disc())).some((each) => each.name === 'corrected')).toBe(false);
  });
  it('tells a drift from none', () => {
    const page = bouncing_disc() as unknown as RunDocument;
    page.samples.energy.initial = 10;
    expect(load(page).energy_drift()).toBeCloseTo(0.57, 10);
  });
  it('shows the velocity after an impact at its time', () => {
    const disc = load(bouncing_disc());
    const fall = Math.sqrt((2 * 0.9) / 9.81);
    expect(disc.page.events[0]!.time).toBeCloseTo(fall, 12);
    const { sample } = disc.place(disc.page.events[0]!.time);
    expect(sample).toBe(disc.page.events[0]!.sample);
    expect(disc.velocity.values[3 * sample + 1]).toBeCloseTo(0.6 * 9.81 * fall, 5);
    expect(disc.velocity.values[3 * (sample - 1) + 1]).toBeCloseTo(-9.81 * fall, 5);
  });
  it('knows which contacts are closed', () => {
    const box = load(sliding_box());
    expect(box.row_of(0, 2)).toBe(-1);
    expect(box.contact[box.row_of(box.count - 1, 2)]).toBe(2);
  });
  it('refuses arrays that do not fit', () => {
    const page = bouncing_disc() as unknown as RunDocument;
    page.bodies.push({ name: 'one more' });
    expect(() => load(page)).toThrow(/samples.poses/);
  });
});

describe('a document that the program wrote', () => {
  const page = kept as unknown as RunDocument;
  const data = new RunData(page);
  it('is read into every field', () => {
    const rows = Object.keys(page.contact_samples);
    // What impacts gave back stands in the outcome; the energy at the start is no column.
    const accounts = Object.keys(page.samples.energy).filter((key) => key !== 'gained' && key !== 'initial');
    for (const key of [...rows, ...accounts, 'time', 'poses', 'position', 'velocity']) expect(data).toHaveProperty(key);
    // A ball dropped by 1 m at 1 m/s bounces until it rolls with 5/7 of that: m = 1, r = 0.1, I = 2/5 m r².
    expect(data.initial_energy).toBeCloseTo(9.81 * 1.1 + 0.5, 12);
    expect(data.dissipated[data.count - 1]).toBeCloseTo(9.81 + 0.5 * (1 - 5 / 7), 6);
    expect(data.energy_drift()).toBeLessThan(1e-6);
    expect(data.page.events[0]!.time).toBeCloseTo(Math.sqrt(2 / 9.81), 9);
  });
  it('shows what is below rounding as zero', () => {
    const page = structuredClone(kept) as unknown as RunDocument;
    const data = new RunData(page);
    const gaps = data.gap as unknown as { [k: number]: number; length: number };
    for (let k = 0; k < gaps.length; ++k) gaps[k] = k % 2 ? 1e-17 : -3e-16; // of a machine of some 0.2 m
    gaps[4] = 1e-6;
    const [curve] = contact_specs(data)[0]!.series;
    expect(curve!.curve(0)).toBe(0);
    expect(curve!.curve(1)).toBe(0);
    expect(curve!.curve(4)).toBeCloseTo(1e-6, 12);
  });
  it('has a plot for every column of contacts', () => {
    const columns = Object.values(page.contact_samples).filter((each) => each.shape[0] === data.count && each.shape.length === 2);
    const specs = contact_specs(data);
    expect(specs.map((spec) => [spec.title, spec.unit])).toEqual([
      ['Gaps', 'm'],
      ['Slip speed', 'm/s'],
      ['Normal force', 'N'],
    ]);
    expect(specs.length).toBe(columns.length);
  });
});

describe('kinds', () => {
  const load = (page: unknown) => new RunData(page as RunDocument);
  it('of contacts decide which plot a curve is in, whatever the contact is called', () => {
    const page = bouncing_disc() as unknown as RunDocument;
    page.contacts[0]!.name = 'knee at its upper limit';
    expect(contact_specs(load(page)).map((spec) => spec.title)).toEqual(['Gaps', 'Slip speed', 'Normal force']);
    page.contacts[0]!.kind = 'limit';
    const specs = contact_specs(load(page));
    expect(specs.map((spec) => [spec.title, spec.unit])).toEqual([
      ['Gaps of joint limits', 'm or rad'],
      ['Force of joint limits', 'N or N m'],
    ]);
    page.contacts[0]!.kind = 'rope';
    expect(contact_specs(load(page))[0]!.title).toBe('gap, rope');
  });
  it('that the document does not describe have their name and a neutral colour', () => {
    const kind = load(bouncing_disc()).event_kind('new_kind');
    expect(kind.label).toBe('new kind');
    expect(category_colour(kind.category)).toBe('--muted');
    expect(category_colour(load(bouncing_disc()).event_kind('impact').category)).toBe('--impulse');
    expect(category_colour('constructor')).toBe('--muted');
  });
});

it('starts at a speed at which something can be seen', () => {
  expect(first_speed(10)).toBe(1);
  expect(first_speed(2)).toBe(0.5);
  expect(first_speed(1e-6)).toBe(0.01);
});
