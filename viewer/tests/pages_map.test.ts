import { describe, expect, it } from 'vitest';
import type { Json, MapDocument } from '../src/document';
import { moved, share } from '../src/pages/map';
import { cell_at, nearest, read_map, reading, value_at, type MapData } from '../src/pages/map_data';
import { frame_of } from '../src/pages/map_picture';
import kinds from './pages_data/map_kinds.json';
import numbers from './pages_data/map_numbers.json';

const page = kinds as unknown as MapDocument;
const map = read_map(page) as MapData;
const number_map = read_map(numbers as unknown as MapDocument) as MapData;

describe('a map', () => {
  it('has as many cells as points', () => {
    expect(map.cells!.kinds).toHaveLength(80 * 60);
    expect(map.state).toEqual({ x: 0.7, y: -1 });
    expect(map.levels).toBeNull();
    expect(number_map.levels!.length).toBeGreaterThan(3);
  });
  it('has shares that are those of its cells', () => {
    for (const kind of map.kinds) {
      const counted = map.cells!.kinds.filter((k) => k === kind.kind).length / (80 * 60);
      expect(counted).toBeCloseTo(kind.share, 10);
    }
  });
  it('without points or with rows too short has no cells', () => {
    const with_points = (points: Json) => read_map({ ...page, data: { ...page.data, points } });
    expect(with_points(null)!.cells).toBeNull();
    expect(with_points({ kinds: [[1]], numbers: [] })!.cells).toBeNull();
    expect(read_map({ data: { x: { low: 1, high: 1 } } })).toBeNull();
  });
});

describe('the pointer', () => {
  const frame = { left: 64, top: 10, width: 790, height: 590 };
  it('finds the sample it is nearest to; corners are samples', () => {
    expect(cell_at(64, 10 + 590, frame, map)).toEqual({ i: 0, j: 0 });
    expect(cell_at(64 + 790, 10, frame, map)).toEqual({ i: 79, j: 59 });
    // Half a step from the border is the boundary between the first two samples: a step is 10 px.
    expect(cell_at(64 + 4.9, 600, frame, map)).toEqual({ i: 0, j: 0 });
    expect(cell_at(64 + 5.1, 600, frame, map)).toEqual({ i: 1, j: 0 });
    expect(cell_at(64 + 790 * 0.5, 10 + 590 * 0.25, frame, map)!.j).toBe(Math.round(0.75 * 59));
  });
  it('finds nothing outside', () => {
    expect(cell_at(63, 300, frame, map)).toBeNull();
    expect(cell_at(100, 601, frame, map)).toBeNull();
    expect(cell_at(NaN, 300, frame, map)).toBeNull();
  });
  it('goes there and back', () => {
    for (let i = 0; i < 80; ++i) expect(nearest(value_at(i, map.x), map.x)).toBe(i);
    expect(nearest(1e9, map.x)).toBe(79);
  });
  it('reads what the document holds there', () => {
    const read = reading(map, nearest(0, map.x), nearest(0, map.y));
    expect(read.kind).toBe('M2 slides');
    expect(read.x).toMatch(/^position\.upper = .*rad$/);
    expect(read.y).toMatch(/rad\/s$/);
    expect(read.number).toMatch(/^A = .*1\/kg$/);
    const value = numbers.data.points.numbers[39]![59]!;
    expect(reading(number_map, 59, 39).number).toContain(value.toPrecision(4).replace(/0+$/, ''));
  });
  it('leaves room for the axes at phone width', () => expect(frame_of(320, 280).width).toBeGreaterThan(220));
});

describe('keys', () => {
  const press = (cell: { i: number; j: number } | null, key: string, shiftKey = false) =>
    moved(map, cell, { key, shiftKey });
  it('start at the state', () => {
    const start = press(null, 'ArrowLeft')!;
    expect(value_at(start.i, map.x)).toBeCloseTo(0.7, 1);
    expect(press({ i: 0, j: 0 }, 'Home')).toEqual(start);
  });
  it('move by one, with shift by ten, and stay within', () => {
    expect(press({ i: 5, j: 5 }, 'ArrowUp')).toEqual({ i: 5, j: 6 });
    expect(press({ i: 5, j: 5 }, 'ArrowLeft', true)).toEqual({ i: 0, j: 5 });
    expect(press({ i: 79, j: 5 }, 'ArrowRight')).toEqual({ i: 79, j: 5 });
  });
  it('look away with Escape, and leave the other keys alone', () => {
    expect(press({ i: 5, j: 5 }, 'Escape')).toBeNull();
    expect(press(null, 'Tab')).toBeUndefined();
  });
});

describe('colours', () => {
  it('are those of the picture, all different where a region occurs', () => {
    for (const each of [map, number_map]) {
      const shades = each.kinds.filter((kind) => kind.share > 0).map((kind) => kind.colour);
      for (const shade of shades) expect(shade).toMatch(/^#[0-9a-f]{6}$/);
      expect(new Set(shades).size).toBe(shades.length);
      for (const shade of shades) expect(each === map ? kinds.figure : numbers.figure).toContain(shade);
    }
  });
  it('are none where the document has no colour, or something else', () => {
    const shades = read_map({ ...page, colours: ['red; width: 9px', '', '#12'] })!.kinds.map((kind) => kind.colour);
    expect(new Set(shades)).toEqual(new Set(['transparent']));
  });
});

it('shares do not claim nothing where there is something', () => {
  expect(share(0.2192)).toBe('21.9 %');
  expect(share(0.00001)).toBe('< 0.1 %');
  expect(share(0.99999)).toBe('> 99.9 %');
  expect(share(1)).toBe('100.0 %');
});
