// The energy ledger of laws side by side: signed works stacked from zero, the change of kinetic energy as a mark.

import { el, svg } from '../dom';
import { quantity } from '../format';
import { scale, tick_labels, ticks, type Range } from '../axes';
import type { Energy, Law } from './impact_data';
import { balance_words, law_name } from './impact_words';

export interface Segment {
  kind: 'normal' | 'tangential' | 'supplied';
  from: number;
  to: number;
}

/** Losses stacked to the left of zero, gains to the right of it. */
export function stack(energy: Energy): Segment[] {
  const segments: Segment[] = [];
  const end = { left: 0, right: 0 };
  const parts: [Segment['kind'], number | null][] = [
    ['normal', energy.normal_work],
    ['tangential', energy.tangential_work],
    ['supplied', energy.supplied],
  ];
  for (const [kind, work] of parts) {
    if (work === null || work === 0) continue;
    const side = work < 0 ? 'left' : 'right';
    segments.push({ kind, from: end[side], to: end[side] + work });
    end[side] += work;
  }
  return segments;
}

/** One range for all laws, so that lengths can be compared. */
export function ledger_range(energies: Energy[]): Range {
  let low = 0;
  let high = 0;
  for (const energy of energies) {
    for (const end of [...stack(energy).map((s) => s.to), energy.change ?? 0]) {
      low = Math.min(low, end);
      high = Math.max(high, end);
    }
  }
  const pad = 0.04 * (high - low || 1);
  return { low: low - pad, high: high + pad };
}

const names = {
  normal: 'normal work',
  tangential: 'tangential work',
  supplied: 'supplied',
  change: 'change of kinetic energy',
};

export function ledger(laws: Law[]): HTMLElement {
  const range = ledger_range(laws.map((law) => law.energy));
  const x = scale(range, 0, 100);
  const any_supplied = laws.some((law) => (law.energy.supplied ?? 0) !== 0);
  const rows = laws.flatMap((law) => {
    const balance = balance_words(law.energy);
    return [
      el('div', { class: 'ledger-law' }, law_name(law.name)),
      bar(law, x),
      el(
        'div',
        { class: `ledger-verdict ${balance.tone}` },
        balance.tone === 'bad' ? `⚠ ${balance.text}` : balance.text,
      ),
    ];
  });
  const legend = (['normal', 'tangential', 'supplied', 'change'] as const)
    .filter((kind) => kind !== 'supplied' || any_supplied)
    .map((kind) => el('li', {}, el('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), names[kind]));
  return el(
    'div',
    { class: 'ledger' },
    el('ul', { class: 'legend' }, ...legend),
    el('div', { class: 'ledger-rows' }, ...rows, el('div', { class: 'ledger-gap' }), axis(range, x)),
  );
}

const percent = (value: number) => `${Math.round(value * 1000) / 1000}%`;

function bar(law: Law, x: (value: number) => number): SVGSVGElement {
  const energy = law.energy;
  const picture = svg('svg', {
    class: 'ledger-bar',
    role: 'img',
    'aria-label': bar_words(law),
    height: 24,
    width: '100%',
  });
  picture.append(svg('title', {}, bar_words(law)));
  for (const segment of stack(energy)) {
    const left = Math.min(segment.from, segment.to);
    const width = Math.abs(segment.to - segment.from);
    picture.append(
      svg('rect', {
        x: percent(x(left)),
        width: percent(x(left + width) - x(left)),
        y: 4,
        height: 16,
        class: segment.kind,
      }),
    );
  }
  picture.append(svg('line', { x1: percent(x(0)), x2: percent(x(0)), y1: 0, y2: 24, class: 'zero' }));
  if (energy.change !== null) {
    const at = percent(x(energy.change));
    picture.append(svg('line', { x1: at, x2: at, y1: 1, y2: 23, class: 'change' }));
  }
  return picture;
}

function bar_words(law: Law): string {
  const energy = law.energy;
  const parts = [
    `${names.normal} ${quantity(energy.normal_work, 'J')}`,
    `${names.tangential} ${quantity(energy.tangential_work, 'J')}`,
    ...(energy.supplied ? [`${names.supplied} ${quantity(energy.supplied, 'J')}`] : []),
    `${names.change} ${quantity(energy.change, 'J')}`,
  ];
  return `${law_name(law.name)}: ${parts.join(', ')}`;
}

function axis(range: Range, x: (value: number) => number): SVGSVGElement {
  const values = ticks(range, 3);
  const labels = tick_labels(values);
  const picture = svg('svg', { class: 'ledger-axis', height: 22, width: '100%', 'aria-hidden': 'true' });
  values.forEach((value, i) => {
    const at = x(value);
    const anchor = at < 6 ? 'start' : at > 94 ? 'end' : 'middle';
    picture.append(
      svg('line', { x1: percent(at), x2: percent(at), y1: 0, y2: 4, class: 'grid' }),
      svg('text', { x: percent(at), y: 17, 'text-anchor': anchor, class: 'tick' }, labels[i]),
    );
  });
  return picture;
}
