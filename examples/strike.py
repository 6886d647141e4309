"""One impact from a machine's own matrices: Kane's double pendulum strikes the ground. The twin of strike.cpp."""
import numpy as np

import routh

# Two uniform rods, 3 kg and 2 m each, at 20° and 30° from the vertical.
first, second = np.radians([20, 30])
coupling = 6 * np.cos(second - first)
mass_matrix = np.array([[16, coupling], [coupling, 4]])
jacobian = 2 * np.array([[np.sin(first), np.sin(second)], [np.cos(first), np.cos(second)]])  # normal row first

for law in routh.laws:
    result = routh.impact(mass_matrix=mass_matrix, jacobian=jacobian, velocity=[-0.1, -0.2], friction=(0.51, 0.5),
                          restitution=0.7, law=law)
    first_rate, second_rate = result.velocity
    print(f"{law:10} {result.mode.name:24} velocity {first_rate:8.4f} {second_rate:8.4f} rad/s   "
          f"energy {result.energy_change:+.4f} J")
