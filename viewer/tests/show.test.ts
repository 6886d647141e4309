import { describe, expect, it } from 'vitest';
import { axis_label, compact, count, event_time, number, quantity, running_time, vector } from '../src/format';
import { reduce, spread } from '../src/run/decimate';
import { grid_step } from '../src/run/ground';
import { tick_label, value_range } from '../src/run/plot';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [1, '1'],
    [-0.5, '−0.5'],
    [0.0123456, '0.01235'],
    [9.99996, '10'],
    [12345, '12345'],
    [12345.6, '1.235 × 10⁴'],
    [1234.56, '1235'],
    [-12345678, '−1.235 × 10⁷'],
    [6.674e-11, '6.674 × 10⁻¹¹'],
    [0.00099999, '0.001'],
    [NaN, '–'],
    [Infinity, '–'],
    [null, '–'],
  ])('%s is written %s', (value, text) => expect(number(value)).toBe(text));
  it('have units, but no unit where there is no number', () => {
    expect(quantity(-1.5, 'm/s')).toBe('−1.5\u202fm/s');
    expect(quantity(null, 'm/s')).toBe('–');
    expect(vector([1, -2, null], 'N')).toBe('(1, −2, –)\u202fN');
    expect(count(1234567)).toBe('1\u202f234\u202f567');
    expect(axis_label('gap', 'm')).toBe('gap, m');
    expect(axis_label('ratio', '1')).toBe('ratio');
  });
  it('are short in narrow columns', () => {
    expect(compact(-0.0123456)).toBe('−0.0123');
    expect(compact(-1.0734e-4)).toBe('−1.1·10⁻⁴');
    expect(event_time(0.02209130862, 0.2)).toBe('0.0220913');
    expect(event_time(1.5, 10)).toBe('1.50000');
  });
  it('keep their decimals while they run', () => {
    expect(running_time(0.5, 3)).toBe('0.5000\u202fs');
    expect(running_time(0.5, 400)).toBe('0.50\u202fs');
    expect(running_time(1e-4, 1e-3)).toBe('0.0001000\u202fs');
    expect(running_time(0, 0)).toBe('0.0000\u202fs');
  });
  it('at an axis have the decimals of its step', () => {
    expect(tick_label(0.5, 0.5)).toBe('0.5');
    expect(tick_label(-2, 0.5)).toBe('−2.0');
    expect(tick_label(0.25, 0.25)).toBe('0.25');
    expect(tick_label(100, 50)).toBe('100');
    expect(tick_label(2e-6, 1e-6)).toBe('2·10⁻⁶');
  });
});

describe('axes', () => {
  it('draw a constant as a constant', () => {
    const [low, high] = value_range(1, 1 + 1e-15);
    expect(high - low).toBeGreaterThan(0.1);
    expect(value_range(null, null)).toEqual([-1, 1]);
    expect(value_range(0, 0)).toEqual([-1, 1]);
  });
  it('have a grid of round steps on the ground', () => {
    expect(grid_step(8)).toBe(1);
    expect(grid_step(0.3)).toBeCloseTo(0.05, 12);
  });
});

describe('decimation', () => {
  const times = Float64Array.from({ length: 100000 }, (_, i) => i / 1000);
  it('keeps every peak and fits the pixels', () => {
    const peak = (k: number) => (k === 54321 ? 7 : k === 54322 ? -9 : Math.sin(k / 500));
    const { time, values } = reduce(times, [peak], 0, 100, 500);
    expect(time.length).toBeLessThanOrEqual(1000);
    expect(Math.max(...(values[0] as number[]))).toBe(7);
    expect(Math.min(...(values[0] as number[]))).toBe(-9);
    for (let i = 1; i < time.length; ++i) expect(time[i]! >= time[i - 1]!).toBe(true);
    expect([time[0], time[time.length - 1]]).toEqual([0, 99.999]);
  });
  it('keeps the order of low and high', () => {
    const { values } = reduce(times, [(k) => k, (k) => -k], 0, 100, 200);
    const rising = values[0] as number[];
    for (let i = 1; i < rising.length; ++i) expect(rising[i]! > rising[i - 1]!).toBe(true);
    expect(values[1]).toEqual(rising.map((v) => -v));
  });
  it('gives few samples as they are, with one more on either side', () => {
    const { time, values } = reduce([0, 1, 1, 2, 3, 4], [(k) => (k === 2 ? NaN : k)], 1, 2, 100);
    expect(time).toEqual([0, 1, 1, 2, 3]);
    expect(values).toEqual([[0, 1, null, 3, 4]]);
  });
  it('leaves a gap where there is no value', () => {
    const { values } = reduce(times, [(k) => (k < 50000 ? NaN : 1)], 0, 100, 100);
    expect(values[0]!.filter((v) => v === null).length).toBe(100);
    expect(reduce([], [() => 1], 0, 1, 10)).toEqual({ time: [], values: [[]] });
  });
  it('spreads indices with both ends', () => {
    expect(spread(3, 5)).toEqual([0, 1, 2]);
    expect(spread(11, 3)).toEqual([0, 5, 10]);
  });
});
