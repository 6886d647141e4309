// Documents for the tests, from closed forms: a bouncing disc in the plane, a box in space, hostile names, a long run.

import { common, gravity, Recorder } from './packing.mjs';

export { fill, pack, read_template } from './packing.mjs';

/**
 * A disc that bounces on level ground with Coulomb friction: flights are parabolas, impacts follow from
 * v_n → −e v_n and from friction that slips until v_t = v_x + r ω is zero, where d v_t/d p_n = −3 μ/m.
 */
export function bouncing_disc({ duration = 3, step = 1 / 120, restitution = 0.6, friction = 0.15 } = {}) {
  const [m, r, e, mu] = [1, 0.1, restitution, friction];
  const recorder = new Recorder(2, ['ball/ground']);
  const events = [];
  let [x, y, angle, vx, vy, omega, lost] = [0, 1, 0, 1.2, 0, -4, 0];
  const kinetic = (u) => 0.5 * m * (vx * vx + u * u) + 0.25 * m * r * r * omega * omega;
  const initial = kinetic(vy) + m * gravity * y;
  const emit = (t, s, resting) => {
    const height = resting ? r : y + vy * s - 0.5 * gravity * s * s;
    const u = resting ? 0 : vy - gravity * s;
    const turn = angle + omega * s;
    const closed = resting
      ? [{ contact: 0, mode: 1, force: [m * gravity, 0, 0], point: [x + vx * s, 0, 0], normal: [0, 1, 0], tangent1: [1, 0, 0], slip: 0 }]
      : [];
    recorder.add({
      t,
      poses: [[x + vx * s, height, 0, Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)]],
      q: [x + vx * s, height, turn],
      v: [vx, u, omega],
      kinetic: kinetic(u),
      potential: m * gravity * height,
      dissipated: lost,
      closed,
      gap: [height - r],
    });
  };
  let t = 0;
  let resting = false;
  let next_sample = 0;
  while (t < duration) {
    const flight = resting ? Infinity : (vy + Math.sqrt(vy * vy + 2 * gravity * (y - r))) / gravity;
    const until = Math.min(t + flight, duration);
    if (next_sample * step <= t) emit(t, 0, resting);
    while (next_sample * step <= t) ++next_sample;
    for (; next_sample * step < until; ++next_sample) emit(next_sample * step, next_sample * step - t, resting);
    emit(until, until - t, resting);
    const s = until - t;
    x += vx * s;
    angle += omega * s;
    vy -= resting ? 0 : gravity * s;
    t = until;
    if (t >= duration) break;
    y = r;
    const approach = -vy;
    const vt = vx + r * omega;
    const zeno = approach < 0.02;
    const pn = m * approach * (1 + (zeno ? 0 : e));
    const to_stick = (m * Math.abs(vt)) / (3 * mu);
    const pt = -Math.sign(vt) * mu * Math.min(pn, to_stick);
    const before = kinetic(vy);
    const velocity_before = [vy, vt, 0];
    vy = zeno ? 0 : e * approach;
    vx += pt / m;
    omega += (2 * pt) / (m * r);
    const after = kinetic(vy);
    lost += before - after;
    const velocity_after = [vy, vx + r * omega, 0];
    const sticks = to_stick < pn;
    const knee = sticks ? [[-approach + to_stick / m, 0, 0]] : [];
    events.push({
      time: t,
      sample: recorder.time.length,
      kind: zeno ? 'zeno' : 'impact',
      rule: zeno ? 'projection' : 'single',
      law: 'energetic',
      label: '',
      contacts: [
        {
          contact: 0,
          velocity_before,
          velocity_after,
          impulse: [pn, pt, 0],
          mode: sticks ? 'stick' : 'slip',
          restitution: zeno ? 0 : e,
          point: [x, 0, 0],
          normal: [0, 1, 0],
          tangent1: [1, 0, 0],
          no_path: zeno ? 'The rule of this impact gives the velocity after it, without a path that leads there.' : null,
          path: zeno
            ? null
            : {
                velocity: [velocity_before, ...knee, velocity_after],
                impulse: [0, ...(sticks ? [to_stick] : []), pn],
                phases: [
                  { kind: sticks ? 'stick' : 'slip', normal_impulse: sticks ? to_stick : pn, contact_velocity: sticks ? knee[0] : velocity_after },
                ],
              },
        },
      ],
      energy: { normal_work: -(before - after) / 2, tangential_work: -(before - after) / 2, supplied: 0, change: after - before, consistent: true },
      warnings: [],
      error_bound: zeno ? 0.02 : null,
      duration: null,
    });
    emit(t, 0, zeno);
    if (zeno) resting = true;
  }
  const final = kinetic(vy) + m * gravity * (resting ? r : y + 0);
  const energy = { initial, final: initial - lost, dissipated: lost, supplied: 0, corrected: 0, gained: 0, balance: Math.min(0, final * 0) };
  return {
    ...common('Bouncing disc', 'planar', duration, energy),
    bodies: [{ name: 'world' }, { name: 'ball' }],
    shapes: [
      { name: 'ground', body: 0, kind: 'half_space', position: [0, 0, 0], rotation: [1, 0, 0, 0], size: {} },
      { name: 'ball', body: 1, kind: 'sphere', position: [0, 0, 0], rotation: [1, 0, 0, 0], size: { radius: r } },
    ],
    contacts: [{ name: 'ball/ground', kind: 'surfaces', friction: { static: mu, kinetic: mu } }],
    ...recorder.finish(['ball.x', 'ball.y', 'ball.angle'], ['m', 'm', 'rad'], ["ball.x'", "ball.y'", "ball.angle'"], ['m/s', 'm/s', 'rad/s']),
    events,
  };
}

/** A box that falls flat without bouncing, slides to rest under Coulomb friction; its turning stops at the impact. */
export function sliding_box() {
  const [m, mu, drop, v0, spin] = [2, 0.4, 0.6, 2, 3];
  const [a, b, c] = [0.4, 0.25, 0.2];
  const inertia = (m * (a * a + b * b)) / 12;
  const names = ['box/ground 1', 'box/ground 2', 'box/ground 3', 'box/ground 4'];
  const recorder = new Recorder(2, names);
  const fall = Math.sqrt((2 * drop) / gravity);
  const slide = v0 / (mu * gravity);
  const end = fall + slide + 0.4;
  const events = [];
  const yaw = spin * fall;
  const corners = (x) =>
    [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([i, j]) => {
      const [u, w] = [(i * a) / 2, (j * b) / 2];
      return [x + u * Math.cos(yaw) - w * Math.sin(yaw), u * Math.sin(yaw) + w * Math.cos(yaw), 0];
    });
  const sum = 0.5 * m * v0 * v0 + 0.5 * inertia * spin * spin + m * gravity * (drop + c / 2);
  const emit = (t, after) => {
    const s = t - fall;
    const flying = !after && t <= fall;
    const moving = Math.min(Math.max(s, 0), slide);
    const x = flying ? v0 * t : v0 * fall + v0 * moving - 0.5 * mu * gravity * moving * moving;
    const vx = flying ? v0 : v0 - mu * gravity * moving;
    const z = flying ? drop + c / 2 - 0.5 * gravity * t * t : c / 2;
    const vz = flying ? -gravity * t : 0;
    const turn = flying ? spin * t : yaw;
    const kinetic = 0.5 * m * (vx * vx + vz * vz) + (flying ? 0.5 * inertia * spin * spin : 0);
    const slips = s < slide;
    const closed = flying
      ? []
      : corners(x).map((point, contact) => ({
          contact,
          mode: slips ? 2 : 1,
          force: [(m * gravity) / 4, slips ? (-mu * m * gravity) / 4 : 0, 0],
          point,
          normal: [0, 0, 1],
          tangent1: [1, 0, 0],
          slip: slips ? vx : 0,
        }));
    recorder.add({
      t,
      poses: [[x, 0, z, Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)]],
      q: [x, 0, z],
      v: [vx, 0, vz],
      kinetic,
      potential: m * gravity * z,
      dissipated: sum - kinetic - m * gravity * z,
      closed,
      gap: names.map(() => z - c / 2),
    });
  };
  const n = 240;
  for (let i = 0; i < n; ++i) if ((i * fall) / n < fall) emit((i * fall) / n, false);
  emit(fall, false);
  const speed = gravity * fall;
  const way = (k) => Array.from({ length: 41 }, (_, i) => {
    const f = i / 40;
    return [-speed * (1 - f), v0 * (1 - 0.5 * f) + k * f, (k + 0.5) * spin * a * (1 - f) * (1 - f)];
  });
  events.push({
    time: fall,
    sample: recorder.time.length,
    kind: 'impact',
    rule: 'together',
    law: 'energetic',
    label: '',
    contacts: corners(v0 * fall).map((point, contact) => ({
      contact,
      velocity_before: way(contact)[0],
      velocity_after: way(contact)[40],
      impulse: [(m * speed) / 4, -0.1 * contact, 0.05],
      mode: null,
      restitution: 0,
      point,
      normal: [0, 0, 1],
      tangent1: [1, 0, 0],
      path: {
        velocity: way(contact),
        impulse: Array.from({ length: 41 }, (_, i) => (i * m * speed) / 160),
        phases: [{ kind: 'slip', normal_impulse: (m * speed) / 4, contact_velocity: way(contact)[40] }],
      },
    })),
    energy: { normal_work: -0.5 * m * speed * speed, tangential_work: -0.5 * inertia * spin * spin, supplied: 0, change: -0.5 * m * speed * speed - 0.5 * inertia * spin * spin, consistent: true },
    warnings: ['Several contacts struck at once: the result depends on the rule.'],
    error_bound: null,
    duration: null,
  });
  emit(fall, true);
  for (let i = 1; i < n; ++i) emit(fall + (i * slide) / n, true);
  events.push({
    time: fall + slide, sample: recorder.time.length, kind: 'stick', rule: null, law: null, label: '',
    contacts: [0, 1, 2, 3].map((contact) => ({
      contact, velocity_before: [0, 0, 0], velocity_after: [0, 0, 0], impulse: [0, 0, 0], mode: null, restitution: 0,
      point: null, normal: null, tangent1: null, path: null,
    })),
    energy: { normal_work: 0, tangential_work: 0, supplied: 0, change: 0, consistent: true }, warnings: [], error_bound: null, duration: null,
  });
  for (let i = 0; i <= 20; ++i) emit(fall + slide + (i * 0.4) / 20, true);
  const final = m * gravity * c / 2;
  return {
    ...common('Sliding box', 'spatial', end, { initial: sum, final, dissipated: sum - final, supplied: 0, corrected: 0, gained: 0, balance: 1e-15 }, [
      'An impact of several contacts at once has no unique solution; the rule "together" was used.',
    ]),
    bodies: [{ name: 'world' }, { name: 'box' }],
    shapes: [
      { name: 'ground', body: 0, kind: 'half_space', position: [0, 0, 0], rotation: [1, 0, 0, 0], size: {} },
      { name: 'box', body: 1, kind: 'box', position: [0, 0, 0], rotation: [1, 0, 0, 0], size: { x: a, y: b, z: c } },
    ],
    contacts: names.map((name) => ({ name, kind: 'surfaces', friction: { static: mu, kinetic: mu } })),
    ...recorder.finish(['box.x', 'box.y', 'box.z'], ['m', 'm', 'm'], ["box.x'", "box.y'", "box.z'"], ['m/s', 'm/s', 'm/s']),
    events,
  };
}

export const hostile_names = ['</script><script>alert(1)</script>', '<img src=x onerror=alert(1)>'];

/** Every text of the disc's document replaced by markup that would execute if it were read as such. */
export function hostile() {
  const page = bouncing_disc();
  const keep = new Set(['kind', 'type', 'base64', 'dimension', 'units', 'mode', 'status']);
  let i = 0;
  const poison = (value, key) => {
    if (typeof value === 'string') return keep.has(key) ? value : hostile_names[i++ % 2];
    if (Array.isArray(value)) return value.map((item) => poison(item, key));
    if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, poison(v, k)]));
    return value;
  };
  const poisoned = poison(page, '');
  poisoned.warnings = [...hostile_names];
  poisoned.events.forEach((event) => (event.kind = hostile_names[0]));
  poisoned.outcome.status = hostile_names[1];
  poisoned.outcome.statistics[hostile_names[0]] = 1;
  poisoned.springs = [{ name: hostile_names[0], a: { body: 0, position: [0, 1, 0] }, b: { body: 1, position: [0, 0, 0] } }];
  return poisoned;
}

/** 10⁵ samples and some 10⁴ events. */
export function long_run() {
  const page = bouncing_disc({ duration: 400, step: 400 / 100000, restitution: 1, friction: 0.1 });
  page.title = 'Long run';
  const event = page.events;
  while (page.events.length < 10000) {
    page.events = page.events.concat(event.map((e) => ({ ...e, kind: 'user', label: 'copy', rule: null })));
  }
  page.events.sort((a, b) => a.time - b.time);
  return page;
}
