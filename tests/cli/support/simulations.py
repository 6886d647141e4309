"""What the tests of `routh simulate` share: how it is asked, and scenes."""
import json

from support.program import SOURCE, run

BALL = SOURCE / "tests/data/scenes/good/bouncing_ball.yaml"
# A block that is pulled over the floor by a spring, sticks and slips, and is closed at every moment.
BLOCK = """
routh: 1
name: stick and slip
dimension: planar
surfaces: {wood: {friction: {static: 0.6, kinetic: 0.3}, restitution: 0}}
bodies:
  block:
    mass: 1
    inertia: 0.1
    joint: {kind: planar, dofs: {x: {drive: {stiffness: 20, damping: 0.1, velocity: 0.5,
      position: {table: [[0, 0], [10, 5]]}}}}}
    shapes: {block: {kind: box, size: [0.4, 0.2], surface: wood}}
world: {shapes: {floor: {kind: half_space}}}
state: {position: {block: [0, 0.1, 0]}}
"""
PENDULUM = """
routh: 1
dimension: planar
bodies:
  upper: {mass: 1, com: [0, -1], inertia: 0.1, joint: {kind: revolute}}
  lower: {mass: 1, com: [0, -1], inertia: 0.1, joint: {kind: revolute, parent: upper, at: [0, -1]}}
state: {position: {upper: 2, lower: 1}}
"""


def simulate(*arguments, **changes):
    return run("simulate", *arguments, **changes)


def as_json(*arguments):
    result = simulate(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)
