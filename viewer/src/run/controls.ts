// Playing, scrubbing, stepping from event to event; the keys that do the same; what is shown in the scene.

import { el } from '../dom';
import { quantity, running_time } from '../format';
import { category_colour } from '../kinds';
import { colour, on_theme_change } from '../theme';
import { speeds, type Clock } from './clock';
import type { RunData } from './data';
import type { Replay } from './replay';

/** Width of half a thumb of the scrubber: ticks keep this distance from its ends. */
const inset = 8;

function button(text: string, label: string, action: () => void): HTMLButtonElement {
  return el('button', { type: 'button', 'aria-label': label, title: label, onclick: action }, text);
}

/** The row under the replay. */
export function make_controls(data: RunData, clock: Clock): HTMLElement {
  const play = button('▶', 'Play', () => clock.toggle());
  play.classList.add('play');
  const speed = el(
    'select',
    { 'aria-label': 'Speed', onchange: () => clock.set_speed(Number(speed.value)) },
    ...speeds.map((s) => el('option', { value: s }, `${s}×`)),
  );
  const time = el('output', { class: 'time', 'aria-label': 'Time' });
  const scrub = el('input', {
    type: 'range',
    class: 'scrub',
    'aria-label': 'Time in seconds',
    min: data.start,
    max: data.end,
    step: 'any',
    oninput: () => {
      clock.pause();
      clock.seek(Number(scrub.value));
    },
  });
  const strip = el('canvas', { class: 'ticks', 'aria-hidden': 'true' });
  clock.on_time(() => {
    scrub.value = String(clock.time);
    time.textContent = running_time(clock.time, data.end - data.start);
    scrub.setAttribute('aria-valuetext', time.textContent);
  });
  clock.on_state(() => {
    play.textContent = clock.playing ? '❚❚' : '▶';
    play.setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
    speed.value = String(clock.speed);
  });
  const draw = () => draw_ticks(strip, data);
  new ResizeObserver(draw).observe(strip);
  on_theme_change(draw);
  return el(
    'div',
    { class: 'controls' },
    el('div', { class: 'scrubber' }, strip, scrub),
    el(
      'div',
      { class: 'buttons' },
      button('|◂', 'To the start', () => clock.seek(data.start)),
      button('◂ event', 'Previous event', () => clock.step_event(-1)),
      play,
      button('event ▸', 'Next event', () => clock.step_event(1)),
      speed,
      time,
    ),
  );
}

/** One tick for each event, at most one for each pixel. */
function draw_ticks(canvas: HTMLCanvasElement, data: RunData): void {
  const { start, end } = data;
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (width === 0 || height === 0) return;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) return;
  const taken = new Set<string>();
  const from = inset * ratio;
  const length = width - 2 * from;
  for (const event of data.page.events) {
    const x = Math.round(from + (length * (event.time - start)) / (end - start || 1));
    const { category } = data.event_kind(event.kind);
    const name = category_colour(category);
    const key = `${x} ${name}`;
    if (taken.has(key)) continue;
    taken.add(key);
    context.fillStyle = colour(name);
    context.fillRect(x, category === 'impulse' ? 0 : height / 2, Math.max(1, ratio), height);
  }
}

/** Check boxes for what the scene shows, and the view's own buttons. */
export function make_toggles(replay: Replay, open_help: () => void): HTMLElement {
  const pair = (text: string, on: boolean, change: (on: boolean) => void) => {
    const input = el('input', { type: 'checkbox', onchange: () => change(input.checked) });
    input.checked = on;
    return { input, label: el('label', {}, input, text) };
  };
  const box = (text: string, on: boolean, change: (on: boolean) => void) => pair(text, on, change).label;
  const follow = pair('Follow', replay.following, (on) => replay.set_follow(on));
  const shown = (key: 'forces' | 'cones' | 'impulses') => (on: boolean) => {
    replay.contacts.shown[key] = on;
    replay.view.request();
  };
  return el(
    'div',
    { class: 'toggles', role: 'group', 'aria-label': 'Shown in the scene' },
    box('Forces', true, shown('forces')),
    box('Friction cones', true, shown('cones')),
    box('Impulses', true, shown('impulses')),
    box('Trails', false, (on) => replay.show_trails(on)),
    follow.label,
    button('Reset view', 'Show the whole motion', () => {
      follow.input.checked = false;
      replay.set_follow(false);
    }),
    button('?', 'Keys', open_help),
  );
}

/** Colours of the contact modes and the size of the grid. */
export function make_key(data: RunData, replay: Replay | null): HTMLElement {
  const grid = el('span', { class: 'key' });
  if (replay) replay.on_cell = (cell) => (grid.textContent = `grid ${quantity(cell, 'm')}`);
  const dot = (name: string, text: string) =>
    el('span', { class: 'key' }, el('i', { class: 'dot', style: `background:var(${name})` }), text);
  return el(
    'p',
    { class: 'keys muted small' },
    ...data.contact_modes.map((mode) => dot(category_colour(mode.category), mode.label)),
    dot('--impulse', 'impulse'),
    grid,
  );
}

const help: [string, string][] = [
  ['Space', 'play, pause'],
  ['← →', 'back, forward (with Shift ten times as far)'],
  ['[ ]', 'previous, next event'],
  ['Home End', 'start, end'],
  ['+ −', 'faster, slower'],
  ['?', 'this list'],
  ['Esc', 'close it'],
  ['Drag', 'turn the scene (planar: move it); right button moves, wheel zooms'],
  ['Drag in a plot', 'zoom all plots; double-click shows everything; click goes to a time'],
];

export function make_help(): HTMLDialogElement {
  const dialog = el(
    'dialog',
    { class: 'help', 'aria-label': 'Keys' },
    el('h2', {}, 'Keys'),
    el('dl', {}, ...help.flatMap(([key, text]) => [el('dt', {}, key), el('dd', {}, text)])),
    el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'),
  );
  return dialog;
}

/** The keys of the list above, wherever the focus is, except where a key has a meaning of its own. */
export function listen_to_keys(clock: Clock, dialog: HTMLDialogElement): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    const target = event.target as HTMLElement;
    if (target.matches('select, input:not([type=range]):not([type=checkbox]), textarea')) return;
    if (event.key === ' ' && target.matches('button:focus-visible, input[type=checkbox], summary')) return;
    const step = ((clock.end - clock.start) / 200) * (event.shiftKey ? 10 : 1);
    const actions: { [key: string]: () => void } = {
      ' ': () => clock.toggle(),
      ArrowLeft: () => clock.seek(clock.time - step),
      ArrowRight: () => clock.seek(clock.time + step),
      Home: () => clock.seek(clock.start),
      End: () => clock.seek(clock.end),
      '[': () => clock.step_event(-1),
      ']': () => clock.step_event(1),
      '+': () => clock.step_speed(1),
      '=': () => clock.step_speed(1),
      '-': () => clock.step_speed(-1),
      '−': () => clock.step_speed(-1),
      '?': () => dialog.showModal(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
