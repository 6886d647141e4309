"""Throws of a disc onto a floor in closed form, with noise: the truth that `routh identify` must find.

Between strikes parabolas and constant spin; at each strike v_n' = -e v_n and Coulomb's impulse of a disc with
I = m r^2/2, whose slip v_t + r w changes by 3 p_t/m.
"""
import math
import random

RADIUS, GRAVITY = 0.05, 9.81
SCENE = """routh: 1
name: A disc is thrown
dimension: planar
surfaces:
  floor: {friction: 0.3, restitution: 0.5}
bodies:
  disc:
    mass: 0.2
    inertia: 0.00025
    joint: {kind: planar}
    shapes:
      disc: {kind: sphere, radius: 0.05, surface: floor}
world:
  shapes:
    floor: {kind: half_space}
state:
  position: {disc: [0, 0.3, 0]}
"""


def pose(start, time, friction, restitution):
    x, y, angle, vx, vy, w = start
    while True:
        fall = (vy + math.sqrt(vy * vy + 2 * GRAVITY * (y - RADIUS))) / GRAVITY
        h = min(fall, time)
        x, y, angle = x + vx * h, y + vy * h - GRAVITY * h * h / 2, angle + w * h
        vy -= GRAVITY * h
        time -= h
        if time <= 0:
            return x, y, angle
        y = RADIUS
        slip = vx + RADIUS * w
        change = -math.copysign(min(friction * (1 + restitution) * abs(vy), abs(slip) / 3), slip)
        vx, w, vy = vx + change, w + change * 2 / RADIUS, -restitution * vy


def throw(seed, friction, restitution, noise, rows=60, rate=100):
    """One recording as text."""
    draw = random.Random(seed)
    start = (0, draw.uniform(0.25, 0.4), draw.uniform(-1, 1), draw.uniform(0.5, 2), draw.uniform(-0.5, 0.5),
             draw.uniform(-10, 30))
    text = "time,x,y,angle\n"
    for k in range(rows):
        x, y, angle = pose(start, k / rate, friction, restitution)
        text += (f"{k / rate:.3f},{x + noise * draw.gauss(0, 1):.6f},{y + noise * draw.gauss(0, 1):.6f},"
                 f"{angle + noise / RADIUS * draw.gauss(0, 1):.5f}\n")
    return text
