// The pointer on the machine: dragging a body pulls it, letting go throws it, a click pokes it. Beside the machine the
// pointer turns the view, as everywhere.

import type { Vector3 } from 'three';
import type { Live } from './live';
import type { Hit, PlayScene } from './scene';

/** A pointer that moved less than this [px] and was up again within this [ms] has clicked. */
const click_way = 5;
const click_time = 300;
/** Impulse of a poke, in units of the machine's mass, length and time: a speed of a third of L/T for all of it. */
const poke_size = 0.35;

interface Grip {
  pointer: number;
  hit: Hit;
  x: number;
  y: number;
  time: number;
  pulls: boolean;
}

export class Hand {
  private grip: Grip | null = null;

  constructor(
    private readonly scene: PlayScene,
    private readonly live: Live,
    /** Something was done: the motion shall run. */
    private readonly acted: () => void,
  ) {
    const { container } = scene.view;
    // Before the view sees it, which would turn.
    container.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    container.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    for (const name of ['pointerup', 'pointercancel'] as const) {
      window.addEventListener(name, (event) => this.up(event), { capture: true });
    }
  }

  get holding(): boolean {
    return this.grip?.pulls ?? false;
  }

  /** The machine was put elsewhere. */
  let_go(): void {
    this.grip = null;
    this.scene.show_pull(null);
    this.scene.view.controls.enabled = true;
  }

  private place(event: PointerEvent): [number, number] {
    const { left, top } = this.scene.view.container.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  private down(event: PointerEvent): void {
    if (this.grip || event.button !== 0) return;
    const [x, y] = this.place(event);
    const hit = this.scene.hit(x, y);
    if (!hit) return;
    event.stopPropagation();
    event.preventDefault();
    this.scene.view.controls.enabled = false;
    this.grip = { pointer: event.pointerId, hit, x, y, time: performance.now(), pulls: false };
  }

  private move(event: PointerEvent): void {
    const { grip } = this;
    const [x, y] = this.place(event);
    if (!grip) {
      if (event.pointerType === 'mouse' && event.buttons === 0) this.scene.view.container.classList.toggle('on-body', this.scene.hit(x, y) !== null);
      return;
    }
    if (event.pointerId !== grip.pointer) return;
    event.stopPropagation();
    if (!grip.pulls && Math.hypot(x - grip.x, y - grip.y) < click_way) return;
    if (!grip.pulls) {
      grip.pulls = true;
      this.live.engine.grab(grip.hit.body, array(grip.hit.at));
      this.acted();
    }
    const to = this.scene.under(x, y, grip.hit.point);
    this.live.engine.pull(array(to));
    this.scene.show_pull(grip.hit, to);
  }

  private up(event: PointerEvent): void {
    const { grip } = this;
    if (!grip || event.pointerId !== grip.pointer) return;
    if (grip.pulls) this.live.engine.release();
    else if (event.type === 'pointerup' && performance.now() - grip.time < click_time) this.poke(grip.hit);
    this.let_go();
  }

  /** Away from the eye; in the plane away from the side of the body that was met. */
  private poke(hit: Hit): void {
    const { scene, live } = this;
    const way = live.planar ? this.inward(hit) : scene.view.camera.getWorldDirection(hit.point.clone());
    const { mass, length, time } = live.page.scales;
    live.engine.poke(hit.body, array(hit.at), array(way.setLength((poke_size * mass * length) / time)));
    this.acted();
  }

  private inward(hit: Hit): Vector3 {
    const way = this.scene.middle(hit.body).sub(hit.point);
    way.z = 0;
    return way.lengthSq() > 1e-8 * this.scene.bounds.machine ** 2 ? way : way.set(1, 0, 0);
  }
}

function array(v: Vector3): [number, number, number] {
  return [v.x, v.y, v.z];
}
