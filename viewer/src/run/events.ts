// The event table. Only the rows in sight exist, so ten thousand events cost no more than ten.

import type { EventContact, RunEvent } from '../document';
import { el, replace } from '../dom';
import { compact, count, event_time, no_value, words } from '../format';
import { category_colour } from '../kinds';
import type { Clock } from './clock';
import type { RunData } from './data';

const row_height = 30;
const spare_rows = 6;

/** Heading, its unit, alignment and width in pixels. */
const columns: [string, string, string, number][] = [
  ['Time', 's', 'num', 92],
  ['Kind', '', '', 84],
  ['Contacts', '', '', 90],
  ['vₙ before', 'm/s', 'num', 84],
  ['vₙ after', 'm/s', 'num', 72],
  ['Impulse', 'N s', 'num', 78],
  ['Energy', 'J', 'num', 86],
  ['Rule', '', '', 60],
];

function heading([text, unit, kind]: (typeof columns)[number]): HTMLElement {
  return el('th', { scope: 'col', class: kind }, text, unit === '' ? null : el('small', {}, unit));
}

/** The contact that was struck hardest stands for the event. */
function leading(event: RunEvent): EventContact | undefined {
  return [...event.contacts].sort((a, b) => (b.impulse?.[0] ?? 0) - (a.impulse?.[0] ?? 0))[0];
}

function cells(event: RunEvent, data: RunData): string[] {
  const lead = leading(event);
  const names = data.page.contacts.map((contact) => contact.name);
  const list = event.contacts.map((c) => names[c.contact] ?? String(c.contact));
  const jump = lead?.impulse?.some((v) => v !== 0 && v !== null) ?? false;
  return [
    event_time(event.time, data.end - data.start),
    data.event_kind(event.kind).label,
    list.length > 0 ? list.join(', ') : (event.label ?? no_value),
    jump ? compact(lead?.velocity_before?.[0]) : no_value,
    jump ? compact(lead?.velocity_after?.[0]) : no_value,
    jump ? compact(lead?.impulse?.[0]) : no_value,
    jump ? compact(event.energy?.change) : no_value,
    event.rule ? words(event.rule) : no_value,
  ];
}

export class EventTable {
  readonly root: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly body = el('tbody');
  private shown: number[];

  constructor(
    private readonly data: RunData,
    private readonly clock: Clock,
  ) {
    this.shown = data.page.events.map((_, i) => i);
    const widths = columns.map(([, , , width]) => el('col', { style: `width:${width}px` }));
    const total = columns.reduce((sum, column) => sum + column[3], 0);
    const head = el('tr', {}, ...columns.map(heading));
    this.scroller = el(
      'div',
      { class: 'event-scroll', tabindex: 0, 'aria-label': 'Events', onscroll: () => this.draw() },
      el('table', { class: 'events', style: `min-width:${total}px` }, el('colgroup', {}, ...widths), el('thead', {}, head), this.body),
    );
    const title = el('h2', {}, `Events (${count(data.page.events.length)})`);
    this.root = el('section', { class: 'card' }, el('div', { class: 'head-row' }, title, this.filter()), this.scroller);
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    clock.on_state(() => this.show_current());
    this.draw();
  }

  private filter(): HTMLElement {
    const counts = new Map<string, number>();
    for (const event of this.data.page.events) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
    const select = el(
      'select',
      {
        'aria-label': 'Kind of event',
        onchange: () => {
          const wanted = select.value;
          const all = this.data.page.events.map((_, i) => i);
          this.shown = wanted === '' ? all : all.filter((i) => this.data.page.events[i]?.kind === wanted);
          this.scroller.scrollTop = 0;
          this.draw();
        },
      },
      el('option', { value: '' }, 'all kinds'),
      ...[...counts].map(([kind, n]) => el('option', { value: kind }, `${this.data.event_kind(kind).label} (${count(n)})`)),
    );
    return select;
  }

  private draw(): void {
    const height = this.scroller.clientHeight || 240;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / row_height) - spare_rows);
    const last = Math.min(this.shown.length, first + Math.ceil(height / row_height) + 2 * spare_rows);
    const spacer = (rows: number) =>
      rows > 0 ? el('tr', { 'aria-hidden': 'true' }, el('td', { colspan: columns.length, style: `height:${rows * row_height}px` })) : null;
    const rows = this.shown.slice(first, last).map((index) => this.row(index));
    if (this.shown.length === 0) {
      replace(this.body, el('tr', {}, el('td', { colspan: columns.length, class: 'muted' }, 'No events.')));
      return;
    }
    replace(this.body, spacer(first), ...rows, spacer(this.shown.length - last));
  }

  private row(index: number): HTMLElement {
    const event = this.data.page.events[index] as RunEvent;
    const go = () => this.clock.go_to_event(index);
    const colour = category_colour(this.data.event_kind(event.kind).category);
    const texts = cells(event, this.data);
    const row = el('tr', {
      tabindex: 0,
      class: index === this.clock.event ? 'current' : null,
      'data-event': index,
      'aria-current': index === this.clock.event ? 'true' : null,
      onclick: go,
      onkeydown: (e) => {
        if ((e as KeyboardEvent).key === 'Enter') go();
      },
    });
    texts.forEach((text, i) => {
      const mark = i === 1 ? el('i', { class: 'dot', style: `background:var(${colour})` }) : null;
      row.append(el('td', { class: columns[i]?.[2] ?? '', title: i === 2 ? text : null }, mark, text));
    });
    return row;
  }

  private show_current(): void {
    const at = this.shown.indexOf(this.clock.event);
    if (at >= 0) {
      const top = at * row_height;
      const view = this.scroller.clientHeight - 2 * row_height;
      if (top < this.scroller.scrollTop || top > this.scroller.scrollTop + view) {
        this.scroller.scrollTop = Math.max(0, top - view / 2);
      }
    }
    this.draw();
  }
}
