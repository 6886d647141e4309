"""project against the paper's formulas in NumPy, and against the machine's own equations."""
import numpy as np
import pytest

import routh

E = (0.2, 0.5, 0.6, 0.8)
TABLE = dict(mass_matrix=np.diag([10.0, 1, 1]), velocity=[-1, 0.2, -0.1], restitution=E,
             unilateral=[[1, 0.5, 0.5], [1, 0.5, -0.5], [1, -0.5, -0.5], [1, -0.5, 0.5]])


def test_a_table_on_four_legs():
    got = routh.project(**TABLE, force=[-98.1, 0, 0], nu=2.0)
    M, A, v = TABLE["mass_matrix"], np.array(TABLE["unilateral"]), np.array(TABLE["velocity"])
    P = np.eye(3) - np.linalg.pinv(A) @ A
    M_c = P @ M @ P + 2.0 * (np.eye(3) - P)
    S = np.eye(3) - np.linalg.inv(M_c) @ P @ M
    np.testing.assert_allclose(got.P, P, atol=1e-12)
    np.testing.assert_allclose(got.M_c, M_c, atol=1e-12)
    np.testing.assert_allclose(got.S, S, atol=1e-12)
    np.testing.assert_allclose(got.R @ got.R, np.eye(3), atol=1e-12)
    assert (got.rank, got.rows, got.multipliers_unique) == (3, 4, False)
    after = v - S @ (np.linalg.pinv(A) @ np.diag(E) @ A + np.eye(3)) @ v
    np.testing.assert_allclose(got.velocity_after, after, atol=1e-12)
    assert got.ratio == pytest.approx(after @ M @ after / (v @ M @ v))
    np.testing.assert_allclose(got.multipliers, np.full(4, 98.1 / 4), atol=1e-10)
    np.testing.assert_allclose(A.T @ got.multipliers, got.constraint_force, atol=1e-10)
    np.testing.assert_allclose(got.acceleration, 0, atol=1e-10)
    G = S @ np.linalg.pinv(A)
    Q = G.T @ M @ G
    printed = np.linalg.eigvalsh(np.diag(E) @ Q @ np.diag(E) - Q)[-1]
    assert got.restitution["printed_eigenvalue"] == pytest.approx(printed, abs=1e-10)
    assert "rank 3 of 4" in repr(got) and "Rank 3 of 4 rows" in str(got)


def test_an_inconsistent_set_and_the_nearest_that_is_not():
    M = np.array([[1.0, 0.9], [0.9, 1.0]])
    got = routh.project(mass_matrix=M, unilateral=np.eye(2), restitution=[1.0, 0.0], velocity=[-1, -1])
    half = np.linalg.cholesky(M).T  # K = ½‖half q̇‖²

    def growth(e):
        return np.linalg.norm(half @ np.diag(e) @ np.linalg.inv(half), 2)

    assert not got.restitution["consistent"] and growth([1, 0]) > 1
    assert growth(np.array(got.restitution["nearest"])) <= 1 + 1e-6
    assert growth(got.restitution["largest_scaling"] * np.array([1.0, 0.0])) == pytest.approx(1, abs=1e-8)
    assert got.restitution["lmi_scaling"] == pytest.approx(got.restitution["largest_scaling"], abs=1e-5)


def test_the_motion_of_a_model_with_a_loop(examples):
    model = routh.Model.from_file(examples / "four_bar.yaml")
    run = routh.simulate(model, until=0.1)
    state = routh.State(run.q[-1], run.v[-1])
    got = routh.project(model, state)
    expected = routh.acceleration(model, model.create_data(), state.q, state.v)[0]
    np.testing.assert_allclose(got.acceleration, expected, rtol=1e-9, atol=1e-9)
    assert got.rows == 2 and got.row_names == ["pin (1)", "pin (2)"]
    low, high = got.nu_best
    assert low <= got.nu <= high and got.condition == pytest.approx(got.best_condition)
    assert routh.project(model, state, nu=10 * high).condition == pytest.approx(10 * got.best_condition)


def test_a_map_of_restitutions(examples):
    """Of the quadruped that lands: the region is where `project` says that no velocity gains."""
    model = routh.Model.from_file(examples.parent / "papers/aghili-projection/quadruped.yaml")
    one, two = [c for c in routh.project(model).row_names if " on " in c][:2]
    map = routh.map(model, (f"restitution.{one}", 0, 1), (f"restitution.{two}", 0, 1), "restitution-set", points=21)
    assert map.names == ("no velocity gains", "some velocity gains")
    assert set(np.unique(map.kinds)) <= {0, 1}


def test_mistakes():
    with pytest.raises(TypeError, match="needs a model or a mass_matrix"):
        routh.project()
    with pytest.raises(routh.InputError, match="rows of 3 numbers"):
        routh.project(mass_matrix=np.eye(3), unilateral=[[1, 2]])
    with pytest.raises(routh.InputError, match="not square"):
        routh.project(mass_matrix=[[1, 2, 3]])
    with pytest.raises(routh.InputError, match="not positive definite"):
        routh.project(mass_matrix=np.diag([1.0, -1]), unilateral=[[1, 0]])
    with pytest.raises(routh.InputError, match="nu > 0"):
        routh.project(mass_matrix=np.eye(2), unilateral=[[1, 0]], nu=0)
    with pytest.raises(routh.InputError):
        routh.project(mass_matrix=np.eye(2), unilateral=[[1, 0]], restitution=[1.5])
    with pytest.raises(routh.InputError):
        routh.project(mass_matrix=np.eye(2), unilateral=[[1, 0]], velocity=[1, float("nan")])
