// The plots of contacts, by what the document says of their kinds.

import { words } from '../format';
import { kinds_in } from '../kinds';
import { find_bounds } from './bounds';
import type { RunData } from './data';
import type { PlotSpec, Series } from './plot';

/** How a quantity of a kind of contact is called in its plot. */
interface Plotted {
  title: string;
  unit: string;
}

/** More curves than this in one plot start hidden. */
const most_curves = 12;

export function series_of(names: string[], curve: (column: number) => (sample: number) => number): Series[] {
  return names.map((name, i) => ({
    name,
    curve: curve(i),
    colour: `--series-${(i % 8) + 1}`,
    dashed: i % 16 >= 8,
    hidden: i >= most_curves,
  }));
}

/** What is below rounding beside the length of the machine, or beside the largest speed or force, is nothing. */
const rounding = 1e-12;

function noise_of(quantity: string, values: ArrayLike<number>, data: RunData): number {
  if (quantity === 'gap') return rounding * find_bounds(data).machine;
  if (quantity === 'margin') return 0; // infinite where no force could
  let largest = 0;
  for (let i = 0; i < values.length; ++i) if (Math.abs(values[i]!) > largest) largest = Math.abs(values[i]!);
  return rounding * largest;
}

/** Gaps, slip speeds, normal forces and margins, a plot for each kind of contact: their units differ. */
export function contact_specs(data: RunData): PlotSpec[] {
  const { contacts } = data.page;
  const columns: [string, string, ArrayLike<number> | undefined][] = [
    ['gap', 'gap', data.gap],
    ['slip_speed', 'speed', data.slip_speed],
    ['normal_force', 'force', data.normal_force],
    ['slip_margin', 'margin', data.slip_margin],
    ['jam_margin', 'margin', data.jam_margin],
  ];
  const noise = columns.map(([, quantity, values]) => (values ? noise_of(quantity, values, data) : 0));
  const described = kinds_in(data.page.kinds, 'contact');
  const names = new Set([...described.map((kind) => kind.name), ...contacts.map((contact) => contact.kind)]);
  return [...names].flatMap((name) =>
    columns.flatMap(([key, quantity, values], column) => {
      const kind = described.find((each) => each.name === name);
      const plot = kind ? (kind[key] as Plotted | undefined) : { title: `${words(key)}, ${words(name)}`, unit: '' };
      const told = contacts.map((_, c) => c).filter((c) => contacts[c]?.kind === name && has_values(values ?? [], c, contacts.length));
      if (!plot || !values || told.length === 0) return [];
      const nothing = noise[column] ?? 0;
      const curve = (c: number) => (k: number) => {
        const value = values[k * contacts.length + c] as number;
        return Math.abs(value) <= nothing ? 0 : value;
      };
      const series = series_of(told.map((c) => contacts[c]!.name), (i) => curve(told[i] as number));
      return [{ title: plot.title, quantity, unit: plot.unit, series }];
    }),
  );
}

function has_values(values: ArrayLike<number>, column: number, columns: number): boolean {
  for (let i = column; i < values.length; i += columns) if (Number.isFinite(values[i])) return true;
  return false;
}
