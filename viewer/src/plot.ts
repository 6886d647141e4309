// A small plot with two axes as SVG: lines, marks and words in it.

import { svg } from './dom';
import { scale, tick_labels, ticks, type Range } from './axes';

export type Point = readonly [number, number];

export interface Line {
  points: Point[];
  /** A CSS class: what the line means decides its colour. */
  kind: string;
  /** Or a colour by itself, where the data decide. */
  colour?: string;
  /** Shown under the pointer. */
  title?: string;
}
export interface Mark {
  at: Point;
  kind: string;
  /** Or a colour by itself, where the data decide. */
  colour?: string;
  shape: 'dot' | 'ring' | 'square' | 'diamond';
  /** Shown beside the mark, if not empty. */
  text?: string;
  side?: 'left' | 'right';
  /** Shown under the pointer and read aloud. */
  title: string;
}
export interface Area {
  points: Point[];
  kind: string;
}
export interface Plot {
  x: Range;
  y: Range;
  x_label: string;
  y_label: string;
  areas?: Area[];
  lines: Line[];
  marks?: Mark[];
  /** Values of x at which an upright line is drawn. */
  uprights?: { x: number; text: string }[];
  width?: number;
  height?: number;
  label: string;
}

/** Room for labels around the frame. */
export const margins = { left: 54, right: 12, top: 14, bottom: 38 };

export function frame_size(width: number, height: number): { width: number; height: number } {
  return { width: width - margins.left - margins.right, height: height - margins.top - margins.bottom };
}

const place = (value: number) => Math.round(value * 100) / 100;

export function plot(options: Plot): SVGSVGElement {
  const width = options.width ?? 320;
  const height = options.height ?? 220;
  const right = width - margins.right;
  const bottom = height - margins.bottom;
  const x = scale(options.x, margins.left, right);
  const y = scale(options.y, bottom, margins.top);
  const at = (p: Point) => `${place(x(p[0]))},${place(y(p[1]))}`;
  const path = (points: Point[]) => (points.length === 0 ? '' : 'M' + points.map(at).join('L'));
  const picture = svg('svg', {
    class: 'plot',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': options.label,
  });

  const inside = svg('svg', {
    x: margins.left,
    y: margins.top,
    width: right - margins.left,
    height: bottom - margins.top,
    viewBox: `${margins.left} ${margins.top} ${right - margins.left} ${bottom - margins.top}`,
  });
  const add_grid = (values: number[], across: boolean) => {
    const labels = tick_labels(values);
    values.forEach((value, i) => {
      const p = place(across ? x(value) : y(value));
      const line = across
        ? { x1: p, x2: p, y1: margins.top, y2: bottom }
        : { x1: margins.left, x2: right, y1: p, y2: p };
      picture.append(svg('line', { ...line, class: value === 0 ? 'grid zero' : 'grid' }));
      const text = across
        ? { x: p, y: bottom + 14, 'text-anchor': 'middle' }
        : { x: margins.left - 5, y: p + 4, 'text-anchor': 'end' };
      picture.append(svg('text', { ...text, class: 'tick' }, labels[i]));
    });
  };
  add_grid(thin(ticks(options.x), right - margins.left), true);
  add_grid(ticks(options.y, 3), false);

  for (const area of options.areas ?? [])
    inside.append(svg('path', { d: path(area.points) + 'Z', class: `area ${area.kind}` }));
  for (const upright of options.uprights ?? []) {
    const p = place(x(upright.x));
    inside.append(
      svg('line', { x1: p, x2: p, y1: margins.top, y2: bottom, class: 'upright' }, svg('title', {}, upright.text)),
    );
  }
  for (const line of options.lines) {
    const style = line.colour ? `stroke:${line.colour}` : null;
    const title = line.title ? [svg('title', {}, line.title)] : [];
    inside.append(svg('path', { d: path(line.points), class: `line ${line.kind}`, style }, ...title));
  }
  picture.append(inside);
  picture.append(
    svg('rect', {
      x: margins.left,
      y: margins.top,
      width: right - margins.left,
      height: bottom - margins.top,
      class: 'frame',
    }),
  );
  for (const mark of options.marks ?? []) picture.append(draw_mark(mark, x(mark.at[0]), y(mark.at[1]), right));
  picture.append(
    svg(
      'text',
      { x: 0.5 * (margins.left + right), y: height - 6, 'text-anchor': 'middle', class: 'axis' },
      options.x_label,
    ),
    svg(
      'text',
      { x: -0.5 * (margins.top + bottom), y: 12, transform: 'rotate(-90)', 'text-anchor': 'middle', class: 'axis' },
      options.y_label,
    ),
  );
  return picture;
}

/** Fewer ticks where their labels would touch. */
function thin(values: number[], length: number): number[] {
  const widest = Math.max(1, ...tick_labels(values).map((text) => text.length));
  const every = Math.ceil(((widest * 6.6 + 8) * values.length) / length);
  return every <= 1 ? values : values.filter((_, i) => i % every === 0);
}

function draw_mark(mark: Mark, x: number, y: number, right: number): SVGGElement {
  const style = mark.colour ? `fill:${mark.colour}` : null;
  const group = svg('g', { class: `mark ${mark.kind}`, style }, svg('title', {}, mark.title));
  const [px, py] = [place(x), place(y)];
  if (mark.shape === 'dot' || mark.shape === 'ring')
    group.append(svg('circle', { cx: px, cy: py, r: 4, class: mark.shape }));
  else if (mark.shape === 'square') group.append(svg('rect', { x: px - 3.5, y: py - 3.5, width: 7, height: 7 }));
  else group.append(svg('path', { d: `M${px},${py - 5}l5,5l-5,5l-5,-5Z` }));
  if (mark.text) {
    const end = mark.side === 'left' || x + 8 + mark.text.length * 6.2 > right;
    group.append(svg('text', { x: px + (end ? -8 : 8), y: py - 5, 'text-anchor': end ? 'end' : 'start' }, mark.text));
  }
  return group;
}
