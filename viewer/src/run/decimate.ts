// Curves reduced to what the pixels can show. Each pixel column keeps the lowest and the highest value of every curve
// in it, so no peak is lost and no work is left over for the drawing.

import { first_at_or_after, last_at_or_before } from './search';

export type Point = number | null;

/** One curve: value of sample k, NaN for none. */
export type Curve = (sample: number) => number;

export interface Reduced {
  time: number[];
  values: Point[][];
}

function point(value: number): Point {
  return Number.isFinite(value) ? value : null;
}

/** The samples of `times` within [from, to] and one more on either side, all curves over the same times. */
export function reduce(times: ArrayLike<number>, curves: Curve[], from: number, to: number, columns: number): Reduced {
  const first = Math.max(0, first_at_or_after(times, from) - 1);
  const last = Math.min(times.length - 1, last_at_or_before(times, to) + 1);
  const count = last - first + 1;
  if (count <= 0) return { time: [], values: curves.map(() => []) };
  if (count <= 4 * columns) {
    const time: number[] = [];
    for (let k = first; k <= last; ++k) time.push(times[k] as number);
    return { time, values: curves.map((curve) => time.map((_, i) => point(curve(first + i)))) };
  }
  return buckets(times, curves, first, last, columns);
}

function buckets(times: ArrayLike<number>, curves: Curve[], first: number, last: number, columns: number): Reduced {
  const begin = times[first] as number;
  const width = ((times[last] as number) - begin) / columns;
  const time: number[] = [];
  const values: Point[][] = curves.map(() => []);
  let k = first;
  for (let column = 0; column < columns && k <= last; ++column) {
    const end = column === columns - 1 ? last : bucket_end(times, k, last, begin + (column + 1) * width);
    if (end < k) continue;
    time.push(times[k] as number, times[end] as number);
    curves.forEach((curve, c) => (values[c] as Point[]).push(...extremes(curve, k, end)));
    k = end + 1;
  }
  return { time, values };
}

/** The last sample of the column that ends at time `limit`; before k where the column is empty. */
function bucket_end(times: ArrayLike<number>, k: number, last: number, limit: number): number {
  let end = k - 1;
  while (end < last && (times[end + 1] as number) <= limit) ++end;
  return end;
}

/** Lowest and highest value of a curve in samples k … end, in the order in which they occur. */
function extremes(curve: Curve, k: number, end: number): [Point, Point] {
  let low = NaN;
  let high = NaN;
  let low_at = k;
  let high_at = k;
  for (let i = k; i <= end; ++i) {
    const value = curve(i);
    if (!(value >= low)) {
      if (Number.isFinite(value)) {
        low = value;
        low_at = i;
      }
    }
    if (!(value <= high)) {
      if (Number.isFinite(value)) {
        high = value;
        high_at = i;
      }
    }
  }
  return low_at <= high_at ? [point(low), point(high)] : [point(high), point(low)];
}

/** At most `most` indices out of 0 … count − 1, evenly, with both ends. */
export function spread(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)));
}
