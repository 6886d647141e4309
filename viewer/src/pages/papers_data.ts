// The values of the papers, by group, and what the filter keeps.

import { number } from '../format';
import type { Json, PaperValue } from '../document';

/** A value with what FORMAT.md adds to it; older documents lack some. */
export interface Entry extends PaperValue {
  group?: string;
  unit?: string;
  source?: string;
  follows?: Json;
}

export interface Group {
  title: string;
  entries: Entry[];
}

/** In the order of the document; values of one heading that follow each other stand together. */
export function groups(values: Entry[]): Group[] {
  const result: Group[] = [];
  for (const entry of values) {
    const title = entry.group ?? '';
    const last = result.at(-1);
    if (last && last.title === title) last.entries.push(entry);
    else result.push({ title, entries: [entry] });
  }
  return result;
}

export interface Counts {
  agrees: number;
  misprints: number;
  mismatches: number;
}

export function counts(values: Entry[]): Counts {
  const of = (status: string) => values.filter((value) => value.status === status).length;
  return { agrees: of('agrees'), misprints: of('misprint'), mismatches: of('mismatch') };
}

export function counts_words(c: Counts): string {
  const misprints = `${c.misprints} documented misprint${c.misprints === 1 ? '' : 's'}`;
  const mismatches = `${c.mismatches} mismatch${c.mismatches === 1 ? '' : 'es'}`;
  return `${c.agrees} agree, ${misprints}, ${mismatches}`;
}

/** As many digits of ours as tell the difference from what is printed. */
export function ours_words(entry: Entry): string {
  if (typeof entry.ours !== 'number') return text(entry.ours);
  return number(entry.ours, Math.min(Math.max(digits_of(entry.printed) + 1, 6), 10));
}

/** Significant digits of a printed number; none of a word. */
export function digits_of(printed: Json): number {
  if (typeof printed !== 'string') return 0;
  const mantissa = printed
    .replace('−', '-')
    .split(/e|E|×|·/)[0]!
    .trim();
  if (!/^[-+]?[0-9]*\.?[0-9]+$/.test(mantissa)) return 0;
  return mantissa.replace(/[-+.]/g, '').replace(/^0+/, '').length;
}

/** Printed digits stay as they are printed; numbers of formulas get six. */
export function printed_words(entry: Entry): string {
  if (typeof entry.printed === 'number') return number(entry.printed, 6);
  return text(entry.printed).replace(/^-/, '−');
}

/** A difference below the rounding of double precision is no difference. */
export function difference_words(entry: Entry): string {
  if (entry.difference === null || entry.difference === undefined) return '';
  const size = typeof entry.ours === 'number' ? Math.abs(entry.ours) : 1;
  return Math.abs(entry.difference) <= 1e-11 * Math.max(size, 1) ? '0' : number(entry.difference, 2);
}

export function text(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'number' ? number(value, 6) : String(value);
}
