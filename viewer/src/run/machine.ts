// The machine in the scene: bodies with their shapes, bones and joints, and springs between them.

import {
  BufferGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  Line,
  Mesh,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type { Anchor, MachineParts, Spring } from '../document';
import type { Bounds } from './bounds';
import { grid_step } from './ground';
import { layers, on_layer, type Palette } from './palette';
import type { Place } from './search';
import { draw_shape, type ShapeContext } from './shapes';

const along_y = new Vector3(0, 1, 0);
const along_x = new Vector3(1, 0, 0);

/** What is drawn, and where its bodies are. */
export interface Posed {
  readonly planar: boolean;
  readonly page: MachineParts;
  /** Writes x, y, z, w, x, y, z of a body into `out`. */
  pose(body: number, place: Place, out: Float64Array): void;
}

interface SpringDrawing {
  spring: Spring;
  line: Line;
}

export class Machine {
  readonly root = new Group();
  /** In the order of the document; the world first. */
  readonly bodies: Group[];
  private readonly bones: Mesh[] = [];
  private readonly markers: Mesh[] = [];
  private readonly springs: SpringDrawing[];
  private readonly grounds: Group[] = [];
  private readonly pose = new Float64Array(7);

  constructor(
    private readonly data: Posed,
    private readonly bounds: Pick<Bounds, 'machine' | 'extent'>,
    palette: Palette,
  ) {
    const context: ShapeContext = { palette, planar: data.planar, extent: bounds.extent, colour: '--body' };
    const overlapping = new Set(data.page.overlapping ?? []);
    this.bodies = data.page.bodies.map(() => new Group());
    this.root.add(...this.bodies);
    for (const [k, shape] of data.page.shapes.entries()) {
      const drawing = draw_shape(shape, overlapping.has(k) ? { ...context, colour: '--bad' } : context);
      if (shape.kind === 'half_space' && shape.body === 0) this.grounds.push(drawing);
      this.bodies[shape.body]?.add(drawing);
      if (shape.kind === 'point') this.marker(shape, palette, '--bone');
    }
    const rod = new CylinderGeometry(1, 1, 1, 12);
    for (const bone of data.page.bones) {
      const mesh = on_layer(new Mesh(rod, palette.surface('--bone')), layers.bone);
      const from = new Vector3().fromArray(bone.from);
      const way = new Vector3().fromArray(bone.to).sub(from);
      mesh.position.copy(from).addScaledVector(way, 0.5);
      mesh.quaternion.setFromUnitVectors(along_y, way.clone().normalize());
      mesh.scale.set(1, way.length(), 1);
      this.bones.push(mesh);
      this.bodies[bone.body]?.add(mesh);
    }
    for (const joint of data.page.joints) this.marker(joint, palette, '--bone');
    this.springs = data.page.springs.map((spring) => {
      const line = on_layer(new Line(coil(data.planar), palette.line('--bone')), layers.bone);
      this.root.add(line);
      return { spring, line };
    });
  }

  /** Puts everything where it is at a place in the run. */
  update(place: Place): void {
    this.bodies.forEach((group, body) => {
      this.data.pose(body, place, this.pose);
      const [x, y, z, qw, qx, qy, qz] = this.pose as unknown as [number, number, number, number, number, number, number];
      group.position.set(x, y, z);
      group.quaternion.set(qx, qy, qz, qw);
      group.updateMatrix();
    });
    for (const { spring, line } of this.springs) {
      const from = this.at(spring.a);
      const way = this.at(spring.b).sub(from);
      const length = Math.max(way.length(), 1e-12);
      line.position.copy(from);
      line.quaternion.setFromUnitVectors(along_x, way.divideScalar(length));
      const width = 0.02 * this.bounds.machine;
      line.scale.set(length, width, width);
    }
  }

  /** Thin parts keep a width that can be seen, however far away the eye is. */
  resize(pixel: number): void {
    const radius = Math.min(Math.max(1.6 * pixel, 0.006 * this.bounds.machine), 5 * pixel);
    for (const bone of this.bones) {
      bone.scale.x = radius;
      bone.scale.z = radius;
    }
    for (const marker of this.markers) marker.scale.setScalar(Math.max(1.7 * radius, 3 * pixel));
  }

  /**
   * Half-spaces have no middle: what is drawn of them lies about `centre`, in whole steps of its grid, and is as large
   * as `length` asks for. Returns the step of the grid.
   */
  focus(centre: Vector3, length: number): number {
    const step = grid_step(length);
    const snap = (x: number) => Math.round(x / step) * step;
    for (const frame of this.grounds) {
      const local = centre.clone().sub(frame.position).applyQuaternion(new Quaternion().copy(frame.quaternion).invert());
      const drawing = frame.children[0] as Group;
      drawing.position.set(snap(local.x), this.data.planar ? 0 : snap(local.y), 0);
      drawing.scale.setScalar(step / grid_step(this.bounds.extent));
    }
    return step;
  }

  /** Middle of the moving bodies, for following them. */
  middle(): Vector3 {
    const sum = new Vector3();
    const moving = this.bodies.slice(1);
    for (const body of moving) sum.add(body.position);
    return sum.divideScalar(Math.max(moving.length, 1));
  }

  private at(anchor: Anchor): Vector3 {
    const point = new Vector3().fromArray(anchor.position);
    const body = this.bodies[anchor.body];
    return body ? point.applyQuaternion(body.quaternion).add(body.position) : point;
  }

  private marker(anchor: Anchor, palette: Palette, name: string): void {
    const mesh = on_layer(new Mesh(new SphereGeometry(1, 16, 12), palette.surface(name)), layers.joint);
    mesh.position.fromArray(anchor.position);
    this.markers.push(mesh);
    this.bodies[anchor.body]?.add(mesh);
  }
}

/** A spring from 0 to 1 along x: a zigzag in the plane, a helix in space; one unit wide. */
function coil(planar: boolean): BufferGeometry {
  const turns = 7;
  const points: number[] = [0, 0, 0, 0.12, 0, 0];
  const steps = planar ? 2 * turns : 16 * turns;
  for (let i = 0; i <= steps; ++i) {
    const x = 0.12 + (0.76 * i) / steps;
    const angle = (2 * Math.PI * turns * i) / steps;
    if (planar) points.push(x, i === 0 || i === steps ? 0 : i % 2 === 1 ? 1 : -1, 0);
    else points.push(x, Math.sin(angle), 1 - Math.cos(angle) - 1);
  }
  points.push(0.88, 0, 0, 1, 0, 0);
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
}
