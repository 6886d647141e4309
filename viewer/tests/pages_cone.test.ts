import { describe, expect, it } from 'vitest';
import type { Cone } from '../src/document';
import { tone_of } from '../src/kinds';
import { axis_ticks, faces, reach, spaces } from '../src/pages/cone';
import { wedge_below } from '../src/pages/cone2d';
import { every_velocity } from '../src/pages/diagnosis_numbers';
import planar from './pages_data/diagnosis_planar.json';
import spatial from './pages_data/diagnosis_spatial.json';

const cone: Cone = {
  contact: 0,
  friction: 2,
  delassus: [
    [1, 0.6],
    [0.6, 1],
  ],
  force_rays: [
    [1, 2],
    [1, -2],
  ],
  velocity_rays: [
    [2.2, 2.6],
    [-0.2, -1.4],
  ],
};

describe('the two spaces of a cone', () => {
  it('hold the force of the slip and what it makes', () => {
    const both = spaces(cone, [1], [-9.81, 1e-16])!;
    expect(both.planar).toBe(true);
    expect(both.force.slip).toEqual([1, -2]);
    expect(both.velocity.slip![0]).toBeCloseTo(-0.2, 12);
    expect(both.velocity.free).toEqual([-9.81, 0]);
    expect(both.force.free).toBeNull();
  });
  it('have no slip where there is none, and no cone for infinite friction', () => {
    expect(spaces(cone, [], [])!.force.slip).toBeNull();
    expect(spaces(cone, [0], [])!.force.slip).toBeNull();
    expect(spaces({ ...cone, friction: null as unknown as number }, [1], [])).toBeNull();
    expect(spaces({ ...cone, velocity_rays: [] }, [1], [])).toBeNull();
  });
  it('reach as far as the longest ray', () => {
    expect(reach(spaces(cone, [1], [])!.velocity)).toBeCloseTo(Math.hypot(2.2, 2.6), 12);
  });
});

describe('the documents of the program', () => {
  it.each([planar, spatial])('have velocity rays that are D times the force rays, and A among them', (page) => {
    for (const c of page.cones as unknown as Cone[]) {
      c.force_rays.forEach((ray, k) => {
        c.delassus.forEach((row, i) => {
          const made = row.reduce((sum, d, j) => sum + d * ray[j]!, 0);
          expect(c.velocity_rays[k]![i]).toBeCloseTo(made, 10);
        });
      });
      const { slip, free_acceleration } = page.data.contacts[0]!;
      const both = spaces(c, slip.direction, free_acceleration)!;
      expect(both.velocity.slip![0]).toBeCloseTo(slip.A, 10);
    }
  });
});

describe('the surface of a cone', () => {
  it('is cut where it crosses the tangent plane', () => {
    const rays = [
      [1, 1, 0],
      [1, 0, 1],
      [-1, -1, 0],
      [1, 0, -1],
    ];
    const parts = faces(rays);
    expect(parts).toHaveLength(6);
    expect(parts.filter((face) => face.below)).toHaveLength(2);
    for (const face of parts) {
      const sides = [face.a[0]!, face.b[0]!];
      expect(face.below ? Math.max(...sides) : -Math.min(...sides)).toBeLessThanOrEqual(0);
    }
  });
  it('stays whole above', () =>
    expect(
      faces([
        [1, 1, 0],
        [1, -1, 1],
        [1, 0, -1],
      ]),
    ).toHaveLength(3));
  it('of a wedge has a part below only where a ray dips', () => {
    expect(wedge_below([1, 1], [1, -1])).toBeNull();
    expect(wedge_below([2.2, 2.6], [-0.2, -1.4])![2]![0]).toBe(0);
    expect(wedge_below([-1, 1], [-1, 2])).toHaveLength(3);
  });
});

it('ticks of an axis are round and on both sides', () => {
  expect(axis_ticks(2.4)).toEqual([-2, -1, 1, 2]);
  expect(axis_ticks(1)).toEqual([-1, -0.5, 0.5, 1]);
  expect(axis_ticks(0.07)).toEqual([-0.05, -0.025, 0.025, 0.05]);
});

describe('all velocities of approach', () => {
  it('are told apart by gain and jam', () => {
    const of = (page: typeof planar | typeof spatial) => every_velocity(page.data.contacts[0]!.restitution.every_velocity);
    expect(of(planar)[1]).toBe('some gain');
    expect(of(planar)[2]).toContain('worst by 168 % from v = (−1, −2.06)');
    expect(of(spatial)).toEqual([
      'all v',
      'none gains',
      'no velocity gains energy under the unified impact map; slip in some directions jams',
    ]);
  });
});

describe('verdicts', () => {
  it.each([planar, spatial])('come in the words of the document, each with its tone', (page) => {
    expect(page.verdicts).toHaveLength(page.data.contacts.length);
    for (const { tone, sentences } of page.verdicts) {
      expect(tone_of(tone)).toBe(tone);
      expect(sentences[0]!.length).toBeGreaterThan(10);
    }
  });
  it('are neither good nor bad where the document does not say', () => {
    expect(tone_of(undefined)).toBe('plain');
    expect(tone_of('constructor')).toBe('plain');
  });
});
