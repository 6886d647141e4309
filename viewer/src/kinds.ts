// Kinds as the document describes them: the page knows no name of one.

import { words } from './format';

/** One kind of something: how it is called, and what decides its colour. Tables may add to it. */
export interface Kind {
  name: string;
  label: string;
  category: string;
  [more: string]: unknown;
}
export type Kinds = { [table: string]: Kind[] };

export function kinds_in(kinds: Kinds | undefined, table: string): Kind[] {
  const list = kinds?.[table];
  return Array.isArray(list) ? list : [];
}

/** The entry of a table; a kind that the document does not describe is shown by its name, in a neutral colour. */
export function kind_of(kinds: Kinds | undefined, table: string, name: string): Kind {
  return kinds_in(kinds, table).find((kind) => kind.name === name) ?? { name, label: words(name), category: 'other' };
}

const category_colours = new Map([
  ['impulse', '--impulse'],
  ['stick', '--stick'],
  ['slip', '--slip'],
  ['free', '--free'],
]);

/** The CSS variable of a category; neutral for one that has no colour of its own. */
export function category_colour(category: string): string {
  return category_colours.get(category) ?? '--muted';
}

/** How an impact went; in space slip that starts again need not be reversed. */
export function mode_label(mode: Kind, spatial: boolean): string {
  return spatial && typeof mode['label_in_space'] === 'string' ? mode['label_in_space'] : mode.label;
}

export type Tone = 'good' | 'bad' | 'plain';

export function tone_of(value: unknown): Tone {
  return value === 'good' || value === 'bad' ? value : 'plain';
}
