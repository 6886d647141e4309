"""The damping of a hopper's leg is tuned so that it is at rest as soon as possible after it lands.

The foot strikes without rebound, the leg gives way, and what is left of the motion after 0.6 s is to be least:
gradient descent on ln(damping), by the derivative of the run through the landing.
"""
import numpy as np

import routh

HOPPER = """routh: 1
dimension: planar
surfaces: {rubber: {friction: 0.8, restitution: 0}}
world: {shapes: {ground: {kind: half_space, surface: rubber}}}
bodies:
  trunk: {mass: 8, inertia: 0.1, joint: {kind: prismatic, axis: [0, 1]}}
  foot: {mass: 0.5, inertia: 0.001, joint: {kind: prismatic, parent: trunk, axis: [0, 1], at: [0, -0.5],
         drive: {position: 0, stiffness: 1500, damping: 60}}, shapes: {sole: {kind: point, surface: rubber}}}
state: {position: {trunk: 0.8}}
"""
gain = "joints.foot.drive.damping"
what = ["final.position.trunk", "final.velocity.trunk"]
rest = 0.5 - 8 * 9.81 / 1500  # [m] where the drive bears the trunk
weight = np.array([np.sqrt(1500), np.sqrt(8)])  # energies: k y²/2, m v²/2

model = routh.Model.from_yaml(HOPPER)
damping = 60.0  # [N s/m]
for step in range(60):
    value, change = routh.jvp(model, what, gain, damping, 1.0, until=0.6)
    left = weight * (value - [rest, 0])
    slope = damping * float(left @ (weight * change))  # of the energy that is left, by ln(damping)
    if step == 0:
        first = left @ left / 2
    if abs(slope) < 1e-6 * first:
        break
    damping *= np.exp(-np.clip(slope / float(np.sum((damping * weight * change)**2)), -0.5, 0.5))

print(f"damping {damping:.3f} N s/m after {step} steps: energy left {first:.4f} J -> {left @ left / 2:.2e} J")
# It is the least: a little more or less leaves more.
for other in (0.98, 1.02):
    value = routh.gradient(model, what, gain, until=0.6, at=other * damping).value
    miss = weight * (value - [rest, 0])
    assert miss @ miss > left @ left
