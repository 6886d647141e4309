// The page that computes: the engine runs against the clock of the browser, within a budget for each frame.

import '../run/run.css';
import './play.css';
import { bytes, type PlayDocument } from '../document';
import { el } from '../dom';
import { quantity, words } from '../format';
import { Engine, EngineError, unpack } from './engine';
import { Hand } from './hand';
import { Live } from './live';
import { Panel } from './panel';
import { EnergyCard, EventList, ImpactCard, VerdictCard } from './readouts';
import { PlayScene } from './scene';

/** Seconds of computing in a frame: what is left of 1/60 s draws. */
const budget = 0.009;
/** A frame that came late is not made up for beyond this, in seconds: the page was hidden, or the machine is too slow. */
const longest_frame = 0.05;
/** To the next event the engine may think for so long [s] before it shows how far it is. */
const event_budget = 0.05;
/** Where nothing happens any more the search ends after so much of the machine's own time [s]. */
const event_horizon = 100;
const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2];

export function show(page: PlayDocument, root: HTMLElement): void {
  const waiting = el('p', { class: 'muted' }, 'Loading the engine …');
  root.append(waiting);
  load(page)
    .then((engine) => {
      waiting.remove();
      new Player(page, engine, root).start();
    })
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      waiting.replaceWith(
        el(
          'div',
          { class: 'message', role: 'alert' },
          el('h2', {}, 'This page cannot compute here'),
          el('p', {}, why),
          el('p', {}, 'It needs a browser with WebAssembly and its exceptions: Chrome 95, Firefox 113, Safari 16.4, or newer.'),
        ),
      );
    });
}

async function load(page: PlayDocument): Promise<Engine> {
  if (!page.engine) throw new EngineError('The document holds no engine.');
  const engine = await Engine.make(await unpack(bytes(page.engine)));
  engine.open(JSON.stringify(page.start));
  return engine;
}

type Going = 'paused' | 'running' | 'to_event';

class Player {
  private going: Going = 'paused';
  private speed = 1;
  private last = 0;
  private events_before = 0;
  /** Of late: seconds of the machine in a second of watching. */
  private pace = 1;
  private dirty = true;
  private readonly live: Live;
  private readonly scene: PlayScene | null;
  private readonly hand: Hand | null;
  private readonly panel: Panel;
  private readonly energy: EnergyCard;
  private readonly verdicts: VerdictCard;
  private readonly impact: ImpactCard;
  private readonly events: EventList;
  private readonly run_button = button('▶ Run', 'Run or pause (space)', () => this.toggle());
  private readonly clock = el('output', {});
  private readonly pace_note = el('small', {});
  private readonly stopped = el('p', { class: 'play-stop bad', role: 'status', hidden: true });

  constructor(
    private readonly page: PlayDocument,
    private readonly engine: Engine,
    root: HTMLElement,
  ) {
    const live = new Live(page, engine);
    this.live = live;
    this.panel = new Panel(page);
    this.energy = new EnergyCard(live);
    this.verdicts = new VerdictCard(live);
    this.impact = new ImpactCard(live);
    this.events = new EventList(live);
    const scene_box = el('div', { class: 'scene' });
    const card = el('section', { class: 'card replay', 'aria-label': 'Machine' }, scene_box, this.controls());
    const left = el('div', { class: 'column left' }, card, this.energy.root);
    const right = el('div', { class: 'column right' }, this.panel.root, this.verdicts.root, this.impact.root, this.events.root);
    root.append(el('div', { class: 'run play-page' }, left, right));
    this.scene = PlayScene.make(scene_box, live);
    this.hand = this.scene ? new Hand(this.scene, live, () => this.wake()) : null;
    if (this.scene) card.append(this.toggles(this.scene));
    card.append(
      el('p', { class: 'play-hint muted small' }, 'Drag a body to pull it, let go to throw it, click it to poke it. Drag beside it to turn or move the view.'),
      this.stopped,
    );
    this.run_button.classList.add('run-button');
    this.listen_to_keys();
  }

  start(): void {
    this.publish();
    const frame = (now: number) => {
      this.frame(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  private frame(now: number): void {
    const elapsed = Math.min((now - this.last) / 1000, longest_frame);
    this.last = now;
    this.take_changes();
    if (this.going === 'running') this.advance(elapsed);
    else if (this.going === 'to_event') this.seek_event();
    if (!this.dirty) return;
    this.dirty = false;
    this.live.look();
    this.scene?.view.request();
    this.energy.update(this.live.frame);
    this.verdicts.update();
    this.impact.update();
    this.events.update();
    this.tell();
  }

  private advance(elapsed: number): void {
    const before = this.live.frame.time;
    const status = this.engine.advance(before + elapsed * this.speed, budget);
    this.dirty = true;
    this.heed(status);
    const reached = this.engine.frame().time - before;
    if (elapsed > 0) this.pace += 0.1 * (reached / elapsed - this.pace);
  }

  /** To the end of the next event, over as many frames as it takes. */
  private seek_event(): void {
    const status = this.engine.advance(this.live.frame.time + event_horizon, event_budget, true);
    this.dirty = true;
    this.heed(status);
    if (this.engine.frame().events > this.events_before) this.set_going('paused');
  }

  private heed(status: number): void {
    const { name = '', sentence = '', failed = false } = this.page.statuses[status] ?? {};
    this.stopped.hidden = !failed;
    if (!failed) return;
    this.stopped.textContent = `The motion cannot go on: ${sentence || words(name)}. Reset it, or change something.`;
    this.set_going('paused');
  }

  private take_changes(): void {
    const changes = this.panel.take();
    if (!changes) return;
    try {
      this.engine.set(changes);
      this.panel.say('');
      this.stopped.hidden = true;
    } catch (error) {
      this.panel.say(error instanceof EngineError ? error.message : String(error));
    }
    if (Object.keys(changes).some((path) => path.startsWith('/state'))) this.hand?.let_go();
    this.dirty = true;
  }

  private reset(): void {
    this.engine.reset();
    this.hand?.let_go();
    this.stopped.hidden = true;
    this.dirty = true;
  }

  private toggle(): void {
    this.set_going(this.going === 'paused' ? 'running' : 'paused');
  }
  private wake(): void {
    if (this.going === 'paused' && this.stopped.hidden) this.set_going('running');
    this.dirty = true;
  }
  private set_going(going: Going): void {
    this.going = going;
    this.pace = this.speed;
    this.run_button.textContent = going === 'paused' ? '▶ Run' : '❚❚ Pause';
    this.dirty = true;
  }
  private next_event(): void {
    this.events_before = this.engine.frame().events;
    this.set_going('to_event');
  }

  private tell(): void {
    this.clock.textContent = `${this.live.frame.time.toFixed(3)}\u202fs`;
    const slow = this.going === 'running' && this.pace < 0.8 * this.speed;
    this.pace_note.textContent =
      this.going === 'to_event' ? 'looking for the next event' : slow ? `${quantity(this.pace, '×', 2)} real time: as fast as it goes` : '';
  }

  private controls(): HTMLElement {
    const speed = el(
      'select',
      {
        'aria-label': 'Speed',
        onchange: () => {
          this.speed = Number(speed.value);
          this.pace = this.speed;
        },
      },
      ...speeds.map((s) => el('option', { value: s, selected: s === 1 }, `${s}×`)),
    );
    return el(
      'div',
      { class: 'buttons' },
      this.run_button,
      button('event ▸', 'To the next event (])', () => this.next_event()),
      button('↺ Reset', 'Back to the start (R)', () => this.reset()),
      speed,
      el('span', { class: 'time' }, this.clock, this.pace_note),
    );
  }

  private toggles(scene: PlayScene): HTMLElement {
    const toggle = (text: string, name: 'forces' | 'cones') =>
      el(
        'label',
        {},
        el('input', {
          type: 'checkbox',
          checked: true,
          onchange: (event) => {
            scene.shown[name] = (event.target as HTMLInputElement).checked;
            scene.view.request();
          },
        }),
        text,
      );
    return el(
      'div',
      { class: 'toggles' },
      toggle('forces', 'forces'),
      toggle('friction cones', 'cones'),
      button('whole machine', 'Show the whole machine', () => scene.frame()),
    );
  }

  private listen_to_keys(): void {
    document.addEventListener('keydown', (event) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|BUTTON|SUMMARY)$/.test(target.tagName)) return;
      const actions: { [key: string]: () => void } = {
        ' ': () => this.toggle(),
        ']': () => this.next_event(),
        r: () => this.reset(),
        R: () => this.reset(),
      };
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }

  /** What the page shows, as numbers: the end-to-end tests look at it. */
  private publish(): void {
    const where = (body: number) => {
      const point = this.scene?.screen(this.scene.middle(body));
      return point ? [point.x, point.y] : null;
    };
    Object.assign(window, {
      routh: {
        where,
        state: () => {
          const { frame } = this.live;
          return {
            ...frame,
            poses: [...frame.poses],
            contact_rows: [...frame.contact_rows],
            q: [...frame.q],
            v: [...frame.v],
            going: this.going,
            holding: this.hand?.holding ?? false,
            latest: this.live.events.at(-1)?.kind ?? null,
            drawings: this.scene?.view.drawings ?? 0,
          };
        },
      },
    });
  }
}

function button(text: string, label: string, action: () => void): HTMLButtonElement {
  return el('button', { type: 'button', 'aria-label': label, title: label, onclick: action }, text);
}
