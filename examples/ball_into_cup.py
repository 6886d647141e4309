"""A ball is thrown into a cup through two bounces: gradient descent on the run itself."""
import numpy as np

import routh

BALL = """routh: 1
dimension: planar
surfaces: {rubber: {friction: 0.3, restitution: 0.7}}
world: {shapes: {floor: {kind: half_space, surface: rubber}}}
bodies: {ball: {mass: 2, inertia: 0.008, joint: {kind: planar},
               shapes: {skin: {kind: sphere, radius: 0.1, surface: rubber}}}}
state: {position: {ball: [0, 0.9, 0]}}
"""
place = ["final.position.ball.x", "final.position.ball.y"]
throw = ["state.velocity.ball.x", "state.velocity.ball.y"]
cup, moment = np.array([2.2, 0.25]), 1.3  # [m], [s]

model = routh.Model.from_yaml(BALL)
speed = np.array([1.0, 0.0])
for step in range(200):
    value, pull = routh.vjp(model, place, throw, speed, until=moment)
    miss = value - cup
    if np.abs(miss).max() < 1e-6:
        break
    if step == 0:  # two speeds: half of 1/‖∂place/∂speed‖² for each cannot overshoot
        rate = 0.5 / np.sum(np.array([pull([1, 0]), pull([0, 1])])**2, axis=0)
    speed = speed - rate * pull(miss)  # down the gradient of |miss|²/2

state = routh.State(model.state.q, [*speed, 0.0])
run = routh.simulate(model, until=moment, state=state)
bounces = sum(event.kind == "impact" for event in run.events)
print(f"thrown with ({speed[0]:.4f}, {speed[1]:.4f}) m/s after {step} steps: "
      f"{bounces} bounces, at ({run.q[-1, 0]:.6f}, {run.q[-1, 1]:.6f}) m")
assert bounces == 2 and np.abs(run.q[-1, :2] - cup).max() < 1e-5
