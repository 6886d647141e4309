// Verdicts in words, for documents that carry no sentences of their own.

import { number, quantity } from '../format';
import { at, real, text, type Dictionary } from './json';

export type Tone = 'good' | 'bad' | 'plain';

const verdicts: { [verdict: string]: readonly [Tone, string] } = {
  strikes: ['plain', 'Strikes: the bodies approach, an impact follows.'],
  separates: ['plain', 'Separates: the bodies move apart.'],
  detaches: ['plain', 'Detaches: the other forces pull the bodies apart.'],
  slides: ['good', 'Slides, held by a finite normal force.'],
  'false cohesion': [
    'bad',
    'Detaches, by rule: the answer is not unique. A constraint that kept the contact would act as glue.',
  ],
  jams: ['bad', 'Jams: no finite force holds the contact. A tangential impact follows.'],
  sticks: ['good', 'Sticks: friction holds it.'],
  'starts slipping': ['plain', 'Begins to slip.'],
  unsolvable: ['bad', 'Unsolvable: no force obeys the laws.'],
  unknown: ['plain', 'Touches; whether it holds depends on the other forces, which the file does not give.'],
};

export function verdict_tone(verdict: string): Tone {
  return verdicts[verdict]?.[0] ?? 'plain';
}

/** On the edge B = 0 nothing pulls: the contact stays, without force. */
function verdict_words(verdict: string, contact: Dictionary): string {
  const free = contact['free_acceleration'];
  const still = Array.isArray(free) && free[0] === 0;
  if (still && verdict === 'detaches')
    return 'Touches without force: the other forces neither press the bodies together nor pull them apart.';
  if (still && verdict === 'false cohesion')
    return 'Touches without force, by rule: the answer is not unique, every normal force obeys the laws.';
  return verdicts[verdict]?.[1] ?? `Verdict: ${verdict}.`;
}

/** The sentences of the document, or the verdict and the numbers behind it. */
export function sentences(contact: Dictionary, given: unknown): string[] {
  if (Array.isArray(given) && given.length > 0) return given.filter((s): s is string => typeof s === 'string');
  const verdict = text(contact['verdict']);
  const A = real(at(contact, 'slip', 'A'));
  const B = real(at(contact, 'slip', 'B'));
  const result = [verdict_words(verdict, contact)];
  if (A !== null && B !== null)
    result.push(`While it slips A = ${quantity(A, '1/kg')} and B = ${quantity(B, 'm/s²')}.`);
  const demand = real(at(contact, 'rest', 'friction_demand'));
  if (demand !== null)
    result.push(
      `Sticking asks for friction ${number(demand)} of the ${number(real(at(contact, 'friction', 'static')))} there is.`,
    );
  return result;
}
