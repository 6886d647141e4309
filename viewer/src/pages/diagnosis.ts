// The page of `routh diagnose`: the verdict in words, the cones, the numbers.

import './pages.css';
import './diagnosis.css';
import type { Cone, DiagnosisDocument } from '../document';
import { el, section } from '../dom';
import { number, quantity, vector } from '../format';
import { tone_of, type Tone } from '../kinds';
import { spaces, type Space } from './cone';
import { cone_drawing } from './cone2d';
import { cone_view } from './cone3d';
import { numbers, restitution, tables, together } from './diagnosis_numbers';
import { at, dictionaries, real, reals, text, type Dictionary } from './json';

/** Beyond these, views are made when asked for: a browser keeps only some of them alive. */
const views_at_once = 4;

export function show(page: DiagnosisDocument, root: HTMLElement): void {
  const data = page.data ?? {};
  const contacts = dictionaries(data['contacts']);
  if (contacts.length === 0) {
    const time = real(data['time']);
    root.append(
      section(
        'Nothing touches',
        el(
          'p',
          {},
          `No contact is closed${time === null ? '' : ` at t = ${quantity(time, 's')}`}: there is nothing to hold.`,
        ),
      ),
    );
  }
  const all = together(data);
  if (page.together) root.append(all_contacts(page.together, all));
  if (contacts.length > 1) root.append(contents(contacts, page));
  contacts.forEach((contact, row) => {
    const cone = (page.cones ?? []).find(
      (c) => c.contact === row || (c.contact !== '' && c.contact === contact['contact']),
    );
    show_contact(contact, row, cone, page, root);
  });
  if (all && !page.together) root.append(section('All resting contacts together', all));
  const strikes = restitution(data);
  if (strikes) root.append(section('All strikes together', strikes));
}

/** The verdict on all of them in words, then the solutions. */
function all_contacts(verdict: { tone: string; sentences: string[] }, solutions: HTMLElement | null): HTMLElement {
  const [first, ...rest] = verdict.sentences.map(String);
  return section(
    'All resting contacts together',
    el('p', { class: `verdict ${tone_of(verdict.tone)}` }, first ?? ''),
    ...rest.map((sentence) => el('p', {}, sentence)),
    solutions,
  );
}

/** The verdict in the words of the document; in its name where it has none. */
function verdict_of(contact: Dictionary, row: number, page: DiagnosisDocument): { tone: Tone; sentences: string[] } {
  const { tone, sentences } = page.verdicts?.[row] ?? {};
  const told = Array.isArray(sentences) && sentences.length > 0 ? sentences.map(String) : [text(contact['verdict'])];
  return { tone: tone_of(tone), sentences: told };
}

/** Where several touch: the verdict of each, with a way to it. */
function contents(contacts: Dictionary[], page: DiagnosisDocument): HTMLElement {
  const entries = contacts.map((contact, row) => {
    const verdict = text(contact['verdict']);
    const { tone } = verdict_of(contact, row, page);
    const name = text(contact['contact']) || `contact ${row + 1}`;
    return el(
      'li',
      {},
      el('a', { href: `#contact-${row}` }, name),
      ' ',
      el('span', { class: tone === 'bad' ? 'bad' : null }, verdict),
    );
  });
  return section('What touches', el('ol', { class: 'contents' }, ...entries));
}

function show_contact(
  contact: Dictionary,
  row: number,
  cone: Cone | undefined,
  page: DiagnosisDocument,
  root: HTMLElement,
): void {
  const { tone, sentences } = verdict_of(contact, row, page);
  const [first, ...rest] = sentences;
  const name = text(contact['contact']);
  const pictures = cone ? cone_pictures(cone, contact, name || 'the contact', row) : null;
  const alone = page.together && contact['kind'] === 'resting';
  const head = section(
    (name || 'The contact') + (alone ? ', if it were alone' : ''),
    el('p', { class: `verdict ${tone}` }, first),
    ...rest.map((sentence) => el('p', {}, sentence)),
  );
  head.id = `contact-${row}`;
  root.append(head);
  if (pictures) root.append(section(name ? `Friction cone of ${name}` : 'Friction cone', pictures));
  root.append(
    section(
      name ? `Numbers of ${name}` : 'Numbers',
      numbers(contact, page.kinds),
      el('div', { class: 'diagnosis-tables' }, ...tables(contact, page.kinds)),
    ),
  );
}

function cone_pictures(cone: Cone, contact: Dictionary, name: string, row: number): HTMLElement | null {
  const both = spaces(cone, reals(at(contact, 'slip', 'direction')), reals(contact['free_acceleration']));
  if (!both) return null;
  const picture = (space: Space) =>
    el(
      'figure',
      { class: 'cone' },
      el('figcaption', {}, space.title),
      both.planar ? cone_drawing(space) : cone_view(space, name),
    );
  const content = () => el('div', { class: 'cones' }, picture(both.force), picture(both.velocity));
  const hint = both.planar
    ? ''
    : ' Drag to turn, two fingers or the right button to move; with the keyboard: arrows, + and −, Home.';
  const intro = el(
    'p',
    { class: 'muted' },
    `Forces with a normal part of 1 N, friction ${number(cone.friction)}, and the acceleration of the contact each of them makes.${hint}`,
  );
  const deep = both.velocity.rays.some((ray) => ray[0]! < 0);
  const remark = deep
    ? el(
        'p',
        { class: 'bad' },
        'The cone reaches below the tangent: there a force presses the bodies together, and slip that asks for it jams.',
      )
    : el(
        'p',
        {},
        'The whole cone lies above the tangent: every force of it drives the bodies apart, and no slip jams.',
      );
  const whole = el('div', {}, intro, remark, legend(both.velocity, both.force.slip !== null));
  if (both.planar || row < views_at_once) {
    whole.append(content());
    return whole;
  }
  const details = el('details', {}, el('summary', {}, 'Show the cones'));
  details.addEventListener('toggle', () => details.childElementCount === 1 && details.append(content()));
  whole.append(details);
  return whole;
}

function legend(space: Space, slips: boolean): HTMLElement {
  const entry = (kind: string, words: string) =>
    el('li', {}, el('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), words);
  const f = space.free;
  return el(
    'ul',
    { class: 'legend' },
    entry('cone-inside', 'cone'),
    space.rays.some((ray) => ray[0]! < 0) ? entry('cone-below', 'below the tangent') : null,
    slips ? entry('cone-slip', 'force of the present slip, and what it makes') : null,
    f ? entry('cone-free', `f: acceleration without contact force, ${vector(f, 'm/s²')}; its direction`) : null,
    f ? entry('cone-need', '−f: sticking needs it inside the cone') : null,
  );
}
