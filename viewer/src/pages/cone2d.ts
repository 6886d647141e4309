// The cone of a planar contact: a wedge between two rays, tangent across, normal up.

import { number } from '../format';
import { equal_scale, range_of } from '../axes';
import { length, reach, type Space } from './cone';
import { frame_size, plot, type Line, type Mark, type Point } from '../plot';

const width = 360;
const height = 300;

export function cone_drawing(space: Space): SVGSVGElement {
  const size = reach(space);
  const place = (v: number[]): Point => [v[1]!, v[0]!];
  const scaled = (v: number[], to: number): number[] => v.map((x) => (x * to) / (length(v) || 1));
  const free = space.free && length(space.free) > 0 ? scaled(space.free, 0.8 * size) : null;
  const ends = [
    ...space.rays,
    ...(space.slip ? [space.slip] : []),
    ...(free ? [free, free.map((x) => -x)] : []),
    [0, 0],
  ];
  const frame = frame_size(width, height);
  const ranges = equal_scale(
    range_of(
      ends.map((v) => v[1]!),
      0.12,
    ),
    range_of(
      ends.map((v) => v[0]!),
      0.12,
    ),
    frame.width,
    frame.height,
  );
  const [first, second] = [space.rays[0]!, space.rays[1]!];
  const below = wedge_below(first, second);
  const lines: Line[] = space.rays.map((ray) => ({ points: [[0, 0], place(ray)], kind: 'cone-edge' }));
  const marks: Mark[] = [];
  if (space.slip) {
    lines.push({ points: [[0, 0], place(space.slip)], kind: 'cone-slip' });
    marks.push({
      at: place(space.slip),
      kind: 'cone-slip',
      shape: 'dot',
      text: 'slip',
      side: side(space.slip),
      title: `force of the slip: ${words(space.slip, space.unit)}`,
    });
  }
  if (free && space.free) {
    lines.push({ points: [[0, 0], place(free.map((x) => -x))], kind: 'cone-need' });
    lines.push({ points: [[0, 0], place(free)], kind: 'cone-free' });
    marks.push({
      at: place(free),
      kind: 'cone-free',
      shape: 'diamond',
      text: 'f',
      side: side(free),
      title: `acceleration without contact force: ${words(space.free, 'm/s²')}`,
    });
  }
  const quantity = space.unit === 'N' ? 'force' : 'acceleration';
  return plot({
    ...ranges,
    x_label: `tangential ${quantity}, ${space.unit}`,
    y_label: `normal ${quantity}, ${space.unit}`,
    areas: [
      { points: [[0, 0], place(first), place(second)], kind: 'cone-inside' },
      ...(below ? [{ points: below.map(place), kind: 'cone-below' }] : []),
    ],
    lines,
    marks,
    width,
    height,
    label: `${space.title}: the cone between ${words(first, space.unit)} and ${words(second, space.unit)}`,
  });
}

/** The part of the triangle between two rays that lies under the tangent; null where there is none. */
export function wedge_below(a: number[], b: number[]): number[][] | null {
  const [na, nb] = [a[0]!, b[0]!];
  if (na >= 0 && nb >= 0) return null;
  if (na < 0 && nb < 0) return [[0, 0], a, b];
  const t = na / (na - nb);
  const level = [0, a[1]! + t * (b[1]! - a[1]!)];
  return [[0, 0], na < 0 ? a : b, level];
}

/** Words stand on the outer side of a vector. */
const side = (v: number[]) => (v[1]! < 0 ? 'left' : 'right');

function words(v: number[], unit: string): string {
  return `normal ${number(v[0]!)}, tangential ${number(v[1]!)} ${unit}`;
}
