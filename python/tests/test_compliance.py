"""Restitution from laws of contact force."""
import math

import numpy as np
import pytest

import routh

STEEL = {"young": 210e9, "poisson": 0.3, "yield": 1e9, "radius": 0.01, "mass": 0.032}
D = np.array([[1.6, 1.2], [1.2, 3.4]])


def test_thornton_by_its_formula():
    law = routh.ContactLaw({"thornton": STEEL})
    speeds = law.yield_speed * np.array([[1.5, 4.0], [20.0, 90.0]])
    impact = law.impact(speeds)
    u = law.yield_speed / speeds
    printed = np.sqrt(6 * math.sqrt(3) / 5 * (1 - u**2 / 6)) * (u / (u + 2 * np.sqrt(1.2 - u**2 / 5))) ** 0.25
    np.testing.assert_allclose(impact.restitution, printed, atol=1e-9)
    assert impact.duration.shape == (2, 2) and impact.in_range.all()
    assert law.kind == "thornton" and law.valid_speeds[0] == 0
    assert not law.impact(1.1 * law.valid_speeds[1]).in_range


def test_impact_takes_a_law():
    steel = {"thornton": STEEL, "tangential": 0.2}
    single = routh.impact(D, [-1.0, 2.0], 0.1, steel)
    e = routh.ContactLaw(steel).impact(1.0).restitution
    assert single.restitution == pytest.approx(e, abs=3e-6)
    batch = routh.impact(D, [[-1.0, 2.0], [-0.01, 2.0]], 0.1, {"thornton": STEEL})
    np.testing.assert_allclose(batch.restitution, [e, 1], atol=3e-6)
    # A spring and dashpot has one e at every speed: exp(-2 psi cot psi).
    psi = math.acos(0.25)
    spring = {"spring_dashpot": {"stiffness": 1e4, "damping": 0.5 * math.sqrt(1e4 * 0.5), "mass": 0.5}}
    assert routh.impact(D, [-1.0, 2.0], 0.1, spring).restitution == pytest.approx(math.exp(-2 * psi / math.tan(psi)))


def test_what_is_not_known_is_none():
    impact = routh.ContactLaw({"lankarani_nikravesh": {"restitution": 0.5}}).impact([1.0, 2.0])
    assert impact.duration is None and impact.peak_force is None
    assert impact.restitution[0] == impact.restitution[1] > 0.5


@pytest.mark.parametrize("law, words", [
    ({"thornton": {**STEEL, "poisson": 0.6}}, "poisson = 0.6"),
    ({"thornton": {**STEEL, "radius": [math.inf, math.inf]}}, "two planes"),
    ({"thornton": {**STEEL, "bulk": 1}}, "bulk"),
    ({"hertz": {"young": 1e9}}, "poisson"),
    ({"rubber": {}}, "rubber"),
    ({}, "one of"),
])
def test_what_cannot_be_is_refused(law, words):
    with pytest.raises(routh.InputError, match=words):
        routh.ContactLaw(law)
    if law and "rubber" not in law:
        with pytest.raises(routh.InputError, match=words):
            routh.impact(D, [-1.0, 2.0], 0.1, law)


def test_several_laws_or_bad_speeds_are_refused():
    with pytest.raises(routh.InputError):
        routh.impact(D, [-1.0, 2.0], 0.1, {"thornton": STEEL, "johnson": STEEL})
    with pytest.raises(routh.InputError):
        routh.impact(D, [-1.0, 2.0], 0.1, {"thornton": STEEL, "normal": 0.5})
    for speed in (0.0, -1.0, math.nan, math.inf, 1e300, 1e-300):
        with pytest.raises(routh.InputError, match="speed"):
            routh.ContactLaw({"thornton": STEEL}).impact(speed)
