// The 3-D replay: follows the clock.

import { Box3, Vector3, type LineSegments } from 'three';
import { make_view, type View3d } from '../scene3d';
import { find_bounds, type Bounds } from './bounds';
import type { Clock } from './clock';
import { Contacts } from './contacts';
import type { RunData } from './data';
import { grid, grid_step } from './ground';
import { Machine } from './machine';
import { Palette } from './palette';
import { Trails } from './trails';

/** Following zooms in on the machine where the motion is this many times as long; it is the first view from `far` on. */
const near = 3;
const far = 8;

/** How long before and after an impact its impulses are shown, in seconds of watching. */
const impulse_seconds = 0.2;

export class Replay {
  readonly view: View3d;
  readonly bounds: Bounds;
  readonly contacts: Contacts;
  /** Told when the length of a cell of the grid [m] changes. */
  on_cell: (cell: number) => void = () => {};
  following = false;
  private cell = 0;
  private grid: LineSegments | null = null;
  private readonly machine: Machine;
  private readonly trails: Trails;
  private readonly last_middle = new Vector3();

  private constructor(
    view: View3d,
    private readonly data: RunData,
    private readonly clock: Clock,
  ) {
    this.view = view;
    this.bounds = find_bounds(data);
    const palette = new Palette(data.planar);
    this.machine = new Machine(data, this.bounds, palette);
    this.contacts = new Contacts(data, this.bounds, palette);
    this.trails = new Trails(data, palette);
    this.trails.root.visible = false;
    view.scene.add(this.machine.root, this.trails.root, this.contacts.root);
    const has_ground = data.page.shapes.some((shape) => shape.kind === 'half_space');
    if (data.planar || !has_ground) this.add_grid(palette);
    this.machine.update(data.place(clock.time));
    // Where the way is long the machine would be a speck in it: then the view goes along.
    if (this.bounds.extent > far * this.bounds.machine) this.set_follow(true);
    else this.frame();
    view.before_render = () => this.update();
    clock.on_time(() => view.request());
    clock.on_state(() => view.request());
  }

  static make(container: HTMLElement, data: RunData, clock: Clock): Replay | null {
    const view = make_view(container, {
      planar: data.planar,
      up: up_direction(data),
      label: `Replay of ${data.page.title}`,
    });
    return view ? new Replay(view, data, clock) : null;
  }

  show_trails(on: boolean): void {
    this.trails.root.visible = on;
    this.view.request();
  }
  set_follow(on: boolean): void {
    this.following = on;
    this.last_middle.copy(this.machine.middle());
    if (!on) this.frame();
    else if (this.bounds.extent > near * this.bounds.machine) {
      const half = new Vector3().setScalar(1.2 * this.bounds.machine);
      this.view.frame(new Box3(this.last_middle.clone().sub(half), this.last_middle.clone().add(half)));
    }
    this.view.request();
  }

  /** Shows the whole motion, with a margin for arrows and thick lines at its rim. */
  frame(): void {
    const margin = 0.04 * this.bounds.extent;
    this.view.frame(this.bounds.motion.clone().expandByScalar(margin));
  }

  /** Where the machine is, as numbers; for tests. */
  state(): number[] {
    return this.machine.middle().toArray();
  }

  private update(): void {
    const { clock, view } = this;
    const place = this.data.place(clock.time);
    this.machine.update(place);
    const pixel = view.pixel();
    this.machine.resize(pixel);
    this.contacts.update(place, clock.time, this.impulse_window(), pixel);
    this.trails.update(clock.time);
    if (this.following) this.keep_up();
    this.lay_grid(pixel);
  }

  /** While the replay runs impulses stay long enough to be seen; at an event only its own are shown. */
  private impulse_window(): number {
    const { clock, data } = this;
    if (clock.playing) return impulse_seconds * clock.speed;
    return data.event_times[clock.event] === clock.time ? 0 : (clock.end - clock.start) / 200;
  }

  private keep_up(): void {
    const middle = this.machine.middle();
    const moved = middle.clone().sub(this.last_middle);
    this.last_middle.copy(middle);
    if (moved.lengthSq() > 0) {
      this.view.controls.target.add(moved);
      this.view.camera.position.add(moved);
      this.view.camera.updateMatrixWorld();
    }
  }

  /** The grids, about what is looked at; in the plane with cells that suit the zoom. */
  private lay_grid(pixel: number): void {
    const { motion, extent, machine } = this.bounds;
    const centre = this.following ? this.last_middle : motion.getCenter(new Vector3());
    let cell = this.machine.focus(centre, this.following ? Math.min(extent, 4 * machine) : extent);
    if (this.grid) {
      if (this.data.planar) cell = grid_step(pixel * this.view.container.clientHeight);
      const { target } = this.view.controls;
      const snap = (x: number) => Math.round(x / cell) * cell;
      if (this.data.planar) this.grid.position.set(snap(target.x), snap(target.y), 0);
      this.grid.scale.setScalar(cell);
    }
    if (cell === this.cell) return;
    this.cell = cell;
    this.on_cell(cell);
  }

  /** Behind a planar scene, and under a spatial one that has no ground. */
  private add_grid(palette: Palette): void {
    const context = { palette, planar: this.data.planar, extent: this.bounds.extent, colour: '--body' };
    this.grid = grid(1, this.data.planar ? 40 : 8, context);
    this.grid.frustumCulled = false;
    this.view.scene.add(this.grid);
    if (this.data.planar) return;
    const up = new Vector3().fromArray(up_direction(this.data));
    const { motion } = this.bounds;
    this.grid.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
    motion.getCenter(this.grid.position).addScaledVector(up, -0.5 * motion.getSize(new Vector3()).dot(absolute(up)));
  }
}

function absolute(v: Vector3): Vector3 {
  return new Vector3(Math.abs(v.x), Math.abs(v.y), Math.abs(v.z));
}

/** Against gravity; z where there is none. In the plane y. */
function up_direction(data: RunData): [number, number, number] {
  if (data.planar) return [0, 1, 0];
  const [x, y, z] = data.page.gravity;
  const size = Math.hypot(x, y, z);
  return size > 0 ? [-x / size, -y / size, -z / size] : [0, 0, 1];
}
