"""routh.impact over leading axes: the same bits as one by one."""
import numpy as np
import pytest
from conftest import pendulum, random_spd, scaled

import routh


def problems(rng, shape, size):
    root = rng.normal(size=(*shape, size, size))
    D = root @ np.swapaxes(root, -1, -2) + 0.05 * np.eye(size)
    v = rng.normal(size=(*shape, size))
    return 0.5 * (D + np.swapaxes(D, -1, -2)), v


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("law", ["energetic", "poisson", "newton", "unified", "classical"])
def test_batch_is_one_by_one(rng, size, law):
    shape = (scaled(40, 5), 3)
    D, v = problems(rng, shape, size)
    mu, e = rng.uniform(0, 1.2, size=shape), rng.uniform(size=shape)
    batch = routh.impact(D, v, (mu * 1.1, mu), e, law)
    assert batch.shape == shape and len(batch) == shape[0] and batch.law == law
    for k in np.ndindex(shape):
        one = routh.impact(D[k], v[k], (mu[k] * 1.1, mu[k]), e[k], law)
        for name in ("contact_velocity", "impulse", "restitution", "normal_work", "tangential_work", "supplied",
                     "energy_change", "mode", "status", "ok", "consistent"):
            np.testing.assert_array_equal(getattr(batch, name)[k], getattr(one, name), err_msg=name)
        assert tuple(n for b, n in enumerate(routh.warning_names) if batch.warnings[k] >> b & 1) == one.warnings


def test_broadcasting(rng):
    D, v = problems(rng, (7,), 2)
    e = np.linspace(0, 1, 4)[:, None]
    grid = routh.impact(D, v, 0.4, e)
    assert grid.shape == (4, 7) and grid.impulse.shape == (4, 7, 2) and grid.velocity is None
    for k in range(4):
        np.testing.assert_array_equal(grid.impulse[k], routh.impact(D, v, 0.4, e[k, 0]).impulse)
    one = routh.impact(D[0], v[0], np.linspace(0, 1, 5), 0.5)  # one contact, a sweep of friction
    assert one.shape == (5,)
    assert routh.impact(D[:1], v, 0.4, 0.2).shape == (7,)
    assert routh.impact(D[:0], v[:0], 0.4, 0.2).shape == (0,)
    moving = routh.impact(D, v, 0.4, 0.2, surface_velocity=[0.0, 1.0])
    np.testing.assert_array_equal(moving.impulse[2], routh.impact(D[2], v[2], 0.4, 0.2, surface_velocity=[0, 1]).impulse)


def test_orders_and_types(rng):
    D, v = problems(rng, (5,), 3)
    plain = routh.impact(D, v, 0.3, 0.5)
    strange = routh.impact(np.asfortranarray(D), v[::-1][::-1], np.float32(0.3).item(), 0.5)
    wide = np.zeros((5, 6))
    wide[:, ::2] = v
    np.testing.assert_allclose(strange.impulse, plain.impulse, rtol=1e-6)
    np.testing.assert_array_equal(routh.impact(D, wide[:, ::2], 0.3, 0.5).impulse, plain.impulse)
    np.testing.assert_array_equal(routh.impact(D.tolist(), v.tolist(), 0.3, 0.5).impulse, plain.impulse)
    np.testing.assert_array_equal(routh.impact(D.astype(">f8"), v, 0.3, 0.5).impulse, plain.impulse)


def test_machines(rng):
    n, count = 5, 9
    M = np.array([random_spd(rng, n, 0.5) for _ in range(count)])
    J, qd = rng.normal(size=(count, 3, n)), rng.normal(size=(count, n))
    batch = routh.impact(mass_matrix=M, jacobian=J, velocity=qd, friction=0.4, restitution=0.3)
    assert batch.velocity.shape == (count, n)
    for k in range(count):
        one = routh.impact(mass_matrix=M[k], jacobian=J[k], velocity=qd[k], friction=0.4, restitution=0.3)
        np.testing.assert_array_equal(batch.velocity[k], one.velocity)
        np.testing.assert_allclose(M[k] @ (one.velocity - qd[k]), J[k].T @ one.impulse, atol=1e-9)
    shared = routh.impact(mass_matrix=M[0], jacobian=J[0], velocity=qd, friction=0.4, restitution=0.3)
    np.testing.assert_array_equal(shared.velocity[0], batch.velocity[0])


def test_threads_give_the_same_bits(rng):
    D, v = problems(rng, (scaled(100_000, 40_000),), 2)
    one = routh.impact(D, v, 0.5, 0.5)
    for threads in (0, 2, 5):
        many = routh.impact(D, v, 0.5, 0.5, threads=threads)
        np.testing.assert_array_equal(one.impulse, many.impulse)
        np.testing.assert_array_equal(one.energy_change, many.energy_change)


def test_invalid_problems(rng):
    D, v = problems(rng, (3, 4), 2)
    D[1, 2, 0, 0] = -1
    with pytest.raises(routh.InputError, match=r"problem \[1, 2\]: delassus\[0\]\[0\]: -1 must be positive") as caught:
        routh.impact(D, v, 0.5, 0.5)
    assert "invalid='keep'" in caught.value.remedy
    batch = routh.impact(D, v, 0.5, 0.5, invalid="keep")
    assert batch.status[1, 2] == routh.Status.invalid and not batch.ok[1, 2]
    assert (batch.status == routh.Status.invalid).sum() == 1
    assert np.isfinite(batch.contact_velocity).all() and np.isfinite(batch.energy_change).all()
    v[0, 0, 1] = np.nan
    D[2, 3, 0, 1] += 0.1
    batch = routh.impact(D, v, 0.5, np.full((3, 4), 0.5), invalid="keep")
    assert [tuple(k) for k in np.argwhere(~batch.ok)] == [(0, 0), (1, 2), (2, 3)]
    assert np.isfinite(batch.contact_velocity).all() and np.isfinite(batch.impulse).all()


def test_many_states_of_a_machine(rng):
    """One contact at many postures, against M, J of each by hand."""
    model = pendulum()
    data = model.create_data()
    q = np.radians([20.0, 10.0]) + 0.3 * rng.normal(size=(4, 5, 2))
    v = rng.normal(size=(4, 5, 2))
    batch = routh.impact(model, q=q, v=v, contact="tip on ground")
    assert batch.shape == (4, 5) and batch.velocity.shape == (4, 5, 2) and batch.law == "energetic"
    for k in np.ndindex(4, 5):
        (contact,) = routh.find_contacts(model, data, q[k], margin=20)
        M, J = routh.mass_matrix(model, data, q[k]), routh.contact_jacobian(model, data, q[k], contact)
        hand = routh.impact(mass_matrix=M, jacobian=J, velocity=v[k], friction=(0.51, 0.5), restitution=0.7)
        np.testing.assert_allclose(batch.velocity[k], hand.velocity, atol=1e-9)
        np.testing.assert_allclose(batch.impulse[k], hand.impulse, atol=1e-9)
        assert batch.status[k] == hand.status
    nearest = routh.impact(model, q=q, v=v, law="poisson")
    assert nearest.law == "poisson"
    v[1, 2, 0] = np.nan
    kept = routh.impact(model, q=q, v=v)
    assert kept.status[1, 2] == routh.Status.invalid and (kept.status == routh.Status.invalid).sum() == 1
    assert routh.impact(model, q=q[:0], v=v[:0]).shape == (0, 5)
    for wrong, error in ((dict(q=q, v=v[0]), ValueError), (dict(q=q), TypeError), (dict(q=q, v=v[..., :1]), ValueError),
                         (dict(q=q, v=v, contact="foot"), ValueError), (dict(q=q[0, 0], v=v[0, 0]), ValueError),
                         (dict(q=q, v=v, state=model.state), TypeError), (dict(contact="tip on ground"), TypeError),
                         (dict(q=q, v=v, law="hooke"), ValueError), (dict(q=q * np.nan, v=v), ValueError)):
        with pytest.raises(error):
            routh.impact(model, **wrong)


def test_parts_of_a_batch():
    """Whatever NumPy picks from an array of the batch's shape, with all that belongs to it."""
    friction, restitution = np.linspace(0, 1, 4), np.linspace(0, 1, 3)[:, None]
    D, v = np.array([[1.0, 0.3], [0.3, 0.8]]), np.array([-1.0, 0.6])
    batch = routh.impact(D, v, friction, restitution)
    mask = np.arange(12).reshape(3, 4) % 5 == 0
    for key in (0, -1, (1, 2), slice(1, 3), (slice(None), 1), (..., 2), ([0, 2], [1, 3]), mask, (..., None), (2, ...)):
        part = batch[key]
        assert part.shape == batch.status[key].shape, key
        for name in ("status", "mode", "restitution", "energy_change", "normal_work", "ok", "consistent"):
            np.testing.assert_array_equal(getattr(part, name), getattr(batch, name)[key])
        for k in range(2):
            np.testing.assert_array_equal(part.impulse[..., k], batch.impulse[..., k][key])
            np.testing.assert_array_equal(part.contact_velocity[..., k], batch.contact_velocity[..., k][key])
    one, alone = batch[2, 1], routh.impact(D, v, friction[1], 1.0)
    np.testing.assert_array_equal(one.impulse, alone.impulse)
    assert one.shape == () and one.mode == alone.mode and float(one.energy_change) == alone.energy_change
    assert [len(row) for row in batch] == [4, 4, 4] and len(list(batch[0])) == 4
    for key in (3, (0, 4), (0, 0, 0)):
        with pytest.raises(IndexError):
            batch[key]
    for call in (len, iter):
        with pytest.raises(TypeError, match="single impact"):
            call(one)
    M = np.diag([2.0, 1.0])
    machine = routh.impact(mass_matrix=M, jacobian=np.eye(2), velocity=[v, 2 * v], friction=0.5, restitution=0.5)
    np.testing.assert_array_equal(machine[1].velocity, machine.velocity[1])
    assert batch[0].velocity is None
