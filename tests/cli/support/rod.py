"""Impacts of a rod in the plane, marched by brute force: the truth behind data for `routh fit`. Shares no code with it."""
import math
import random

MASS, INERTIA, HALF = 1.0, 1 / 12, 0.5
ROD = {"mass_matrix": [[1, 0, 0], [0, 1, 0], [0, 0, INERTIA]], "jacobian": [[0, 1, 0], [1, 0, 0]],
       "velocity": [0, 0, 0], "friction": 0.5, "restitution": 0.5}


def jacobian(angle):
    """Normal and tangential row for the lower end of a rod at an angle from the horizontal; coordinates x, y, angle."""
    return [0, 1, -HALF * math.cos(angle)], [1, 0, HALF * math.sin(angle)]


def march(angle, velocity, friction, restitution, law="energetic", steps=4000):
    """q' after the impact: Routh's increment in many small steps of the normal impulse, friction by its sign."""
    inverse = (1 / MASS, 1 / MASS, 1 / INERTIA)
    n, t = jacobian(angle)
    a = sum(x * w * x for x, w in zip(n, inverse))
    b = sum(x * w * x for x, w in zip(t, inverse))
    c = sum(x * w * y for x, w, y in zip(n, inverse, t))
    vn = sum(x * v for x, v in zip(n, velocity))
    vt = sum(x * v for x, v in zip(t, velocity))
    if vn >= 0:
        return list(velocity)
    start = -vn
    h = start / a / steps
    impulse = tangential = work = compression_work = compression = 0.0
    compressing = True
    for _ in range(400 * steps):
        sticking = vt == 0 and abs(c / b) <= friction
        if sticking:
            rate = -c / b
        elif vt != 0:
            rate = -friction if vt > 0 else friction
        else:  # slip begins again, to where the coupling drives it
            rate = -friction if c > 0 else friction
        dn, dt = (a + c * rate) * h, (c + b * rate) * h
        share = 1.0
        if vt != 0 and (vt + dt) * vt < 0:  # halts within the step
            share = vt / (vt - (vt + dt))
        done = None
        if compressing and vn + share * dn >= 0 and dn > 0:
            share, done = -vn / dn, "compression"
        new_vn = vn + share * dn
        gain = 0.5 * (vn + new_vn) * share * h
        if not compressing:
            if law == "energetic" and work + gain - compression_work >= -restitution**2 * compression_work:
                done = "end"
            if law == "poisson" and impulse + share * h >= (1 + restitution) * compression:
                done = "end"
            if law == "newton" and new_vn >= restitution * start:
                done = "end"
        halted = vt != 0 and share < 1 and done != "compression"
        vn, vt = new_vn, 0.0 if halted else vt + share * dt
        impulse += share * h
        tangential += share * h * rate
        work += gain
        if done == "compression":
            compressing, compression, compression_work = False, impulse, work
        if done == "end":
            break
    return [v + w * (x * impulse + y * tangential) for v, w, x, y in zip(velocity, inverse, n, t)]


def table(count, friction, restitution, law="energetic", noise=0.0, seed=1, angles=(0.3, 1.3), slip=2.0, steps=4000):
    """A CSV text of `count` impacts with measured velocities after, and the noise of the measurement on them."""
    source = random.Random(seed)
    names = ["jacobian[0][2]", "jacobian[1][2]"]
    names += [f"velocity[{k}]" for k in range(3)] + [f"after.velocity[{k}]" for k in range(3)]
    lines = [",".join(names)]
    for _ in range(count):
        angle = source.uniform(*angles)
        velocity = [source.uniform(-slip, slip), -source.uniform(1, 3), source.uniform(-1, 1)]
        n, t = jacobian(angle)
        after = [v + noise * source.gauss(0, 1) for v in march(angle, velocity, friction, restitution, law, steps)]
        lines.append(",".join(f"{x:.10g}" for x in [n[2], t[2], *velocity, *after]))
    return "\n".join(lines) + "\n"
