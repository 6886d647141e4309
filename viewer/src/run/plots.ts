// The plots under one common time axis: they zoom together, and one cursor runs through all of them.

import 'uplot/dist/uPlot.min.css';
import { el, type Child } from '../dom';
import { quantity, words } from '../format';
import { on_theme_change } from '../theme';
import type { Clock } from './clock';
import { contact_specs, series_of } from './contact_plots';
import type { Quantities, RunData } from './data';
import { energy_series, sum_name } from './energy_series';
import { Plot, type PlotSpec } from './plot';
import { first_at_or_after, last_at_or_before } from './search';

/** More events than this in sight are not marked in the plots. */
const most_marks = 150;
export class PlotGroup {
  readonly root: HTMLElement;
  from: number;
  to: number;
  private readonly plots: Plot[] = [];
  private pending = false;
  private told = 0;

  constructor(
    readonly data: RunData,
    readonly clock: Clock,
  ) {
    this.from = data.start;
    this.to = Math.max(data.end, data.start + 1e-12);
    const button = (text: string, label: string, action: () => void): Child =>
      el('button', { type: 'button', 'aria-label': label, title: label, onclick: action }, text);
    const specs = [energy_spec(data), ...contact_specs(data), ...coordinate_specs(data)];
    this.plots = specs.map((spec) => new Plot(spec, this));
    this.root = el(
      'section',
      { class: 'card plots' },
      el(
        'div',
        { class: 'head-row' },
        el('h2', {}, 'Plots'),
        el(
          'span',
          { class: 'buttons' },
          button('+', 'Zoom in about the time shown', () => this.scale(0.5)),
          button('−', 'Zoom out about the time shown', () => this.scale(2)),
          button('All', 'Show the whole time', () => this.show_all()),
        ),
      ),
      ...this.plots.map((plot) => plot.root),
    );
    clock.on_time(() => this.request());
    clock.on_state(() => this.request());
    on_theme_change(() => {
      for (const plot of this.plots) plot.redraw();
    });
    this.request();
  }

  zoom(from: number, to: number): void {
    const { start, end } = this.data;
    const least = Math.max((end - start) * 1e-9, 1e-12);
    this.from = Math.max(start, Math.min(from, to));
    this.to = Math.min(Math.max(end, start + least), Math.max(from, to));
    if (this.to - this.from < least) this.to = this.from + least;
    for (const plot of this.plots) plot.refresh();
  }

  show_all(): void {
    this.zoom(this.data.start, this.data.end);
  }

  events_in_range(): Float64Array {
    const times = this.data.event_times;
    const first = first_at_or_after(times, this.from);
    const last = last_at_or_before(times, this.to);
    return last - first < most_marks ? times.subarray(first, last + 1) : times.subarray(0, 0);
  }

  private scale(factor: number): void {
    const half = ((this.to - this.from) * factor) / 2;
    const middle = this.clock.time >= this.from && this.clock.time <= this.to ? this.clock.time : (this.from + this.to) / 2;
    this.zoom(middle - half, middle + half);
  }

  /** Moves cursor and legends once a frame at most. */
  private request(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.turn_page();
      for (const plot of this.plots) plot.move();
      // Nobody reads sixty numbers a second: while the replay runs the legends change more slowly.
      const now = performance.now();
      if (this.clock.playing && now - this.told < 80) return;
      this.told = now;
      const place = this.data.place(this.clock.time);
      for (const plot of this.plots) plot.tell(place);
    });
  }

  /** A zoomed range goes along when the replay runs out of it. */
  private turn_page(): void {
    const { time, playing } = this.clock;
    if (!playing || (time >= this.from && time <= this.to)) return;
    const width = this.to - this.from;
    const from = Math.min(time - 0.05 * width, this.data.end - width);
    this.zoom(from, from + width);
  }
}

function quantity_of(unit: string): string {
  const names: { [unit: string]: string } = { m: 'length', rad: 'angle', 'm/s': 'speed', 'rad/s': 'angular speed' };
  return names[unit] ?? 'value';
}

/** Coordinates and rates, one plot for each unit. */
function coordinate_specs(data: RunData): PlotSpec[] {
  const specs: PlotSpec[] = [];
  const add = (title: string, { names, units, values }: Quantities) => {
    for (const unit of new Set(units)) {
      const columns = names.map((_, i) => i).filter((i) => units[i] === unit);
      specs.push({
        title,
        quantity: quantity_of(unit),
        unit,
        series: series_of(columns.map((i) => names[i] as string), (c) => {
          const column = columns[c] as number;
          return (k) => values[k * names.length + column] as number;
        }),
      });
    }
  };
  add('Coordinates', data.position);
  add('Rates', data.velocity);
  return specs;
}

function energy_spec(data: RunData): PlotSpec {
  const series = energy_series(data);
  const initial = data.initial_energy;
  const last = data.energy_sum(data.count - 1);
  const drift = data.energy_drift();
  const note = el(
    'p',
    { class: 'small muted energy-note', 'data-sum': last, 'data-initial': initial, 'data-drift': drift },
    `${words(sum_name(data))} ${quantity(last, 'J', 6)}, at the start ${quantity(initial, 'J', 6)}, largest drift ${quantity(drift, 'J', 2)}`,
  );
  let lowest = 0;
  for (let k = 0; k < data.count; ++k) lowest = Math.min(lowest, data.potential[k] as number);
  return { title: 'Energy, stacked', quantity: 'energy', unit: 'J', series, base: lowest, note };
}
