"""Derivatives of impacts: closed forms, differences of whole answers, and batches as one by one."""
import numpy as np
import pytest
from conftest import random_spd, scaled

import routh

LAWS = ["energetic", "poisson", "newton", "unified", "classical"]


def test_a_ball_without_friction_has_its_closed_form():
    """A ball of mass 4 kg and gyration r²/k² = 2.5: D = diag(1, 3.5)/4, i_n = −(1 + e) v_n m."""
    r = routh.impact(delassus=[[0.25, 0], [0, 0.875]], contact_velocity=[-3, 5], friction=0, restitution=0.8,
                     derivatives=True)
    d = r.derivatives
    assert d.status is routh.DerivativeStatus.exact and d.border is routh.DerivativeBorder.none
    assert 0 < d.validity <= 1 and d.velocity is None
    assert d.jacobian.shape == (len(d.outputs), len(d.inputs))
    assert d["impulse_n", "v_n"] == pytest.approx(-1.8 * 4, rel=1e-14)
    assert d["impulse_n", "a"] == pytest.approx(1.8 * -3 * 4**2, rel=1e-14)
    assert d["impulse_n", "restitution"] == pytest.approx(3 * 4, rel=1e-14)
    assert d["impulse_n", "surface_n"] == pytest.approx(1.8 * 4, rel=1e-14)
    assert d["velocity_n", "v_n"] == pytest.approx(-0.8, rel=1e-14)
    assert d["velocity_t1", "v_t1"] == pytest.approx(1, rel=1e-14)
    assert d["velocity_t1", "kinetic_friction"] == pytest.approx(-0.875 * 1.8 * 3 * 4, rel=1e-14)
    assert d["change", "restitution"] == pytest.approx(0.8 * 9 * 4, rel=1e-14)
    index = d.outputs.index("impulse_n"), d.inputs.index("v_n")
    assert d.jacobian[index] == d["impulse_n", "v_n"]
    assert "exact" in repr(d)


def test_a_sliding_strike_with_coupling_has_its_closed_form():
    """Slip forward to the end: i_n = −(1 + e) v_n / (a − μ c), i_t = −μ i_n, energetic and poisson and newton alike."""
    a, c, b, mu, e, v_n = 2.0, 0.5, 3.0, 0.2, 0.6, -1.5
    for law in LAWS[:3]:
        d = routh.impact([[a, c], [c, b]], [v_n, 50], mu, e, law, derivatives=True).derivatives
        rate = a - mu * c
        impulse = -(1 + e) * v_n / rate
        expected = {"a": -impulse / rate, "c1": mu * impulse / rate, "b11": 0, "v_n": -(1 + e) / rate, "v_t1": 0,
                    "kinetic_friction": c * impulse / rate, "restitution": -v_n / rate}
        for name, value in expected.items():
            assert d["impulse_n", name] == pytest.approx(value, rel=1e-13, abs=1e-14), (law, name)
            by_mu = impulse if name == "kinetic_friction" else 0
            assert d["impulse_t1", name] == pytest.approx(-mu * value - by_mu, rel=1e-13, abs=1e-14), (law, name)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", [2, 3])
def test_velocities_of_a_machine_by_differences(rng, law, rows):
    judged = 0
    for _ in range(scaled(24, 12)):
        mass, jacobian, bilateral = random_spd(rng, 5), rng.normal(size=(rows, 5)), rng.normal(size=(1, 5))
        allowed = np.eye(5) - np.linalg.pinv(bilateral) @ bilateral  # motions of the loop
        velocity = allowed @ rng.normal(size=5)

        def solve(v, **more):
            return routh.impact(mass_matrix=mass, jacobian=jacobian, velocity=v, bilateral=bilateral, friction=0.4,
                                restitution=0.6, law=law, **more)

        result = solve(velocity, derivatives=True)
        d = result.derivatives
        if not result.ok or d.status != routh.DerivativeStatus.exact or d.validity < 1e-2:
            continue
        judged += 1
        w = allowed @ rng.normal(size=5)
        w *= np.linalg.norm(velocity) / np.linalg.norm(w)
        h = 1e-4 * d.validity
        expected = (solve(velocity + h * w).velocity - solve(velocity - h * w).velocity) / (2 * h)
        np.testing.assert_allclose(d.velocity @ w, expected, rtol=1e-5, atol=1e-5 * np.linalg.norm(expected))
    assert judged >= 3


@pytest.mark.parametrize("law", LAWS)
def test_a_batch_is_one_by_one(rng, law):
    shape = (scaled(8, 3), 2)
    mass, jacobian = random_spd(rng, 4), rng.normal(size=(*shape, 3, 4))
    velocity, e = rng.normal(size=(*shape, 4)), rng.uniform(size=shape)
    arguments = {"mass_matrix": mass, "friction": 0.5, "law": law, "derivatives": True}
    batch = routh.impact(jacobian=jacobian, velocity=velocity, restitution=e, **arguments)
    d = batch.derivatives
    assert d.jacobian.shape == (*shape, len(d.outputs), len(d.inputs)) and d.velocity.shape == (*shape, 4, 4)
    for k in np.ndindex(shape):
        one = routh.impact(jacobian=jacobian[k], velocity=velocity[k], restitution=e[k], **arguments).derivatives
        for name in ("jacobian", "velocity", "validity", "compression_speed", "status", "border"):
            np.testing.assert_array_equal(getattr(d, name)[k], getattr(one, name), err_msg=name)
            np.testing.assert_array_equal(getattr(batch[k].derivatives, name), getattr(one, name), err_msg=name)
        assert d["impulse_n", "v_n"][k] == one["impulse_n", "v_n"]
    np.testing.assert_array_equal(batch[..., 1].derivatives.velocity, d.velocity[:, 1])
    np.testing.assert_array_equal(batch[1:].derivatives.status, d.status[1:])


def test_restitution_of_a_table_and_of_speed():
    D, v, h = [[2, 0], [0, 2]], np.array([-0.75, 5]), 1e-6
    d = routh.impact(D, v, 0.1, {"table": [[0.5, 0.8], [1.5, 0.4]]}, derivatives=True).derivatives
    assert (d.table_point, d.table_share, d.compression_speed) == (0, 0.25, 0.75)
    up, down = (routh.impact(D, v, 0.1, {"table": [[0.5, 0.8], [1.5, 0.4 + s]]}).impulse[0] for s in (h, -h))
    assert d["impulse_n", "restitution"] * d.table_share == pytest.approx((up - down) / (2 * h), rel=1e-8)
    d = routh.impact(D, v, 0.1, {"alpha": 0.2}, derivatives=True).derivatives
    up, down = (routh.impact(D, v, 0.1, {"alpha": 0.2 + s}).impulse[0] for s in (h, -h))
    assert -d.compression_speed * d["impulse_n", "restitution"] == pytest.approx((up - down) / (2 * h), rel=1e-8)


def test_where_there_are_none():
    D = np.array([[2.0, 0], [0, 2]])
    assert routh.impact(D, [-1, 0.5], 0.1, 0.5).derivatives is None
    d = routh.impact(D, [[0, 1], [-1, 1], [np.nan, 1]], 0.1, 0.5, derivatives=True, invalid="keep").derivatives
    words = [routh.DerivativeBorder(k).name for k in d.border]
    assert words == ["grazing", "none", "no_answer"]
    assert [routh.DerivativeStatus(k).name for k in d.status] == ["one_sided", "exact", "none"]
    assert not d.jacobian[2].any() and np.isfinite(d.jacobian).all() and d.validity[2] == 0


def test_wrong_questions_are_refused():
    D = np.eye(2)
    d = routh.impact(D, [-1, 0.5], 0.1, 0.5, derivatives=True).derivatives
    with pytest.raises(routh.InputError, match="'speed' is no output of an impact"):
        d["speed", "v_n"]
    with pytest.raises(TypeError, match="an output and of an input"):
        d["velocity_n", "v_n", "a"]
    with pytest.raises(TypeError, match="derivatives"):
        routh.impact(D, [-1, 0.5], 0.1, 0.5, derivatives="yes")
    with pytest.raises(TypeError, match="without a rule"):
        routh.impact(mass_matrix=D, jacobian=[np.eye(2)], velocity=[-1, 0], friction=0, restitution=0,
                     rule="simultaneous", derivatives=True)
