// One drawing for each kind of shape of FORMAT.md.

import {
  Box3,
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  LineLoop,
  LineSegments,
  Mesh,
  RingGeometry,
  Shape as Outline,
  ShapeGeometry,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import type { Shape } from '../document';
import { ground } from './ground';
import { layers, on_layer, type Palette } from './palette';

export interface ShapeContext {
  palette: Palette;
  planar: boolean;
  /** Of bodies, by its name in the theme. */
  colour: string;
  /** Length of the machine: for what has no size of its own. */
  extent: number;
}

/** The shape in the frame of its body. */
export function draw_shape(shape: Shape, context: ShapeContext): Group {
  const group = new Group();
  group.position.fromArray(shape.position);
  const [w, x, y, z] = shape.rotation;
  group.quaternion.set(x, y, z, w);
  if (shape.kind === 'half_space') group.add(ground(context));
  else if (context.planar) draw_planar(shape, context, group);
  else draw_spatial(shape, context, group);
  return group;
}

/** Half the edges of the box about a shape in its own frame; zero for what has no bounds. */
export function half_extents(shape: Shape, fallback: number): Vector3 {
  const { radius = 0, length = 0, points } = shape.size;
  const edge = (value: number | null | undefined) => value ?? fallback;
  switch (shape.kind) {
    case 'sphere':
    case 'pin':
    case 'hole':
      return new Vector3(radius, radius, radius);
    case 'capsule':
      return new Vector3(length / 2 + radius, radius, length / 2 + radius);
    case 'cylinder':
      return new Vector3(radius, radius, length / 2);
    case 'box':
      return new Vector3(edge(shape.size.x) / 2, edge(shape.size.y) / 2, (shape.size.z ?? 0) / 2);
    case 'ellipsoid':
      return new Vector3(edge(shape.size.x), edge(shape.size.y), shape.size.z ?? 0);
    case 'polygon':
    case 'mesh': {
      const box = new Box3().setFromPoints((points ?? []).map((p) => new Vector3(p[0], p[1], p[2] ?? 0)));
      return box.isEmpty() ? new Vector3() : box.max.clone().max(box.min.clone().negate());
    }
    case 'point':
    case 'half_space':
      return new Vector3();
    default:
      forgotten(shape.kind);
      return new Vector3();
  }
}

/** A switch that forgets a kind does not compile; of a kind that only a newer document has nothing is drawn. */
function forgotten(_kind: never): void {}

function draw_planar(shape: Shape, context: ShapeContext, group: Group): void {
  const { radius = 0, length = 0, points = [] } = shape.size;
  const { x = 0, y = 0 } = shape.size;
  switch (shape.kind) {
    case 'point':
      return;
    case 'sphere':
    case 'pin':
      flat(circle(radius, radius), context, group, context.colour);
      segments([0, 0, 0, radius, 0, 0], context, group); // shows how it turns
      return;
    case 'hole': {
      const ring = new Mesh(new RingGeometry(radius, radius * 1.25, 64), context.palette.surface(context.colour, 0.55));
      group.add(on_layer(ring, layers.shape));
      group.add(outline(circle(radius, radius), context));
      return;
    }
    case 'ellipsoid':
      flat(circle(x, y), context, group, context.colour);
      segments([0, 0, 0, x, 0, 0], context, group);
      return;
    case 'capsule':
      flat(stadium(length / 2, radius), context, group, context.colour);
      return;
    case 'box': {
      const [a, b] = [(x ?? context.extent) / 2, (y ?? context.extent) / 2];
      flat([new Vector2(-a, -b), new Vector2(a, -b), new Vector2(a, b), new Vector2(-a, b)], context, group, context.colour);
      return;
    }
    case 'polygon':
    case 'mesh':
      flat(points.map((p) => new Vector2(p[0], p[1])), context, group, context.colour);
      return;
    case 'cylinder': // in space only
    case 'half_space': // as the ground
      return;
    default:
      forgotten(shape.kind);
  }
}

function draw_spatial(shape: Shape, context: ShapeContext, group: Group): void {
  const { radius = 0, length = 0, points = [], triangles = [] } = shape.size;
  const half = half_extents(shape, context.extent);
  switch (shape.kind) {
    case 'sphere':
    case 'ellipsoid': {
      const ball = solid(new SphereGeometry(1, 40, 28), context, group, null);
      ball.scale.copy(half);
      for (const turn of [0, 1, 2]) {
        const ring = outline(circle(1.002, 1.002), context); // great circles show how it turns
        if (turn === 1) ring.rotation.x = Math.PI / 2;
        if (turn === 2) ring.rotation.y = Math.PI / 2;
        ball.add(ring);
      }
      return;
    }
    case 'capsule':
      solid(new CapsuleGeometry(radius, length, 12, 32).rotateX(Math.PI / 2), context, group, null);
      for (const end of [-1, 1]) {
        const ring = outline(circle(radius * 1.003, radius * 1.003), context);
        ring.position.z = (end * length) / 2;
        group.add(ring);
      }
      return;
    case 'cylinder':
    case 'pin': {
      const long = shape.kind === 'pin' ? 2 * radius : length;
      solid(new CylinderGeometry(radius, radius, long, 48).rotateX(Math.PI / 2), context, group, 30);
      for (const end of [-1, 1]) segments([0, 0, (end * long) / 2, radius, 0, (end * long) / 2], context, group);
      return;
    }
    case 'hole':
      solid(new CylinderGeometry(radius, radius, radius, 48, 1, true).rotateX(Math.PI / 2), context, group, 30, 0.4);
      return;
    case 'box':
      solid(new BoxGeometry(2 * half.x, 2 * half.y, 2 * half.z), context, group, 1);
      return;
    case 'polygon':
    case 'mesh': {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new Float32BufferAttribute(points.flatMap((p) => [p[0]!, p[1]!, p[2] ?? 0]), 3));
      geometry.setIndex(triangles.flat());
      geometry.computeVertexNormals();
      solid(geometry, context, group, 20);
      return;
    }
    case 'point':
    case 'half_space': // as the ground
      return;
    default:
      forgotten(shape.kind);
  }
}

/** A body's surface with its edges; `sharp` is the angle in degrees from which an edge is drawn. */
function solid(geometry: BufferGeometry, context: ShapeContext, group: Group, sharp: number | null, opacity = 1): Mesh {
  const mesh = new Mesh(geometry, context.palette.surface(context.colour, opacity));
  if (sharp !== null) mesh.add(new LineSegments(new EdgesGeometry(geometry, sharp), context.palette.line('--bone')));
  group.add(mesh);
  return mesh;
}

function flat(points: Vector2[], context: ShapeContext, group: Group, name: string): void {
  if (points.length < 3) return;
  const mesh = new Mesh(new ShapeGeometry(new Outline(points)), context.palette.surface(name, 0.75));
  group.add(on_layer(mesh, layers.shape), outline(points, context));
}

function outline(points: Vector2[], context: ShapeContext): LineLoop {
  const geometry = new BufferGeometry().setFromPoints(points.map((p) => new Vector3(p.x, p.y, 0)));
  return on_layer(new LineLoop(geometry, context.palette.line('--bone')), layers.edge);
}

function segments(coordinates: number[], context: ShapeContext, group: Group): void {
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(coordinates, 3));
  group.add(on_layer(new LineSegments(geometry, context.palette.line('--bone')), layers.edge));
}

function circle(a: number, b: number, sides = 72): Vector2[] {
  return Array.from({ length: sides }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    return new Vector2(a * Math.cos(angle), b * Math.sin(angle));
  });
}

function stadium(half: number, radius: number): Vector2[] {
  const round = (middle: number, from: number) =>
    Array.from({ length: 25 }, (_, i) => {
      const angle = from + (Math.PI * i) / 24;
      return new Vector2(middle + radius * Math.cos(angle), radius * Math.sin(angle));
    });
  return [...round(half, -Math.PI / 2), ...round(-half, Math.PI / 2)];
}

