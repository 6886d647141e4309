"""The dynamics against formulas for two rods, and against their own derivatives for a quadruped."""
import gc

import numpy as np
import pytest
from conftest import pendulum, scaled

import routh

G = 9.81


def two_rods(q, v):
    """M, h, energies of the double pendulum in relative angles; absolute ones are a = q1, b = q1 + q2."""
    a, b = q[0], q[0] + q[1]
    T = np.array([[1.0, 0.0], [1.0, 1.0]])  # relative to absolute
    M = np.array([[16.0, 6 * np.cos(b - a)], [6 * np.cos(b - a), 4.0]])
    w = T @ v
    h = np.array([-6 * np.sin(b - a) * w[1] ** 2 + 9 * G * np.sin(a), 6 * np.sin(b - a) * w[0] ** 2 + 3 * G * np.sin(b)])
    height = -3 * np.cos(a) - 3 * (2 * np.cos(a) + np.cos(b))
    return T.T @ M @ T, T.T @ h, 0.5 * w @ M @ w, G * height


def test_double_pendulum(rng):
    model = pendulum()
    data = model.create_data()
    for _ in range(scaled(50, 10)):
        q, v, a = rng.normal(size=(3, 2))
        M, h, kinetic, potential = two_rods(q, v)
        np.testing.assert_allclose(routh.mass_matrix(model, data, q), M, atol=1e-12)
        np.testing.assert_allclose(routh.bias(model, data, q, v), h, atol=1e-11)
        np.testing.assert_allclose(routh.gravity_force(model, data, q), two_rods(q, 0 * v)[1], atol=1e-11)
        np.testing.assert_allclose(routh.inverse_dynamics(model, data, q, v, a), M @ a + h, atol=1e-11)
        np.testing.assert_allclose(routh.forward_dynamics(model, data, q, v, M @ a + h), a, atol=1e-11)
        acceleration, multipliers = routh.acceleration(model, data, q, v)
        np.testing.assert_allclose(acceleration, np.linalg.solve(M, -h), atol=1e-11)
        assert multipliers.size == 0
        pushed, _ = routh.acceleration(model, data, q, v, force=[1.0, 2.0])
        np.testing.assert_allclose(pushed, np.linalg.solve(M, [1.0, 2.0] - h), atol=1e-11)
        np.testing.assert_allclose(routh.energy(model, data, q, v), (kinetic, potential), atol=1e-11)


def test_frames_and_jacobians_of_the_pendulum(rng):
    model = pendulum()
    data = model.create_data()
    q, v = rng.normal(size=(2, 2))
    a, b = q[0], q.sum()
    tip = np.array([2 * np.sin(a) + 2 * np.sin(b), -2 * np.cos(a) - 2 * np.cos(b), 0])
    pose = routh.body_pose(model, data, q, "lower")
    np.testing.assert_allclose((pose @ [0, -2, 0, 1])[:3], tip, atol=1e-12)
    np.testing.assert_allclose(routh.body_poses(model, data, q)[2], pose)
    np.testing.assert_array_equal(routh.body_poses(model, data, q)[0], np.eye(4))
    J = routh.point_jacobian(model, data, q, "lower", [0, -2])
    expected = np.array([[2 * np.cos(a) + 2 * np.cos(b), 2 * np.cos(b)], [2 * np.sin(a) + 2 * np.sin(b), 2 * np.sin(b)],
                         [0, 0]])
    np.testing.assert_allclose(J, expected, atol=1e-12)
    np.testing.assert_allclose(routh.angular_jacobian(model, data, q, 2), [[0, 0], [0, 0], [1, 1]], atol=1e-15)
    linear, angular = routh.point_velocity(model, data, q, v, "lower", [0, -2])
    np.testing.assert_allclose(linear, J @ v, atol=1e-12)
    np.testing.assert_allclose(angular, [0, 0, v.sum()], atol=1e-12)


def test_quadruped_is_consistent(rng, quadruped):
    """Equations that hold for any tree: M from inverse dynamics, momentum from Jacobians, energy from M."""
    data = quadruped.create_data()
    n = quadruped.velocities
    for _ in range(scaled(5, 2)):
        q = routh.integrate(quadruped, quadruped.state.q, rng.normal(size=n), 0.3)
        v, a = rng.normal(size=(2, n))
        M = routh.mass_matrix(quadruped, data, q).copy()
        h = routh.bias(quadruped, data, q, v)
        np.testing.assert_allclose(M, M.T, atol=1e-12)
        assert np.linalg.eigvalsh(M)[0] > 0
        tau = routh.inverse_dynamics(quadruped, data, q, v, a)
        np.testing.assert_allclose(tau, M @ a + h, atol=1e-9)
        np.testing.assert_allclose(routh.forward_dynamics(quadruped, data, q, v, tau), a, atol=1e-9)
        assert routh.energy(quadruped, data, q, v)[0] == pytest.approx(0.5 * v @ M @ v)
        linear, _ = routh.momentum(quadruped, data, q, v)
        np.testing.assert_allclose(linear, (M @ v)[:3], atol=1e-9)  # the base floats: its translation moves all
        # A Jacobian is the derivative of the pose.
        body, h_step = quadruped.bodies[-1], 1e-6
        J = routh.point_jacobian(quadruped, data, q, body, [0.1, 0.2, 0.3])
        places = [(routh.body_pose(quadruped, data, routh.integrate(quadruped, q, v, s), body) @ [0.1, 0.2, 0.3, 1])[:3]
                  for s in (-h_step, h_step)]
        np.testing.assert_allclose((places[1] - places[0]) / (2 * h_step), J @ v, atol=1e-7)
        np.testing.assert_allclose(routh.difference(quadruped, q, routh.integrate(quadruped, q, v, 0.1)), 0.1 * v, atol=1e-9)


def test_loops(examples, rng):
    model = routh.Model.from_file(examples / "four_bar.yaml")
    data, state = model.create_data(), model.state
    phi, A = routh.loops(model, data, state.q)
    assert A.shape == (model.loop_rows, model.velocities) == (2, 3)
    np.testing.assert_allclose(phi, 0, atol=1e-10)
    v = rng.normal(size=3)
    ahead, behind = (routh.loops(model, data, state.q + s * v)[0] for s in (1e-6, -1e-6))
    np.testing.assert_allclose((ahead - behind) / 2e-6, A @ v, atol=1e-7)
    acceleration, multipliers = routh.acceleration(model, data, state.q, state.v)
    M, h = routh.mass_matrix(model, data, state.q), routh.bias(model, data, state.q, state.v)
    tau = routh.applied_force(model, data, state.q, state.v)
    np.testing.assert_allclose(M @ acceleration + h, tau + A.T @ multipliers, atol=1e-9)


def test_springs_and_drives():
    machine = routh.ModelBuilder("planar")
    machine.gravity(0, 0)
    joint = machine.body("cart").mass(2).inertia(1).prismatic().axis(1, 0)
    joint.spring(10, rest=1).damping(3).effort([(0, 0), (2, 8)])
    model = machine.build()
    force = routh.applied_force(model, model.create_data(), [1.5], [0.25], time=1)
    np.testing.assert_allclose(force, [-10 * 0.5 - 3 * 0.25 + 4])


def test_views_are_views():
    model = pendulum()
    data = model.create_data()
    M = routh.mass_matrix(model, data, [0.0, 0.0])
    assert M is data.mass_matrix and not M.flags.owndata and not M.flags.writeable
    first = M.copy()
    routh.mass_matrix(model, data, [0.0, 1.0])
    assert not np.allclose(M, first)  # overwritten by the next call
    h = routh.bias(model, data, [0.3, 0.0], [1.0, 0.0])
    kept = h.copy()
    routh.inverse_dynamics(model, data, [0.3, 0.0], [1.0, 0.0], [5.0, 5.0])
    routh.gravity_force(model, data, [0.9, 0.0])
    np.testing.assert_array_equal(h, kept)  # each function has its own
    with pytest.raises(ValueError, match="read-only"):
        M[0, 0] = 1
    # Inputs may be views of the same memory.
    a = routh.forward_dynamics(model, data, [0.3, 0.2], [0.1, 0.2], h)
    b = routh.forward_dynamics(model, model.create_data(), [0.3, 0.2], a.copy(), a.copy()).copy()
    np.testing.assert_allclose(routh.forward_dynamics(model, data, [0.3, 0.2], a, a), b)


def test_arrays_outlive_their_owners():
    model = pendulum()
    data = model.create_data()
    M = routh.mass_matrix(model, data, [0.1, 0.2])
    kept = M.copy()
    state = model.state
    q = state.q
    q[:] = [1.0, 2.0]
    np.testing.assert_array_equal(state.q, [1.0, 2.0])
    del model, data, state
    gc.collect()
    junk = [np.random.default_rng(0).normal(size=(2, 2)) for _ in range(1000)]
    np.testing.assert_array_equal(M, kept)
    np.testing.assert_array_equal(q, [1.0, 2.0])
    assert junk
