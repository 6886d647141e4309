// The ways of points of the bodies up to the time shown.

import { BufferGeometry, Float32BufferAttribute, Group, Line, Quaternion, Vector3 } from 'three';
import type { RunData } from './data';
import { spread } from './decimate';
import { layers, on_layer, type Palette } from './palette';
import { last_at_or_before } from './search';

const most_points = 4000;

/** The point of a body whose way says most: the far end of its bones, else its first shape, else its origin. */
function traced_point(data: RunData, body: number): Vector3 {
  let best = new Vector3();
  let distance = 0;
  for (const bone of data.page.bones) {
    if (bone.body !== body) continue;
    const from = new Vector3().fromArray(bone.from);
    const to = new Vector3().fromArray(bone.to);
    if (from.distanceTo(to) > distance) {
      distance = from.distanceTo(to);
      best = to;
    }
  }
  if (distance > 0) return best;
  const shape = data.page.shapes.find((s) => s.body === body && s.kind !== 'half_space');
  return shape ? new Vector3().fromArray(shape.position) : best;
}

export class Trails {
  readonly root = new Group();
  private readonly times: Float64Array;
  private readonly lines: { line: Line; body: number; local: Vector3 }[] = [];
  private readonly turn = new Quaternion();

  constructor(data: RunData, palette: Palette) {
    const samples = spread(data.count, most_points);
    this.times = Float64Array.from(samples, (k) => data.time[k] as number);
    const pose = new Float64Array(7);
    const point = new Vector3();
    for (let body = 1; body < data.bodies; ++body) {
      const local = traced_point(data, body);
      const coordinates = new Float32Array(3 * samples.length);
      samples.forEach((sample, i) => {
        data.pose(body, { sample, next: sample, fraction: 0 }, pose);
        this.turn.set(pose[4]!, pose[5]!, pose[6]!, pose[3]!);
        point.copy(local).applyQuaternion(this.turn);
        coordinates.set([point.x + pose[0]!, point.y + pose[1]!, point.z + pose[2]!], 3 * i);
      });
      const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(coordinates, 3));
      const line = new Line(geometry, palette.line(`--series-${((body - 1) % 8) + 1}`, 0.8));
      line.frustumCulled = false;
      this.lines.push({ line, body, local });
      this.root.add(on_layer(line, layers.trail));
    }
  }

  update(time: number): void {
    const count = last_at_or_before(this.times, time) + 1;
    for (const { line } of this.lines) line.geometry.setDrawRange(0, count);
  }
}
