// A small line chart in SVG, for curves of a few hundred points: axes with units, marks, optionally equal scales.

import { svg } from './dom';
import { compact } from './format';

export interface ChartCurve {
  label: string;
  points: [number, number][];
  /** Any CSS colour, such as var(--stick). */
  colour: string;
  dashed?: boolean;
}
export interface ChartMark {
  at: [number, number];
  label: string;
  colour: string;
}
export interface ChartOptions {
  label: string;
  x: string;
  y: string;
  curves: ChartCurve[];
  marks?: ChartMark[];
  /** The same length for the same number on both axes: for velocities in a plane. */
  equal?: boolean;
  width?: number;
  height?: number;
}

interface Range {
  low: number;
  high: number;
}

/** About `count` round numbers in a range. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / Math.max(count, 1);
  if (!(rough > 0) || !Number.isFinite(rough)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = (rough / power) * (1 - 1e-9);
  const step = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
  const result: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step && result.length < 50; ++i) {
    result.push(Number((i * step).toPrecision(12)));
  }
  return result;
}

function range(values: number[]): Range {
  let low = Math.min(0, ...values);
  let high = Math.max(0, ...values);
  if (high - low < 1e-300) [low, high] = [-1, 1];
  const margin = 0.06 * (high - low);
  return { low: low - margin, high: high + margin };
}

/** Widens one of the ranges until a unit is as long on the one axis as on the other. */
function equalise(x: Range, y: Range, width: number, height: number): void {
  const unit = Math.max((x.high - x.low) / width, (y.high - y.low) / height);
  const widen = (r: Range, length: number) => {
    const extra = (unit * length - (r.high - r.low)) / 2;
    r.low -= extra;
    r.high += extra;
  };
  widen(x, width);
  widen(y, height);
}

export function chart(options: ChartOptions): SVGSVGElement {
  const { width = 360, height = 250, marks = [] } = options;
  const box = { left: 70, right: 12, top: 10, bottom: 38 };
  const inner = { width: width - box.left - box.right, height: height - box.top - box.bottom };
  const all = [...options.curves.flatMap((c) => c.points), ...marks.map((m) => m.at)].filter(
    ([a, b]) => Number.isFinite(a) && Number.isFinite(b),
  );
  const x = range(all.map((p) => p[0]));
  const y = range(all.map((p) => p[1]));
  if (options.equal) equalise(x, y, inner.width, inner.height);
  const at_x = (v: number) => box.left + ((v - x.low) / (x.high - x.low)) * inner.width;
  const at_y = (v: number) => box.top + ((y.high - v) / (y.high - y.low)) * inner.height;

  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': options.label });
  for (const v of ticks(x.low, x.high, 5)) {
    const place = at_x(v);
    picture.append(
      svg('line', { x1: place, x2: place, y1: box.top, y2: box.top + inner.height, class: v === 0 ? 'zero' : 'grid' }),
      svg('text', { x: place, y: box.top + inner.height + 15, 'text-anchor': 'middle' }, compact(v)),
    );
  }
  for (const v of ticks(y.low, y.high, 5)) {
    const place = at_y(v);
    picture.append(
      svg('line', { x1: box.left, x2: box.left + inner.width, y1: place, y2: place, class: v === 0 ? 'zero' : 'grid' }),
      svg('text', { x: box.left - 6, y: place + 4, 'text-anchor': 'end' }, compact(v)),
    );
  }
  const middle = box.top + inner.height / 2;
  picture.append(
    svg('text', { x: box.left + inner.width / 2, y: height - 5, 'text-anchor': 'middle', class: 'axis' }, options.x),
    svg('text', { x: 12, y: middle, 'text-anchor': 'middle', class: 'axis', transform: `rotate(-90 12 ${middle})` }, options.y),
  );
  for (const curve of options.curves) {
    const points = curve.points.filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
    const path = points.map(([a, b]) => `${at_x(a).toFixed(2)},${at_y(b).toFixed(2)}`).join(' ');
    picture.append(
      svg(
        'polyline',
        { points: path, class: 'curve', style: `stroke:${curve.colour}`, 'stroke-dasharray': curve.dashed ? '5 4' : null },
        svg('title', {}, curve.label),
      ),
    );
  }
  for (const mark of marks) {
    if (!Number.isFinite(mark.at[0] + mark.at[1])) continue;
    picture.append(
      svg(
        'circle',
        { cx: at_x(mark.at[0]), cy: at_y(mark.at[1]), r: 4, class: 'mark', style: `fill:${mark.colour}` },
        svg('title', {}, mark.label),
      ),
    );
  }
  return picture;
}
