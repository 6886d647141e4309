// The numbers of an impact under sliders: the engine answers the same question with others, and the page shows that.

import '../play/play.css';
import type { ImpactDocument, ImpactQuestion, Json, PlayDocument, Slider } from '../document';
import { bytes } from '../document';
import { Engine, unpack } from '../play/engine';
import { Panel, type Changes } from '../play/panel';
import { read_impact, type Impact, type Strike } from './impact_data';

/** Loads the engine once, then puts a panel above every strike that it can answer; `show` draws the strike anew. */
export function compute_under_sliders(page: ImpactDocument, impact: Impact, root: HTMLElement, show: Show): void {
  const { engine: packed, questions } = page;
  if (!packed || !questions?.some((question) => question !== null)) return;
  unpack(bytes(packed))
    .then((wasm) => Engine.make(wasm))
    .then((engine) => {
      const boxes = root.querySelectorAll<HTMLElement>('.strike');
      questions.forEach((question, k) => {
        const box = boxes[k];
        const strike = impact.strikes[k];
        if (question && box && strike) new Sliders(page, impact, strike, question, engine, box, show);
      });
    })
    .catch(() => undefined); // without WebAssembly the page is what it was
}

type Show = (strike: Strike, box: HTMLElement) => void;

class Sliders {
  private readonly question: ImpactQuestion;
  private readonly asked: string;
  private readonly panel: Panel;

  constructor(
    private readonly page: ImpactDocument,
    impact: Impact,
    private readonly strike: Strike,
    question: ImpactQuestion,
    private readonly engine: Engine,
    private readonly box: HTMLElement,
    private readonly show: Show,
  ) {
    this.question = structuredClone(question);
    this.asked = JSON.stringify(question);
    this.panel = new Panel({ controls: controls_of(question, impact.dofs), choices: [] });
    this.panel.root.classList.add('impact-sliders');
    box.before(this.panel.root);
    let waiting = false;
    const later = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        this.answer();
      });
    };
    this.panel.root.addEventListener('input', later);
    this.panel.root.addEventListener('click', later);
  }

  private answer(): void {
    const changes = this.panel.take();
    if (!changes) return;
    apply(changes, this.question);
    const warnings = document.querySelector('.warnings h2');
    if (warnings) warnings.textContent = 'With the numbers of the file';
    if (JSON.stringify(this.question) === this.asked) {
      this.show(this.strike, this.box);
      this.panel.say('');
      return;
    }
    try {
      const answer = this.engine.impact(this.question);
      const impact = read_impact(answer.data, answer.paths, this.page.kinds);
      const now = impact.strikes[0];
      if (now) this.show({ ...now, name: this.strike.name }, this.box);
      this.panel.say(now ? '' : 'There is no answer.');
    } catch (error) {
      this.panel.say(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Values by JSON pointer. */
export function apply(changes: Changes, into: ImpactQuestion): void {
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('/').slice(1);
    let at: Json = into;
    for (const key of keys.slice(0, -1)) at = (at as { [key: string]: Json })[key] as Json;
    (at as { [key: string]: Json })[keys[keys.length - 1] as string] = value;
  }
}

/** Sliders for what a question says: friction, restitution, velocities of the machine or of the contact, a belt. */
export function controls_of(question: ImpactQuestion, dofs: string[]): PlayDocument['controls'] {
  const { friction, restitution } = question.surface;
  const surface: Slider[] = [];
  const bounded = (value: number | 'inf') => (value === 'inf' ? 1 : value);
  const coefficient = (label: string, value: number | 'inf', ...parts: string[]): Slider => ({
    label,
    unit: '',
    paths: parts.map((part) => `/surface/friction/${part}`),
    value: bounded(value),
    low: 0,
    high: Math.max(1.5, 2 * bounded(value)),
  });
  if (friction.static === friction.kinetic) surface.push(coefficient('friction', friction.static, 'static', 'kinetic'));
  else
    surface.push(
      coefficient('friction at rest', friction.static, 'static'),
      coefficient('friction in slip', friction.kinetic, 'kinetic'),
    );
  if (restitution.kind === 'normal')
    surface.push({ label: 'restitution', unit: '', paths: ['/surface/restitution/normal'], value: restitution.normal, low: 0, high: 1 });
  const spatial = question.contact_velocity.length === 3 || question.surface_velocity.length === 3;
  const axes = spatial ? ['n', 't1', 't2'] : ['n', 't'];
  const speeds = (values: number[], key: string, unit: string, name: (k: number) => string): Slider[] => {
    const size = Math.max(0.5, ...values.map((v) => 2 * Math.abs(v)));
    return values.map((value, k) => ({ label: name(k), unit, paths: [`/${key}/${k}`], value, low: -size, high: size }));
  };
  const named = dofs.length === question.velocity.length;
  return [
    { title: 'Surfaces', sliders: surface },
    {
      title: 'Velocity before',
      sliders: [
        ...speeds(question.velocity, 'velocity', '', (k) => (named ? (dofs[k] ?? '') : `velocity ${k + 1}`)),
        ...speeds(question.contact_velocity, 'contact_velocity', 'm/s', (k) => `v_${axes[k] ?? k}`),
      ],
    },
    {
      title: 'Moving surface',
      sliders: speeds(question.surface_velocity, 'surface_velocity', 'm/s', (k) => `belt ${axes[k] ?? k}`).slice(1),
    },
  ];
}
