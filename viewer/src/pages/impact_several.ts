// Several contacts struck at once, by projection or all advanced together: each with its own restitution.

import { el, section, table, type Child } from '../dom';
import { number, quantity, words } from '../format';
import type { Frictional, Impact, Several } from './impact_data';
import { march_plot } from './impact_march';
import { clean, sentence } from './impact_words';

export function show_several({ several, frictional, rule, dofs }: Impact, root: HTMLElement): void {
  if (several.length === 0) return;
  root.append(
    section(
      'All contacts at once',
      el(
        'p',
        { class: 'muted' },
        rule,
      ),
      el(
        'div',
        { class: 'several' },
        ...several.map((answer) => one(answer, dofs)),
        frictional ? with_friction(frictional, dofs) : null,
      ),
    ),
  );
}

function one(answer: Several, dofs: string[]): HTMLElement {
  const energy = answer.energy;
  const verdict = energy.consistent
    ? `Kinetic energy changes by ${quantity(energy.change, 'J')}, to ${number(energy.ratio)} of what it was.`
    : `⚠ Gains energy: ${quantity(energy.change, 'J')}, to ${number(energy.ratio)} times what it was.`;
  const outside = answer.contacts.filter((c) => !c.inside_cone).map((c) => c.name);
  return el(
    'article',
    {},
    el('h3', {}, answer.title),
    answer.status === 'ok' ? null : el('p', { class: 'bad' }, sentence(words(answer.status))),
    el('p', { class: energy.consistent ? null : 'bad' }, verdict),
    outside.length > 0
      ? el('p', { class: 'bad' }, `⚠ Outside the friction cone, so these would slip: ${outside.join(', ')}.`)
      : null,
    contacts_table(answer),
    march_plot(answer),
    velocity_list(answer.velocity, dofs),
    el('p', { class: 'small muted' }, `Rank ${number(answer.rank)} of ${number(answer.rows)} rows.`),
  );
}

function with_friction(answer: Frictional, dofs: string[]): HTMLElement {
  const size = (list: (number | null)[][]) => Math.max(0, ...list.flat().map((x) => Math.abs(x ?? 0)));
  const speed = size(answer.contacts.map((c) => c.velocity));
  const impulse = size(answer.contacts.map((c) => c.impulse));
  const vector = (list: (number | null)[], scale: number) =>
    `(${list.map((x) => number(clean(x, scale))).join(', ')})`;
  const rows = answer.contacts.map((c): Child[] => [
    c.name,
    c.state,
    vector(c.velocity, speed),
    vector(c.impulse, impulse) + (answer.unique ? '' : ' †'),
  ]);
  const note = answer.unique ? '' : ' † Redundant contacts share the impulse in more ways than one; the least is given.';
  return el(
    'article',
    {},
    el('h3', {}, 'With friction, without rebound'),
    answer.status === 'solved' ? null : el('p', { class: 'bad' }, sentence(words(answer.status))),
    el('p', {}, `Signorini and Coulomb on the true cone. Kinetic energy changes by ${quantity(answer.change, 'J')}.`),
    table(['Contact', 'State', 'Velocity after, m/s', 'Impulse, N s'], rows, [2, 3]),
    velocity_list(answer.velocity, dofs),
    el('p', { class: 'small muted' }, `Residual ${number(answer.residual)}.${note}`),
  );
}

function contacts_table(answer: Several): HTMLElement {
  const speed = Math.max(0, ...answer.contacts.map((c) => Math.abs(c.approach ?? 0)));
  const impulse = Math.max(0, ...answer.contacts.map((c) => Math.abs(c.normal_impulse ?? 0)));
  const slips = answer.contacts.some((c) => c.tangential_impulse.some((i) => Math.abs(i ?? 0) > 1e-12 * impulse));
  const missed = answer.contacts.some((c) => Math.abs(c.residual ?? 0) > 1e-12 * speed);
  const headings = ['Contact', 'Role', 'vₙ before, m/s', 'vₙ after, m/s', 'Restitution'];
  if (missed) headings.push('Off its rule by, m/s');
  headings.push('Normal impulse, N s');
  if (slips) headings.push('Tangential impulse, N s');
  const rows = answer.contacts.map((c): Child[] => {
    const row: Child[] = [
      c.name,
      c.role.label,
      number(clean(c.approach, speed)),
      number(clean(c.departure, speed)),
      number(c.restitution),
    ];
    if (missed) row.push(number(clean(c.residual, speed)));
    row.push(number(clean(c.normal_impulse, impulse)) + (c.unique ? '' : ' †'));
    if (slips) row.push(`(${c.tangential_impulse.map((i) => number(clean(i, impulse))).join(', ')})`);
    return row;
  });
  const shared = answer.contacts.some((c) => !c.unique);
  const remarks = new Set(answer.contacts.flatMap((c) => (typeof c.role['remark'] === 'string' ? c.role['remark'] : [])));
  return el(
    'div',
    {},
    table(headings, rows, headings.map((_, i) => i).slice(2)),
    shared
      ? el(
          'p',
          { class: 'small muted' },
          '† Redundant contacts share this impulse in more ways than one; the least is given.',
        )
      : null,
    ...[...remarks].map((remark) => el('p', { class: 'small muted' }, remark)),
  );
}

function velocity_list(velocity: (number | null)[], dofs: string[]): HTMLElement | null {
  if (velocity.length === 0) return null;
  const size = Math.max(0, ...velocity.map((v) => Math.abs(v ?? 0)));
  const rows = velocity.map((v, k): Child[] => [dofs[k] ?? `velocity ${k + 1}`, number(clean(v, size))]);
  return el(
    'details',
    {},
    el('summary', {}, 'Velocities after'),
    table(['', dofs.length ? 'm/s or rad/s' : 'value'], rows, [1]),
  );
}
