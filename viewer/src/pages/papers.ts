// The page of `routh papers`: every printed number beside ours, and every figure again.

import './pages.css';
import './papers.css';
import type { Paper, PapersDocument } from '../document';
import { el, section, svg_image } from '../dom';
import { words } from '../format';
import { sentence } from './impact_words';
import {
  counts,
  counts_words,
  difference_words,
  groups,
  ours_words,
  printed_words,
  text,
  type Counts,
  type Entry,
} from './papers_data';

const statuses = { agrees: 'agrees', misprint: 'misprint', mismatch: 'mismatch' } as const;
const marks = { agrees: '✓', misprint: '✎', mismatch: '⚠' } as const;

export function show(page: PapersDocument, root: HTMLElement): void {
  const papers = Array.isArray(page.papers) ? page.papers : [];
  const total = page.summary ?? counts(papers.flatMap((paper) => paper.values as Entry[]));
  root.classList.add('papers');
  root.append(summary(papers, total, root));
  papers.forEach((paper, k) => root.append(show_paper(paper, k)));
}

function summary(papers: Paper[], total: Counts, root: HTMLElement): HTMLElement {
  const box = el('input', { type: 'checkbox', onchange: () => root.classList.toggle('only-notable', box.checked) });
  const number_of = (value: number, name: string, kind: string) =>
    el('div', { class: `count ${kind}` }, el('strong', {}, String(value)), el('span', {}, name));
  const verdict =
    total.mismatches === 0
      ? 'Every recomputed number agrees with what is printed, or differs from it where the paper has a documented misprint.'
      : `⚠ ${total.mismatches} ${total.mismatches === 1 ? 'number differs' : 'numbers differ'} without a documented misprint.`;
  return section(
    'Summary',
    el(
      'div',
      { class: 'counts' },
      number_of(total.agrees, 'agree', 'good'),
      number_of(total.misprints, total.misprints === 1 ? 'documented misprint' : 'documented misprints', 'note'),
      number_of(
        total.mismatches,
        total.mismatches === 1 ? 'mismatch' : 'mismatches',
        total.mismatches > 0 ? 'bad' : 'plain',
      ),
    ),
    el('p', { class: total.mismatches > 0 ? 'bad' : null }, verdict),
    el(
      'p',
      { class: 'muted small' },
      'A number agrees when it differs by no more than one unit of the last printed digit. A misprint is agreed with in what follows instead of it.',
    ),
    el(
      'nav',
      { 'aria-label': 'Papers' },
      el(
        'ol',
        { class: 'contents' },
        ...papers.map((paper, k) =>
          el(
            'li',
            {},
            el('a', { href: `#paper-${k}` }, paper.title),
            ' ',
            el('span', { class: 'muted' }, `${counts_words(counts(paper.values as Entry[]))}; ${figures_words(paper)}`),
          ),
        ),
      ),
    ),
    el('p', { class: 'no-print' }, el('label', {}, box, 'Only misprints and mismatches')),
  );
}

function figures_words(paper: Paper): string {
  const n = (paper.figures ?? []).length;
  return n === 0 ? 'no figures' : n === 1 ? '1 figure' : `${n} figures`;
}

function show_paper(paper: Paper, k: number): HTMLElement {
  const values = (paper.values ?? []) as Entry[];
  const figures = paper.figures ?? [];
  const card = section(
    paper.title,
    paper.reference && paper.reference !== paper.title ? el('p', { class: 'muted' }, paper.reference) : null,
    el('p', {}, `${counts_words(counts(values))}.`),
    values.length > 0 ? values_table(values) : null,
  );
  card.id = `paper-${k}`;
  card.classList.add('paper');
  if (values.every((value) => value.status === 'agrees')) card.classList.add('all-agree');
  if (figures.length > 0) {
    card.append(el('div', { class: 'paper-figures' }, ...figures.map(show_figure)));
  }
  return card;
}

/** A figure that grows to its full size, and back, when it is clicked. */
function show_figure(figure: Paper['figures'][number]): HTMLElement {
  const caption = figure.caption || words(figure.name);
  const button = el(
    'button',
    {
      type: 'button',
      'aria-pressed': 'false',
      title: 'Larger, smaller',
      'aria-label': `${caption}: larger or smaller`,
    },
    svg_image(figure.svg, caption),
  );
  const whole = el('figure', {}, el('div', { class: 'zoom' }, button), el('figcaption', {}, caption));
  button.addEventListener('click', () => button.setAttribute('aria-pressed', String(whole.classList.toggle('large'))));
  return whole;
}

/** One table for a paper, so that columns stand under each other; its groups are headings across it. */
function values_table(values: Entry[]): HTMLElement {
  const headings = ['Quantity', 'Where', 'Printed', 'Ours', 'Unit', 'Difference', ''];
  const numeric = [2, 3, 5];
  const head = el(
    'tr',
    {},
    ...headings.map((h, i) => el('th', { scope: 'col', class: numeric.includes(i) ? 'num' : null }, h)),
  );
  const bodies = groups(values).map((group) => {
    const quiet = group.entries.every((entry) => entry.status === 'agrees');
    const title = group.title
      ? el(
          'tr',
          { class: 'group' },
          el('th', { scope: 'rowgroup', colspan: headings.length }, el('span', { class: 'group-title' }, group.title)),
        )
      : null;
    return el('tbody', { class: quiet ? 'quiet' : null }, title, ...group.entries.flatMap(rows_of));
  });
  return el(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Values' },
    el('table', { class: 'values' }, el('thead', {}, head), ...bodies),
  );
}

function rows_of(entry: Entry): HTMLElement[] {
  const status = statuses[entry.status] ?? 'mismatch';
  const where = [entry.source === 'formula' && entry.where ? `by ${entry.where}` : entry.where]
    .filter(Boolean)
    .join('');
  const row = el(
    'tr',
    { class: status },
    el('th', { scope: 'row' }, entry.name),
    el('td', {}, where),
    el('td', { class: 'num' }, printed_words(entry)),
    el('td', { class: 'num' }, ours_words(entry)),
    el('td', {}, entry.unit ?? ''),
    el('td', { class: 'num' }, difference_words(entry)),
    el('td', { class: 'status' }, `${marks[status]} ${status}`),
  );
  const follows = text(entry.follows).replace(/^-/, '−');
  const note = [status === 'misprint' && follows ? `Correct: ${follows}.` : '', sentence(entry.note ?? '')]
    .filter(Boolean)
    .join(' ');
  if (!note) return [row];
  return [row, el('tr', { class: `${status} explanation` }, el('td', { colspan: 7 }, el('span', {}, note)))];
}
