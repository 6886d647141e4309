// Numbers for people: four significant digits, a true minus sign, no SI prefixes.

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
export const no_value = '–';

function superscript(n: number): string {
  const digits = [...String(Math.abs(n))].map((d) => superscripts[Number(d)]).join('');
  return (n < 0 ? '⁻' : '') + digits;
}

/** 0.0123456 → 0.01235, −12345678 → −1.235 × 10⁷, null and NaN → –. Whole numbers below a million stay whole. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return no_value;
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return (value < 0 ? '−' : '') + Math.abs(value);
  const sign = value < 0 ? '−' : '';
  const [mantissa, exponent] = Math.abs(value).toExponential(digits - 1).split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -3 && power < Math.max(digits, 4)) {
    const text = Number(`${mantissa}e${exponent}`).toFixed(Math.max(0, digits - 1 - power));
    return sign + strip(text);
  }
  const short = strip(mantissa);
  return `${sign}${short} × 10${superscript(power)}`;
}

function strip(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** A number with its unit, kept on one line. */
export function quantity(value: number | null | undefined, unit: string, digits = 4): string {
  const text = number(value, digits);
  return text === no_value || unit === '' || unit === '1' ? text : `${text}\u202f${unit}`;
}

/** A time while it runs: always the same number of decimals, enough to tell the frames of a run of this length apart. */
export function running_time(t: number, duration: number): string {
  const decimals = Math.min(12, Math.max(1, 4 - Math.floor(Math.log10(duration > 0 ? duration : 1))));
  return `${t < 0 ? '−' : ''}${Math.abs(t).toFixed(decimals)}\u202fs`;
}

/** The time of an event, in a list of such: two decimals more. */
export function event_time(t: number, duration: number): string {
  const decimals = Math.min(12, Math.max(3, 6 - Math.floor(Math.log10(duration > 0 ? duration : 1))));
  return (t < 0 ? '−' : '') + Math.abs(t).toFixed(decimals);
}

/** For narrow columns: three digits, or two and a power of ten. */
export function compact(value: number | null | undefined): string {
  const text = number(value, 3);
  return text.includes('×') ? number(value, 2).replace(' × ', '·') : text;
}

/** Numbers in parentheses. */
export function vector(values: (number | null)[] | null | undefined, unit = '', digits = 4): string {
  if (!values) return no_value;
  const text = `(${values.map((v) => number(v, digits)).join(', ')})`;
  return unit === '' ? text : `${text}\u202f${unit}`;
}

/** A whole number in groups of three. */
export function count(value: number): string {
  return String(Math.round(value))
    .replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f')
    .replace('-', '−');
}

/** snake_case of the program as words. */
export function words(text: string | null | undefined): string {
  return (text ?? no_value).replace(/_/g, ' ');
}

/** A label with its unit for an axis: "gap, m". */
export function axis_label(name: string, unit: string): string {
  return unit === '' || unit === '1' ? name : `${name}, ${unit}`;
}
