// The chosen event: its contacts, its energy ledger, and for an impact its hodograph and phases.

import type { EventContact, ImpactPath, Phase, RunEvent, Value } from '../document';
import { number_of } from '../document';
import { equal_scale, range_of } from '../axes';
import { el, replace, table, warning_list, type Child } from '../dom';
import { count, event_time, no_value, number, quantity, vector, words } from '../format';
import { category_colour, kind_of, mode_label, type Kinds } from '../kinds';
import { frame_size, plot, type Line, type Mark, type Plot, type Point } from '../plot';
import type { Clock } from './clock';
import type { RunData } from './data';

/** What the parts of an event need to know of the page they stand on. */
export interface EventSource {
  readonly planar: boolean;
  readonly page: { kinds?: Kinds | undefined; contacts: { name: string }[] };
}

function component(values: Value[] | null | undefined, i: number): number {
  return number_of(values?.[i]);
}

/** A phase as the document describes its kind. */
interface KnownPhase extends Phase {
  label: string;
  colour: string;
}
interface KnownPath extends ImpactPath {
  phases: KnownPhase[];
}

function known_path(path: ImpactPath, kinds: Kinds | undefined): KnownPath {
  const phases = (path.phases ?? []).map((phase) => {
    const { label, category } = kind_of(kinds, 'phase', phase.kind);
    return { ...phase, label, colour: `var(${category_colour(category)})` };
  });
  return { ...path, phases };
}

function phase_marks(path: KnownPath, at: (velocity: Value[], impulse: Value) => Point): Mark[] {
  return path.phases.map((phase) => ({
    at: at(phase.contact_velocity ?? [], phase.normal_impulse),
    kind: 'phase',
    colour: phase.colour,
    shape: 'dot' as const,
    title: `${phase.label}, normal impulse ${quantity(phase.normal_impulse, 'N s')}`,
  }));
}

/** What has numbers of the lines and marks, with zero on both axes. */
function picture(options: Omit<Plot, 'x' | 'y' | 'width' | 'height'>, equal = false): SVGSVGElement {
  const size = { width: 360, height: 250 };
  const known = ([a, b]: Point) => Number.isFinite(a) && Number.isFinite(b);
  const lines = options.lines.map((line) => ({ ...line, points: line.points.filter(known) }));
  const marks = (options.marks ?? []).filter((mark) => known(mark.at));
  const all = [...lines.flatMap((line) => line.points), ...marks.map((mark) => mark.at), [0, 0] as Point];
  const ranges = { x: range_of(all.map((p) => p[0])), y: range_of(all.map((p) => p[1])) };
  const frame = frame_size(size.width, size.height);
  const shown = equal ? equal_scale(ranges.x, ranges.y, frame.width, frame.height) : ranges;
  return plot({ ...options, ...shown, ...size, lines, marks });
}

/** v_n and v_t against the normal impulse: the hodograph of the plane, and the side view of that in space. */
function against_impulse(path: KnownPath, planar: boolean): SVGSVGElement {
  const tangential = (v: Value[]) => (planar ? component(v, 1) : Math.hypot(component(v, 1), component(v, 2)));
  const points = (value: (v: Value[]) => number) =>
    path.velocity.map((v, i): Point => [number_of(path.impulse[i]), value(v)]);
  return picture({
    label: 'Contact velocity against normal impulse',
    x_label: 'normal impulse, N s',
    y_label: 'velocity, m/s',
    lines: [
      { points: points((v) => component(v, 0)), kind: '', colour: 'var(--series-1)', title: 'normal' },
      {
        points: points(tangential),
        kind: 'dashed',
        colour: 'var(--series-2)',
        title: planar ? 'tangential' : 'slip speed',
      },
    ],
    marks: [
      ...phase_marks(path, (v, p) => [number_of(p), component(v, 0)]),
      ...phase_marks(path, (v, p) => [number_of(p), tangential(v)]),
    ],
  });
}

/** The way of the tangential velocity during the impact, seen along the normal. */
function hodograph(path: KnownPath): SVGSVGElement {
  const tangential = (v: Value[]): Point => [component(v, 1), component(v, 2)];
  const way: Line = {
    points: path.velocity.map(tangential),
    kind: '',
    colour: 'var(--series-2)',
    title: 'tangential velocity',
  };
  const before: Mark = {
    at: tangential(path.velocity[0] ?? []),
    kind: 'before',
    colour: 'var(--free)',
    shape: 'dot',
    title: 'before',
  };
  return picture(
    {
      label: 'Hodograph: tangential velocity during the impact',
      x_label: 'vₜ₁, m/s',
      y_label: 'vₜ₂, m/s',
      lines: [way],
      marks: [before, ...phase_marks(path, tangential)],
    },
    true,
  );
}

function figure(picture: SVGSVGElement, ...caption: Child[]): HTMLElement {
  return el('figure', {}, picture, el('figcaption', { class: 'muted small' }, ...caption));
}

function key(colour: string, text: string, dashed = false): HTMLElement {
  return el('span', { class: 'key' }, el('i', { class: dashed ? 'dash dashed' : 'dash', style: `border-color:${colour}` }), text);
}

/** Hodographs and phases of the contacts that have a path, and why others have none. */
function paths(event: RunEvent, data: EventSource): Child[] {
  const { kinds, contacts } = data.page;
  const having = event.contacts.filter((c) => c.path && c.path.velocity.length > 0);
  const parts = having.map((c, i) => {
    const part = path_part(known_path(c.path as ImpactPath, kinds), data.planar);
    return el('details', { open: i === 0 }, el('summary', {}, contacts[c.contact]?.name ?? String(c.contact)), part);
  });
  const reasons = new Set(event.contacts.filter(struck).flatMap((c) => c.no_path ?? []));
  return [...parts, ...[...reasons].map((reason) => el('p', { class: 'muted small' }, reason))];
}

function path_part(path: KnownPath, planar: boolean): HTMLElement {
  const parts: Child[] = [];
  const figures = el('div', { class: 'figures' });
  if (!planar) figures.append(figure(hodograph(path), 'Hodograph: tangential velocity; grey: before the impact'));
  const second = planar ? key('var(--series-2)', 'tangential', true) : key('var(--series-2)', 'slip speed', true);
  figures.append(figure(against_impulse(path, planar), key('var(--series-1)', 'normal'), second));
  parts.push(figures);
  if (path.phases.length > 0) {
    const rows = path.phases.map((phase) => [
      el('span', {}, el('i', { class: 'dot', style: `background:${phase.colour}` }), phase.label),
      number(phase.normal_impulse),
      vector(cut(phase.contact_velocity, planar)),
    ]);
    parts.push(table(['Phase ends', 'Normal impulse, N s', velocity_heading(planar)], rows, [1, 2]));
  }
  return el('div', {}, ...parts);
}

function struck(contact: EventContact): boolean {
  return contact.impulse?.some((v) => v !== null && v !== 0) ?? false;
}

function cut(values: Value[] | null, planar: boolean): Value[] | null {
  return values ? values.slice(0, planar ? 2 : 3) : null;
}
function velocity_heading(planar: boolean): string {
  return planar ? '(vₙ, vₜ), m/s' : '(vₙ, vₜ₁, vₜ₂), m/s';
}

/** For each contact a heading and a row for each direction: narrow enough for a telephone. */
function contact_table(event: RunEvent, data: EventSource): HTMLElement {
  const directions = data.planar ? ['n', 't'] : ['n', 't₁', 't₂'];
  const head = (name: string, unit: string) => el('th', { scope: 'col', class: 'num' }, name, el('small', {}, unit));
  const rows = event.contacts.flatMap((c) => {
    const facts = [
      c.mode ? mode_label(kind_of(data.page.kinds, 'impact_mode', c.mode), !data.planar) : null,
      struck(c) ? `e = ${number(c.restitution)}` : null,
      struck(c) && c.friction ? `μ = ${number(c.friction)}` : null,
    ];
    const title = el('th', { scope: 'rowgroup', colspan: 4 }, data.page.contacts[c.contact]?.name ?? String(c.contact));
    const told = facts.filter(Boolean).join(', ');
    if (told !== '') title.append(el('span', { class: 'muted' }, ` ${told}`));
    const values = directions.map((direction, i) =>
      el(
        'tr',
        {},
        el('td', {}, direction),
        ...[c.velocity_before, c.velocity_after, c.impulse].map((v) => el('td', { class: 'num' }, number(v?.[i] ?? null))),
      ),
    );
    return [el('tr', { class: 'group' }, title), ...values];
  });
  const heads = el('tr', {}, el('th', {}), head('Before', 'm/s'), head('After', 'm/s'), head('Impulse', 'N s'));
  return el('div', { class: 'table-scroll', tabindex: 0 }, el('table', {}, el('thead', {}, heads), el('tbody', {}, ...rows)));
}

function ledger(event: RunEvent): HTMLElement | null {
  const { energy } = event;
  if (!energy) return null;
  const rows: Child[][] = [
    ['Work of the normal impulse', quantity(energy.normal_work, 'J')],
    ['Work of friction', quantity(energy.tangential_work, 'J')],
    ['Supplied from outside', quantity(energy.supplied, 'J')],
    ['Change of kinetic energy', quantity(energy.change, 'J')],
    ['Energetically consistent', energy.consistent === null ? no_value : energy.consistent ? 'yes' : 'no'],
  ];
  return el('div', { class: 'event-ledger' }, el('h3', {}, 'Energy'), table(['', ''], rows, [1]));
}

/** All numbers of an event: its contacts, its energy, its paths. */
export function event_parts(event: RunEvent, source: EventSource): Child[] {
  return [
    event.contacts.length > 0 ? contact_table(event, source) : null,
    event.contacts.some(struck) ? ledger(event) : null,
    ...paths(event, source),
  ];
}

/** Law, rule and what else there is to say, between dots. */
export function event_facts(event: RunEvent): string {
  const facts = [event.label];
  if (event.law) facts.push(`law: ${words(event.law)}`);
  if (event.rule) facts.push(`rule: ${words(event.rule)}`);
  if (event.error_bound !== null) facts.push(`normal speed left out: at most ${quantity(event.error_bound, 'm/s')}`);
  if (event.duration !== null) facts.push(`stepped through for ${quantity(event.duration, 's')}`);
  return facts.filter(Boolean).join(' · ');
}

export class EventDetail {
  readonly root = el('section', { class: 'card detail', 'aria-label': 'Chosen event', hidden: true });
  private shown = -1;

  constructor(
    private readonly data: RunData,
    private readonly clock: Clock,
  ) {
    clock.on_state(() => {
      if (clock.event >= 0 && clock.event !== this.shown) this.show(clock.event);
    });
  }

  private show(index: number): void {
    const event = this.data.page.events[index];
    if (!event) return;
    this.shown = index;
    const title = `${this.data.event_kind(event.kind).label} at ${event_time(event.time, this.data.end - this.data.start)}\u202fs`;
    replace(
      this.root,
      el(
        'div',
        { class: 'head-row' },
        el('h2', {}, title.charAt(0).toUpperCase() + title.slice(1)),
        el('span', { class: 'muted small' }, `event ${count(index + 1)} of ${count(this.data.page.events.length)}`),
        el('button', { type: 'button', class: 'quiet', 'aria-label': 'Close', onclick: () => this.close() }, '✕'),
      ),
      warning_list(event.warnings ?? []),
      el('p', { class: 'muted' }, event_facts(event)),
      ...event_parts(event, this.data),
    );
    this.root.hidden = false;
  }

  private close(): void {
    this.root.hidden = true;
    this.shown = -1;
    this.clock.event = -1;
  }
}
