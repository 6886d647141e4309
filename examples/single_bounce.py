"""One elastic bounce, the task on which differentiable engines disagree, and the optimum that is known for it.

A ball of radius r flies from (-1, 1) m with (2, -2) m/s without gravity and bounces off the floor. Its height after T is
y(T) = 2 r - y0 - vy T, so that the gradient is -1 by the start and -T by the speed
[Y. D. Zhong, J. Han, G. O. Brikis, Differentiable Physics Simulations with Contacts, 2022, task 1].
The least of w vy²/2 + (y(T) - h)²/2 is then at vy = T (2 r - y0 - h)/(w + T²).
"""
import numpy as np

import routh

SCENE = """routh: 1
dimension: planar
gravity: [0, 0]
surfaces: {s: {friction: 0, restitution: 1}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies: {ball: {mass: 1, inertia: 0.004, joint: {kind: planar}, shapes: {skin: {kind: sphere, radius: 0.1, surface: s}}}}
state: {position: {ball: [-1, 1, 0]}, velocity: {ball: [2, -2, 0]}}
"""
T, r, y0, h, w = 1.0, 0.1, 1.0, 0.6, 0.1
model = routh.Model.from_yaml(SCENE)

found = routh.gradient(model, "final.position.ball.y", ["state.position.ball.y", "state.velocity.ball.y"], until=T)
print(f"height {found.value:.6f} m, gradient {found.derivative.round(9)}, exactly [-1, {-T:g}]")
assert np.abs(found.derivative - [-1, -T]).max() < 1e-9

speed = -2.0
for step in range(100):
    value, pull = routh.vjp(model, "final.position.ball.y", "state.velocity.ball.y", speed, until=T)
    slope = w * speed + float(pull(value - h)[0])
    if abs(slope) < 1e-9:
        break
    speed -= 0.8 * slope
best = T * (2 * r - y0 - h) / (w + T**2)
print(f"least cost at {speed:.9f} m/s after {step} steps, exactly {best:.9f} m/s")
assert abs(speed - best) < 1e-8
