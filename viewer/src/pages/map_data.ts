// What `routh map --json` prints, its colours and its cells.

import { number, quantity, words } from '../format';
import type { MapDocument } from '../document';
import { dictionaries, dictionary, list, real, reals, text, type Dictionary } from './json';

export interface Axis {
  name: string;
  unit: string;
  low: number;
  high: number;
  points: number;
}
export interface Kind {
  kind: number;
  name: string;
  share: number;
  colour: string;
}
export interface MapData {
  x: Axis;
  y: Axis;
  quantity: string;
  unit: string;
  /** Levels between the bands of a number; null for a verdict. */
  levels: number[] | null;
  kinds: Kind[];
  /** What the number at a point is. */
  number: { name: string; unit: string };
  state: { x: number; y: number } | null;
  curves: { x: number[]; y: number[] }[];
  /** Row by row, y rising; −1 where undefined. Null when the document has no points. */
  cells: { kinds: Int16Array; numbers: Float64Array } | null;
  contact: string;
  set: [string, string][];
  refinement: string;
  evaluations: number | null;
}

function read_axis(value: Dictionary[string] | undefined): Axis | null {
  const axis = dictionary(value);
  const [low, high] = [real(axis?.['low']), real(axis?.['high'])];
  if (!axis || low === null || high === null || !(high > low)) return null;
  return { name: text(axis['name']), unit: text(axis['unit']), low, high, points: real(axis['points']) ?? 0 };
}

export function read_map(page: Partial<MapDocument>): MapData | null {
  const data = page.data ?? {};
  const x = read_axis(data['x']);
  const y = read_axis(data['y']);
  if (!x || !y) return null;
  const levels = Array.isArray(data['levels']) ? reals(data['levels']).map((v) => v ?? NaN) : null;
  const state = dictionary(data['state']);
  const [sx, sy] = [real(state?.['x']), real(state?.['y'])];
  return {
    x,
    y,
    quantity: text(data['quantity']),
    unit: text(data['unit']),
    levels,
    kinds: coloured_kinds(dictionaries(data['kinds']), page.colours),
    number: { name: quantity_words(page.number ?? 'number'), unit: page.unit ?? '' },
    state: sx === null || sy === null ? null : { x: sx, y: sy },
    curves: dictionaries(data['curves']).map((c) => ({
      x: reals(c['x']).map((v) => v ?? NaN),
      y: reals(c['y']).map((v) => v ?? NaN),
    })),
    cells: read_cells(dictionary(data['points']), x.points, y.points),
    contact: text(data['contact']),
    set: Object.entries(dictionary(data['set']) ?? {}).map(([name, value]) => [
      name,
      typeof value === 'number' ? number(value) : String(value),
    ]),
    refinement: text(data['refinement']),
    evaluations: real(data['evaluations']),
  };
}

function read_cells(points: Dictionary | null, columns: number, rows: number): MapData['cells'] {
  const kinds = list(points?.['kinds']);
  if (columns < 2 || rows < 2 || kinds.length !== rows) return null;
  const result = {
    kinds: new Int16Array(rows * columns).fill(-1),
    numbers: new Float64Array(rows * columns).fill(NaN),
  };
  const numbers = list(points?.['numbers']);
  for (let j = 0; j < rows; ++j) {
    const row = list(kinds[j]);
    const values = list(numbers[j]);
    if (row.length !== columns) return null;
    for (let i = 0; i < columns; ++i) {
      result.kinds[j * columns + i] = real(row[i]) ?? -1;
      result.numbers[j * columns + i] = real(values[i]) ?? NaN;
    }
  }
  return result;
}

const no_colour = 'transparent';

/** The colours of the picture, in the order of the kinds; anything but #rrggbb is none. */
function coloured_kinds(kinds: Dictionary[], colours: unknown): Kind[] {
  const given: unknown[] = Array.isArray(colours) ? colours : [];
  return kinds.map((entry, row) => {
    const colour = given[row];
    return {
      kind: real(entry['kind']) ?? -1,
      name: words(text(entry['name'])),
      share: real(entry['share']) ?? 0,
      colour: typeof colour === 'string' && /^#[0-9a-f]{6}$/.test(colour) ? colour : no_colour,
    };
  });
}

/** The sample nearest to a place of the plane: values are at the points, low and high among them. */
export function nearest(value: number, axis: Axis): number {
  const at = Math.round(((value - axis.low) / (axis.high - axis.low)) * (axis.points - 1));
  return Math.min(Math.max(at, 0), axis.points - 1);
}

export function value_at(index: number, axis: Axis): number {
  return axis.low + (index * (axis.high - axis.low)) / (axis.points - 1);
}

/** From a place in a frame on the screen, y down, to a cell; null outside of it. */
export function cell_at(
  px: number,
  py: number,
  frame: { left: number; top: number; width: number; height: number },
  map: MapData,
): { i: number; j: number } | null {
  const u = (px - frame.left) / frame.width;
  const v = 1 - (py - frame.top) / frame.height;
  if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) return null;
  return {
    i: nearest(map.x.low + u * (map.x.high - map.x.low), map.x),
    j: nearest(map.y.low + v * (map.y.high - map.y.low), map.y),
  };
}

/** Names of the command line as words. */
export function quantity_words(quantity: string): string {
  return words(quantity).replace(/-/g, ' ');
}

export interface Reading {
  x: string;
  y: string;
  kind: string;
  number: string;
  colour: string;
}

export function reading(map: MapData, i: number, j: number): Reading {
  const at = j * map.x.points + i;
  const kind = map.cells?.kinds[at] ?? -1;
  const entry = map.kinds.find((k) => k.kind === kind);
  const { name, unit } = map.number;
  const value = map.cells?.numbers[at] ?? NaN;
  return {
    x: `${map.x.name} = ${quantity(value_at(i, map.x), map.x.unit)}`,
    y: `${map.y.name} = ${quantity(value_at(j, map.y), map.y.unit)}`,
    kind: entry?.name ?? 'undefined',
    number: Number.isFinite(value) ? `${name} = ${quantity(value, unit)}` : '',
    colour: entry?.colour ?? no_colour,
  };
}
