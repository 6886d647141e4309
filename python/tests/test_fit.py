"""Fits of data made by the oracle, with known truth; residuals and minima worked out in NumPy."""
import csv
import json

import numpy as np
import oracle
import pytest

import routh

D = np.array([[1.75, -0.8], [-0.8, 3.25]])
MU, E = 0.35, 0.55


def made(rng, count=40, law="energetic", noise=0.003, inertia=D, slip=(0.5, 3.0)):
    """Velocities before and after, in every direction of slip, and noise on those after."""
    before = np.column_stack([-rng.uniform(0.5, 2, count), rng.uniform(*slip, count) * rng.choice([-1, 1], count)])
    after = np.array([oracle.planar(inertia, v, MU, MU, E, law)[0] for v in before])
    return before, after + noise * rng.normal(size=after.shape)


def predicted(before, mu, e, law="energetic"):
    return np.array([oracle.planar(D, v, mu, mu, e, law)[0] for v in before])


@pytest.mark.parametrize("law", ["energetic", "poisson", "newton"])
def test_truth_is_found(rng, law):
    before, after = made(rng, law=law)
    fit = routh.fit({"contact_velocity": before, "after.contact_velocity": after}, problem={"delassus": D, "contact_velocity": [-1, 1]})
    best = fit.best
    assert best.law == law and law in fit.alike and best.delta_aicc == 0 and list(fit)[0] == law and len(fit) == 5
    assert law == "newton" or fit.alike == (law,)  # where slip goes on, the textbook's rule is Newton's
    assert best.friction.value == pytest.approx(MU, abs=0.01) and best.restitution.value == pytest.approx(E, abs=0.01)
    assert best.friction.determination == "interval" and best.friction.low < float(best.friction) < best.friction.high
    assert best.rms == pytest.approx(0.003, rel=0.3) and best.unanswered == 0
    assert fit.measured == ("after.contact_velocity[0]", "after.contact_velocity[1]") and fit.impacts == fit.approaching == 40
    np.testing.assert_allclose(best.residuals, after - predicted(before, float(best.friction), float(best.restitution), law),
                               atol=1e-9)
    assert best.rms == pytest.approx(np.sqrt(np.mean(best.residuals**2)))
    assert best.deviation == pytest.approx(np.sqrt(np.sum(best.residuals**2) / (best.residuals.size - 2)))
    n, k = best.residuals.size, 3
    aicc = n * np.log(np.mean(best.residuals**2)) + 2 * k + 2 * k * (k + 1) / (n - k - 1)
    assert best.aicc == pytest.approx(aicc)
    assert best.correlation.shape == (2, 2) and best.correlation[0, 0] == pytest.approx(1)


def test_intervals_hold_the_truth(rng):
    """Of 95 % intervals, by the binomial distribution, hardly ever fewer than 32 of 40 hold it."""
    held = 0
    for _ in range(20):
        before, after = made(rng, 15)
        best = routh.fit({"contact_velocity": before, "after.contact_velocity": after}, {"delassus": D, "contact_velocity": [-1, 1]},
                         laws="energetic").best
        held += (MU in best.friction) + (E in best.restitution)
    assert held >= 32


def test_the_estimate_is_a_minimum(rng):
    before, after = made(rng, 25, noise=0.02)
    best = routh.fit({"contact_velocity": before, "after.contact_velocity": after}, {"delassus": D, "contact_velocity": [-1, 1]},
                     laws=["energetic"]).best
    mu, e = float(best.friction), float(best.restitution)
    least = np.sum(best.residuals**2)
    for angle in np.linspace(0, 2 * np.pi, 16, endpoint=False):
        for far in (1e-3, 1e-2):
            other = after - predicted(before, mu + far * np.cos(angle), e + far * np.sin(angle))
            assert np.sum(other**2) >= least - 1e-12
    # The ends of the interval: the least sum with that friction is larger by t²/(N − P); t = 2.0106 for 48.
    limit = least * (1 + 2.0106**2 / 48)
    for end in (best.friction.low, best.friction.high):
        profile = min(np.sum((after - predicted(before, end, x))**2) for x in np.linspace(e - 0.02, e + 0.02, 401))
        assert profile == pytest.approx(limit, rel=2e-3)


def test_forms_of_data_say_the_same(rng, tmp_path):
    before, after = made(rng, 20)
    names = ["contact_velocity[0]", "contact_velocity[1]", "after.contact_velocity[0]", "after.contact_velocity[1]"]
    table = np.column_stack([before, after])
    with open(tmp_path / "data.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *[[repr(float(x)) for x in row] for row in table]])
    (tmp_path / "problem.json").write_text(json.dumps({"delassus": D.tolist(), "contact_velocity": [-1, 1], "friction": 0.1,
                                                       "restitution": 0.1}), encoding="utf-8")
    problem = {"delassus": D, "contact_velocity": [-1, 1]}
    structured = np.array([tuple(row) for row in table], dtype=[(name, float) for name in names])
    whole = {"delassus": np.broadcast_to(D, (20, 2, 2)), "contact_velocity": before, "after.contact_velocity": after}
    fits = [routh.fit(tmp_path / "data.csv", tmp_path / "problem.json"), routh.fit(str(tmp_path / "data.csv"), problem),
            routh.fit(dict(zip(names, table.T)), problem), routh.fit(structured, problem), routh.fit(whole),
            routh.fit(dict(whole, **{"sigma.after.contact_velocity[0]": 1, "sigma.after.contact_velocity[1]": 1.0}))]
    for fit in fits[1:]:
        assert fit.best.friction == fits[0].best.friction and fit.best.aicc == fits[0].best.aicc
        np.testing.assert_array_equal(fit.best.residuals, fits[0].best.residuals)


def test_deviations_scale_the_residuals(rng):
    before, after = made(rng, 20)
    problem = {"delassus": D, "contact_velocity": [-1, 1]}
    sigma = np.full(after.shape, 0.003)
    fit = routh.fit({"contact_velocity": before, "after.contact_velocity": after, "sigma.after.contact_velocity": sigma}, problem)
    plain = routh.fit({"contact_velocity": before, "after.contact_velocity": after}, problem)
    np.testing.assert_allclose(fit.best.residuals * 0.003, plain.best.residuals, atol=1e-7)
    assert fit.best.rms == pytest.approx(1, rel=0.3)


def test_what_cannot_be_told():
    """Impacts that stick bound friction from below only; without coupling between the directions the laws agree."""
    rng = np.random.default_rng(7)
    before, after = made(rng, inertia=np.diag([1.0, 3.0]), slip=(0.0, 0.2))
    fit = routh.fit({"contact_velocity": before, "after.contact_velocity": after},
                    {"delassus": np.diag([1.0, 3.0]), "contact_velocity": [-1, 1]}, laws=("energetic", "poisson", "newton"))
    assert set(fit.alike) == {"energetic", "poisson", "newton"}
    friction = fit.best.friction
    assert friction.determination == "at_least" and friction.low < MU and friction.high == np.inf and MU in friction
    assert any("cannot tell these laws apart" in remark for remark in fit.remarks)
    assert any("stick" in remark for remark in fit.remarks)
    assert "≥" in str(fit) and "cannot tell" in fit._repr_html_() and "<svg" in fit._repr_html_()
    # Nothing slips: any friction explains it.
    head_on = np.column_stack([-np.linspace(1, 2, 9), np.zeros(9)])
    fit = routh.fit({"contact_velocity": head_on, "after.contact_velocity": -E * head_on},
                    {"delassus": np.diag([1.0, 3.0]), "contact_velocity": [-1, 0]}, laws="newton")
    assert fit.best.friction.determination == "nothing" and fit.best.friction.value is None
    with pytest.raises(ValueError, match="determination"):
        float(fit.best.friction)
    assert fit.best.restitution.value == pytest.approx(E) and any("nothing about friction" in each for each in fit.remarks)


def test_the_worked_example(examples, tmp_path):
    fit = routh.fit(examples / "rod_impacts.csv", problem=examples / "rod.json")
    assert fit.best.law == "energetic" and 0.3 in fit.best.friction and 0.6 in fit.best.restitution
    assert fit.best.residuals.shape == (60, 3) and "ΔAICc" in str(fit) and "energetic" in repr(fit)
    assert fit["newton"].delta_aicc > 10 and fit["newton"].tangential is None
    for suffix, text in ((".csv", "row,measured"), (".svg", "<svg"), (".json", '"schema":1')):
        fit.save(tmp_path / f"out{suffix}")
        assert text in (tmp_path / f"out{suffix}").read_text(encoding="utf-8")
    with open(tmp_path / "out.csv", encoding="utf-8") as file:
        residuals = [float(row["energetic"]) for row in csv.DictReader(file)]
    np.testing.assert_allclose(np.reshape(residuals, (60, 3)), fit.best.residuals)
    with pytest.raises(KeyError, match="fitted were"):
        fit["hooke"]
    with pytest.raises(routh.InputError, match="none of"):
        fit.save(tmp_path / "out.png")
    unified = routh.fit(examples / "rod_impacts.csv", examples / "rod.json", laws="unified", tangential=True).best
    assert unified.tangential is not None and unified.correlation.shape == (3, 3)


def test_tangents_that_yield(examples):
    fit = routh.fit(examples / "rubber_impacts.csv", laws="energetic", refined=True)
    both = fit.best
    assert (both.law, both.refinement) == ("energetic", "both") and fit["energetic+both"] is both
    assert both.tangential_compliance is not None and both.slip_loss is not None
    assert 1.2 in both.tangential_compliance and 0.1 in both.slip_loss
    assert fit["energetic"].tangential_compliance is None and fit["energetic"].delta_aicc > 10
    assert "energetic+tangents" in str(fit)


@pytest.mark.parametrize("data, options, error, text", [
    ({"contact_velocity": [[-1.0, 1.0]] * 5}, {}, routh.InputError, "no measured column"),
    ({"contact_velocity": [[1.0, 1.0]] * 5, "after.contact_velocity": [[1.0, 1.0]] * 5}, {}, routh.InputError, "no contact approaches"),
    ({"contact_velocity": [[-1.0, np.nan]] * 5, "after.contact_velocity": [[1.0, 1.0]] * 5}, {}, routh.InputError,
     r"contact_velocity\[1\]' is nan in row 1"),
    ({"contact_velocity": [[-1.0, 1.0]] * 5, "after.contact_velocity": [[1.0, 1.0]] * 4}, {}, routh.InputError, "4 rows, others have 5"),
    ({"contact_velocity": [["a", "b"]] * 5}, {}, TypeError, "dtype"),
    ({"colour": [1.0] * 5, "after.contact_velocity": [[1.0, 1.0]] * 5}, {}, routh.InputError, "colour"),
    ({"friction": [1.0] * 5, "after.contact_velocity": [[1.0, 1.0]] * 5}, {}, routh.InputError, "what is sought"),
    ({}, {}, TypeError, "arrays with names"),
    (np.zeros((3, 3)), {}, TypeError, "arrays with names"),
    (None, dict(laws="hooke"), routh.InputError, "law: 'hooke' is unknown"),
    (None, dict(laws=["newton", "newton"]), routh.InputError, "twice"),
    (None, dict(laws=[]), routh.InputError, "none is named"),
    (None, dict(confidence=1.0), routh.InputError, "confidence"),
    (None, dict(problem=None), routh.InputError, r"no column 'delassus\[0\]\[0\]'"),
    (None, dict(problem="none.json"), routh.FileError, "none.json"),
    (None, dict(problem={"delassus": D}), routh.InputError, "contact_velocity"),
])
def test_mistakes(data, options, error, text):
    if data is None:
        data = {"contact_velocity": [[-1.0, 1.0]] * 5, "after.contact_velocity": [[0.5, 0.8]] * 5}
    with pytest.raises(error, match=text):
        routh.fit(data, **(dict(problem={"delassus": D, "contact_velocity": [-1, 1]}) | options))
