// Reading what the commands print: every value may be missing.

import type { Json, Value } from '../document';

export type Dictionary = { [key: string]: Json };

export function dictionary(value: Json | undefined): Dictionary | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

export function dictionaries(value: Json | undefined): Dictionary[] {
  return list(value)
    .map(dictionary)
    .filter((entry): entry is Dictionary => entry !== null);
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function real(value: Json | undefined): Value {
  return typeof value === 'number' ? value : null;
}

export function reals(value: Json | undefined): Value[] {
  return list(value).map(real);
}

export function texts(value: Json | undefined): string[] {
  return list(value).map(text);
}

/** The value at a path of keys. */
export function at(value: Json | undefined, ...keys: string[]): Json | undefined {
  let current = value;
  for (const key of keys) current = dictionary(current)?.[key];
  return current;
}
