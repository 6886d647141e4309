// The numbers behind a verdict, with their units and meanings.

import { el, table, type Child } from '../dom';
import { no_value, number, quantity, vector as plain_vector, words } from '../format';
import type { Json } from '../document';
import { kind_of, mode_label, type Kinds } from '../kinds';
import { clean } from './impact_words';
import { at, dictionaries, dictionary, list, real, reals, text, texts, type Dictionary } from './json';
import { phase_plane } from './phase_plane';
import { symbol } from './symbols';

type Row = [name: string, value: string, meaning: string];

const yes = (value: unknown) => (value === true ? 'yes' : value === false ? 'no' : no_value);
/** Null is infinite where a threshold is meant. */
const threshold = (value: number | null) => (value === null ? '∞' : number(value));
/** Entries below rounding of the largest are zero. */
function vector(values: (number | null)[], unit = ''): string {
  const size = Math.max(0, ...values.map((v) => Math.abs(v ?? 0)));
  return values.length === 0
    ? no_value
    : plain_vector(
        values.map((v) => clean(v, size)),
        unit,
      );
}
/** Of a planar contact +t or −t. */
const direction = (values: (number | null)[]) =>
  values.length === 1 ? ((values[0] ?? 0) < 0 ? '−t' : '+t') : vector(values);
/** A vector of one entry is a number. */
const settled = (values: Json | undefined, beside: Json | undefined) =>
  reals(values).map((v) => clean(v, Math.abs(real(beside) ?? 0)));
const tangential = (values: (number | null)[], unit: string) =>
  values.length === 1 ? quantity(values[0], unit) : vector(values, unit);

function slip_rows(contact: Dictionary): Row[] {
  const slip = dictionary(contact['slip']);
  if (!slip) return [];
  const rows: Row[] = [
    ['‖v_t‖', quantity(real(slip['speed']), 'm/s'), `slip speed, along ${direction(reals(slip['direction']))}`],
    ['A', quantity(real(slip['A']), '1/kg'), 'normal acceleration per normal force while slipping'],
  ];
  if (slip['B'] !== undefined)
    rows.push(['B', quantity(real(slip['B']), 'm/s²'), 'normal acceleration without contact force']);
  rows.push(['C', tangential(reals(slip['C']), '1/kg'), 'tangential acceleration per normal force']);
  if (slip['D'] !== undefined)
    rows.push([
      'D',
      tangential(settled(slip['D'], slip['B']), 'm/s²'),
      'tangential acceleration without contact force',
    ]);
  if (slip['mode'] !== undefined)
    rows.push([`mode`, `M${number(real(slip['mode_number']))} ${text(slip['mode'])}`, 'of four [Liu 2007, Table 1]']);
  if (slip['admissible'] !== undefined) rows.push(['Φ', yes(slip['admissible']), 'in the admissible set A > 0, B < 0']);
  if (slip['normal_force'] !== undefined)
    rows.push(['λ_n', quantity(real(slip['normal_force']), 'N'), 'normal force, by the stated rules']);
  rows.push([
    'μ(A=0)',
    threshold(real(slip['jamming_friction'])),
    'kinetic friction above which slip in this direction jams',
  ]);
  return rows;
}

function rest_rows(contact: Dictionary): Row[] {
  const rest = dictionary(contact['rest']);
  if (!rest) return [];
  return [
    ['λ', vector(reals(rest['stick_force']), 'N'), 'force that would hold it'],
    ['‖λ_t‖/λ_n', threshold(real(rest['friction_demand'])), 'friction that sticking asks for'],
  ];
}

/** What the unified impact map makes of all velocities of approach. */
export function every_velocity(every: Dictionary): Row {
  const gain = real(every['worst_gain']);
  const worst =
    gain === null
      ? ''
      : `, worst by ${number(100 * gain, 3)} % from v = ${vector(reals(every['worst_velocity']), 'm/s')}`;
  const gains = every['gains'] === true;
  const jams = every['jams'] === true ? '; slip in some directions jams' : '';
  return [
    'all v',
    gains ? 'some gain' : 'none gains',
    `${gains ? 'some velocity' : 'no velocity'} gains energy under the unified impact map${worst}${jams}`,
  ];
}

function common_rows(contact: Dictionary): Row[] {
  const rows: Row[] = [];
  const free = reals(contact['free_acceleration']);
  if (free.length > 0) rows.push(['f', vector(free, 'm/s²'), 'acceleration without contact force (n, t)']);
  const friction = [real(at(contact, 'friction', 'static')), real(at(contact, 'friction', 'kinetic'))];
  rows.push(['μ_s, μ_k', friction.map(threshold).join(', '), 'static and kinetic friction of the pair']);
  const thresholds = dictionary(contact['thresholds']) ?? {};
  rows.push(
    ['μ^*', threshold(real(thresholds['jamming_friction'])), 'friction above which some slip direction jams'],
    ['μ_c', threshold(real(thresholds['stick_friction'])), 'least static friction that keeps a stick in an impact'],
  );
  if (thresholds['impact_friction'] !== null) {
    rows.push([
      'μ_{cr}',
      number(real(thresholds['impact_friction'])),
      'least static friction for an impact that ends stuck',
    ]);
  }
  const restitution = dictionary(contact['restitution']) ?? {};
  if (restitution['bound'] !== null && restitution['bound'] !== undefined) {
    rows.push(['e^*(v)', number(real(restitution['bound'])), 'largest restitution of a stick that gains nothing']);
  }
  rows.push(['e^*', threshold(real(restitution['bound_any'])), 'the same whatever the velocity']);
  if (restitution['region'])
    rows.push([
      'region',
      text(restitution['region']),
      'of the plane of friction and restitution [Aghili 2020, eq. 41]',
    ]);
  const every = dictionary(restitution['every_velocity']);
  if (every) rows.push(every_velocity(every));
  const cone = dictionary(contact['cone']);
  if (cone?.['dips'] === true) {
    const half = real(cone['jam_half_angle']);
    const width =
      reals(cone['jam_direction']).length === 2 && half !== null ? ` within ${number((half * 180) / Math.PI, 3)}°` : '';
    rows.push([
      'cone',
      'dips',
      `below the tangent: slip along ${direction(reals(cone['jam_direction']))}${width} would jam under a normal load`,
    ]);
  }
  return rows;
}

function impact_rows(contact: Dictionary, kinds: Kinds | undefined): Row[] {
  const impact = dictionary(contact['impact']);
  if (!impact) return [];
  const velocity = reals(impact['relative_velocity']);
  return [
    [
      'impact',
      words(text(impact['status'])),
      `${mode_label(kind_of(kinds, 'impact_mode', text(impact['mode'])), velocity.length === 3)}, by the ${words(text(impact['law']))} law`,
    ],
    ['v^+', vector(velocity, 'm/s'), 'contact velocity after it (n, t)'],
    ['i', vector(reals(impact['impulse']), 'N s'), 'its impulse (n, t)'],
    [
      'W_n, W_t',
      `${number(real(impact['normal_work']))}, ${quantity(real(impact['tangential_work']), 'J')}`,
      'work of the normal and the tangential impulse',
    ],
  ];
}

/** The list of all numbers of a contact. */
export function numbers(contact: Dictionary, kinds: Kinds | undefined): HTMLElement {
  const rows = [...slip_rows(contact), ...rest_rows(contact), ...common_rows(contact), ...impact_rows(contact, kinds)];
  const entries = rows.flatMap(([name, value, meaning]) => [
    el('dt', {}, symbol(name)),
    el('dd', { class: 'value' }, value),
    el('dd', { class: 'meaning' }, meaning),
  ]);
  return el('dl', { class: 'bounds' }, ...entries);
}

/** Solutions at rest, postures that change the verdict, singular points of the slip. */
export function tables(contact: Dictionary, kinds: Kinds | undefined): HTMLElement[] {
  const result: HTMLElement[] = [];
  const add = (title: string, content: HTMLElement) => result.push(el('div', {}, el('h3', {}, title), content));
  const solutions = dictionaries(at(contact, 'rest', 'solutions'));
  if (solutions.length > 1) {
    const rows = solutions.map((s): Child[] => [
      text(s['mode']),
      vector(reals(s['force'])),
      vector(reals(s['acceleration'])),
    ]);
    add('Solutions at rest', table(['Mode', 'Force, N', 'Acceleration, m/s²'], rows));
  }
  const postures = dictionaries(contact['posture_changes']);
  if (postures.length > 0) {
    const rows = postures.map((p): Child[] => [text(p['dof']), number(real(p['value']))]);
    add('Postures at which A changes its sign', table(['Coordinate', 'at, m or rad'], rows, [1]));
  }
  const invariant = dictionaries(contact['invariant_directions']);
  if (invariant.length > 0) {
    const rows = invariant.map((d): Child[] => [
      direction(reals(d['direction'])),
      text(d['kind']),
      number(real(d['growth'])),
      number(real(d['A'])),
    ]);
    add(
      'Invariant directions of slip',
      table(['Direction', 'Kind', 'growth of ln ‖v_t‖ per impulse, 1/kg', 'A, 1/kg'], rows, [2, 3]),
    );
  }
  const points = dictionaries(at(contact, 'slip_flow', 'singular_points'));
  if (points.length > 0) {
    const dof = text(at(contact, 'slip_flow', 'dof'));
    const rows = points.map((p): Child[] => [
      number(real(p['position'])),
      number(real(p['rate'])),
      text(p['kind']),
      kind_of(kinds, 'slip_entry', text(p['entry'])).label,
    ]);
    add(
      'Singular points of the slip (A = B = 0)',
      table([`${dof}, m or rad`, 'rate, 1/s of it', 'Kind', 'The paradox there'], rows, [0, 1]),
    );
    const slides = dictionaries(at(contact, 'slip_flow', 'slides'));
    if (slides.length > 0) add('Slides about them', el('div', {}, phase_plane(slides, points, dof)));
  }
  return result;
}

/** Contacts that hold together: the combinations of modes that solve. */
export function together(data: Dictionary): HTMLElement | null {
  const all = dictionary(data['together']);
  if (!all) return null;
  const names = texts(all['contacts']);
  const rows = dictionaries(all['solutions']).map((s): Child[] => [
    texts(s['modes'])
      .map((mode, k) => `${names[k] ?? k + 1}: ${words(mode)}`)
      .join('; '),
    vector(reals(s['force'])),
    vector(reals(s['acceleration'])),
    s['force_unique'] === false ? 'no, redundant' : 'yes',
  ]);
  return el(
    'div',
    {},
    el(
      'p',
      {},
      `${rows.length === 1 ? 'One solution' : `${rows.length} solutions`}, ${words(text(all['status']))}; rank ${number(real(all['rank']))}.`,
    ),
    table(['Modes', 'Forces, N', 'Accelerations, m/s²', 'Forces unique'], rows),
  );
}

/** Whether the restitutions of all strikes can gain energy. */
export function restitution(data: Dictionary): HTMLElement | null {
  const answer = dictionary(data['restitution']);
  if (!answer) return null;
  const safe = answer['consistent'] === true;
  const growth = real(answer['worst_growth']);
  return el(
    'div',
    {},
    text(answer['message']) ? el('p', {}, text(answer['message'])) : null,
    el(
      'p',
      { class: safe ? 'good' : 'bad' },
      safe
        ? 'No velocity gains energy with these restitutions, without friction.'
        : `⚠ Some velocity gains energy with these restitutions${growth === null ? '' : `, by up to ${number(100 * growth, 3)} %`}.`,
    ),
    list(answer['nearest']).length > 0 && !safe
      ? el('p', {}, `Nearest values that gain nothing: ${vector(reals(answer['nearest']))}.`)
      : null,
    el(
      'p',
      { class: 'small muted' },
      `Every coefficient may be off by ${number(real(answer['box']))}. Rank ${number(real(answer['rank']))} of ${number(real(answer['rows']))} rows.`,
    ),
  );
}
