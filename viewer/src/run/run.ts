// The page of a run: replay, plots, events.

import './run.css';
import type { RunDocument } from '../document';
import { el } from '../dom';
import { Clock } from './clock';
import { listen_to_keys, make_controls, make_help, make_key, make_toggles } from './controls';
import { RunData } from './data';
import { EventTable } from './events';
import { EventDetail } from './impact';
import { PlotGroup } from './plots';
import { Replay } from './replay';
import { make_about, make_summary } from './summary';

export function show(page: RunDocument, root: HTMLElement): void {
  const data = new RunData(page);
  if (page.still) return show_still(data, page.still, root);
  const clock = new Clock(data.start, data.end, data.event_times);
  const help = make_help();
  const scene = el('div', { class: 'scene' });
  const replay_card = el('section', { class: 'card replay', 'aria-label': 'Replay' }, scene, make_controls(data, clock));
  const left = el('div', { class: 'column left' }, replay_card);
  const right = el('div', { class: 'column right' });
  root.append(make_summary(data), el('div', { class: 'run' }, left, right), help);

  const replay = Replay.make(scene, data, clock);
  if (replay) replay_card.append(make_toggles(replay, () => help.showModal()));
  replay_card.append(make_key(data, replay));
  const events = new EventTable(data, clock);
  const detail = new EventDetail(data, clock);
  const plots = new PlotGroup(data, clock);
  left.append(events.root);
  right.append(detail.root, plots.root, make_about(data));
  listen_to_keys(clock, help);
  clock.seek(data.start);
  clock.set_speed(clock.speed);

  // What the page shows, as numbers: the end-to-end tests look at it.
  Object.assign(window, {
    routh: {
      seek: (t: number) => clock.seek(t),
      state: () => ({
        time: clock.time,
        playing: clock.playing,
        speed: clock.speed,
        event: clock.event,
        place: data.place(clock.time),
        middle: replay?.state() ?? null,
        drawings: replay?.view.drawings ?? 0,
        range: [plots.from, plots.to],
      }),
    },
  });
}

/** A machine that does not move: what it looks like, and what touches. */
function show_still(data: RunData, words: string[], root: HTMLElement): void {
  const scene = el('div', { class: 'scene' });
  const card = el('section', { class: 'card replay still', 'aria-label': 'Machine' }, scene);
  const touching = el('section', { class: 'card', 'aria-label': 'Contacts' }, el('h2', {}, 'Contacts'));
  touching.append(el('ul', {}, ...words.map((sentence) => el('li', {}, sentence))));
  const clock = new Clock(data.start, data.start, data.event_times);
  root.append(card, touching);
  const replay = Replay.make(scene, data, clock);
  if (replay) {
    const reset = el('button', { type: 'button' }, 'Reset view');
    reset.addEventListener('click', () => replay.frame());
    card.append(el('div', { class: 'toggles' }, reset));
  }
  clock.seek(data.start);
  Object.assign(window, { routh: { state: () => ({ middle: replay?.state() ?? null, drawings: replay?.view.drawings ?? 0 }) } });
}
