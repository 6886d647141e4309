// What follows the motion: energies, verdicts on closed contacts, the last impact, the latest events.

import { range_of } from '../axes';
import { el, replace } from '../dom';
import { event_time, quantity } from '../format';
import { category_colour, kind_of, tone_of } from '../kinds';
import { plot, type Line, type Point } from '../plot';
import { event_facts, event_parts } from '../run/impact';
import type { Frame } from './engine';
import type { Live } from './live';

/** So many samples of the energies are kept, and a sample is taken after so much of the machine's time T. */
const most_samples = 400;
const sample_every = 0.05;

interface Energies {
  time: number;
  kinetic: number;
  potential: number;
  dissipated: number;
  supplied: number;
}

export class EnergyCard {
  readonly root: HTMLElement;
  private samples: Energies[] = [];
  private initial = NaN;
  private readonly facts = el('p', { class: 'facts' });
  private readonly plot = el('div', { class: 'energy-plot' });

  constructor(private readonly live: Live) {
    const key = (colour: string, text: string) =>
      el('span', { class: 'key' }, el('i', { class: 'dash', style: `border-color:var(${colour})` }), text);
    this.root = el(
      'section',
      { class: 'card energy', 'aria-label': 'Energy' },
      el('h2', {}, 'Energy'),
      this.facts,
      this.plot,
      el(
        'p',
        { class: 'keys small muted' },
        key('--series-1', 'kinetic'),
        key('--series-3', 'potential'),
        key('--series-2', 'dissipated'),
        key('--series-4', 'supplied by hand, drives, belts'),
      ),
    );
  }

  update(frame: Frame): void {
    const { time } = frame;
    const last = this.samples.at(-1);
    // Accounts begin anew where the machine was changed.
    if (frame.initial !== this.initial || (last && time < last.time)) this.samples = [];
    this.initial = frame.initial;
    const gap = sample_every * this.live.page.scales.time;
    if (this.samples.length > 1 && time - (this.samples.at(-2) as Energies).time < gap) this.samples.pop();
    this.samples.push({
      time,
      kinetic: frame.kinetic,
      potential: frame.potential,
      dissipated: frame.dissipated,
      supplied: frame.supplied,
    });
    if (this.samples.length > most_samples) this.samples.shift();
    this.draw(frame);
  }

  private draw(frame: Frame): void {
    const fact = (name: string, value: number) =>
      el('span', { class: 'fact' }, el('span', { class: 'muted' }, name + ' '), quantity(rounded(value, frame), 'J', 3));
    replace(
      this.facts,
      fact('kinetic', frame.kinetic),
      fact('potential', frame.potential),
      fact('dissipated', frame.dissipated),
      fact('supplied', frame.supplied),
      frame.step_errors === 0 ? '' : fact('errors of fixed steps', frame.step_errors),
    );
    // Time runs along the axis from where the samples begin, not from zero.
    const from = this.samples[0]?.time ?? 0;
    const line = (name: keyof Energies, colour: string): Line => ({
      points: this.samples.map((s): Point => [s.time - from, s[name]]),
      kind: '',
      colour: `var(${colour})`,
      title: name,
    });
    const lines = [
      line('kinetic', '--series-1'),
      line('potential', '--series-3'),
      line('dissipated', '--series-2'),
      line('supplied', '--series-4'),
    ];
    replace(
      this.plot,
      plot({
        label: 'Energies over time',
        x_label: from > 0 ? `time since ${from.toFixed(2)} s, s` : 'time, s',
        y_label: 'energy, J',
        width: 460,
        height: 200,
        x: range_of([0, ...this.samples.map((s) => s.time - from)]),
        y: range_of([0, ...lines.flatMap((l) => l.points.map((p) => p[1]))]),
        lines,
      }),
    );
  }
}

/** Noise far below the energy that is there is shown as zero. */
function rounded(value: number, { kinetic, potential, dissipated, supplied }: Frame): number {
  const size = Math.max(Math.abs(kinetic), Math.abs(potential), Math.abs(dissipated), Math.abs(supplied));
  return Math.abs(value) < 1e-9 * size ? 0 : value;
}

export class VerdictCard {
  readonly root: HTMLElement;
  private readonly list = el('div', {});
  private shown = '';

  constructor(private readonly live: Live) {
    this.root = el('section', { class: 'card verdicts', 'aria-label': 'Contacts' }, el('h2', {}, 'Contacts'), this.list);
  }

  update(): void {
    const verdicts = this.live.engine.verdicts();
    const text = JSON.stringify(verdicts);
    if (text === this.shown) return;
    this.shown = text;
    if (verdicts.length === 0) {
      replace(this.list, el('p', { class: 'muted' }, 'Nothing touches.'));
      return;
    }
    const alone = verdicts.length > 1 ? el('p', { class: 'muted small' }, 'Each as if it were alone.') : null;
    const items = verdicts.slice(0, 8).map(({ contact, tone, sentences }) =>
      el(
        'div',
        { class: 'play-verdict' },
        el('h3', {}, contact),
        ...sentences.slice(0, 3).map((s, i) => el('p', { class: i === 0 ? tone_of(tone) : 'muted small' }, s)),
      ),
    );
    replace(this.list, alone, ...items);
  }
}

export class ImpactCard {
  readonly root: HTMLElement;
  private readonly body = el('div', { class: 'detail' });
  private readonly title = el('h2', {}, 'Last impact');
  private shown: unknown = null;

  constructor(private readonly live: Live) {
    this.root = el('section', { class: 'card last-impact', 'aria-label': 'Last impact' }, this.title, this.body);
    this.update();
  }

  update(): void {
    const { live } = this;
    const event = [...live.events].reverse().find((each) => each.rule !== null) ?? null;
    if (event === this.shown && event !== null) return;
    this.shown = event;
    if (!event) {
      this.title.textContent = 'Last impact';
      replace(this.body, el('p', { class: 'muted' }, 'None yet.'));
      return;
    }
    const { label } = kind_of(live.page.kinds, 'event', event.kind);
    const what = event.kind === 'impact' ? 'Last impact' : `Last impact: ${label}`;
    this.title.textContent = `${what}, at ${event_time(event.time, 1)}\u202fs`;
    replace(this.body, el('p', { class: 'muted small' }, event_facts(event)), ...event_parts(event, live));
  }
}

export class EventList {
  readonly root: HTMLElement;
  private readonly list = el('ol', { class: 'latest' });
  private shown: unknown = null;

  constructor(private readonly live: Live) {
    this.root = el('section', { class: 'card', 'aria-label': 'Latest events' }, el('h2', {}, 'Latest events'), this.list);
    this.update();
  }

  update(): void {
    const { events, contacts, page } = this.live;
    const last = events.at(-1) ?? null;
    if (last === this.shown && last !== null) return;
    this.shown = last;
    const rows = events.slice(-7).reverse().map((event) => {
      const { label, category } = kind_of(page.kinds, 'event', event.kind);
      const names = event.contacts.map((c) => contacts[c.contact]?.name ?? '').filter(Boolean);
      const where = names.length > 2 ? `${names.length} contacts` : names.join(', ');
      return el(
        'li',
        {},
        el('span', { class: 'when' }, `${event_time(event.time, 1)}\u202fs`),
        el('i', { class: 'dot', style: `background:var(${category_colour(category)})` }),
        el('span', {}, label, el('span', { class: 'muted' }, where ? ` ${where}` : '')),
      );
    });
    replace(this.list, ...(rows.length > 0 ? rows : [el('li', { class: 'muted' }, 'None yet.')]));
  }
}
