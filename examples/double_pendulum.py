"""A machine in a few lines: Kane's double pendulum, from its bodies and joints to the impact of its tip.

The twin of double_pendulum.cpp."""
import numpy as np

import routh

first, second = np.radians([20, 30])
height = 2 * np.cos(first) + 2 * np.cos(second)

# Two uniform rods, 3 kg and 2 m each, and the ground just where the tip is.
machine = routh.ModelBuilder("planar", "Kane's double pendulum")
machine.surface("steel").friction(0.51, 0.5).restitution(0.7)
machine.body("upper").mass(3).com(0, -1).inertia(1).revolute("world").at(0, 0)
machine.body("lower").mass(3).com(0, -1).inertia(1).revolute("upper").at(0, -2)
machine.shape("tip").on("lower").point().at(0, -2).surface("steel")
machine.shape("ground").half_space().at(0, -height).surface("steel")
model = machine.build()

# Joint angles are relative: the rods stand at 20° and 30° from the vertical and turn at −0.1 and −0.2 rad/s.
state = routh.State(q=[first, second - first], v=[-0.1, -0.1])

for strike in routh.impact(model, state):
    result = strike.result
    print(f"{strike.contact.name}: {result.mode.name}, impulse {result.impulse[0]:.5f} N s, "
          f"energy {result.energy_change:+.5f} J")
    for name, before, after in zip(model.dof_names, state.v, result.velocity):
        print(f"  {name:6} {before:8.4f} -> {after:8.4f} rad/s")
