// The laws of one strike side by side, in numbers.

import { el, type Child } from '../dom';
import { no_value, number } from '../format';
import { usable, type Law, type Strike } from './impact_data';
import { balance_words, clean, law_name, outcome_words } from './impact_words';
import { dictionary } from './json';
import { symbol } from './symbols';
import type { Json } from '../document';

type Row = { head: Child[]; cells: Child[]; class?: string };

/** Quantities down, laws across; the names of the rows stay in sight while the table scrolls. */
export function laws_table(strike: Strike, dofs: string[]): HTMLElement {
  const laws = strike.laws;
  const axes = strike.spatial ? ['n', '{t1}', '{t2}'] : ['n', 't'];
  const rows: Row[] = [
    {
      head: ['Outcome'],
      cells: laws.map((law) => el('span', { class: usable(law) ? null : 'bad' }, outcome_words(law, strike.spatial))),
      class: 'words',
    },
    ...axes.map((axis, k) => value_row([symbol(`v_${axis}`), ' after, m/s'], laws, (law) => law.relative_velocity, k)),
    ...axes.map((axis, k) => value_row(['impulse ', symbol(`i_${axis}`), ', N s'], laws, (law) => law.impulse, k)),
    { head: ['restitution used'], cells: laws.map((law) => cell(law, law.restitution)) },
    energy_row(['normal work, J'], laws, (law) => law.energy.normal_work),
    energy_row(['tangential work, J'], laws, (law) => law.energy.tangential_work),
    ...(laws.some((law) => law.energy.supplied)
      ? [energy_row(['supplied, J'], laws, (law) => law.energy.supplied)]
      : []),
    energy_row(['change of kinetic energy, J'], laws, (law) => law.energy.change),
    { head: ['Energy'], cells: laws.map(energy_cell), class: 'words' },
  ];
  rows.push(...increment_rows(laws));
  const coordinates = Math.max(0, ...laws.map((law) => law.velocity.length));
  for (let k = 0; k < coordinates; ++k) {
    const name = dofs[k] ?? `velocity ${k + 1}`;
    const unit = dofs.length > 0 ? ', m/s or rad/s' : '';
    rows.push(value_row([`${name} after${unit}`], laws, (law) => law.velocity, k));
  }
  return matrix(['', ...laws.map((law) => law_name(law.name))], rows, 'laws');
}

/** The letters of the increment [Elkaranshawy 2025], where some law has one. */
function increment_rows(laws: Law[]): Row[] {
  if (laws.every((law) => law.increment === null)) return [];
  const of = (law: Law, ...keys: string[]): Child => {
    const value = law.increment && keys.reduce<Json | undefined>((part, key) => dictionary(part)?.[key], law.increment);
    return typeof value === 'number' ? number(value) : no_value;
  };
  // The change of every coordinate's velocity per normal impulse, one below the other.
  const change = (law: Law): Child => {
    const values = law.increment && dictionary(law.increment['first'])?.['L'];
    if (!Array.isArray(values)) return no_value;
    return el('span', {}, ...values.flatMap((v, i) => [i > 0 ? el('br', {}) : '', typeof v === 'number' ? number(v) : no_value]));
  };
  const row = (letter: string, unit: string, ...keys: string[]): Row => ({
    head: [symbol(letter), unit],
    cells: laws.map((law) => of(law, ...keys)),
  });
  return [
    row('ζ', ' of the first stretch, kg', 'first', 'zeta'),
    row('ε', ' of the first stretch, kg', 'first', 'epsilon'),
    ...(laws.some((law) => change(law) !== no_value) ? [{ head: [symbol('L'), ' of the first stretch'], cells: laws.map(change) }] : []),
    ...['I_{nh}', 'I_{np}', 'I_{nf}', 'I_{nc}'].map((letter) => row(letter, ', N s', letter.replace(/[{}]/g, ''))),
    ...['W_{nc}', 'W_{nR}'].map((letter) => row(letter, ', J', letter.replace(/[{}]/g, ''))),
  ];
}

function energy_cell(law: Law): Child {
  if (!usable(law)) return no_value;
  const balance = balance_words(law.energy);
  return el('span', { class: balance.tone }, balance.tone === 'bad' ? `⚠ ${balance.text}` : balance.text);
}

function cell(law: Law, value: number | null, size = 0): string {
  return usable(law) ? number(clean(value, size)) : no_value;
}

function value_row(head: Child[], laws: Law[], of: (law: Law) => (number | null)[], k: number): Row {
  // Rounding is judged against the whole vector of every law.
  const size = Math.max(0, ...laws.flatMap(of).map((v) => Math.abs(v ?? 0)));
  return { head, cells: laws.map((law) => cell(law, of(law)[k] ?? null, size)) };
}

function energy_row(head: Child[], laws: Law[], of: (law: Law) => number | null): Row {
  return {
    head,
    cells: laws.map((law) => {
      const { normal_work, tangential_work, change } = law.energy;
      return cell(law, of(law), Math.max(...[normal_work, tangential_work, change].map((e) => Math.abs(e ?? 0))));
    }),
  };
}

/** A table with headings on two sides. */
export function matrix(headings: string[], rows: Row[], kind: string): HTMLElement {
  const head = el('tr', {}, ...headings.map((h, i) => el('th', { scope: 'col', class: i > 0 ? 'num' : null }, h)));
  const body = rows.map((row) =>
    el(
      'tr',
      { class: row.class ?? null },
      el('th', { scope: 'row' }, ...row.head),
      ...row.cells.map((c) => el('td', { class: 'num' }, c)),
    ),
  );
  return el(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Table' },
    el('table', { class: `matrix ${kind}` }, el('thead', {}, head), el('tbody', {}, ...body)),
  );
}

/** Bounds do not depend on the law; the first that has them tells. */
export function bounds_list(strike: Strike): HTMLElement | null {
  const bounds = strike.laws.find((law) => law.bounds.length > 0)?.bounds;
  if (!bounds) return null;
  const entries = bounds.flatMap((bound) => {
    const meaning = String(bound.kind['meaning'] ?? '');
    const value = bound.value === null ? (bound.reason ? 'none' : '∞') : number(bound.value);
    const note = bound.value === null && bound.reason ? `${meaning}; ${bound.reason}` : meaning;
    return [
      el('dt', {}, symbol(bound.kind.label)),
      el('dd', { class: 'value' }, value),
      el('dd', { class: 'meaning' }, note),
    ];
  });
  return el('dl', { class: 'bounds' }, ...entries);
}

/** Reactions in the joints, under every law. */
export function joints_table(strike: Strike): HTMLElement | null {
  const names = strike.laws.find((law) => law.joints.length > 0)?.joints.map((joint) => joint.name);
  if (!names) return null;
  const size = (values: (number | null)[]) => Math.hypot(...values.map((v) => v ?? 0));
  const largest = Math.max(0, ...strike.laws.flatMap((law) => law.joints.map((j) => size(j.force))));
  const rows = names.map((name, k) => ({
    head: [`${name}, N s`],
    cells: strike.laws.map((law) => (law.joints[k] ? number(clean(size(law.joints[k].force), largest)) : no_value)),
  }));
  return matrix(['Joint', ...strike.laws.map((law) => law_name(law.name))], rows, 'laws');
}
