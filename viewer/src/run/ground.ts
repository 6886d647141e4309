// Half-spaces and the grid that gives a scene its scale.

import { BufferGeometry, Float32BufferAttribute, Group, LineSegments, Mesh, PlaneGeometry } from 'three';
import { layers, on_layer } from './palette';
import type { ShapeContext } from './shapes';

/** The step of 1, 2 or 5 times a power of ten that divides a length into about eight. */
export function grid_step(length: number): number {
  const rough = Math.max(length, 1e-9) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

/** Lines of a square grid in the x-y plane, `cells` to either side. */
export function grid(step: number, cells: number, context: ShapeContext): LineSegments {
  const lines: number[] = [];
  const reach = cells * step;
  for (let i = -cells; i <= cells; ++i) {
    lines.push(i * step, -reach, 0, i * step, reach, 0, -reach, i * step, 0, reach, i * step, 0);
  }
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(lines, 3));
  return on_layer(new LineSegments(geometry, context.palette.line('--grid')), layers.grid);
}

/** A half-space: in the plane earth below a line, in space a plate with a grid on it. */
export function ground(context: ShapeContext): Group {
  const group = new Group();
  if (context.planar) {
    const reach = 200 * context.extent;
    const earth = new Mesh(new PlaneGeometry(2 * reach, reach), context.palette.surface('--ground', 0.55));
    earth.position.y = -reach / 2;
    group.add(on_layer(earth, layers.ground));
    const line = new Float32BufferAttribute([-reach, 0, 0, reach, 0, 0], 3);
    const surface = new LineSegments(new BufferGeometry().setAttribute('position', line), context.palette.line('--bone'));
    group.add(on_layer(surface, layers.edge));
    return group;
  }
  const step = grid_step(context.extent);
  const cells = Math.max(6, Math.ceil((1.2 * context.extent) / step));
  const plate = new Mesh(new PlaneGeometry(2 * cells * step, 2 * cells * step), context.palette.surface('--ground', 0.45));
  const lines = grid(step, cells, context);
  lines.position.z = 1e-4 * context.extent;
  group.add(plate, lines);
  return group;
}
