import { describe, expect, it } from 'vitest';
import type { Json } from '../src/document';
import { read_impact, usable, type Energy } from '../src/pages/impact_data';
import { comparable } from '../src/pages/impact_paths';
import { kind_of, mode_label, type Kinds } from '../src/kinds';
import { balance_words, clean, findings } from '../src/pages/impact_words';
import { ledger_range, stack } from '../src/pages/ledger';
import planar from './pages_data/impact_planar.json';
import none from './pages_data/impact_none.json';
import scene from './pages_data/impact_scene.json';
import several from './pages_data/impact_several.json';
import spatial from './pages_data/impact_spatial.json';

type Data = { [key: string]: Json };
const read = (page: { data: unknown; paths: unknown[]; kinds: unknown }) =>
  read_impact(page.data as Data, page.paths as never, page.kinds as Kinds);
const energy = (normal: number, tangential: number, consistent = true): Energy => ({
  normal_work: normal,
  tangential_work: tangential,
  supplied: 0,
  change: normal + tangential,
  consistent,
});

describe('an impact', () => {
  it('of a problem file has its laws, their paths and the velocity before', () => {
    const { strikes } = read(planar);
    expect(strikes).toHaveLength(1);
    expect(strikes[0]!.laws.map((law) => law.name)).toEqual(['energetic', 'poisson', 'newton', 'unified', 'classical']);
    expect(strikes[0]!.spatial).toBe(false);
    expect(strikes[0]!.before![0]).toBeCloseTo(-0.268404, 5);
    expect(strikes[0]!.laws.every((law) => law.path !== null && usable(law))).toBe(true);
  });
  it('in space is known as such', () => expect(read(spatial).strikes[0]!.spatial).toBe(true));
  it('of a scene names its contacts, its coordinates and all contacts at once', () => {
    const impact = read(scene);
    expect(impact.strikes[0]!.name).toBe('swing_foot on slope');
    expect(impact.dofs).toContain('hip');
    expect(impact.several.map((s) => s.title)).toEqual(['Without friction', 'Without slip']);
    expect(impact.touching).toHaveLength(2);
  });
  it('of several contacts has no single strike', () => {
    const impact = read(several);
    expect(impact.strikes).toHaveLength(0);
    expect(impact.several[0]!.contacts).toHaveLength(4);
    expect(impact.several[0]!.contacts[3]!.name).toBe('contact 4');
  });
  it('of several by the other rule is told', () => {
    const contacts = [{ role: 'strikes', approach: -1, normal_impulse: 2, tangential_impulse: [1] }];
    const impact = read_impact({ rule: 'together', together: { status: 'ok', contacts } }, [], several.kinds as unknown as Kinds);
    expect(impact.rule).toContain('slip, stick and restitution');
    expect(impact.several.map((s) => s.title)).toEqual(['Through slip and stick']);
    expect(impact.several[0]!.contacts[0]!.normal_impulse).toBe(2);
  });
  it('with friction and without rebound tells the state of each contact', () => {
    const smooth = { contacts: [{}, {}], loop_multipliers: [7] };
    const frictional = {
      status: 'solved',
      states: ['slips', 'open'],
      impulse: [2, -1, 0, 0, 7],
      velocity: [0, 3, 1, 4, 0],
      impulse_unique: false,
      energy: { change: -5 },
    };
    const found = read_impact({ smooth, frictional }, []).frictional!;
    expect(found.contacts.map((c) => c.state)).toEqual(['slips', 'open']);
    expect(found.contacts.map((c) => c.impulse)).toEqual([
      [2, -1],
      [0, 0],
    ]);
    expect(found.contacts[1]!.velocity).toEqual([1, 4]);
    expect([found.change, found.unique]).toEqual([-5, false]);
    expect(read(several).frictional).toBeNull();
  });
  it('that does not happen has nothing', () => {
    const impact = read(none);
    expect(impact.strikes.length + impact.several.length).toBe(0);
  });
  it('of one law is read like one of several', () => {
    const result = (planar.data as { results: Data[] }).results[2]!;
    expect(read_impact(result, []).strikes[0]!.laws[0]!.name).toBe('newton');
  });
  it('of nonsense is empty, without an error', () => {
    expect(read_impact({ strikes: 3, touching: 'x', simultaneous: [1] }, []).strikes).toEqual([]);
    expect(
      read_impact({ law: 'x', status: 7, impulse: ['a', null] }, [{ law: 'x' }] as never).strikes[0]!.laws[0]!.path,
    ).toBeNull();
  });
  it('keeps the paths of each strike to itself', () => {
    const result = { law: 'poisson', status: 'ok' };
    const strike = { contact: 'a', results: [result] };
    const path = (contact: number, v: number) => ({ contact, law: 'poisson', velocity: [[v, 0, 0]], impulse: [0] });
    const impact = read_impact({ strikes: [strike, strike] }, [path(1, 7), path(0, 5)]);
    expect(impact.strikes.map((s) => s.before![0])).toEqual([5, 7]);
  });
});

describe('the documents of the program', () => {
  it('have paths that end where the law ends', () => {
    for (const page of [planar, spatial, scene]) {
      for (const law of read(page).strikes[0]!.laws) {
        const end = law.path!.velocity.at(-1)!;
        law.relative_velocity.forEach((v, i) => expect(end[i]).toBeCloseTo(v!, 5));
        expect(law.path!.impulse.at(-1)).toBeCloseTo(law.impulse[0]!, 5);
      }
    }
  });
});

describe('the ledger', () => {
  it('stacks losses to the left and gains to the right', () => {
    expect(stack(energy(-2, -1))).toEqual([
      { kind: 'normal', from: 0, to: -2 },
      { kind: 'tangential', from: -2, to: -3 },
    ]);
    expect(stack(energy(-2, 5))).toEqual([
      { kind: 'normal', from: 0, to: -2 },
      { kind: 'tangential', from: 0, to: 5 },
    ]);
  });
  it('has one range that holds every bar', () => {
    const range = ledger_range([energy(-2, -1), energy(-1, 5)]);
    expect(range.low).toBeLessThan(-3);
    expect(range.high).toBeGreaterThan(5);
    expect(range.high).toBeLessThan(6);
  });
  it('says plainly who gains', () => {
    expect(balance_words(energy(-0.2, 0.7, false))).toEqual({ tone: 'bad', text: 'gains 0.5\u202fJ' });
    expect(balance_words(energy(-0.2, -0.1))).toEqual({ tone: 'good', text: 'loses 0.3\u202fJ' });
    expect(balance_words(energy(0, 0)).text).toBe('keeps its energy');
    const found = findings(read(planar).strikes[0]!);
    expect(found[0]!.tone).toBe('bad');
    expect(found[0]!.text).toContain('Classical gains 0.489');
  });
});

describe('words and scales', () => {
  it('of modes depend on the dimension', () => {
    const mode = (name: string) => kind_of(planar.kinds as unknown as Kinds, 'impact_mode', name);
    expect(mode_label(mode('reverse_in_restitution'), false)).toBe('slip reverses in restitution');
    expect(mode_label(mode('reverse_in_restitution'), true)).toBe('slip restarts in restitution');
    expect(mode_label(mode('something_new'), true)).toBe('something new');
  });
  it('drop rounding beside large numbers', () => {
    expect(clean(-1e-16, 1)).toBe(0);
    expect(clean(-1e-16, 1e-16)).toBe(-1e-16);
    expect(clean(null, 1)).toBeNull();
  });
  it('are shared unless one impulse dwarfs the others', () => {
    expect(comparable([1, 1.2, 1.1, 2, 3])).toBe(true);
    expect(comparable([0.8, 0.7, 1.9, 0.7, 5.5])).toBe(false);
  });
});
