// The way of the contact velocity during an impact: against the normal impulse, and its hodograph in space.

import { el, replace } from '../dom';
import { number, quantity } from '../format';
import { equal_scale, range_of, type Range } from '../axes';
import type { Law, Phase, Strike } from './impact_data';
import { clean, law_name, outcome_words } from './impact_words';
import { frame_size, plot, type Line, type Mark, type Point } from '../plot';

const width = 320;
const height = 220;

const phase_words = (phase: Phase) => `${phase.kind.label} in ${phase.stage}`;

/** What all laws of a strike are drawn in, so that pictures can be compared. */
interface Ranges {
  impulse: Range;
  velocity: Range;
  tangential: { x: Range; y: Range };
}

function ranges(laws: Law[], spatial: boolean): Ranges {
  const paths = laws.map((law) => law.path!);
  const all = paths.flatMap((path) => path.velocity);
  const speeds = spatial ? all.flatMap((v) => [v[0]!, slip(v)]) : all.flatMap((v) => v.slice(0, 2));
  const frame = frame_size(width, height);
  return {
    impulse: range_of([0, ...paths.flatMap((path) => path.impulse)], 0.03),
    velocity: range_of([0, ...speeds]),
    tangential: equal_scale(
      range_of([0, ...all.map((v) => v[1]!)], 0.1),
      range_of([0, ...all.map((v) => v[2] ?? 0)], 0.1),
      frame.width,
      frame.height,
    ),
  };
}

const slip = (v: number[]) => Math.hypot(v[1] ?? 0, v[2] ?? 0);

export function paths(strike: Strike): HTMLElement | null {
  const drawn = strike.laws.filter((law) => law.path !== null);
  if (drawn.length === 0) return null;
  const grid = el('div', { class: 'path-grid' });
  const draw = (together: boolean) => {
    const shared = ranges(drawn, strike.spatial);
    replace(grid, ...drawn.map((law) => path_card(law, strike, together ? shared : ranges([law], strike.spatial))));
  };
  const together = comparable(drawn.map((law) => Math.max(...law.path!.impulse)));
  const box = el('input', { type: 'checkbox', checked: together, onchange: () => draw(box.checked) });
  draw(together);
  return el(
    'div',
    {},
    legend(strike),
    drawn.length > 1 ? el('p', {}, el('label', {}, box, 'Same scale for all laws')) : null,
    grid,
  );
}

/** Whether one scale serves all: no impulse dwarfs the others. */
export function comparable(impulses: number[]): boolean {
  const sorted = [...impulses].sort((a, b) => a - b);
  return (sorted.at(-1) ?? 0) <= 4 * (sorted[Math.floor((sorted.length - 1) / 2)] ?? 0);
}

function legend(strike: Strike): HTMLElement {
  const entry = (kind: string, text: string) =>
    el('li', {}, el('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), text);
  return el(
    'ul',
    { class: 'legend' },
    entry('normal-velocity', 'normal velocity'),
    entry('tangential-velocity', strike.spatial ? 'slip speed and slip velocity' : 'tangential velocity'),
    entry('mark-start', 'before'),
    entry('mark-phase', 'end of a phase'),
    entry('mark-end', 'after'),
  );
}

function path_card(law: Law, strike: Strike, shared: Ranges): HTMLElement {
  const at_once = law.phases.length === 0;
  return el(
    'article',
    { class: 'path-card' },
    el('h4', {}, law_name(law.name)),
    el(
      'p',
      { class: 'small muted' },
      outcome_words(law, strike.spatial) + (at_once ? '; one step, no path between' : ''),
    ),
    strike.spatial ? hodograph(law, shared) : null,
    against_impulse(law, strike.spatial, shared),
    phase_table(law.phases, strike.spatial),
  );
}

function marks_of(law: Law, place: (velocity: number[], impulse: number) => Point): Mark[] {
  const path = law.path!;
  const last = path.velocity.length - 1;
  const words = (v: number[], impulse: number) =>
    `normal ${number(v[0]!)}, tangential ${v
      .slice(1)
      .map((x) => number(x))
      .join(', ')} m/s; normal impulse ${quantity(impulse, 'N s')}`;
  const mark = (v: number[], impulse: number, kind: string, shape: Mark['shape'], text: string): Mark => ({
    at: place(v, impulse),
    kind,
    shape,
    title: `${text}: ${words(v, impulse)}`,
  });
  const between = law.phases.slice(0, -1).flatMap((phase) => {
    if (phase.impulse === null || phase.velocity.some((v) => v === null)) return [];
    return [
      mark(
        phase.velocity as number[],
        phase.impulse,
        'mark-phase',
        'diamond',
        `end of ${phase_words(phase)}`,
      ),
    ];
  });
  return [
    mark(path.velocity[0]!, path.impulse[0]!, 'mark-start', 'ring', 'before'),
    ...between,
    mark(path.velocity[last]!, path.impulse[last]!, 'mark-end', 'dot', 'after'),
  ];
}

/** The slip velocity in the tangent plane. */
function hodograph(law: Law, shared: Ranges): SVGSVGElement {
  const path = law.path!;
  const place = (v: number[]): Point => [v[1]!, v[2] ?? 0];
  return plot({
    ...shared.tangential,
    x_label: 'tangential velocity t1, m/s',
    y_label: 't2, m/s',
    lines: [{ points: path.velocity.map(place), kind: line_kind('tangential-velocity', law) }],
    marks: marks_of(law, place),
    width,
    height,
    label: `Hodograph of the ${law.name} law: the slip velocity in the tangent plane`,
  });
}

function line_kind(kind: string, law: Law): string {
  return law.phases.length === 0 ? `${kind} at-once` : kind;
}

function against_impulse(law: Law, spatial: boolean, shared: Ranges): SVGSVGElement {
  const path = law.path!;
  const tangential = (v: number[]) => (spatial ? slip(v) : v[1]!);
  const lines: Line[] = [
    { points: path.velocity.map((v, i) => [path.impulse[i]!, v[0]!]), kind: line_kind('normal-velocity', law) },
    {
      points: path.velocity.map((v, i) => [path.impulse[i]!, tangential(v)]),
      kind: line_kind('tangential-velocity', law),
    },
  ];
  const marks = [
    ...marks_of(law, (v, impulse) => [impulse, v[0]!]),
    ...marks_of(law, (v, impulse) => [impulse, tangential(v)]),
  ];
  return plot({
    x: shared.impulse,
    y: shared.velocity,
    x_label: 'normal impulse, N s',
    y_label: 'velocity, m/s',
    lines,
    marks,
    uprights: law.phases
      .slice(0, -1)
      .flatMap((phase) =>
        phase.impulse === null ? [] : [{ x: phase.impulse, text: `end of ${phase_words(phase)}` }],
      ),
    width,
    height,
    label: `Contact velocity of the ${law.name} law against the normal impulse`,
  });
}

function phase_table(phases: Phase[], spatial: boolean): HTMLElement | null {
  if (phases.length === 0) return null;
  const size = Math.max(0, ...phases.flatMap((phase) => phase.velocity.map((v) => Math.abs(v ?? 0))));
  const heads = ['Phase until', 'impulse, N s', 'vₙ, m/s', ...(spatial ? ['t1', 't2'] : ['vₜ'])];
  const rows = phases.map((phase) => [
    el('td', {}, phase_words(phase)),
    el('td', { class: 'num' }, number(phase.impulse)),
    ...phase.velocity.map((v) => el('td', { class: 'num' }, number(clean(v, size)))),
  ]);
  return el(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Phases' },
    el(
      'table',
      { class: 'phases' },
      el('thead', {}, el('tr', {}, ...heads.map((h, i) => el('th', { scope: 'col', class: i > 0 ? 'num' : null }, h)))),
      el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row))),
    ),
  );
}
