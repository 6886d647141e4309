"""routh.impact with matrices, one problem at a time."""
import math

import numpy as np
import oracle
import pytest
from conftest import random_spd, scaled

import routh

KANE = np.array([[0.33652, 0.50710], [0.50710, 0.81345]])
STRIKE = np.array([-0.26840, -0.53435])


@pytest.mark.parametrize("law", ["energetic", "poisson", "newton"])
def test_planar_against_the_oracle(rng, law):
    for _ in range(scaled(400, 40)):
        D = random_spd(rng, 2)
        v = np.array([-rng.uniform(0.1, 2), rng.normal()])
        mu_k = rng.uniform(0, 0.9 * D[0, 0] / (abs(D[0, 1]) + 1e-9))  # it does not jam
        mu_s, e = mu_k * rng.uniform(1, 1.3), rng.uniform()
        result = routh.impact(D, v, (mu_s, mu_k), e, law)
        after, impulse = oracle.planar(D, v, mu_s, mu_k, e, law)
        assert result.ok and result.law == law
        np.testing.assert_allclose(result.contact_velocity, after, atol=1e-9)
        np.testing.assert_allclose(result.impulse, impulse, atol=1e-9)


def test_spatial_against_the_oracle(rng):
    compared = 0
    for _ in range(scaled(5, 4)):
        D = np.diag([1.0, 1.0, 1.2]) + 0.1 * random_spd(rng, 3)
        v = np.array([-1.0, rng.uniform(3, 4), rng.uniform(-1, 1)])  # so fast that slip never stops
        mu, e = rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.9)
        result = routh.impact(D, v, mu, e)
        assert result.mode == routh.Mode.sliding
        np.testing.assert_allclose(result.contact_velocity, oracle.spatial(D, v, mu, e), atol=1e-9)
        compared += 1
    assert compared


def test_without_friction(rng):
    for _ in range(20):
        D, v, e = random_spd(rng, 3), rng.normal(size=3), rng.uniform()
        v[0] = -abs(v[0])
        result = routh.impact(delassus=D, contact_velocity=v, friction=0, restitution=e)
        impulse = -(1 + e) * v[0] / D[0, 0]
        np.testing.assert_allclose(result.contact_velocity, v + D[:, 0] * impulse, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(result.impulse, [impulse, 0, 0], atol=1e-12)
        assert result.normal_work == pytest.approx(-(1 - e * e) * v[0] ** 2 / (2 * D[0, 0]), abs=1e-12)


def test_ledger_and_certificate(rng):
    for _ in range(scaled(200, 40)):
        D, v = random_spd(rng, 3), rng.normal(size=3)
        surface = rng.normal(size=3) * [0, 1, 1]
        v[0] = -abs(v[0])
        r = routh.impact(D, v, rng.uniform(0, 1.5), rng.uniform(), surface_velocity=surface)
        assert r.consistent and r.normal_work + r.tangential_work <= 1e-12
        np.testing.assert_allclose(r.contact_velocity, v + D @ r.impulse, atol=1e-10)
        np.testing.assert_allclose(r.relative_velocity, r.contact_velocity - surface, atol=1e-12)
        change = 0.5 * r.impulse @ (v + r.contact_velocity)
        assert r.energy_change == pytest.approx(change, abs=1e-10)
        assert r.normal_work + r.tangential_work + r.supplied == pytest.approx(change, abs=1e-10)


def test_machine_and_contact_agree(rng):
    """M and J against D = J M⁻¹ Jᵀ, and against M Δq̇ = Jᵀ i."""
    for _ in range(scaled(50, 10)):
        n = rng.integers(3, 8)
        M, J, qd = random_spd(rng, n, 0.5), rng.normal(size=(3, n)), rng.normal(size=n)
        if (J @ qd)[0] > 0:
            qd = -qd
        D = J @ np.linalg.solve(M, J.T)
        machine = routh.impact(mass_matrix=M, jacobian=J, velocity=qd, friction=0.4, restitution=0.5)
        contact = routh.impact(D, J @ qd, 0.4, 0.5)
        np.testing.assert_allclose(machine.impulse, contact.impulse, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(machine.velocity, qd + np.linalg.solve(M, J.T @ machine.impulse), atol=1e-9)
        assert contact.velocity is None and contact.loop_impulse is None
        energy = [0.5 * u @ M @ u for u in (qd, machine.velocity)]
        assert machine.energy_change == pytest.approx(energy[1] - energy[0], abs=1e-9)


def test_bilateral_rows_hold(rng):
    n = 6
    M, J, A = random_spd(rng, n, 0.5), rng.normal(size=(2, n)), rng.normal(size=(2, n))
    qd = rng.normal(size=n)
    qd -= np.linalg.solve(M, A.T) @ np.linalg.solve(A @ np.linalg.solve(M, A.T), A @ qd)
    qd *= -np.sign((J @ qd)[0])
    r = routh.impact(mass_matrix=M, jacobian=J, velocity=qd, bilateral=A, friction=0.3, restitution=0.6)
    np.testing.assert_allclose(A @ r.velocity, 0, atol=1e-12)
    np.testing.assert_allclose(M @ (r.velocity - qd), J.T @ r.impulse + r.loop_impulse, atol=1e-10)
    np.testing.assert_allclose(r.loop_impulse, A.T @ r.multipliers, atol=1e-10)
    # Without them the same impulse acts as an external one.
    free = routh.impact(mass_matrix=M, jacobian=J, velocity=qd * 0, friction=0, restitution=0,
                        external_impulse=M @ np.linalg.solve(M, -J[0]))
    assert free.ok


def test_restitution_refers_to_the_velocity_before_an_external_impulse():
    for law in ("energetic", "poisson", "newton", "unified", "classical"):
        for normal, push, after in ((-1, -1, 0.5), (0, -1, 0), (-1, 1.5, 0.5), (-1, 4, 1), (0.25, -1, 0)):
            r = routh.impact(mass_matrix=np.diag([2.0, 1.0]), jacobian=np.eye(2), velocity=[normal, 0.3], friction=0,
                             restitution=0.5, external_impulse=[push, 0], law=law)
            np.testing.assert_allclose(r.velocity, [after, 0.3], atol=1e-14)
            assert r.consistent


def test_kane_by_every_law():
    """The README's table."""
    shown = {"energetic": (0.10005, 0.867), "poisson": (0.092276, 0.77327), "newton": (0.18788, 1.9256),
             "unified": (0.18788, 0.77327), "classical": (0.18788, 5.4995)}
    for law, (normal, impulse) in shown.items():
        r = routh.impact(KANE, STRIKE, friction=(0.51, 0.5), restitution=0.7, law=law)
        assert r.contact_velocity[0] == pytest.approx(normal, rel=2e-3)
        assert r.impulse[0] == pytest.approx(impulse, rel=2e-2)
    assert not r.consistent and r.warnings == ("energy_gain",) and r.energy_change > 0.4


def test_forms_of_friction_and_restitution():
    one = routh.impact(KANE, STRIKE, (0.51, 0.5), 0.7)
    for friction in ({"static": 0.51, "kinetic": 0.5}, (np.float64(0.51), np.array(0.5))):
        for restitution in ({"normal": 0.7}, {"table": [[0.0, 0.7]]}, np.array(0.7), {"table": [[0, 0.7], [9, 0.7]]}):
            r = routh.impact(KANE.tolist(), tuple(STRIKE), friction=friction, restitution=restitution)
            np.testing.assert_array_equal(r.impulse, one.impulse)
    assert routh.impact(KANE, STRIKE, 0.5, {"alpha": 0.5}).restitution == pytest.approx(1 - 0.5 * 0.2684)
    stick = routh.impact(np.eye(2), [-1, 0.5], math.inf, {"normal": 0.5, "tangential": 0.3}, law="unified")
    np.testing.assert_allclose(stick.contact_velocity, [0.5, -0.15])
    assert routh.impact(KANE.astype("f4"), STRIKE.astype("f4"), 1, 0).ok  # other numbers are converted


def test_phases_tell_the_way():
    r = routh.impact(KANE, STRIKE, (0.51, 0.5), 0.7)
    assert [p["kind"] for p in r.phases] == ["slip", "slip", "reversal"]
    assert r.phases[-1]["normal_impulse"] == pytest.approx(r.impulse[0])
    np.testing.assert_allclose(r.phases[-1]["contact_velocity"], r.contact_velocity)
    assert r.mode is routh.Mode.reverse_in_restitution and r.status is routh.Status.ok
    assert r.explanation == "solved"
    assert "reverse_in_restitution" in repr(r)


def test_separating_and_jammed():
    apart = routh.impact(KANE, [0.1, 0.2], 0.5, 0.5)
    assert apart.status == routh.Status.no_impact and not apart.impulse.any() and apart.ok
    slide = routh.impact(np.array([[1, 0.9], [0.9, 1]]), [0.0, 1.0], 2.0, 0, pressed=True)
    assert slide.impulse[0] > 0  # a tangential impact
    assert routh.impact(np.array([[1, 0.9], [0.9, 1]]), [0.0, 1.0], 2.0, 0).warnings == ("jams_if_pressed",)
    newton = routh.impact(np.array([[1, 0.9], [0.9, 1]]), [0.0, 1.0], 2.0, 0, "newton", pressed=True)
    assert newton.status == routh.Status.undefined and not newton.ok


def test_a_machine_beyond_the_range_of_numbers_is_as_before():
    result = routh.impact(mass_matrix=np.eye(2), jacobian=[[1, 0], [0, 0]], velocity=[-1, 0], friction=0.5,
                          restitution=0.5, surface_velocity=[0.25, 0.5], external_impulse=[0, 1e200])
    assert result.status == routh.Status.overflow
    assert result.restitution == 0.5
    np.testing.assert_array_equal(result.contact_velocity, [-1, 0])
    np.testing.assert_array_equal(result.relative_velocity, [-1.25, -0.5])
    np.testing.assert_array_equal(result.velocity, [-1, 0])


def test_numbers_of_the_increment():
    result = routh.impact(KANE, STRIKE, (0.51, 0.5), 0.7, "poisson")
    numbers = result.increment  # the digits are those of the paper, from its D of five digits
    assert numbers["first"]["kind"] == "slip" and numbers["last"]["kind"] == "reversal"
    expected = {"I_nh": 0.584738, "I_np": 0.454867, "I_nf": 0.773274}
    for key, value in expected.items():
        assert numbers[key] == pytest.approx(value, rel=2e-4)
    assert numbers["first"]["zeta"] == pytest.approx(1.69471, rel=2e-4)
    assert numbers["W_nc"] + numbers["W_nR"] == pytest.approx(result.normal_work, abs=1e-15)
    assert "L" not in numbers["first"]
    M, J = np.array([[4.0, 1.0], [1.0, 2.0]]), np.array([[1.0, 0.5], [0.2, 1.0]])
    machine = routh.impact(mass_matrix=M, jacobian=J, velocity=[-1.0, 0.3], friction=0.2, restitution=0.5)
    for end in ("first", "last"):
        each = machine.increment[end]
        np.testing.assert_allclose(each["L"], np.linalg.solve(M, J.T @ each["ratio"]), atol=1e-14)
    assert routh.impact(KANE, STRIKE, 0.5, 0.7, "unified").increment is None
    assert routh.impact(KANE, [1.0, 0.0], 0.5, 0.7).increment is None


def test_all_laws_are_a_table():
    contact = dict(delassus=[[1.6, 1.2], [1.2, 3.4]], contact_velocity=[-0.5, 2], friction=0.3, restitution=0.5)
    every = routh.impact(**contact, law="all")
    assert list(every) == list(routh.laws)
    for law, result in every.items():
        alone = routh.impact(**contact, law=law)
        assert (result.impulse == alone.impulse).all() and result.mode == alone.mode
    lines = repr(every).splitlines()
    assert len(lines) == 1 + len(every) and all(line.startswith(law) for line, law in zip(lines[1:], every))
    assert f"{every['poisson'].impulse[0]:.4g}" in lines[1 + list(every).index("poisson")]
    assert every._repr_html_().count("<tr>") == 1 + len(every)
    batch = routh.impact(**{**contact, "friction": [0.1, 0.2]}, law="all")
    assert batch["newton"].impulse.shape == (2, 2)
