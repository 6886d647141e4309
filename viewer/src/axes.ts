// Ranges, ticks and their labels.

export interface Range {
  low: number;
  high: number;
}

/** Between `fewest` and about twice as many round numbers within the range: steps of 1, 2 or 5 times a power of ten. */
export function ticks(range: Range, fewest = 4): number[] {
  const width = range.high - range.low;
  if (!(width > 0) || !Number.isFinite(width)) return Number.isFinite(range.low) ? [range.low] : [];
  const step = tick_step(width, fewest);
  const first = Math.ceil(range.low / step - 1e-9);
  const last = Math.floor(range.high / step + 1e-9);
  // Multiples, not sums: no tick carries the rounding of those before it, and zero is exactly zero.
  return Array.from({ length: last - first + 1 }, (_, k) => round_to(first + k, step));
}

function tick_step(width: number, fewest: number): number {
  const rough = width / fewest;
  const power = 10 ** Math.floor(Math.log10(rough));
  const digit = rough / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

function round_to(multiple: number, step: number): number {
  return multiple === 0 ? 0 : Number((multiple * step).toPrecision(12));
}

/** Labels of ticks, all with as many decimals; powers of ten where plain digits would be long. */
export function tick_labels(values: number[]): string[] {
  const largest = Math.max(0, ...values.map(Math.abs));
  if (largest === 0) return values.map(() => '0');
  const power = Math.floor(Math.log10(largest) + 1e-12);
  const scaled = power >= 5 || power < -3;
  const shown = scaled ? values.map((v) => Number((v / 10 ** power).toPrecision(12))) : values;
  const decimals = Math.min(12, Math.max(0, ...shown.map(decimals_of)));
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  const raised = (power < 0 ? '⁻' : '') + [...String(Math.abs(power))].map((d) => digits[Number(d)]).join('');
  return shown.map((v) => {
    const text = Math.abs(v).toFixed(decimals);
    return (v < 0 ? '−' : '') + (v === 0 ? '0' : scaled ? `${text}·10${raised}` : text);
  });
}

function decimals_of(value: number): number {
  const text = String(Number(Math.abs(value).toPrecision(6)));
  const [mantissa, exponent] = text.split('e') as [string, string | undefined];
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent ?? 0));
}

/** The range of the finite numbers among `values` with a margin on both sides; never of no width. */
export function range_of(values: Iterable<number | null>, margin = 0.06): Range {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return { low: -1, high: 1 };
  const width = high - low;
  const least = Math.max(Math.abs(low), Math.abs(high)) * 1e-9;
  const pad = width > least ? margin * width : Math.max(Math.abs(low), 1) * 0.5;
  return { low: low - pad, high: high + pad };
}

/** Both ranges widened about their middles until one unit is as long across as up in a frame of this shape. */
export function equal_scale(x: Range, y: Range, width: number, height: number): { x: Range; y: Range } {
  const scale = Math.max((x.high - x.low) / width, (y.high - y.low) / height);
  const widen = (range: Range, length: number): Range => {
    const middle = 0.5 * (range.low + range.high);
    return { low: middle - 0.5 * scale * length, high: middle + 0.5 * scale * length };
  };
  return { x: widen(x, width), y: widen(y, height) };
}

/** A linear map from a range to places on the screen. */
export function scale(range: Range, from: number, to: number): (value: number) => number {
  const factor = (to - from) / (range.high - range.low);
  return (value) => from + (value - range.low) * factor;
}
