// The numbers under sliders, and words to choose from. What is changed is collected and handed on once a frame.

import type { Choice, PlayDocument, Slider } from '../document';
import { el, type Child } from '../dom';
import { number } from '../format';

export type Changes = { [path: string]: number | string | null };

/** Steps of a slider: fine enough for the eye, coarse enough for round numbers. */
const steps = 400;

function round_step(range: number): number {
  const rough = range / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

export class Panel {
  readonly root: HTMLElement;
  private changes: Changes = {};
  private readonly resets: (() => void)[] = [];
  private readonly note = el('p', { class: 'play-note bad small', role: 'status' });

  constructor(page: Pick<PlayDocument, 'controls' | 'choices'>) {
    const groups = page.controls.filter(({ sliders }) => sliders.length > 0);
    const parts = groups.map(({ title, sliders }, i) => {
      const open = i < 2 && sliders.length <= 12;
      return el('details', { open, 'data-group': title }, el('summary', {}, title), ...sliders.map((s) => this.slider(s)));
    });
    this.root = el(
      'section',
      { class: 'card panel', 'aria-label': 'What you can change' },
      el(
        'div',
        { class: 'head-row' },
        el('h2', {}, 'Change'),
        el('button', { type: 'button', class: 'quiet', onclick: () => this.resets.forEach((reset) => reset()) }, 'as in the file'),
      ),
      el('div', { class: 'choices' }, ...page.choices.map((choice) => this.choice(choice))),
      ...parts,
      this.note,
    );
  }

  /** What was changed since the last call; null: nothing. */
  take(): Changes | null {
    if (Object.keys(this.changes).length === 0) return null;
    const { changes } = this;
    this.changes = {};
    return changes;
  }

  /** Why the last changes were not taken; empty: they were. */
  say(text: string): void {
    this.note.textContent = text;
  }

  private slider({ label, unit, paths, value, low, high }: Slider): HTMLElement {
    const shown = el('output', {});
    const input = el('input', {
      type: 'range',
      min: low,
      max: high,
      step: 'any',
      value,
      'aria-label': unit ? `${label}, ${unit}` : label,
      'data-path': paths[0] ?? '',
    });
    const step = round_step(high - low);
    const put = (to: number, given: boolean) => {
      const rounded = given ? to : Math.min(high, Math.max(low, Number((Math.round(to / step) * step).toPrecision(12))));
      shown.textContent = unit ? `${number(rounded)}\u202f${unit}` : number(rounded);
      for (const path of paths) this.changes[path] = rounded;
    };
    input.addEventListener('input', () => put(Number(input.value), false));
    shown.textContent = unit ? `${number(value)}\u202f${unit}` : number(value);
    this.resets.push(() => {
      if (Number(input.value) === value) return;
      input.value = String(value);
      put(value, true);
    });
    return el('label', { class: 'slider' }, el('span', {}, label), shown, input);
  }

  private choice({ label, path, value, none, words: list }: Choice): HTMLElement {
    const options: Child[] = list.map((word) => el('option', { value: word, selected: word === value }, word));
    if (none !== null) options.unshift(el('option', { value: '', selected: value === null }, none));
    const select = el(
      'select',
      { 'data-path': path, onchange: () => (this.changes[path] = select.value === '' ? null : select.value) },
      ...options,
    );
    this.resets.push(() => {
      if (select.value === (value ?? '')) return;
      select.value = value ?? '';
      this.changes[path] = value;
    });
    return el('label', { class: 'choice' }, el('span', {}, label), select);
  }
}
