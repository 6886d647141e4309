/** The curves of the energy plot. */
import type { RunData } from './data';
import type { Series } from './plot';

const occurs = (values: ArrayLike<number>) => Array.prototype.some.call(values, (value: number) => value !== 0);

/** What stays constant, in words: the accounts that are there. */
export function sum_name(data: RunData): string {
  const taken = [...(occurs(data.supplied) ? ['supplied'] : []), ...(occurs(data.corrected) ? ['corrected'] : [])];
  return ['sum', ...taken].join(' − ');
}

/**
 * Potential, kinetic and dissipated energy and what corrections took, stacked; less what was supplied, the top of the
 * pile stays.
 */
export function energy_series(data: RunData): Series[] {
  const { kinetic, potential, dissipated, corrected, supplied } = data;
  const p = (k: number) => potential[k] as number;
  const pk = (k: number) => p(k) + (kinetic[k] as number);
  const pkd = (k: number) => pk(k) + (dissipated[k] as number);
  const pkdc = (k: number) => pkd(k) - (corrected[k] as number);
  const series: Series[] = [
    { name: 'potential', curve: p, colour: '--potential', filled: true },
    { name: 'kinetic', curve: pk, value: (k) => kinetic[k] as number, colour: '--kinetic', filled: true },
    { name: 'dissipated', curve: pkd, value: (k) => dissipated[k] as number, colour: '--dissipated', filled: true },
  ];
  if (occurs(corrected))
    series.push({ name: 'corrected', curve: pkdc, value: (k) => corrected[k] as number, colour: '--series-6', filled: true });
  series.push({ name: sum_name(data), curve: (k) => data.energy_sum(k), colour: '--text', dashed: true });
  if (occurs(supplied)) series.push({ name: 'supplied', curve: (k) => supplied[k] as number, colour: '--series-4' });
  return series;
}
