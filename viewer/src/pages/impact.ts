// The page of `routh impact`: what strikes, and what every law says of it.

import './pages.css';
import './impact.css';
import type { ImpactDocument } from '../document';
import { el, section, table } from '../dom';
import { number, quantity, words } from '../format';
import { read_impact, type Impact, type Strike } from './impact_data';
import { bounds_list, joints_table, laws_table } from './impact_laws';
import { paths } from './impact_paths';
import { show_several } from './impact_several';
import { compute_under_sliders } from './impact_sliders';
import { components, findings } from './impact_words';
import { ledger } from './ledger';

export function show(page: ImpactDocument, root: HTMLElement): void {
  const impact = read_impact(page.data ?? {}, page.paths ?? [], page.kinds);
  if (impact.strikes.length === 0 && impact.several.length === 0) show_nothing(impact, root);
  if (impact.strikes.length > 1) root.append(contents(impact.strikes));
  impact.strikes.forEach((strike, k) => {
    const box = el('div', { class: 'strike', 'data-strike': String(k) });
    root.append(box);
    show_strike(strike, k, impact, box);
  });
  compute_under_sliders(page, impact, root, (strike, box) => {
    box.replaceChildren();
    show_strike(strike, Number(box.dataset['strike']), impact, box);
  });
  show_several(impact, root);
  if (impact.touching.length > 0) show_touching(impact, root);
}

function show_nothing(impact: Impact, root: HTMLElement): void {
  const at = impact.time === null ? '' : ` at t = ${quantity(impact.time, 's')}`;
  root.append(section('Nothing strikes', el('p', {}, `No contact approaches${at}, so there is no impact to solve.`)));
}

/** Where several strike: what was found of each, with a way to it. */
function contents(strikes: Strike[]): HTMLElement {
  const entry = (strike: Strike, k: number) => {
    const bad = findings(strike).filter((f) => f.tone === 'bad').length;
    const remark =
      bad === 0 ? 'every law answers, none gains energy' : bad === 1 ? 'one law fails' : `${bad} laws fail`;
    return el(
      'li',
      {},
      el('a', { href: `#strike-${k}` }, strike.name || `strike ${k + 1}`),
      ' ',
      el('span', { class: bad > 0 ? 'bad' : 'muted' }, remark),
    );
  };
  return section('What strikes', el('ol', { class: 'contents' }, ...strikes.map(entry)));
}

function show_strike(strike: Strike, k: number, impact: Impact, root: HTMLElement): void {
  const title = strike.name || (strike.spatial ? 'The impact, in space' : 'The impact, in the plane');
  const before = strike.before
    ? `Velocity before: ${components(strike.before, strike.spatial, 'm/s')}${impact.time === null ? '' : `, at t = ${quantity(impact.time, 's')}`}.`
    : '';
  const joints = joints_table(strike);
  const bounds = bounds_list(strike);
  const of = strike.name && impact.strikes.length > 1 ? ` of ${strike.name}` : '';
  const first = section(
    title,
    el('ul', { class: 'findings' }, ...findings(strike).map((f) => el('li', { class: f.tone }, f.text))),
    before ? el('p', { class: 'muted' }, before) : null,
    el('h3', {}, 'Energy, J'),
    ledger(strike.laws),
    el('h3', {}, 'Laws side by side'),
    laws_table(strike, impact.dofs),
  );
  first.id = `strike-${k}`;
  root.append(first);
  const ways = paths(strike);
  if (ways) root.append(section((strike.spatial ? 'Hodographs' : 'Velocity during the impact') + of, ways));
  if (bounds) root.append(section('Thresholds of friction and restitution' + of, bounds));
  if (joints) root.append(section('Impulses in the joints' + of, joints));
}

function show_touching(impact: Impact, root: HTMLElement): void {
  const rows = impact.touching.map((t) => [t.name, words(t.kind), number(t.normal_velocity)]);
  root.append(section('What touches', table(['Contact', 'State', 'Normal velocity, m/s'], rows, [2])));
}
