// The friction cone and its image D·cone: what the two pictures draw.

import type { Cone } from '../document';
import type { Value } from '../document';

export interface Space {
  title: string;
  /** What one unit of the axes is. */
  unit: string;
  /** Rays (n, t1[, t2]) around the cone. */
  rays: number[][];
  /** Force of the present slip, or the acceleration it makes; null without slip. */
  slip: number[] | null;
  /** Acceleration without contact force, m/s²; its direction is drawn. Null in the space of forces, and where unknown. */
  free: number[] | null;
}

export interface Spaces {
  force: Space;
  velocity: Space;
  planar: boolean;
}

const numbers = (values: unknown): values is number[] =>
  Array.isArray(values) && values.length >= 2 && values.every((v) => typeof v === 'number' && Number.isFinite(v));

/** Null where the cone cannot be drawn: infinite friction, missing numbers. */
export function spaces(cone: Cone, direction: Value[], free: Value[]): Spaces | null {
  const n = cone.delassus?.length ?? 0;
  if ((n !== 2 && n !== 3) || !cone.delassus.every(numbers) || !Number.isFinite(cone.friction)) return null;
  const force_rays = (cone.force_rays ?? []).filter(numbers).map((ray) => ray.slice(0, n));
  const velocity_rays = (cone.velocity_rays ?? []).filter(numbers).map((ray) => ray.slice(0, n));
  if (force_rays.length < 2 || velocity_rays.length !== force_rays.length) return null;
  const moving = direction.length === n - 1 && direction.some((s) => s !== null && s !== 0);
  const slip = moving ? [1, ...direction.map((s) => -cone.friction * (s ?? 0))] : null;
  const image = slip && cone.delassus.map((row) => row.reduce((sum, d, i) => sum + d * slip[i]!, 0));
  return {
    planar: n === 2,
    force: { title: 'Forces', unit: 'N', rays: force_rays, slip, free: null },
    velocity: {
      title: 'Accelerations they make',
      unit: 'm/s² per N',
      rays: velocity_rays,
      slip: image,
      free: numbers(free) && free.length >= n ? settle(free.slice(0, n)) : null,
    },
  };
}

/** Entries below rounding of the largest are zero. */
function settle(vector: number[]): number[] {
  const size = Math.max(...vector.map(Math.abs));
  return vector.map((x) => (Math.abs(x) < 1e-12 * size ? 0 : x));
}

export function length(vector: number[]): number {
  return Math.hypot(...vector);
}

/** Length of the longest ray, at least one axis unit of it; never zero. */
export function reach(space: Space): number {
  return Math.max(...space.rays.map(length), space.slip ? length(space.slip) : 0) || 1;
}

export interface Face {
  a: number[];
  b: number[];
  /** Under the tangent plane: the force presses the bodies together. */
  below: boolean;
}

/** Triangles from the tip to each pair of neighbouring rays, cut where the cone crosses the tangent plane. */
export function faces(rays: number[][]): Face[] {
  const result: Face[] = [];
  rays.forEach((a, k) => {
    const b = rays[(k + 1) % rays.length]!;
    const [na, nb] = [a[0]!, b[0]!];
    if (na * nb >= 0) {
      result.push({ a, b, below: na + nb < 0 });
      return;
    }
    const t = na / (na - nb);
    const level = a.map((x, i) => (i === 0 ? 0 : x + t * (b[i]! - x)));
    result.push({ a, b: level, below: na < 0 }, { a: level, b, below: nb < 0 });
  });
  return result;
}

/** Round numbers along an axis that reaches from −size to size, without zero; about four. */
export function axis_ticks(size: number): number[] {
  const power = 10 ** Math.floor(Math.log10(size));
  const digit = size / power;
  const step = power * (digit >= 5 ? 2.5 : digit >= 2 ? 1 : 0.5);
  const count = Math.floor(size / step + 1e-9);
  const ahead = Array.from({ length: count }, (_, k) => Number(((k + 1) * step).toPrecision(12)));
  return [...ahead.map((x) => -x).reverse(), ...ahead];
}
