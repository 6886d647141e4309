// The machine in the scene while it is computed: bodies, closed contacts with their forces, impulses just given, and
// the line from the hand to the body it pulls.

import { BufferGeometry, Line, Raycaster, Vector2, Vector3, type Group, type LineSegments } from 'three';
import { make_view, type View3d } from '../scene3d';
import { number_of } from '../document';
import { category_colour, kinds_in } from '../kinds';
import { lay_arrow, lay_cone, make_arrow, make_ball, make_cone, Store } from '../run/arrows';
import { find_bounds, type Bounds } from '../run/bounds';
import { grid, grid_step } from '../run/ground';
import { Machine } from '../run/machine';
import { layers, on_layer, Palette } from '../run/palette';
import { contact_size } from './engine';
import type { Live } from './live';

const now = { sample: 0, next: 0, fraction: 0 };
/** How near to a thin part a pointer takes it, in pixels. */
const reach = 22;

/** A point of a body that a pointer met. */
export interface Hit {
  body: number;
  point: Vector3; // in the world
  at: Vector3; // in the body's frame
}

export class PlayScene {
  readonly shown = { forces: true, cones: true };
  readonly bounds: Bounds;
  private readonly machine: Machine;
  private readonly balls;
  private readonly cones;
  private readonly forces;
  private readonly impulses;
  private readonly string: Line;
  private readonly grid: LineSegments | null;
  private pulled: { hit: Hit; to: Vector3 } | null = null;
  private readonly caster = new Raycaster();

  private constructor(
    readonly view: View3d,
    private readonly live: Live,
    private readonly palette: Palette,
  ) {
    this.bounds = find_bounds(live);
    this.machine = new Machine(live, this.bounds, palette);
    this.balls = new Store(() => make_ball(palette));
    this.cones = new Store(() => make_cone(palette, live.planar));
    this.forces = new Store(() => make_arrow(palette, '--text'));
    this.impulses = new Store(() => make_arrow(palette, '--impulse'));
    this.string = on_layer(new Line(new BufferGeometry(), palette.line('--accent')), layers.arrow);
    this.string.visible = false;
    view.scene.add(this.machine.root, this.cones.root, this.balls.root, this.forces.root, this.impulses.root, this.string);
    const grounded = live.page.shapes.some((shape) => shape.kind === 'half_space');
    this.grid = live.planar || !grounded ? this.add_grid() : null;
    this.machine.update(now);
    this.frame();
    view.before_render = () => this.update();
  }

  static make(container: HTMLElement, live: Live): PlayScene | null {
    const view = make_view(container, {
      planar: live.planar,
      up: up_direction(live),
      label: `${live.page.title}, computed as you watch`,
    });
    return view ? new PlayScene(view, live, new Palette(live.planar)) : null;
  }

  /** Shows the machine with room about it. */
  frame(): void {
    this.view.frame(this.bounds.motion.clone().expandByScalar((this.live.planar ? 0.35 : 0.2) * this.bounds.machine));
  }

  /** What a ray through a place on the screen meets first, in pixels of the container. */
  hit(x: number, y: number): Hit | null {
    this.aim(x, y);
    const moving = this.machine.bodies.slice(1);
    const [first] = this.caster.intersectObjects(moving, true).filter(({ object }) => object.visible);
    if (first) {
      const body = this.machine.bodies.findIndex((group) => holds(group, first.object));
      if (body > 0) return this.on_body(body, first.point);
    }
    return this.near(x, y);
  }

  /** Where a body is on the screen, in pixels of the container. */
  screen(point: Vector3): Vector2 {
    const { container, camera } = this.view;
    const seen = point.clone().project(camera);
    return new Vector2(((seen.x + 1) / 2) * container.clientWidth, ((1 - seen.y) / 2) * container.clientHeight);
  }

  /** The point on the plane through `through`, square to the view, under a place on the screen. */
  under(x: number, y: number, through: Vector3): Vector3 {
    this.aim(x, y);
    const { origin, direction } = this.caster.ray;
    const normal = this.view.camera.getWorldDirection(new Vector3());
    const distance = through.clone().sub(origin).dot(normal) / direction.dot(normal);
    const point = origin.clone().addScaledVector(direction, distance);
    if (this.live.planar) point.z = 0;
    return point;
  }

  /** The line of the hand; null: none. */
  show_pull(hit: Hit | null, to?: Vector3): void {
    this.pulled = hit && to ? { hit, to } : null;
    this.view.request();
  }

  middle(body: number): Vector3 {
    return (this.machine.bodies[body] as Group).position.clone();
  }

  on_body(body: number, point: Vector3): Hit {
    const group = this.machine.bodies[body] as Group;
    const at = point.clone().sub(group.position).applyQuaternion(group.quaternion.clone().invert());
    if (this.live.planar) at.z = 0;
    return { body, point: point.clone(), at };
  }

  private aim(x: number, y: number): void {
    const { container, camera } = this.view;
    const place = new Vector2((2 * x) / container.clientWidth - 1, 1 - (2 * y) / container.clientHeight);
    camera.updateMatrixWorld();
    this.caster.setFromCamera(place, camera);
  }

  /** Rods are thin: the nearest point along one, if a finger could have meant it. */
  private near(x: number, y: number): Hit | null {
    let best: Hit | null = null;
    let least = reach;
    const try_point = (body: number, local: Vector3) => {
      const group = this.machine.bodies[body] as Group;
      const point = local.applyQuaternion(group.quaternion).add(group.position);
      const distance = this.screen(point).distanceTo(new Vector2(x, y));
      if (distance < least) {
        least = distance;
        best = this.on_body(body, point);
      }
    };
    for (const { body, from, to } of this.live.page.bones) {
      if (body === 0) continue;
      for (let k = 0; k <= 12; ++k) try_point(body, new Vector3(...from).lerp(new Vector3(...to), k / 12));
    }
    for (const shape of this.live.page.shapes) {
      if (shape.body > 0) try_point(shape.body, new Vector3(...shape.position));
    }
    return best;
  }

  private update(): void {
    const pixel = this.view.pixel();
    this.machine.update(now);
    this.machine.resize(pixel);
    this.draw_contacts(pixel);
    this.draw_impulses(pixel);
    this.draw_string();
    this.lay_grid(pixel);
  }

  private draw_contacts(pixel: number): void {
    const { live, palette } = this;
    const { length, mass, time } = live.page.scales;
    const scale = (0.3 * this.bounds.machine * time * time) / (length * mass);
    const modes = kinds_in(live.page.kinds, 'contact_mode');
    const rows = live.frame.contact_rows;
    for (const store of [this.balls, this.cones, this.forces]) store.begin();
    for (let first = 0; first < rows.length; first += contact_size) {
      const at = (i: number) => new Vector3(rows[first + i], rows[first + i + 1], rows[first + i + 2]);
      const [point, normal, tangent, force] = [at(0), at(3), at(6), at(9)];
      const name = category_colour(modes[rows[first + 12] as number]?.category ?? 'free');
      const ball = this.balls.next();
      ball.material = palette.flat(name);
      ball.position.copy(point);
      ball.scale.setScalar(4.5 * pixel);
      if (normal.lengthSq() === 0) continue;
      const way = combine(normal, tangent, force.x, force.y, force.z).multiplyScalar(scale);
      const friction = rows[first + 13] as number;
      if (this.shown.cones && friction > 0) {
        const cone = this.cones.next();
        cone.material = palette.flat(name, 0.22);
        lay_cone(cone, point, normal, friction, Math.max(Math.min(force.x * scale, this.bounds.machine), 22 * pixel));
      }
      if (this.shown.forces && way.length() > 2 * pixel) lay_arrow(this.forces.next(), point, way, pixel);
    }
    for (const store of [this.balls, this.cones, this.forces]) store.end();
  }

  /** Of the last few hundredths of the machine's own time. */
  private draw_impulses(pixel: number): void {
    const { length, mass, time } = this.live.page.scales;
    const scale = (0.4 * this.bounds.machine * time) / (length * mass);
    this.impulses.begin();
    for (const event of this.live.events.slice(-12)) {
      if (this.live.frame.time - event.time > 0.2 * time) continue;
      for (const { point, normal, tangent1, impulse } of event.contacts) {
        if (!point || !normal || !tangent1 || !impulse) continue;
        const [n = 0, t1 = 0, t2 = 0] = impulse.map(number_of);
        const way = combine(new Vector3(...normal), new Vector3(...tangent1), n, t1, t2).multiplyScalar(scale);
        if (way.lengthSq() === 0) continue;
        way.setLength(Math.min(Math.max(way.length(), 20 * pixel), this.bounds.machine));
        lay_arrow(this.impulses.next(), new Vector3(...point), way, 1.5 * pixel);
      }
    }
    this.impulses.end();
  }

  private draw_string(): void {
    this.string.visible = this.pulled !== null;
    if (!this.pulled) return;
    const { hit, to } = this.pulled;
    const group = this.machine.bodies[hit.body] as Group;
    const from = hit.at.clone().applyQuaternion(group.quaternion).add(group.position);
    this.string.geometry.setFromPoints([from, to]);
    this.string.frustumCulled = false;
  }

  private add_grid(): LineSegments {
    const { live, palette } = this;
    const made = grid(1, live.planar ? 40 : 8, { palette, planar: live.planar, extent: this.bounds.extent, colour: '--body' });
    made.frustumCulled = false;
    if (!live.planar) {
      const up = new Vector3(...up_direction(live));
      made.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
      this.bounds.motion.getCenter(made.position).addScaledVector(up, -0.5 * this.bounds.extent);
    }
    this.view.scene.add(made);
    return made;
  }

  private lay_grid(pixel: number): void {
    const { target } = this.view.controls;
    let cell = this.machine.focus(target, 3 * this.bounds.machine);
    if (!this.grid) return;
    if (this.live.planar) {
      cell = grid_step(pixel * this.view.container.clientHeight);
      const snap = (x: number) => Math.round(x / cell) * cell;
      this.grid.position.set(snap(target.x), snap(target.y), 0);
    }
    this.grid.scale.setScalar(cell);
  }
}

function holds(group: Group, object: { parent: unknown }): boolean {
  for (let each: unknown = object; each; each = (each as { parent: unknown }).parent) if (each === group) return true;
  return false;
}

function combine(normal: Vector3, tangent: Vector3, n: number, t1: number, t2: number): Vector3 {
  const out = new Vector3().crossVectors(normal, tangent).multiplyScalar(t2);
  return out.addScaledVector(normal, n).addScaledVector(tangent, t1);
}

/** Against gravity; z where there is none. In the plane y. */
function up_direction(live: Live): [number, number, number] {
  if (live.planar) return [0, 1, 0];
  const [x, y, z] = live.page.gravity;
  const size = Math.hypot(x, y, z);
  return size > 0 ? [-x / size, -y / size, -z / size] : [0, 0, 1];
}
