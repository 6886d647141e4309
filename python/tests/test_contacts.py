"""routh.contacts: residuals recomputed in NumPy, forms of input, refusals."""
import json
import os
import pathlib

import numpy as np
import pytest

import routh

SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
GOOD = SOURCE / "tests" / "data" / "contacts" / "good"
D2 = np.array([[1.6, 1.2], [1.2, 3.4]])
V2 = np.array([-0.5, 2.0])


def residual(D, v, mu, p, d):
    """‖p − P_K(p − û)‖ / ‖v‖, û = v⁺ + μ‖v⁺_t‖ n; rows after those of the contacts are bilateral."""
    after = v + D @ p
    parts = [after[d * len(mu):]]
    for k, m in enumerate(mu):
        u, r = after[d * k:d * k + d], p[d * k:d * k + d]
        x = r - u
        x[0] -= m * np.linalg.norm(u[1:])
        t = np.linalg.norm(x[1:])
        if m * t <= -x[0]:
            y = np.zeros(d)
        elif t <= m * x[0]:
            y = x
        else:
            n = (x[0] + m * t) / (1 + m * m)
            y = np.concatenate([[n], m * n * x[1:] / t])
        parts.append(r - y)
    return np.linalg.norm(np.concatenate(parts)) / np.linalg.norm(v)


def random_problem(rng):
    d, contacts, bilateral = int(rng.integers(2, 4)), int(rng.integers(1, 8)), int(rng.integers(0, 3))
    rows = d * contacts + bilateral
    J = rng.normal(size=(rows, int(rng.integers(max(2, bilateral), 14))))
    mu = rng.choice([0, 0.2, 0.7, 1.5], size=contacts)
    return J @ J.T, J @ rng.normal(size=J.shape[1]), mu, d, bilateral


def test_random_problems():
    seed = 20
    rng = np.random.default_rng(seed)
    for number in range(60):
        D, v, mu, d, bilateral = random_problem(rng)
        solution = routh.contacts(D, v, mu, dimension=d, bilateral=bilateral)
        assert solution.solved and solution.status == "solved", (seed, number, solution)
        assert residual(D, v, mu, solution.impulse, d) < 1e-10
        assert solution.residual < solution.tolerance == 1e-10
        assert np.allclose(solution.velocity, v + D @ solution.impulse, atol=1e-12 * np.linalg.norm(v))
        assert solution.energy_change <= 1e-9
        assert len(solution.states) == len(mu)
        assert f"{len(mu)} contact" in repr(solution)


def test_sparse_matrices_give_the_same():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(5)
    for _ in range(10):
        D, v, mu, d, bilateral = random_problem(rng)
        dense = routh.contacts(D, v, mu, dimension=d, bilateral=bilateral)
        for make in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.bsr_matrix):
            kept = make(D)
            found = routh.contacts(kept, v, mu, dimension=d, bilateral=bilateral)
            assert found.solved and residual(D, v, mu, found.impulse, d) < 1e-10
            assert np.allclose(found.velocity, dense.velocity, atol=1e-8)
            assert (kept != make(D)).nnz == 0
    with pytest.raises(routh.InputError, match="shape"):
        routh.contacts(sparse.eye(5, format="csr"), [-1, 0, 0], 0.3)


def test_by_hand():
    solution = routh.contacts(D2, V2, 0.3, dimension=2)
    n = 0.5 / (1.6 - 0.3 * 1.2)
    assert solution.impulse == pytest.approx([n, -0.3 * n])
    assert solution.states == ["slips"] and solution.impulse_unique and solution.other_velocity is None
    assert solution.certificate is None and solution.machine_velocity is None and solution.supplied == 0
    held = routh.contacts(D2.tolist(), V2.tolist(), [np.inf], dimension=2)
    assert held.states == ["sticks"] and np.allclose(held.velocity, 0, atol=1e-9)


def test_start_and_options():
    rng = np.random.default_rng(2)
    D, v, mu, d, bilateral = random_problem(rng)
    first = routh.contacts(D, v, mu, dimension=d, bilateral=bilateral)
    again = routh.contacts(D, v, mu, dimension=d, bilateral=bilateral, start=first.impulse, iterations=50,
                           other_starts=2, tolerance=1e-9)
    assert again.solved and again.tolerance == 1e-9
    assert np.allclose(first.velocity, again.velocity, atol=1e-7)


def test_least_norm():
    """Four legs under one mass: a quarter each is the least."""
    J = np.array([[1.0, x, y] for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))])
    rows = np.zeros((12, 5))
    rows[0::3, :3] = J
    rows[1::3, 3] = rows[2::3, 4] = 1
    solution = routh.contacts(rows @ rows.T, rows @ [-1.0, 0, 0, 0, 0], 0.5, least_norm=True)
    assert solution.impulse[0::3] == pytest.approx([0.25] * 4, abs=1e-8)
    assert not solution.impulse_unique and any("not unique" in sentence for sentence in solution.sentences)


def test_surfaces_and_slip():
    belt = routh.contacts(D2, [-1.0, 0.0], 0.3, dimension=2, surface_velocity=[0.0, 3.0])
    assert belt.supplied == pytest.approx(3 * belt.impulse[1])
    jam = routh.contacts([[1, 2], [2, 5]], [-9, 0], 0.8, dimension=2, slip=[1])
    assert jam.status == "infeasible" and not jam.solved and jam.states == []
    y = jam.certificate
    assert y @ [-9, 0] < 0 and y @ np.array([[1, 2], [2, 5]]) @ [1, -0.8] <= 1e-12
    assert "contact 1" in jam.sentences[0]
    slides = routh.contacts(np.diag([1.0, 2, 2]), [-9.0, 0, 0], 0.5, slip=[[3, 4]])
    assert slides.impulse == pytest.approx([9, -0.5 * 0.6 * 9, -0.5 * 0.8 * 9])


def test_files():
    data = json.loads((GOOD / "dense.json").read_text())
    D, v, mu = np.array(data["delassus"]), np.array(data["contact_velocity"]), data["friction"]
    for name in ("dense.json", "siconos_blocks.dat", "siconos_older.dat.gz"):
        for path in (GOOD / name, str(GOOD / name)):
            assert residual(D, v, mu, routh.contacts(path).impulse, 3) < 1e-10
    assert residual(D, v, mu, routh.contacts({"delassus": D, "contact_velocity": v, "friction": mu}).impulse, 3) < 1e-10
    machine = routh.contacts(GOOD / "machine.json")
    assert machine.machine_velocity.shape == (3,) and machine.tolerance == 1e-9
    assert routh.contacts(GOOD / "machine.json", tolerance=1e-6).tolerance == 1e-6
    with pytest.raises(routh.InputError, match="siconos_nan.dat:7:1: error:"):
        routh.contacts(GOOD.parent / "bad" / "siconos_nan.dat")
    with pytest.raises(routh.FileError):
        routh.contacts("none.dat")
    with pytest.raises(TypeError, match="velocity"):
        routh.contacts(GOOD / "dense.json", [1, 2, 3])


@pytest.mark.parametrize("change, message", [
    (dict(velocity=[1.0, 2, 3]), "velocity"), (dict(velocity=[[1.0, 2]]), "velocity"), (dict(velocity=[]), "velocity"),
    (dict(inertia=np.eye(3)), "inertia"), (dict(inertia=[[1, np.nan], [0, 1]]), r"inertia\[0, 1\]"),
    (dict(friction=-0.1), "friction"), (dict(friction=[0.1, 0.2]), "friction"), (dict(friction=np.nan), "friction"),
    (dict(dimension=4), "dimension"), (dict(bilateral=-1), "bilateral"), (dict(bilateral=1), "velocity"),
    (dict(surface_velocity=[1.0]), "surface_velocity"), (dict(slip=[[1.0, 2]]), "slip"), (dict(slip=[np.inf]), "slip"),
    (dict(tolerance=0), "tolerance"), (dict(tolerance=np.nan), "tolerance"), (dict(iterations=0), "iterations"),
    (dict(other_starts=-1), "other_starts"), (dict(start=[1.0]), "start"), (dict(start=[np.nan, 0]), "start")])
def test_refusals(change, message):
    arguments = {**dict(inertia=D2, velocity=V2, friction=0.3, dimension=2), **change}
    with pytest.raises(routh.InputError, match=message):
        routh.contacts(arguments.pop("inertia"), arguments.pop("velocity"), arguments.pop("friction"), **arguments)


@pytest.mark.parametrize("change", [dict(friction="0.3"), dict(velocity="ab"), dict(least_norm="yes"),
                                    dict(iterations=1.5), dict(tolerance="x"), dict(velocity=None),
                                    dict(inertia=D2 * 1j), dict(bilateral=0.5)])
def test_wrong_types(change):
    arguments = {**dict(inertia=D2, velocity=V2, friction=0.3, dimension=2), **change}
    with pytest.raises(TypeError):
        routh.contacts(arguments.pop("inertia"), arguments.pop("velocity"), arguments.pop("friction"), **arguments)


def test_derivatives():
    # p_n = −v_n/a and p_t = −μ p_n σ of one contact that slips.
    solution = routh.contacts(np.diag([2.0, 1.0, 1.0]), [-3.0, 4.0, 3.0], 0.2, derivatives=True)
    found = solution.derivatives
    assert found.status == "exact" and found.border == [] and found.impulse_unique
    np.testing.assert_allclose(found.impulse_by_velocity[0], [-0.5, 0, 0], atol=1e-9)
    np.testing.assert_allclose(found.impulse_by_friction[:, 0], [0, -1.5 * 0.8, -1.5 * 0.6], atol=1e-8)
    assert routh.contacts(np.eye(3), [-1.0, 0.5, 0.0], 0.5, derivatives=True).derivatives.status == "one_sided"
    assert routh.contacts(np.eye(3), [-1.0, 0.5, 0.0], 0.5).derivatives is None
