"""Impacts of a planar contact through springs whose tangents yield, marched in time; no code of the program.

tests/cli/support/rubber.py > examples/rubber_impacts.csv writes the data of the example anew."""
import math
import random


def march(delassus, velocity, friction, restitution, compliance, steps=200):
    """The velocity after; steps for each radian of the fastest oscillation."""
    (a, c), (_, b) = delassus
    h = 1 / (math.sqrt(a * (1 + restitution ** -2) + b / compliance) * steps)
    n, t = velocity
    x = u = 0.0
    while True:
        x -= 0.5 * h * n * (1 if n < 0 else restitution ** -2)
        u += 0.5 * h * t
        if x <= 0 < n:
            return n, t
        limit = friction * x * compliance
        u = max(-limit, min(limit, u))
        force = -u / compliance
        n += h * (a * x + c * force)
        t += h * (c * x + b * force)
        x -= 0.5 * h * n * (1 if n < 0 else restitution ** -2)
        u += 0.5 * h * t


def table(count, friction, restitution, compliance, slip_loss=0.0, noise=0.0, seed=1):
    """A CSV table of impacts; e = restitution − slip_loss |v_t|/|v_n|."""
    chance = random.Random(seed)
    lines = ["delassus[0][0],delassus[0][1],delassus[1][0],delassus[1][1],contact_velocity[0],contact_velocity[1],"
             "after.contact_velocity[0],after.contact_velocity[1]"]
    for _ in range(count):
        a, b = chance.uniform(0.5, 2), chance.uniform(2, 5)
        c = chance.uniform(-0.4, 0.4)
        n, t = -chance.uniform(0.5, 2), chance.uniform(-2, 2)
        after = march(((a, c), (c, b)), (n, t), friction, restitution - slip_loss * abs(t / n), compliance)
        row = [a, c, c, b, n, t] + [each + chance.gauss(0, noise) for each in after]
        lines.append(",".join(f"{each:.12g}" for each in row))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print("# Two dozen impacts through springs: friction 0.3, e = 0.8 - 0.1 |v_t|/|v_n|, eta^2 = 1.2; marched in time, "
          "noise 0.005 m/s.")
    print(table(24, 0.3, 0.8, 1.2, slip_loss=0.1, noise=0.005, seed=31), end="")
