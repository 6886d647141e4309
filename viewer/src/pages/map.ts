// The page of `routh map`: the plane of two variables, with the value under the pointer.

import './pages.css';
import './map.css';
import type { MapDocument } from '../document';
import { el, replace, section, svg_image } from '../dom';
import { count, number, quantity } from '../format';
import { on_theme_change } from '../theme';
import { cell_at, nearest, quantity_words, read_map, reading, type MapData } from './map_data';
import { MapPicture, type Cell } from './map_picture';

export function show(page: MapDocument, root: HTMLElement): void {
  const map = read_map(page);
  const figure =
    typeof page.figure === 'string' && page.figure !== ''
      ? svg_image(page.figure, `Map of ${map?.quantity ?? 'a contact'}`)
      : null;
  if (!map) {
    root.append(section('Map', figure ?? el('p', {}, 'The document holds neither points nor a picture.')));
    return;
  }
  const title = `${quantity_words(map.quantity)}${map.contact ? ` of ${map.contact}` : ''}`;
  const picture = map.cells ? interactive(map) : figure;
  root.append(
    section(
      title.charAt(0).toUpperCase() + title.slice(1),
      el('div', { class: 'map-layout' }, el('div', { class: 'map-plane' }, picture), legend(map)),
    ),
  );
  root.append(section('About this map', about(map)));
  if (map.cells && figure)
    root.append(el('details', { class: 'card' }, el('summary', {}, 'The same as a picture to save'), figure));
}

function legend(map: MapData): HTMLElement {
  const entries = map.kinds
    .filter((kind) => kind.share > 0)
    .map((kind) =>
      el(
        'tr',
        {},
        el(
          'td',
          {},
          el('span', { class: 'swatch outlined', style: `background: ${kind.colour}`, 'aria-hidden': 'true' }),
        ),
        el('th', { scope: 'row' }, kind.name),
        el('td', { class: 'num' }, share(kind.share)),
      ),
    );
  const unit = map.levels && map.unit ? `, ${map.unit}` : '';
  return el(
    'table',
    { class: 'map-legend' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('td', {}),
        el('th', { scope: 'col' }, quantity_words(map.quantity) + unit),
        el('th', { scope: 'col', class: 'num' }, 'share'),
      ),
    ),
    el('tbody', {}, ...entries),
  );
}

/** Percents that do not claim nothing where there is something. */
export function share(value: number): string {
  const percent = 100 * value;
  if (percent > 0 && percent < 0.05) return '< 0.1 %';
  if (percent > 99.95 && percent < 100) return '> 99.9 %';
  return `${percent.toFixed(1)} %`;
}

function about(map: MapData): HTMLElement {
  const lines: [string, string][] = [
    [
      'across',
      `${map.x.name}, ${number(map.x.low)} to ${quantity(map.x.high, map.x.unit)}, ${count(map.x.points)} points`,
    ],
    ['up', `${map.y.name}, ${number(map.y.low)} to ${quantity(map.y.high, map.y.unit)}, ${count(map.y.points)} points`],
  ];
  if (map.state)
    lines.push(['state of the file', `${quantity(map.state.x, map.x.unit)}, ${quantity(map.state.y, map.y.unit)}`]);
  for (const [name, value] of map.set) lines.push([name, `held at ${value}`]);
  if (map.evaluations !== null) {
    const how =
      map.refinement === 'adaptive'
        ? 'refined at boundaries; inside a region numbers are interpolated'
        : 'every point computed';
    lines.push(['evaluations', `${count(map.evaluations)}, ${how}`]);
  }
  return el(
    'dl',
    { class: 'map-about' },
    ...lines.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
  );
}

const hint = 'Point at the map, or move with the arrow keys, for the values of a point.';

function interactive(map: MapData): HTMLElement {
  const canvas = el('canvas', {
    class: 'map-canvas',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'map',
    'aria-label': `${quantity_words(map.quantity)} over ${map.x.name} and ${map.y.name}. ${hint}`,
  });
  const readout = el('p', { class: 'map-readout', 'aria-live': 'polite' });
  const holder = el('div', {}, canvas, readout);
  const picture = new MapPicture(canvas, map);
  let cell: Cell | null = null;
  const look = (next: Cell | null) => {
    cell = next;
    picture.show(cell);
    show_reading(map, cell, readout);
  };
  const redraw = () => {
    if (holder.clientWidth === 0) return;
    picture.resize(holder.clientWidth);
    picture.show(cell);
  };
  new ResizeObserver(redraw).observe(holder);
  on_theme_change(redraw);
  const under = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return cell_at(event.clientX - box.left, event.clientY - box.top, picture.frame, map);
  };
  canvas.addEventListener('pointermove', (event) => look(under(event)));
  canvas.addEventListener('pointerdown', (event) => look(under(event)));
  canvas.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && look(null));
  canvas.addEventListener('keydown', (event) => {
    const next = moved(map, cell, event);
    if (next === undefined) return;
    look(next);
    event.preventDefault();
  });
  show_reading(map, null, readout);
  return holder;
}

/** The cell a key leads to, null to look away; undefined for keys that are not ours. */
export function moved(
  map: MapData,
  cell: Cell | null,
  event: { key: string; shiftKey: boolean },
): Cell | null | undefined {
  const start: Cell = map.state
    ? { i: nearest(map.state.x, map.x), j: nearest(map.state.y, map.y) }
    : { i: Math.floor(map.x.points / 2), j: Math.floor(map.y.points / 2) };
  if (event.key === 'Escape') return null;
  if (event.key === 'Home') return start;
  const steps: { [key: string]: [number, number] } = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
  };
  const step = steps[event.key];
  if (!step) return undefined;
  if (!cell) return start;
  const stride = event.shiftKey ? 10 : 1;
  const clamp = (value: number, points: number) => Math.min(Math.max(value, 0), points - 1);
  return { i: clamp(cell.i + stride * step[0], map.x.points), j: clamp(cell.j + stride * step[1], map.y.points) };
}

function show_reading(map: MapData, cell: Cell | null, readout: HTMLElement): void {
  if (!cell) {
    replace(readout, el('span', { class: 'muted' }, hint + (map.state ? ' The dot is the state of the file.' : '')));
    return;
  }
  const value = reading(map, cell.i, cell.j);
  replace(
    readout,
    el('span', { class: 'swatch outlined', style: `background: ${value.colour}`, 'aria-hidden': 'true' }),
    el('strong', {}, ` ${value.kind}`),
    el('span', {}, value.x),
    el('span', {}, value.y),
    value.number ? el('span', {}, value.number) : null,
  );
}
