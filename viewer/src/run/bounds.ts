// The room a run takes: the machine by itself, and the whole of its motion.

import { Box3, Quaternion, Vector3 } from 'three';
import { spread } from './decimate';
import type { Posed } from './machine';
import { half_extents } from './shapes';

export interface Bounds {
  /** All of the motion. */
  motion: Box3;
  /** Length of the machine where it starts. */
  machine: number;
  /** Length of the motion. */
  extent: number;
}

/** Points of each body, in its frame, between which everything drawn on it lies. */
function body_points(data: Posed): Vector3[][] {
  const points: Vector3[][] = data.page.bodies.map(() => []);
  const add = (body: number, point: Vector3) => points[body]?.push(point);
  for (const shape of data.page.shapes) {
    if (shape.kind === 'half_space') continue;
    const half = half_extents(shape, 0);
    const [w, x, y, z] = shape.rotation;
    const turn = new Quaternion(x, y, z, w);
    const at = new Vector3().fromArray(shape.position);
    for (let corner = 0; corner < 8; ++corner) {
      const offset = new Vector3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1).multiply(half);
      add(shape.body, offset.applyQuaternion(turn).add(at));
    }
  }
  for (const bone of data.page.bones) {
    add(bone.body, new Vector3().fromArray(bone.from));
    add(bone.body, new Vector3().fromArray(bone.to));
  }
  for (const joint of data.page.joints) add(joint.body, new Vector3().fromArray(joint.position));
  for (const spring of data.page.springs) {
    for (const end of [spring.a, spring.b]) add(end.body, new Vector3().fromArray(end.position));
  }
  points.forEach((list, body) => {
    if (body > 0 && list.length === 0) list.push(new Vector3());
  });
  return points;
}

export function find_bounds(data: Posed & { readonly count: number }): Bounds {
  const points = body_points(data);
  const motion = new Box3();
  const first = new Box3();
  const pose = new Float64Array(7);
  const turn = new Quaternion();
  const point = new Vector3();
  for (const sample of spread(data.count, 400)) {
    const place = { sample, next: sample, fraction: 0 };
    points.forEach((list, body) => {
      data.pose(body, place, pose);
      turn.set(pose[4]!, pose[5]!, pose[6]!, pose[3]!);
      for (const local of list) {
        point.copy(local).applyQuaternion(turn);
        point.set(point.x + pose[0]!, point.y + pose[1]!, point.z + pose[2]!);
        if (!Number.isFinite(point.x + point.y + point.z)) continue;
        motion.expandByPoint(point);
        if (sample === 0) first.expandByPoint(point);
      }
    });
  }
  if (motion.isEmpty()) motion.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  if (first.isEmpty()) first.copy(motion);
  const length = (box: Box3) => box.getSize(new Vector3()).length();
  const extent = length(motion) || 1;
  return { motion, machine: length(first) || extent, extent };
}
