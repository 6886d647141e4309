// Poses between samples: positions linearly, turns along the shorter great circle.

import type { Place } from './search';

/** Writes x, y, z, w, x, y, z (quaternion, real part first) of one body at a place into `out`. */
export function pose_at(poses: ArrayLike<number>, bodies: number, body: number, place: Place, out: Float64Array): void {
  const a = (place.sample * bodies + body) * 7;
  const b = (place.next * bodies + body) * 7;
  const f = place.fraction;
  for (let i = 0; i < 3; ++i) out[i] = (poses[a + i] as number) * (1 - f) + (poses[b + i] as number) * f;
  slerp(poses, a + 3, b + 3, f, out);
}

/** Writes the unit quaternion at fraction f between those at offsets a and b into out[3…6]. */
function slerp(q: ArrayLike<number>, a: number, b: number, f: number, out: Float64Array): void {
  let cosine = 0;
  for (let i = 0; i < 4; ++i) cosine += (q[a + i] as number) * (q[b + i] as number);
  const sign = cosine < 0 ? -1 : 1; // q and −q are the same turn: take the near one
  cosine = Math.min(Math.abs(cosine), 1);
  let from = 1 - f;
  let to = f;
  const angle = Math.acos(cosine);
  if (angle > 1e-4) {
    const sine = Math.sin(angle);
    from = Math.sin((1 - f) * angle) / sine;
    to = Math.sin(f * angle) / sine;
  }
  let square = 0;
  for (let i = 0; i < 4; ++i) {
    const value = from * (q[a + i] as number) + sign * to * (q[b + i] as number);
    out[3 + i] = value;
    square += value * value;
  }
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let i = 0; i < 4; ++i) out[3 + i] = (out[3 + i] as number) * scale;
  if (scale === 0) out[3] = 1;
}
