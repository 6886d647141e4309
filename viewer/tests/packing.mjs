// Packing numbers as FORMAT.md says, filling the page, and what documents of runs have in common.

import { readFileSync } from 'node:fs';

export const gravity = 9.81;

export function pack(type, shape, values) {
  const make = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array }[type];
  const array = make.from(values);
  const base64 = Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
  return { type, shape, base64 };
}

/** The page with a document in it, escaped as FORMAT.md asks. */
export function fill(template, document) {
  const escapes = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };
  const text = JSON.stringify(document).replace(/[<>&\u2028\u2029]/g, (c) => escapes[c]);
  if (template.split('@ROUTH_DOCUMENT@').length !== 2) throw new Error('the page must hold its mark exactly once');
  return template.replace('@ROUTH_DOCUMENT@', () => text);
}

export function read_template() {
  return readFileSync(new URL('../dist/index.html', import.meta.url), 'utf8');
}

/** Collects samples row by row and packs them. */
export class Recorder {
  constructor(bodies, contacts) {
    Object.assign(this, { bodies, contacts, time: [], poses: [], q: [], v: [] });
    this.energy = { kinetic: [], potential: [], dissipated: [], supplied: [], corrected: [], gained: [] };
    this.rows = { first: [0], contact: [], mode: [], force: [], point: [], normal: [], tangent1: [] };
    this.series = { gap: [], slip_speed: [], normal_force: [] };
  }

  add({ t, poses, q, v, kinetic, potential, dissipated, closed = [], gap }) {
    this.time.push(t);
    this.poses.push(0, 0, 0, 1, 0, 0, 0, ...poses.flat());
    this.q.push(...q);
    this.v.push(...v);
    const values = { kinetic, potential, dissipated, supplied: 0, corrected: 0, gained: 0 };
    for (const [name, value] of Object.entries(values)) this.energy[name].push(value);
    const slip = this.contacts.map(() => NaN);
    const force = this.contacts.map(() => NaN);
    for (const c of closed) {
      this.rows.contact.push(c.contact);
      this.rows.mode.push(c.mode);
      for (const key of ['force', 'point', 'normal', 'tangent1']) this.rows[key].push(...c[key]);
      slip[c.contact] = c.slip;
      force[c.contact] = c.force[0];
    }
    this.rows.first.push(this.rows.contact.length);
    this.series.gap.push(...gap);
    this.series.slip_speed.push(...slip);
    this.series.normal_force.push(...force);
  }

  finish(names, units, rate_names, rate_units) {
    const n = this.time.length;
    const r = this.rows.contact.length;
    const columns = (labels, marks, values) => ({ names: labels, units: marks, values: pack('f32', [n, labels.length], values) });
    const energy = Object.fromEntries(Object.entries(this.energy).map(([key, list]) => [key, pack('f64', [n], list)]));
    energy.initial = this.energy.kinetic[0] + this.energy.potential[0] + this.energy.dissipated[0];
    const contact_samples = {
      first: pack('i32', [n + 1], this.rows.first),
      contact: pack('i32', [r], this.rows.contact),
      mode: pack('u8', [r], this.rows.mode),
    };
    for (const key of ['force', 'point', 'normal', 'tangent1']) contact_samples[key] = pack('f32', [r, 3], this.rows[key]);
    for (const [key, list] of Object.entries(this.series)) contact_samples[key] = pack('f32', [n, this.contacts.length], list);
    return {
      samples: {
        count: n,
        of: n,
        time: pack('f64', [n], this.time),
        poses: pack('f32', [n, this.bodies * 7], this.poses),
        position: columns(names, units, this.q),
        velocity: columns(rate_names, rate_units, this.v),
        energy,
      },
      contact_samples,
    };
  }
}

/** As the program describes kinds; only those that the samples have. */
const kinds = {
  event: [
    { name: 'impact', label: 'impact', category: 'impulse' },
    { name: 'stick', label: 'stick', category: 'stick' },
    { name: 'zeno', label: 'zeno', category: 'other' },
    { name: 'user', label: 'user', category: 'other' },
  ],
  contact: [
    {
      name: 'surfaces',
      gap: { title: 'Gaps', unit: 'm' },
      slip_speed: { title: 'Slip speed', unit: 'm/s' },
      normal_force: { title: 'Normal force', unit: 'N' },
    },
    {
      name: 'limit',
      gap: { title: 'Gaps of joint limits', unit: 'm or rad' },
      normal_force: { title: 'Force of joint limits', unit: 'N or N m' },
    },
  ],
  contact_mode: [
    { name: 'free', label: 'free', category: 'free', friction: 'static' },
    { name: 'stick', label: 'sticking', category: 'stick', friction: 'static' },
    { name: 'slip', label: 'slipping', category: 'slip', friction: 'kinetic' },
  ],
  impact_mode: [{ name: 'stick', label: 'sticks', category: 'other', label_in_space: 'sticks' }],
  phase: [
    { name: 'slip', label: 'slip', category: 'slip' },
    { name: 'stick', label: 'stick', category: 'stick' },
  ],
};

export function common(title, dimension, time, energy, warnings = []) {
  return {
    routh: 1,
    kind: 'run',
    title,
    program_version: '0.0.0',
    warnings,
    dimension,
    gravity: dimension === 'planar' ? [0, -gravity, 0] : [0, 0, -gravity],
    info: { scene_path: 'scene.yaml', created: '2000-01-01T00:00:00Z', input_hash: '0', tolerance: 1e-8, seed: 1 },
    kinds,
    outcome: { status: 'ready', ending: 'completed', tone: 'good', message: '', time, energy, statistics: { steps: 100, evaluations: 900 } },
    springs: [],
    joints: [],
    bones: [],
  };
}
