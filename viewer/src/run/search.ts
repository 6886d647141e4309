// Finding a place in time, in a number of steps that grows with the logarithm of the list.

/** The last index k with times[k] <= t, or −1 where there is none. */
export function last_at_or_before(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The first index k with times[k] >= t, or the length where there is none. */
export function first_at_or_after(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The event to go to from time t, where `current` is the event gone to last (−1: none). Events at one and the same
 * time are visited one after the other. Returns −1 where there is no further event.
 */
export function step_event(times: ArrayLike<number>, t: number, current: number, step: 1 | -1): number {
  const on_current = current >= 0 && current < times.length && times[current] === t;
  if (on_current) {
    const next = current + step;
    return next >= 0 && next < times.length ? next : -1;
  }
  if (step < 0) return first_at_or_after(times, t) - 1;
  const next = last_at_or_before(times, t) + 1;
  return next < times.length ? next : -1;
}

/** A sample and how far, in [0, 1), the way to the next one is gone. */
export interface Place {
  sample: number;
  next: number;
  fraction: number;
}

/**
 * Where t lies among the samples. At a time that occurs twice, before and after an event, it is the one after: between
 * the two nothing is interpolated, for the sample found is the last at its time.
 */
export function place_at(times: ArrayLike<number>, t: number): Place {
  const last = times.length - 1;
  const sample = Math.max(0, last_at_or_before(times, t));
  if (sample >= last) return { sample: Math.max(0, last), next: Math.max(0, last), fraction: 0 };
  const a = times[sample] as number;
  const b = times[sample + 1] as number;
  const fraction = b > a ? Math.min(Math.max((t - a) / (b - a), 0), 1) : 0;
  return { sample, next: sample + 1, fraction };
}
