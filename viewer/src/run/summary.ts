// The run in a line, and what else is known about it.

import { el, table, type Child } from '../dom';
import { count, no_value, number, quantity, words } from '../format';
import { tone_of } from '../kinds';
import type { RunData } from './data';

export function make_summary(data: RunData): HTMLElement {
  const { outcome, samples, events } = data.page;
  const parts: Child[] = [];
  const fact = (name: string, value: string, title?: string) =>
    parts.push(el('span', { class: 'fact', title: title ?? null }, el('span', { class: 'muted' }, name + ' '), value));
  parts.push(el('strong', { class: tone_of(outcome.tone) }, outcome.ending ?? words(outcome.status)));
  fact('time', quantity(outcome.time, 's', 6));
  fact('events', count(events.length));
  fact('energy', `${quantity(outcome.energy.initial, 'J')} → ${quantity(outcome.energy.final, 'J')}`);
  fact('dissipated', quantity(outcome.energy.dissipated, 'J'));
  if (outcome.energy.supplied) fact('supplied', quantity(outcome.energy.supplied, 'J'));
  if (outcome.energy.corrected) {
    const title = 'by what no force did: closing contacts and loops again, bounces given up, contacts brought to rest';
    fact('corrected', quantity(outcome.energy.corrected, 'J', 2), title);
  }
  fact('energy balance', quantity(outcome.energy.balance, 'J', 2), 'final − initial + dissipated − supplied − corrected');
  const decimated = samples.of > samples.count;
  fact('samples', decimated ? `${count(samples.count)} of ${count(samples.of)}` : count(samples.count));
  return el(
    'div',
    { class: 'run-summary' },
    el('p', {}, ...parts),
    outcome.message ? el('p', { class: 'muted' }, outcome.message) : null,
  );
}

/** Where the run came from and what it cost. */
export function make_about(data: RunData): HTMLElement {
  const { info, outcome } = data.page;
  const text = (value: string | number | null | undefined) =>
    typeof value === 'number' ? number(value) : value === null || value === undefined ? no_value : String(value);
  const rows: Child[][] = [
    ...Object.entries(info ?? {}).map(([name, value]) => [words(name), text(value)]),
    ...Object.entries(outcome.statistics ?? {}).map(([name, value]) => [words(name), text(value)]),
  ];
  return el('details', { class: 'card about' }, el('summary', {}, 'About this run'), table(['', ''], rows));
}
