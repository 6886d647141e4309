// Arrows, friction cones and contact points, taken from a store so that nothing is made while the replay runs.

import { BufferGeometry, ConeGeometry, CylinderGeometry, Float32BufferAttribute, Group, Mesh, SphereGeometry, Vector3 } from 'three';
import { layers, on_layer, type Palette } from './palette';

const along_y = new Vector3(0, 1, 0);
const shaft_geometry = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
const head_geometry = new ConeGeometry(1, 1, 16).translate(0, 0.5, 0);
const ball_geometry = new SphereGeometry(1, 18, 12);
// Apex at the origin, opening along y, height and radius 1.
const cone_geometry = new ConeGeometry(1, 1, 40, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
const wedge_geometry = new BufferGeometry().setAttribute(
  'position',
  new Float32BufferAttribute([0, 0, 0, -1, 1, 0, 1, 1, 0], 3),
);

/** Hands out children of a group and hides those not asked for in this round. */
export class Store<T extends Group | Mesh> {
  readonly root = new Group();
  private readonly items: T[] = [];
  private used = 0;

  constructor(private readonly make: () => T) {}

  begin(): void {
    this.used = 0;
  }
  next(): T {
    let item = this.items[this.used];
    if (!item) {
      item = this.make();
      this.items.push(item);
      this.root.add(item);
    }
    item.visible = true;
    ++this.used;
    return item;
  }
  end(): void {
    for (let i = this.used; i < this.items.length; ++i) (this.items[i] as T).visible = false;
  }
}

export function make_arrow(palette: Palette, name: string): Group {
  const group = new Group();
  group.add(new Mesh(shaft_geometry, palette.flat(name)), new Mesh(head_geometry, palette.flat(name)));
  return on_layer(group, layers.arrow);
}

/** Lays an arrow from `from` along `way`; its thickness is a number of pixels. */
export function lay_arrow(arrow: Group, from: Vector3, way: Vector3, pixel: number): void {
  const length = way.length();
  const [shaft, head] = arrow.children as [Mesh, Mesh];
  const tip = Math.min(11 * pixel, 0.5 * length);
  arrow.position.copy(from);
  arrow.quaternion.setFromUnitVectors(along_y, way.clone().divideScalar(Math.max(length, 1e-30)));
  shaft.scale.set(1.3 * pixel, Math.max(length - tip, 1e-12), 1.3 * pixel);
  head.position.y = length - tip;
  head.scale.set(0.42 * tip, tip, 0.42 * tip);
}

export function make_ball(palette: Palette): Mesh {
  return on_layer(new Mesh(ball_geometry, palette.flat('--free')), layers.contact);
}

/** The friction cone: in the plane a wedge. */
export function make_cone(palette: Palette, planar: boolean): Mesh {
  return on_layer(new Mesh(planar ? wedge_geometry : cone_geometry, palette.flat('--free', 0.2)), layers.cone);
}

export function lay_cone(cone: Mesh, apex: Vector3, normal: Vector3, friction: number, height: number): void {
  cone.position.copy(apex);
  cone.quaternion.setFromUnitVectors(along_y, normal);
  // Friction without bound opens the cone to a half-space: it is drawn very wide instead.
  const radius = height * Math.min(Number.isFinite(friction) ? friction : 10, 10);
  cone.scale.set(Math.max(radius, 1e-9), height, Math.max(radius, 1e-9));
}
