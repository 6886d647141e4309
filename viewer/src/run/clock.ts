// The time shown, and its running.

import { step_event } from './search';

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** The fastest speed up to real time at which a run of this length takes about four seconds. */
export function first_speed(duration: number): number {
  const fitting = speeds.filter((speed) => speed <= 1 && duration / speed >= 4);
  return fitting.length > 0 ? (fitting[fitting.length - 1] as number) : (speeds[0] as number);
}

export class Clock {
  time: number;
  playing = false;
  speed: number;
  /** The event gone to last, or −1. */
  event = -1;
  private readonly time_listeners: (() => void)[] = [];
  private readonly state_listeners: (() => void)[] = [];
  private last_frame = 0;

  constructor(
    readonly start: number,
    readonly end: number,
    private readonly event_times: ArrayLike<number>,
  ) {
    this.time = start;
    this.speed = first_speed(end - start);
  }

  /** Called whenever the time shown has changed. */
  on_time(listener: () => void): void {
    this.time_listeners.push(listener);
  }
  /** Called whenever playing, speed or the chosen event has changed. */
  on_state(listener: () => void): void {
    this.state_listeners.push(listener);
  }

  seek(t: number): void {
    this.time = Math.min(Math.max(t, this.start), this.end);
    for (const listener of this.time_listeners) listener();
  }

  play(): void {
    if (this.playing) return;
    if (this.time >= this.end) this.seek(this.start);
    this.playing = true;
    this.last_frame = performance.now();
    requestAnimationFrame((now) => this.frame(now));
    this.changed();
  }
  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.changed();
  }
  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  set_speed(speed: number): void {
    this.speed = speed;
    this.changed();
  }
  step_speed(step: 1 | -1): void {
    const i = speeds.indexOf(this.speed) + step;
    if (i >= 0 && i < speeds.length) this.set_speed(speeds[i] as number);
  }

  go_to_event(index: number): void {
    this.pause();
    this.event = index;
    this.seek(this.event_times[index] as number);
    this.changed();
  }
  step_event(step: 1 | -1): void {
    const index = step_event(this.event_times, this.time, this.event, step);
    if (index >= 0) this.go_to_event(index);
  }

  private frame(now: number): void {
    if (!this.playing) return;
    // A page in the background gets no frames: it goes on where it was, without a leap.
    const passed = Math.min(Math.max(now - this.last_frame, 0), 250) / 1000;
    this.last_frame = now;
    this.seek(this.time + passed * this.speed);
    if (this.time >= this.end) this.pause();
    else requestAnimationFrame((next) => this.frame(next));
  }

  private changed(): void {
    for (const listener of this.state_listeners) listener();
  }
}
