"""hold against differences of simulations, statics by hand, and simulations with the torques it advises."""
import math

import numpy as np
import pytest

import routh

MOMENT = 1e-7  # [s] into a run, so that its forces are those of the state


@pytest.fixture
def scenes(examples):
    return examples / "hold"


def forces_with(model, effort):
    """Contact forces a moment into a run with a generalised force besides: contacts × (n, t1)."""
    simulator = routh.Simulator(model)
    simulator.force = effort
    simulator.advance(MOMENT)
    return np.array([contact.force for contact in simulator.contacts])


def test_rates_of_a_slide_are_differences_of_the_simulation(scenes):
    text = (scenes / "liu_case5.yaml").read_text(encoding="utf-8")
    model = routh.Model.from_yaml(text.replace("damping: 0.1}", "damping: 0.1, effort: 2}", 1))  # pressed by it
    hold = routh.hold(model, efforts=["upper", "lower"])
    assert hold.verdict == "slides" and hold.contacts[0]["mode"] == "slip"
    h = 1e-2
    for k in range(2):
        unit = h * np.eye(2)[k]
        slope = (forces_with(model, unit) - forces_with(model, -unit)) / (2 * h)
        np.testing.assert_allclose(hold.force_rates[:, :, k], slope, atol=1e-5 * abs(slope).max())
        assert hold.force_rates[0, 0, k] == pytest.approx(
            -hold.acceleration_rates[0, 0, k] / hold.contacts[0]["A"], rel=1e-9)  # λ_n = −B/A


def test_rates_of_a_stick_are_differences_of_the_simulation(scenes):
    text = (scenes / "liu_case5.yaml").read_text(encoding="utf-8")
    text = text.replace("belt: {velocity: [0.1, 0]}", "belt: {velocity: [0, 0]}").partition("  velocity:")[0]
    model = routh.Model.from_yaml(text.replace("damping: 0.1}", "damping: 0.1, effort: 2}", 1))
    hold = routh.hold(model, efforts=["upper", "lower"])
    assert hold.contacts[0]["mode"] == "stick"
    h = 1e-3
    for k in range(2):
        unit = h * np.eye(2)[k]
        up, down = forces_with(model, unit)[0], forces_with(model, -unit)[0]
        slope = (up - down) / (2 * h)
        np.testing.assert_allclose(hold.force_rates[0, :, k], slope, atol=1e-5 * abs(slope).max())
        demand = (abs(up[1]) / up[0] - abs(down[1]) / down[0]) / (2 * h)
        assert hold.contacts[0]["friction_rates"][k] == pytest.approx(demand, abs=1e-4)


def test_case_5_is_cured_and_case_4_can_only_let_go(examples, scenes):
    cured = routh.hold(routh.Model.from_file(scenes / "liu_case5.yaml"))
    assert cured.outcome == "found" and cured.after == "slides"
    (force,) = cured.force
    assert force[0] == pytest.approx(cured.data["normal_force"], rel=1e-9)
    # The least change is along ∂B/∂τ, and as long as it takes: λ_n = −(B + ∂B/∂τ·Δτ)/A.
    gradient, contact = cured.acceleration_rates[0, 0], cured.contacts[0]
    expected = -(contact["A"] * cured.data["normal_force"] + contact["B"]) * gradient / (gradient @ gradient)
    np.testing.assert_allclose([cured.change["upper"], cured.change["lower"]], expected, rtol=1e-9)
    jam = routh.hold(routh.Model.from_file(examples / "liu_arm.yaml"))
    assert jam.verdict == "jams" and jam.outcome == "not unique" and jam.change is None
    assert jam.contacts[0]["A"] < 0 and "which no effort changes" in str(jam)
    assert jam.let_go is not None and jam.data["let_go"]["after"] == "lets go"
    # Whatever the torques: A is the same, and the slide never the only answer.
    arm = (examples / "liu_arm.yaml").read_text(encoding="utf-8")
    rng = np.random.default_rng(28)
    for _ in range(20):
        one, two = rng.normal(0, 50, 2)
        text = arm.replace("damping: 2}", f"damping: 2, effort: {one:.6f}}}", 1)
        text = text.replace("      damping: 2\n", f"      damping: 2\n      effort: {two:.6f}\n", 1)
        other = routh.hold(routh.Model.from_yaml(text), efforts=["upper", "lower"])
        assert other.contacts[0]["A"] == pytest.approx(jam.contacts[0]["A"], rel=1e-9)
        assert other.verdict in ("jams", "lets go") and other.verdict == ("jams" if other.contacts[0]["B"] < 0 else "lets go")


def test_gripper(scenes):
    model = routh.Model.from_file(scenes / "gripper.yaml")
    hold = routh.hold(model, normal_force=0)
    needed = 2 * 9.81 / (2 * 0.4) - 15
    assert hold.change == pytest.approx({"left": needed, "right": -needed})
    assert hold.alone["left"][0] == pytest.approx(6 * needed) and hold.alone["left"][1] == math.inf
    # By prices: both press alike whatever they cost, else the box would be carried away with the cheaper.
    dear = routh.hold(model, normal_force=0, reserve=0.2, limits={"right": (None, 0)})
    assert dear.change["left"] == pytest.approx(2 * 9.81 / (2 * 0.4 * 0.8) - 15)
    assert routh.hold(model, limits={"left": (0, 1), "right": (-1, 0)}).outcome == "limited"
    at = routh.hold(model, limits={"left": (needed + 1, needed + 1), "right": (-needed - 1, -needed - 1)})
    assert at.outcome == "found" and at.after in ("must hold", "can hold")


def test_gripper_in_a_simulation(scenes):
    text = (scenes / "gripper.yaml").read_text(encoding="utf-8")
    for share, slips in ((1.001, False), (0.98, True)):
        press = 15 + share * (2 * 9.81 / 0.8 - 15)
        run = routh.simulate(routh.Model.from_yaml(text.replace("effort: 15", f"effort: {press}")
                                                   .replace("effort: -15", f"effort: {-press}")), until=0.1)
        assert (abs(run.v[-1][3]) > 1e-6) == slips


def pressures(torque, mass=60, height=0.9, inertia=8, lean=-math.radians(3), g=9.81):
    """N of heel and toe and the friction both take, with the foot at rest under what the leg exerts on it."""
    x = -height * math.sin(lean)
    turn = (torque - mass * g * x) / (inertia + mass * height**2)
    fx, fy = -mass * turn * height * math.cos(lean), mass * (g - turn * height * math.sin(lean))  # on the leg
    foot, ankle_above_ground = 1.5, 0.08
    weight = foot * g + fy
    moment = torque + 0.03 * foot * g - ankle_above_ground * fx  # of heel and toe about the ankle
    toe = (moment + 0.07 * weight) / 0.25
    return weight - toe, toe, abs(fx)


def test_foot(scenes):
    model = routh.Model.from_file(scenes / "foot.yaml")
    hold = routh.hold(model, normal_force=0)
    assert hold.verdict in ("tips", "slides") and hold.efforts == ["leg"]
    low, high = (200 + end for end in hold.alone["leg"])
    heel, toe, friction = pressures(high)
    assert min(heel, toe) == pytest.approx(0, abs=1e-7) or friction == pytest.approx(0.6 * (heel + toe))
    heel, toe, friction = pressures(low)
    assert min(heel, toe) == pytest.approx(0, abs=1e-7) or friction == pytest.approx(0.6 * (heel + toe))
    for torque in np.linspace(low, high, 9)[1:-1]:
        heel, toe, friction = pressures(torque)
        assert heel > 0 and toe > 0 and friction < 0.6 * (heel + toe)
    assert hold.change["leg"] == pytest.approx(high - 200 if high < 200 else low - 200)
    # The forces of heel and toe with the least change, to the force that is kept.
    kept = routh.hold(model, normal_force=25)
    heel, toe, _ = pressures(200 + kept.change["leg"])
    assert min(heel, toe) == pytest.approx(25)
    np.testing.assert_allclose(sorted(kept.force[:, 0]), sorted([heel, toe]), rtol=1e-9)


def test_forces_of_a_scene_are_efforts_too(scenes):
    text = (scenes / "foot.yaml").read_text(encoding="utf-8")
    model = routh.Model.from_yaml(text + "forces:\n  push: {body: leg, at: [0, 0.9], force: [10, 0]}\n")
    both = routh.hold(model, efforts=["push", "leg"], normal_force=5)
    assert both.units == ["", "N m"] and both.efforts == ["push", "leg"]
    h = 1e-3
    more = routh.Model.from_yaml(text + f"forces:\n  push: {{body: leg, at: [0, 0.9], force: [{10 + 10 * h}, 0]}}\n")
    # In all the same force, of which there is more already.
    change = both.data["hold"]["change"]
    limits = {"leg": (change[1], change[1])}
    again = routh.hold(more, efforts=["push", "leg"], limits=limits, normal_force=5)
    alone = routh.hold(model, efforts=["push", "leg"], limits=limits, normal_force=5)
    assert (10 + 10 * h) * (1 + again.change["push"]) == pytest.approx(10 * (1 + alone.change["push"]), rel=1e-9)


def test_nothing_rests(examples):
    hold = routh.hold(routh.Model.from_file(examples / "superball.yaml"), efforts=["ball.x"])
    assert hold.verdict is None and hold.change is None and "Nothing rests" in str(hold)
    assert repr(hold) == "<Hold: nothing rests>" and hold.force_rates is None


def test_mistakes(scenes):
    model = routh.Model.from_file(scenes / "gripper.yaml")
    with pytest.raises(routh.InputError, match="unknown effort 'lefd'.*did you mean 'left'"):
        routh.hold(model, efforts=["lefd"])
    with pytest.raises(routh.InputError, match="named twice"):
        routh.hold(model, efforts=["left", "left"])
    with pytest.raises(routh.InputError, match="lower must not exceed"):
        routh.hold(model, limits={"left": (2, 1)})
    with pytest.raises(routh.InputError, match="prices are greater than 0"):
        routh.hold(model, prices={"left": 0})
    with pytest.raises(routh.InputError, match="reserve"):
        routh.hold(model, reserve=1)
    with pytest.raises(routh.InputError, match="NaN"):
        routh.hold(model, prices={"left": float("nan")})
    with pytest.raises(routh.InputError):
        routh.hold(model, normal_force=-1)
    with pytest.raises(TypeError):
        routh.hold(model, efforts="left")
    with pytest.raises(TypeError):
        routh.hold(None)
