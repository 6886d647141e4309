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


PLACE = ["final.position.ball.x", "final.position.ball.y"]
THROW = ["state.velocity.ball.x", "state.velocity.ball.y", "surfaces.s.restitution", "gravity[1]"]
AT = [1.1, 0.2, 0.7, -9.81]


def test_products_with_the_derivative():
    # J t and Jᵀ w of a run through two bounces: a column for each number in closed form, by another thrown ball.
    model = thrown(0.3, 5.0)  # `at` stands in place of the numbers of the scene
    step = 1e-5

    def height(vy, e, g):
        return height_after_two_bounces(vy, 1.3, e=e, g=-g)

    vx, *others = AT
    slopes = [(height(*(np.array(others) + step * np.eye(3)[k])) - height(*(np.array(others) - step * np.eye(3)[k])))
              / (2 * step) for k in range(3)]
    value, pull = routh.vjp(model, PLACE, THROW, AT, until=1.3)
    assert value[1] == pytest.approx(height(*others), abs=1e-8)
    np.testing.assert_allclose(pull([0, 1]), [0, *slopes], atol=1e-7)
    tangent = [0.3, -0.2, 0.05, 1.1]
    again, change = routh.jvp(model, PLACE, THROW, AT, tangent, until=1.3)
    np.testing.assert_allclose(again, value, atol=1e-12)
    assert change[1] == pytest.approx(np.dot(slopes, tangent[1:]), abs=1e-7)
    weights = [0.4, -1.7]
    assert np.dot(weights, change) == pytest.approx(np.dot(pull(weights), tangent), abs=1e-9)
    # One expression: numbers in place of arrays; and no direction at all.
    number, alone = routh.vjp(model, PLACE[1], THROW, AT, until=1.3)
    assert isinstance(number, float) and alone(2.0) == pytest.approx(2 * pull([0, 1]), abs=1e-9)
    assert routh.jvp(model, PLACE[1], THROW, AT, [0, 0, 0, 0], until=1.3)[1] == 0


def test_several_expressions_at_once():
    model = thrown(1.1, 0.2)
    both = routh.gradient(model, PLACE, THROW[:3], until=1.3, differences=True)
    each = [routh.gradient(model, of, THROW[:3], until=1.3) for of in PLACE]
    assert both.derivative.shape == both.difference.shape == (2, 3)
    np.testing.assert_allclose(both.derivative, [one.derivative for one in each], atol=1e-12)
    np.testing.assert_allclose(both.derivative, both.difference, atol=1e-4)
    np.testing.assert_allclose(both.value, [one.value for one in each], atol=1e-12)


def test_simulate_with_sensitivities():
    # After one bounce: y = r + e w s − g s²/2, s = T − t_1 since the bounce, which is met with the speed w = g t_1.
    h, e, g, until = 0.8, 0.7, 9.81, 0.7
    model = thrown(5.0, 5.0)
    start = routh.State([0.0, 0.9, 0.0], [1.0, 0.0, 0.0])
    run = routh.simulate(model, until=until, state=start, sensitivities=["state", "surfaces.s.restitution"])
    found = run.sensitivity
    fall = math.sqrt(2 * h / g)
    w, s = g * fall, until - fall
    assert found.exists and found.wrt == ["state.position.ball.x", "state.position.ball.y", "state.position.ball.angle",
                                          "state.velocity.ball.x", "state.velocity.ball.y", "state.velocity.ball.angle",
                                          "surfaces.s.restitution"]
    assert found.position.shape == found.velocity.shape == (3, 7)
    assert found.position[1, 6] == pytest.approx(w * s, abs=1e-8)
    later = 1 / w  # of the bounce, by the height: δt_1 = δh/w
    assert found.position[1, 1] == pytest.approx(e * g / w * s - (e * w - g * s) * later, abs=1e-8)
    assert found.event_kind == ["impact"] and found.event_known == [True]
    assert found.event_change[0, 1] == pytest.approx(later, abs=1e-8) and found.event_change[0, 6] == 0
    assert routh.simulate(model, until=0.1).sensitivity is None
    only = routh.simulate(model, until=until, state=start, sensitivities="gravity[1]").sensitivity
    assert only.wrt == ["gravity[1]"] and only.position.shape == (3, 1)
    # A number of the start, by its path or as a part of all of it.
    both = routh.simulate(model, until=until, state=start, sensitivities=["state.velocity.ball.y", "state"]).sensitivity
    np.testing.assert_allclose(both.position[:, 6], both.position[:, 4], atol=1e-9)


def test_no_derivative_is_an_exception():
    two = BALL.format(vx=0.0, vy=0.0).replace("0.9, 0", "0.1, 0").replace("velocity: {ball: [0.0, 0.0, 0]}",
                                                                         "velocity: {ball: [0.0, 0.0, 0]}, time: 0")
    with pytest.warns(routh.SimulationWarning, match="start_in_contact"):
        routh.jvp(routh.Model.from_yaml(two), PLACE, THROW[:1], None, [1.0], until=0.1)
    heap = routh.Model.from_yaml("""routh: 1
dimension: planar
surfaces: {s: {friction: 0.3, restitution: 0.5}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies:
""" + "".join(f"  b{k}: {{mass: 1, inertia: 0.01, joint: {{kind: planar}}, shapes: {{s{k}: {{kind: sphere, radius: 0.1, "
              f"surface: s}}}}}}\n" for k in range(6)) +
                                 "state: {position: {" + ", ".join(f"b{k}: [{0.01 * (k % 2)}, {0.15 + 0.21 * k}, 0]"
                                                                   for k in range(6)) + "}}\n")
    with pytest.raises(routh.DerivativeError, match="crowd") as caught:
        routh.vjp(heap, "final.position.b5.y", "gravity[1]", until=1)
    assert caught.value.notes[-1]["doubt"] == "crowd" and isinstance(caught.value, routh.Error)


def test_refusals_of_products():
    model = thrown(1.0, 0.0)
    with pytest.raises(routh.InputError, match="one for each"):
        routh.jvp(model, PLACE, THROW, AT, [1.0], until=1)
    with pytest.raises(routh.InputError, match="finite"):
        routh.vjp(model, PLACE, THROW, [math.nan, 0, 0, 0], until=1)
    with pytest.raises(routh.InputError, match="restitution"):
        routh.vjp(model, PLACE, ["surfaces.s.restitution"], [1.4], until=1)
    with pytest.raises(TypeError, match="tangent"):
        routh.jvp(model, PLACE, THROW, AT, np.eye(4), until=1)
    with pytest.raises(ValueError, match="cotangent"):
        routh.vjp(model, PLACE, THROW, AT, until=1)[1]([1.0])
    with pytest.raises(routh.InputError, match="of: no"):
        routh.gradient(model, [], THROW, until=1)
    with pytest.raises(routh.InputError, match="controller"):
        routh.simulate(model, until=1, controller=lambda state: [0, 0, 0], sensitivities=["state"])
