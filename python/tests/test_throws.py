"""Throws of a disc in closed form: identify, validate and predict give what the program gives, and refuse as it does."""
import json

import numpy as np
import pytest

import routh

SOUGHT = {"surfaces.floor.friction": (0, 0.6), "surfaces.floor.restitution": (0.2, 1)}
TRUTH = {"surfaces.floor.friction": 0.15, "surfaces.floor.restitution": 0.6}


@pytest.fixture
def throws(examples):
    return examples / "throws", examples / "throws" / "disc.yaml"


def test_the_truth_is_found_saved_and_drawn_from(throws, tmp_path):
    data, scene = throws
    found = routh.identify(data, scene, SOUGHT)
    for path, truth in TRUTH.items():
        assert truth in found[path], (path, found[path])
        assert found[path].high - found[path].low < 0.01
    assert found.law is None and found.others == [] and found.correlation.shape == (2, 2)
    assert found.held_out < 1e-4
    found.save(tmp_path / "found.json")
    drawn = routh.predict(data, scene, estimate=tmp_path / "found.json", draws=20)
    p = drawn.probability("face")
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
    measured = [drawn.forecasts["face"]["outcomes"].index(one["measured_face"]) for one in drawn.throws]
    score = -np.mean(np.log(p[np.arange(12), measured]))
    assert drawn.forecasts["face"]["log_score"] == pytest.approx(score, rel=1e-12)
    assert score < drawn.forecasts["face"]["base_rate"]


def test_validation_and_its_files(throws, tmp_path):
    data, scene = throws
    model = routh.Model.from_file(scene)
    check = routh.validate(data, model, given=TRUTH)
    assert check.error["mean"] < 1e-4 < routh.validate(data, model).error["mean"]
    assert check.interval[0] < check.error["mean"] < check.interval[1]
    for suffix in (".csv", ".html", ".json"):
        check.save(tmp_path / f"out{suffix}")
    assert json.loads((tmp_path / "out.json").read_text()) == check.data
    assert (tmp_path / "out.html").read_text() == check.to_html()
    with pytest.raises(routh.InputError, match=".csv, .html, .json"):
        check.save(tmp_path / "out.txt")


def test_regions_and_flights_alone(throws, tmp_path):
    data, scene = throws
    flight = tmp_path / "flight.csv"
    flight.write_text("".join(line + "\n" for line in (data / "03.csv").read_text().splitlines()[:12]))
    with pytest.raises(routh.InputError, match="out of reach"):
        routh.predict(flight, scene, draws=2)
    ahead = routh.predict(flight, scene, {"surfaces.floor.restitution": (0.5, 0.7)}, given={"surfaces.floor.friction": 0.15},
                          regions={"near": [(None, 0.5)], "far": [(0.5, None), (0, 10)]}, duration=0.5, draws=10)
    assert ahead.forecasts["region"]["outcomes"] == ["near", "far", "elsewhere"]
    assert "log_score" not in ahead.forecasts["face"]


def test_what_cannot_be_meant(throws):
    data, scene = throws
    with pytest.raises(routh.InputError, match="range"):
        routh.identify(data, scene, {"surfaces.floor.friction": (1, 0)})
    with pytest.raises(routh.InputError, match="no such surface"):
        routh.identify(data, scene, {"surfaces.flor.friction": (0, 1)})
    with pytest.raises(routh.InputError, match="robust"):
        routh.identify(data, scene, SOUGHT, loss="median")
    with pytest.raises(routh.InputError, match="exclude"):
        routh.predict(data, scene, SOUGHT, estimate="x.json")
    with pytest.raises(routh.InputError, match="draws"):
        routh.predict(data, scene, draws=0)
    with pytest.raises(TypeError, match="path"):
        routh.validate(3, scene)
