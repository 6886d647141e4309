"""gradient against closed forms, and at work: a ball thrown into a cup through two bounces."""
import math

import numpy as np
import pytest

import routh

BALL = """routh: 1
dimension: planar
surfaces: {{s: {{friction: 0.3, restitution: 0.7}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
bodies: {{ball: {{mass: 2, inertia: 0.008, joint: {{kind: planar}},
               shapes: {{b: {{kind: sphere, radius: 0.1, surface: s}}}}}}}}
state: {{position: {{ball: [0, 0.9, 0]}}, velocity: {{ball: [{vx!r}, {vy!r}, 0]}}}}
"""


def thrown(vx, vy):
    return routh.Model.from_yaml(BALL.format(vx=vx, vy=vy))


def test_time_of_the_last_bounce():
    h, e, g = 0.8, 0.7, 9.81
    found = routh.gradient(thrown(0.0, 0.0), "events.zeno.last", ["surfaces.s.restitution", "gravity[1]"], until=6)
    first = math.sqrt(2 * h / g)
    assert found.exists and found.difference is None and found.wrt == ["surfaces.s.restitution", "gravity[1]"]
    assert found.value == pytest.approx(first * (1 + e) / (1 - e), abs=1e-6)
    assert found.derivative == pytest.approx([2 * first / (1 - e)**2, found.value / (2 * g)], rel=1e-6)


def height_after_two_bounces(vy, t, h=0.8, e=0.7, g=9.81):
    down = math.sqrt(vy**2 + 2 * g * h)
    late = t - (vy + down) / g - 2 * e * down / g  # since the second bounce
    return 0.1 + e**2 * down * late - g * late**2 / 2


def test_ball_into_a_cup_by_newton():
    # Thrown so that it is at (2.2, 0.25) at 1.3 s, after two bounces.
    cup = np.array([2.2, 0.25])
    throw = np.array([1.0, 0.0])
    wrt = ["state.velocity.ball.x", "state.velocity.ball.y"]
    for _ in range(10):
        model = thrown(float(throw[0]), float(throw[1]))
        found = [routh.gradient(model, f"final.position.ball.{axis}", wrt, until=1.3) for axis in "xy"]
        assert all(each.exists for each in found)
        miss = np.array([each.value for each in found]) - cup
        if np.abs(miss).max() < 1e-9:
            break
        throw = throw - np.linalg.solve(np.array([each.derivative for each in found]), miss)
    assert np.abs(miss).max() < 1e-9
    assert height_after_two_bounces(throw[1], 1.3) == pytest.approx(cup[1], abs=1e-8)
    run = routh.simulate(thrown(float(throw[0]), float(throw[1])), until=1.3)
    assert sum(event.kind == "impact" for event in run.events) == 2
    assert run.q[-1][:2] == pytest.approx(cup, abs=1e-8)


def test_refusals():
    with pytest.raises(routh.InputError, match="no derivative"):
        routh.gradient(thrown(1.0, 0.0), "energy.dissipated", "gravity[1]", until=1)
    with pytest.raises(routh.InputError, match="no number"):
        routh.gradient(thrown(1.0, 0.0), "time", [], until=1)
    with pytest.raises(routh.InputError, match="until"):
        routh.gradient(thrown(1.0, 0.0), "time", "gravity[1]", until=-1)
