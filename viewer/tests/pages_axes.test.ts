import { describe, expect, it } from 'vitest';
import { equal_scale, range_of, scale, tick_labels, ticks } from '../src/axes';

describe('ticks', () => {
  it.each([
    [{ low: 0, high: 1 }, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [{ low: -0.84, high: 0.84 }, [-0.8, -0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6, 0.8]],
    [{ low: -4, high: 4 }, [-4, -2, 0, 2, 4]],
    [{ low: 999.9, high: 1000.1 }, [999.9, 999.95, 1000, 1000.05, 1000.1]],
    [{ low: 1e-9, high: 5e-9 }, [1e-9, 2e-9, 3e-9, 4e-9, 5e-9]],
  ])('of %o are round', (range, expected) => expect(ticks(range)).toEqual(expected));
  it('are steps of 1, 2 or 5, at least as many as asked, within the range', () => {
    for (let k = 0; k < 500; ++k) {
      const low = (Math.sin(k * 12.9898) * 43758.5) % 7;
      const range = { low, high: low + 10 ** ((k % 13) - 6) };
      const values = ticks(range, 4);
      const step = (values[1]! - values[0]!) / 10 ** Math.floor(Math.log10((values[1]! - values[0]!) * 1.0001));
      expect([1, 2, 5].some((digit) => Math.abs(step - digit) < 1e-3)).toBe(true);
      expect(values.length).toBeGreaterThanOrEqual(4);
      expect(values.length).toBeLessThanOrEqual(11);
      const slack = 1e-6 * (range.high - range.low);
      expect(values[0]).toBeGreaterThanOrEqual(range.low - slack);
      expect(values.at(-1)).toBeLessThanOrEqual(range.high + slack);
    }
  });
  it('of a range without width are its value', () => expect(ticks({ low: 3, high: 3 })).toEqual([3]));
  it('of what is no range are none', () => expect(ticks({ low: NaN, high: NaN })).toEqual([]));
});

describe('labels', () => {
  it.each([
    [
      [0, 0.5, 1],
      ['0', '0.5', '1.0'],
    ],
    [
      [-2, 0, 2],
      ['−2', '0', '2'],
    ],
    [
      [0, 200000, 400000],
      ['0', '2·10⁵', '4·10⁵'],
    ],
    [
      [0.00002, 0.00004],
      ['2·10⁻⁵', '4·10⁻⁵'],
    ],
    [
      [999.95, 1000],
      ['999.95', '1000.00'],
    ],
    [[0], ['0']],
  ])('of %o', (values, expected) => expect(tick_labels(values)).toEqual(expected));
});

describe('ranges', () => {
  it('leave a margin and pass over what is no number', () => {
    expect(range_of([0, null, 10, NaN, Infinity], 0.1)).toEqual({ low: -1, high: 11 });
  });
  it('have a width even around one number', () => {
    const range = range_of([5]);
    expect(range.low).toBeLessThan(5);
    expect(range.high).toBeGreaterThan(5);
    expect(range_of([])).toEqual({ low: -1, high: 1 });
  });
  it('of equal scale hold both, and a unit is as long across as up', () => {
    const { x, y } = equal_scale({ low: 0, high: 4 }, { low: -1, high: 1 }, 200, 200);
    expect(x).toEqual({ low: 0, high: 4 });
    expect(y).toEqual({ low: -2, high: 2 });
  });
  it('map to the screen, upside down too', () => {
    expect(scale({ low: 0, high: 2 }, 100, 0)(0.5)).toBe(75);
  });
});
