// The names the program prints, in words.

import { number, quantity, words } from '../format';
import { mode_label, type Kind, type Tone } from '../kinds';
import { solved, usable, type Energy, type Law, type Strike } from './impact_data';

/** Numbers below rounding of their neighbours are zero. */
export function clean(value: number | null, size: number): number | null {
  return value !== null && Math.abs(value) < 1e-12 * size ? 0 : value;
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function law_name(name: string): string {
  return sentence(words(name));
}

/** How a law leaves the contact: its mode, or why there is none. */
export function outcome_words(law: Law, spatial: boolean): string {
  return law.status.category === 'good' ? mode_label(law.mode, spatial) : law.status.label;
}

function status_sentence(status: Kind): string {
  return typeof status['sentence'] === 'string' ? status['sentence'] : status.label;
}

export interface Balance {
  tone: Tone;
  text: string;
}

/** The certificate W_n + W_t ≤ 0 in words. */
export function balance_words(energy: Energy): Balance {
  const works = [energy.normal_work, energy.tangential_work];
  if (works.some((w) => w === null)) return { tone: 'plain', text: 'unknown' };
  const sum = works[0]! + works[1]!;
  const size = Math.max(Math.abs(works[0]!), Math.abs(works[1]!), Math.abs(energy.change ?? 0));
  if (!energy.consistent) return { tone: 'bad', text: `gains ${quantity(sum, 'J', 3)}` };
  if (Math.abs(sum) <= 1e-12 * size) return { tone: 'plain', text: 'keeps its energy' };
  return { tone: 'good', text: `loses ${quantity(-sum, 'J', 3)}` };
}

/** What comes first: which laws have no answer, which gain energy, whether the others agree. */
export function findings(strike: Strike): Balance[] {
  const found: Balance[] = [];
  for (const law of strike.laws) {
    const name = law_name(law.name);
    if (!solved(law))
      found.push({ tone: usable(law) ? 'plain' : 'bad', text: `${name}: ${status_sentence(law.status)}.` });
    else if (!law.energy.consistent)
      found.push({
        tone: 'bad',
        text: `${name} ${balance_words(law.energy).text}: it makes energy out of nothing here.`,
      });
    for (const warning of law.warnings)
      if (law.energy.consistent) found.push({ tone: 'plain', text: `${name}: ${warning}.` });
  }
  const sound = strike.laws.filter((law) => solved(law) && law.energy.consistent);
  if (sound.length === 0) return found;
  const ways = new Map<string, string[]>();
  for (const law of sound) {
    const way = mode_label(law.mode, strike.spatial);
    ways.set(way, [...(ways.get(way) ?? []), law_name(law.name)]);
  }
  const ways_text = [...ways].map(([way, laws]) => `${way} (${laws.join(', ')})`).join('; ');
  found.push({ tone: 'good', text: `Without gain of energy: ${ways_text}.` });
  return found;
}

/** Components of a contact vector by name. */
export function components(values: (number | null)[], spatial: boolean, unit: string): string {
  const size = Math.max(0, ...values.map((v) => Math.abs(v ?? 0)));
  const names = spatial ? ['n', 't1', 't2'] : ['n', 't'];
  const parts = names.map((name, i) => `${name} ${number(clean(values[i] ?? null, size))}`);
  return `${parts.join(', ')}\u202f${unit}`;
}
