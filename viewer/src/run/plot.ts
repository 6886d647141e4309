// One plot: a uPlot canvas fed with reduced curves, its legend, and the line that marks the time of the replay.

import uPlot from 'uplot';
import { el } from '../dom';
import { axis_label, number } from '../format';
import { colour } from '../theme';
import type { Curve } from './decimate';
import { reduce } from './decimate';
import type { PlotGroup } from './plots';
import type { Place } from './search';

export interface Series {
  name: string;
  /** What is drawn. */
  curve: Curve;
  /** What the legend tells; the same unless curves are stacked. */
  value?: Curve;
  /** Name of a CSS colour. */
  colour: string;
  /** Stacked: filled down to the series before, the first one to `base`. */
  filled?: boolean;
  dashed?: boolean;
  hidden?: boolean;
}
export interface PlotSpec {
  title: string;
  /** What the vertical axis shows. */
  quantity: string;
  unit: string;
  series: Series[];
  base?: number;
  note?: Node;
}

const height = 176;

/** Numbers at an axis: as many decimals as its step asks for. */
export function tick_label(value: number, step: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || step < 1e-4) return number(value, Math.min(6, Math.max(2, 1 + Math.ceil(Math.log10(size / step))))).replace(' × ', '·');
  let decimals = 0;
  while (decimals < 8 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) ++decimals;
  return (value < 0 ? '−' : '') + size.toFixed(decimals);
}

/** The range of an axis: a margin about the values; a curve that is constant but for rounding is drawn as constant. */
export function value_range(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-9 * size || size === 0) {
    const margin = size === 0 ? 1 : 0.1 * size;
    return [low - margin, high + margin];
  }
  const margin = 0.07 * (high - low);
  return [low - margin, high + margin];
}

function least(low: number | null, base: number | undefined): number | null {
  return low === null || base === undefined ? low : Math.min(low, base);
}

export class Plot {
  readonly root: HTMLElement;
  private readonly canvas = el('div', { class: 'plot-canvas' });
  private readonly values: HTMLElement[] = [];
  private readonly line = el('div', { class: 'now', 'aria-hidden': 'true' });
  private plot: uPlot | null = null;

  constructor(
    private readonly spec: PlotSpec,
    private readonly group: PlotGroup,
  ) {
    const legend = el('div', { class: 'run-legend' });
    spec.series.forEach((series, i) => {
      const value = el('span', { class: 'value' });
      this.values.push(value);
      const swatch = el('i', { class: series.dashed ? 'dash dashed' : 'dash', style: `border-color:var(${series.colour})` });
      const toggle = el('button', { type: 'button', 'aria-pressed': series.hidden ? 'false' : 'true' }, swatch, series.name, value);
      toggle.addEventListener('click', () => {
        const on = toggle.getAttribute('aria-pressed') !== 'true';
        toggle.setAttribute('aria-pressed', String(on));
        series.hidden = !on;
        this.plot?.setSeries(i + 1, { show: on });
      });
      legend.append(toggle);
    });
    this.root = el(
      'section',
      { class: 'run-plot', 'aria-label': spec.title },
      el('div', { class: 'plot-head' }, el('h3', {}, spec.title), legend),
      spec.note,
      this.canvas,
    );
    new ResizeObserver(() => this.fit()).observe(this.canvas);
  }

  /** New data for the range of the group. */
  refresh(): void {
    this.plot?.setData(this.data(), true);
    this.move();
  }

  redraw(): void {
    this.plot?.redraw(false, true);
  }

  /** Puts the line and the legend at the time of the replay. */
  move(): void {
    const { clock, from, to } = this.group;
    const inside = clock.time >= from && clock.time <= to;
    this.line.hidden = !inside;
    if (this.plot && inside) this.line.style.transform = `translateX(${this.plot.valToPos(clock.time, 'x')}px)`;
  }

  tell(place: Place): void {
    this.spec.series.forEach((series, i) => {
      const curve = series.value ?? series.curve;
      const here = curve(place.sample);
      const next = place.fraction > 0 ? curve(place.next) : here;
      const value = Number.isFinite(next) ? here + place.fraction * (next - here) : here;
      (this.values[i] as HTMLElement).textContent = number(value);
    });
  }

  private data(): uPlot.AlignedData {
    const { data, from, to } = this.group;
    const columns = Math.max(100, Math.round(this.canvas.clientWidth * Math.min(devicePixelRatio || 1, 2)));
    const reduced = reduce(data.time, this.spec.series.map((s) => s.curve), from, to, columns);
    return [reduced.time, ...reduced.values];
  }

  private fit(): void {
    const width = this.canvas.clientWidth;
    if (width === 0 || this.plot?.width === width) return;
    if (this.plot) {
      this.plot.setSize({ width, height });
      this.refresh();
      return;
    }
    this.plot = new uPlot(this.options(width), this.data(), this.canvas);
    this.plot.over.append(this.line);
    this.plot.over.addEventListener('click', (event) => {
      const box = this.plot!.over.getBoundingClientRect();
      this.group.clock.seek(this.plot!.posToVal(event.clientX - box.left, 'x'));
    });
    this.move();
  }

  private options(width: number): uPlot.Options {
    const { group, spec } = this;
    const axis = (): Partial<uPlot.Axis> => ({
      stroke: () => colour('--muted'),
      grid: { stroke: () => colour('--line'), width: 1 },
      ticks: { stroke: () => colour('--line'), width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
      labelFont: '11px system-ui, sans-serif',
      values: (_, splits, __, ___, step) => splits.map((v) => tick_label(v, step)),
    });
    return {
      width,
      height,
      legend: { show: false },
      cursor: {
        sync: { key: 'run' },
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
        bind: {
          dblclick: () => () => {
            group.show_all();
            return null;
          },
        },
      },
      scales: {
        x: { time: false, range: () => [group.from, group.to] },
        y: { range: (_, low, high) => value_range(least(low, spec.base), high) },
      },
      axes: [
        { ...axis(), label: 'time, s', labelSize: 14, size: 26, gap: 3 },
        { ...axis(), label: axis_label(spec.quantity, spec.unit), labelSize: 14, size: 62, gap: 4 },
      ],
      series: [{}, ...spec.series.map((series, i) => this.series(series, i))],
      bands: spec.series.flatMap((series, i) =>
        series.filled && i > 0 ? [{ series: [i + 1, i] as [number, number], fill: () => colour(series.colour) + 'c0' }] : [],
      ),
      hooks: { setSelect: [(plot) => this.select(plot)], drawClear: [(plot) => this.mark_events(plot)] },
    };
  }

  private series(series: Series, i: number): uPlot.Series {
    const options: uPlot.Series = {
      show: !series.hidden,
      stroke: () => colour(series.colour),
      width: series.filled ? 1 : 1.5,
    };
    if (series.dashed) options.dash = [5, 4];
    if (series.filled && i === 0) {
      options.fill = () => colour(series.colour) + 'c0';
      options.fillTo = () => this.spec.base ?? 0;
    }
    return options;
  }

  private select(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width > 4) this.group.zoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  /** Faint lines at events, as long as they can be told apart. */
  private mark_events(plot: uPlot): void {
    const times = this.group.events_in_range();
    const { top, height: tall } = plot.bbox;
    const { ctx } = plot;
    ctx.save();
    ctx.fillStyle = colour('--impulse');
    ctx.globalAlpha = 0.28;
    for (const t of times) ctx.fillRect(Math.round(plot.valToPos(t, 'x', true)), top, 1, tall);
    ctx.restore();
  }
}
