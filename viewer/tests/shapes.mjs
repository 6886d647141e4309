// A document with every kind of shape, a spring, a joint and a bone, each body turning once.

import { pack } from './packing.mjs';
import { bouncing_disc, sliding_box } from './samples.mjs';

const planar = {
  point: {},
  sphere: { radius: 0.2 },
  capsule: { radius: 0.1, length: 0.3 },
  box: { x: 0.4, y: 0.25 },
  ellipsoid: { x: 0.25, y: 0.15 },
  pin: { radius: 0.12 },
  hole: { radius: 0.16 },
  polygon: { points: [[-0.2, -0.15], [0.2, -0.15], [0, 0.25]] },
};
const spatial = {
  ...planar,
  box: { x: 0.4, y: 0.25, z: 0.2 },
  cylinder: { radius: 0.15, length: 0.4 },
  ellipsoid: { x: 0.25, y: 0.15, z: 0.1 },
  mesh: {
    points: [[-0.2, -0.2, -0.1], [0.2, -0.2, -0.1], [0, 0.2, -0.1], [0, 0, 0.25]],
    triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
  },
};
delete spatial.polygon;

export function every_shape(dimension) {
  const base = dimension === 'planar' ? bouncing_disc({ duration: 0.1 }) : sliding_box();
  const kinds = Object.entries(dimension === 'planar' ? planar : spatial);
  const n = 61;
  const bodies = kinds.length + 1;
  const poses = [];
  const time = [];
  for (let k = 0; k < n; ++k) {
    time.push(k / 30);
    const turn = (2 * Math.PI * k) / (n - 1);
    poses.push(0, 0, 0, 1, 0, 0, 0);
    kinds.forEach((_, i) => {
      const at = [(i % 4) * 0.7, 0, 0];
      at[dimension === 'planar' ? 1 : 2] = 0.4;
      at[1] += 0.7 * Math.floor(i / 4);
      poses.push(...at, Math.cos(turn / 2), 0, 0, Math.sin(turn / 2));
    });
  }
  const flat = (value) => pack('f64', [n], new Array(n).fill(value));
  const none = (columns) => pack('f32', [n, columns], new Array(n * columns).fill(NaN));
  const contacts = base.contacts.length;
  return {
    ...base,
    title: `Every shape, ${dimension}`,
    outcome: { ...base.outcome, time: time[n - 1] },
    bodies: [{ name: 'world' }, ...kinds.map(([kind]) => ({ name: kind }))],
    shapes: [
      base.shapes[0],
      ...kinds.map(([kind, size], i) => ({ name: kind, body: i + 1, kind, position: [0, 0, 0], rotation: [1, 0, 0, 0], size })),
    ],
    bones: [{ body: 1, from: [0, 0, 0], to: [0.25, 0.1, 0] }],
    joints: [{ name: 'hinge', kind: 'hinge', body: 1, position: [0.25, 0.1, 0] }],
    springs: [{ name: 'spring', a: { body: 2, position: [0, 0, 0] }, b: { body: 3, position: [0, 0, 0] } }],
    samples: {
      count: n,
      of: 1000,
      time: pack('f64', [n], time),
      poses: pack('f32', [n, bodies * 7], poses),
      position: { names: [], units: [], values: pack('f32', [n, 0], []) },
      velocity: { names: [], units: [], values: pack('f32', [n, 0], []) },
      energy: { kinetic: flat(1), potential: flat(-3), dissipated: flat(0), supplied: flat(0), corrected: flat(0), gained: flat(0), initial: -2 },
    },
    contact_samples: {
      ...base.contact_samples,
      first: pack('i32', [n + 1], new Array(n + 1).fill(0)),
      contact: pack('i32', [0], []),
      mode: pack('u8', [0], []),
      ...Object.fromEntries(['force', 'point', 'normal', 'tangent1'].map((key) => [key, pack('f32', [0, 3], [])])),
      ...Object.fromEntries(['gap', 'slip_speed', 'normal_force'].map((key) => [key, none(contacts)])),
    },
    events: [],
  };
}
