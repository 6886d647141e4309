"""Studies against NumPy: every sample by the oracle, every reduction by NumPy's own."""
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import oracle
import pytest
from conftest import scaled
from test_memory import flat

import routh

D = np.array([[1.6, 1.2], [1.2, 3.4]])
QUANTILES = [0.05, 0.5, 0.9]


def study(samples=2000, method="random", **changes):
    """Friction is refused below zero: some samples fail."""
    return {
        "study": 1,
        "name": "rough",
        "problem": {"delassus": D, "contact_velocity": np.array([-0.5, 2.0]), "friction": 0.3, "restitution": np.float64(0.5)},
        "vary": {"friction": {"from": -0.1, "to": 1.0}, "restitution": {"from": 0, "to": 1},
                 "contact_velocity[1]": {"mean": 0.0, "std": 1.0}},
        "sampling": {"method": method, "samples": samples, **({} if method == "sobol" else {"seed": 4})},
        "measure": {
            "lost": {"value": "-energy.change", "reduce": ["mean", "std", "min", "max", {"quantiles": QUANTILES},
                                                           {"histogram": {"from": 0.0, "to": 0.5, "bins": 7}}]},
            "up": "contact_velocity.n",
            "newton_up": {"value": "newton.contact_velocity.n", "reduce": "mean"},
            "slow": "abs(contact_velocity.t1) < 0.1",
            "mode": "mode",
            "gap": {"value": "if(sample.friction > 0.5, 1, 0/0)", "reduce": "mean"}}} | changes


def test_every_sample_by_the_oracle():
    result = routh.sweep(study(scaled(2000, 200)), table=True)
    table = result.table
    ok = table["fault"] == ""
    np.testing.assert_array_equal(ok, table["friction"] >= 0)
    assert set(table["fault"][~ok]) == {"refused"} and np.isnan(table["lost"][~ok]).all()
    inverse = np.linalg.inv(D)
    for k in np.flatnonzero(ok):
        before = np.array([-0.5, table["contact_velocity[1]"][k]])
        mu, e = table["friction"][k], table["restitution"][k]
        after, _ = oracle.planar(D, before, mu, mu, e, "energetic")
        lost = 0.5 * before @ inverse @ before - 0.5 * after @ inverse @ after  # the energy of a contact's own motion
        assert table["up"][k] == pytest.approx(after[0], abs=1e-11)
        assert table["lost"][k] == pytest.approx(lost, abs=1e-11)
        assert table["slow"][k] == (abs(after[1]) < 0.1)
        assert table["newton_up"][k] == pytest.approx(0.5 * e, abs=1e-12)
        assert (table["mode"][k] == "sliding") == (abs(after[1]) > 1e-12 and after[1] * before[1] > 0)


def test_reductions_are_those_of_numpy():
    result = routh.sweep(study(scaled(20000, 3000)), table=True)
    table = result.table
    ok = table["fault"] == ""
    assert result.samples == len(ok) and result.failed == np.sum(~ok) > 0 and result.faults == {"refused": np.sum(~ok)}
    assert [failure.sample for failure in result.failures] == list(np.flatnonzero(~ok)[:100])
    assert all("friction" in failure.reason and failure.fault == "refused" for failure in result.failures)
    values, lost = table["lost"][ok], result["lost"]
    assert lost.count == len(values) and lost.missing == result.failed and lost.value == "-energy.change"
    assert lost.mean == pytest.approx(np.mean(values), rel=1e-13)
    assert lost.std == pytest.approx(np.std(values, ddof=1), rel=1e-13)
    assert (lost.min, lost.max) == (values.min(), values.max())
    assert (lost.min_sample, lost.max_sample) == (np.nanargmin(table["lost"]), np.nanargmax(table["lost"]))
    assert list(lost.quantiles) == QUANTILES
    np.testing.assert_allclose(list(lost.quantiles.values()), np.quantile(values, QUANTILES), rtol=1e-13)
    counts, edges = np.histogram(values, bins=7, range=(0, 0.5))
    np.testing.assert_allclose(lost.edges, edges, rtol=1e-15)
    np.testing.assert_array_equal(lost.counts, counts)
    assert (lost.below, lost.above) == (np.sum(values < 0), np.sum(values > 0.5))
    assert lost.fraction is None and result["slow"].fraction == np.mean(table["slow"][ok]) and result["slow"].mean is None
    mode = result["mode"]
    assert mode.edges is None and mode.counts.sum() == mode.count == np.sum(ok)
    for name in mode.names:
        assert mode.share(name) == np.mean(table["mode"][ok] == name)
    assert all(each is None for each in table["mode"][~ok])
    some = ok & (table["friction"] > 0.5)
    assert result["gap"].count == np.sum(some) and result["gap"].mean == 1
    np.testing.assert_array_equal(np.isnan(table["gap"]), ~some)


def test_what_a_result_is(examples):
    result = routh.sweep(str(examples / "studies" / "jam_fraction.yaml"))
    assert list(result) == ["jams", "margin", "friction_of_jams", "lost"] and len(result) == 4 and "jams" in result
    assert result.name.startswith("How often") and result.kind == "impact" and result.method == "sobol"
    assert result.parameters == ("friction", "delassus[0][1]") and result.table is None and result.quantile_error == 0
    assert "jams" in str(result) and "65536 samples" in repr(result) and "0.1" in repr(result["margin"])
    assert "<svg" in result.to_html() and "srcdoc" in result._repr_html_()
    with pytest.raises(KeyError, match="the measures are jams"):
        result["beauty"]
    with pytest.raises(routh.InputError, match="numbers only"):
        result["lost"].share("stick")


def test_paths_texts_and_dictionaries_say_the_same(examples, tmp_path):
    path = examples / "studies" / "jam_fraction.yaml"
    expected = routh.sweep(path)
    text = routh.sweep(path.read_text(encoding="utf-8"))
    as_json = json.dumps(study(300), default=lambda each: each.tolist())
    (tmp_path / "study.json").write_text(as_json, encoding="utf-8")
    for a, b in ((expected, text), (routh.sweep(study(300)), routh.sweep(as_json)),
                 (routh.sweep(study(300)), routh.sweep(tmp_path / "study.json"))):
        for name in a:
            assert repr(a[name]) == repr(b[name]) and a[name].mean == b[name].mean


@pytest.mark.parametrize("method", ["random", "latin_hypercube", "sobol"])
def test_threads_change_no_bit(method, tmp_path):
    files = []
    for threads in (1, 2, 4):
        files.append(tmp_path / f"{threads}.h5")
        routh.sweep(study(70000, method), table=True, output=files[-1], threads=threads)
    assert len({path.read_bytes() for path in files}) == 1


BALL = """
routh: 1
dimension: planar
gravity: [0, -10]
surfaces: {floor: {friction: 0, restitution: 0.5}}
bodies:
  ball:
    mass: 2
    inertia: 1
    joint: {kind: planar}
    shapes: {ball: {kind: sphere, radius: 0.1, surface: floor}}
world: {shapes: {ground: {kind: half_space}}}
state: {position: {ball: [0, 0.35, 0]}}
"""


def test_runs_of_a_scene(tmp_path):
    """A ball dropped from h strikes after √(2 h/g), with √(2 g h), and goes up with e times that."""
    (tmp_path / "ball.yaml").write_text(BALL, encoding="utf-8")
    result = routh.sweep({"study": 1, "scene": tmp_path / "ball.yaml", "run": {"until": 0.75}, "table": True,
                          "vary": {"surfaces.floor.restitution": [0.25, 0.5, 0.9], "state.position.ball.y": [0.9, 1.3]},
                          "sampling": {"method": "grid"},
                          "measure": {"first": "events.impact.first", "fast": "max.velocity.ball.y"}})
    assert result.kind == "run" and result.samples == 6
    e, h = result.table["surfaces.floor.restitution"], result.table["state.position.ball.y"] - 0.1
    np.testing.assert_array_equal(e, np.repeat([0.25, 0.5, 0.9], 2))
    np.testing.assert_allclose(result.table["first"], np.sqrt(2 * h / 10), rtol=1e-8)
    np.testing.assert_allclose(result.table["fast"], e * np.sqrt(2 * 10 * h), rtol=1e-8)


def test_models_and_arrays_in_place_of_files(kane):
    """Samples of one's own; a model that was built or read."""
    friction, restitution = np.linspace(0, 1, 11), np.linspace(1, 0, 11)
    given = study(vary=None, sampling={"method": "csv", "file": {"friction": friction, "restitution": restitution}})
    del given["vary"]
    result = routh.sweep(given, table=True)
    np.testing.assert_array_equal(result.table["friction"], friction)
    np.testing.assert_allclose(result.table["newton_up"], 0.5 * restitution, atol=1e-14)
    of_scene = {"study": 1, "scene": kane, "vary": {"surfaces.ground.restitution": [0.2, 0.6]}, "sampling": {"method": "grid"},
                "strike": {"moment": "first_strike"},
                "measure": {"e": {"value": "-newton.contact_velocity.n / before.contact_velocity.n", "reduce": ["min", "max"]}}}
    result = routh.sweep(of_scene)
    assert result.kind == "strike" and (result["e"].min, result["e"].max) == pytest.approx((0.2, 0.6))


def test_outputs_hold_what_the_result_holds(tmp_path):
    result = routh.sweep(study(500), table=True, output=tmp_path / "out.csv")
    with open(tmp_path / "out.samples.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lost = [float(row["lost"]) if row["lost"] else np.nan for row in rows]
    np.testing.assert_array_equal(lost, result.table["lost"])
    assert [row["fault"] for row in rows] == list(result.table["fault"])
    again = tmp_path / "again.csv"
    result.save(again)  # afterwards, when the table's file has no name any more
    assert again.read_bytes() == (tmp_path / "out.csv").read_bytes()
    assert (tmp_path / "again.samples.csv").read_bytes() == (tmp_path / "out.samples.csv").read_bytes()
    result.save(tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text())["measures"]["lost"]["mean"] == result["lost"].mean
    result.to_html(tmp_path / "out.html")
    assert (tmp_path / "out.html").read_text(encoding="utf-8") == result.to_html()
    h5py = pytest.importorskip("h5py")
    result.save(tmp_path / "out.h5")
    with h5py.File(tmp_path / "out.h5") as file:
        columns = [each.decode() if isinstance(each, bytes) else each for each in file["table/values"].attrs["columns"]]
        np.testing.assert_array_equal(file["table/values"][:, columns.index("lost")], result.table["lost"])
    assert not list(tmp_path.glob("*.checkpoint")) and not list(tmp_path.glob("*.rows"))


class Enough(Exception):
    pass


def stop_after(share):
    def look(done, samples):
        if done >= share * samples:
            raise Enough
    return look


@pytest.mark.parametrize("suffix", [".h5", ".csv"])
def test_interrupted_and_resumed(tmp_path, suffix):
    many = study(scaled(300000, 200000))
    out, whole = tmp_path / f"out{suffix}", tmp_path / f"whole{suffix}"
    expected = routh.sweep(many, table=True, output=whole)
    with pytest.raises(Enough):
        routh.sweep(many, table=True, output=out, threads=1, progress=stop_after(0.02))
    assert not out.exists() and (tmp_path / f"{out.name}.checkpoint").exists()
    with pytest.raises(routh.FileError, match="resume=True.*restart=True"):
        routh.sweep(many, table=True, output=out)
    with pytest.raises(routh.InputError, match="another study.*restart=True"):
        routh.sweep(study(many["sampling"]["samples"] + 1), table=True, output=out, resume=True)
    result = routh.sweep(many, table=True, output=out, resume=True, threads=2)
    assert 0 < result.resumed < result.samples and expected.resumed == 0
    assert out.read_bytes() == whole.read_bytes()
    np.testing.assert_array_equal(result.table["lost"], expected.table["lost"])
    assert not list(tmp_path.glob("*.checkpoint")) and not list(tmp_path.glob("*.rows"))


def test_a_table_is_not_taken_up_in_the_middle(tmp_path):
    out = tmp_path / "out.h5"
    with pytest.raises(Enough):
        routh.sweep(study(1000000), output=out, threads=1, progress=stop_after(0.01))
    with pytest.raises(routh.InputError, match="without a table"):
        routh.sweep(study(1000000), table=True, output=out, resume=True)
    result = routh.sweep(study(1000000, sampling={"method": "random", "samples": 1000, "seed": 1}), output=out, restart=True)
    assert result.resumed == 0 and out.exists()


def test_progress_and_other_threads(capfd):
    seen, ticks = [], []
    done = threading.Event()
    ticker = threading.Thread(target=lambda: [ticks.append(time.sleep(1e-3)) for _ in iter(done.is_set, True)])
    ticker.start()
    routh.sweep(study(scaled(1000000, 200000)), progress=lambda *numbers: seen.append(numbers))
    done.set()
    ticker.join()
    assert seen[-1][0] == seen[-1][1] and sorted(seen) == seen and len(ticks) > 1
    routh.sweep(study(100), progress=True)
    assert "%" not in capfd.readouterr().err  # too quick to say anything


SLOW = """
import sys, routh
print("begin", flush=True)
try:
    routh.sweep({study!r}, output={out!r}, threads=2)
except KeyboardInterrupt as interrupt:
    print("interrupted", *getattr(interrupt, "__notes__", []), flush=True)
"""


def test_ctrl_c_in_the_middle_of_a_run(examples, tmp_path):
    """Each run would take minutes: what is under way is given up, and there is a checkpoint."""
    slow = {"study": 1, "scene": str(examples / "rattleback.yaml"), "run": {"until": 1e5, "max_steps": 10**9},
            "vary": {"gravity[2]": {"from": -9.9, "to": -9.7}}, "sampling": {"method": "random", "samples": 100, "seed": 1},
            "measure": {"time": "time"}}
    out = tmp_path / "out.h5"
    with subprocess.Popen([sys.executable, "-c", SLOW.format(study=slow, out=str(out))], stdout=subprocess.PIPE,
                          text=True, env=os.environ) as process:
        assert process.stdout.readline() == "begin\n"
        while not (tmp_path / "out.h5.checkpoint").exists():
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert output.startswith("interrupted") and process.returncode == 0
    assert (tmp_path / "out.h5.checkpoint").exists() and not out.exists()


def test_warnings():
    with pytest.warns(routh.InputWarning, match="every sample failed; the first: friction"):
        result = routh.sweep(study(50, vary={"friction": {"from": -2, "to": 0}}))
    assert result.failed == 50 and result["lost"].mean is None and result["lost"].count == 0
    assert "quantile 0.5" in str(result) and "none" in str(result)


@pytest.mark.parametrize("change, words", [
    (dict(set={"friction.tangential": 3}), "friction.tangential"),
    (dict(vary={"friction": {"from": 0, "to": 1}}, set={"restitution": 3}), r"restitution.normal = 3.*\[0, 1\]"),
    (dict(vary={"friction": {"from": 0, "to": 1}}, set={"restitution": np.nan}), "restitution.*NaN"),
    (dict(vary={"friction": {"from": -2, "to": -1}}), "nothing that is allowed.*zero or positive"),
    (dict(vary={"friction": "friction"}, sampling={"method": "csv", "file": {"friction": np.array([-1.0, -2.0])}}),
     "nothing that is allowed.*-1"),
])
def test_values_that_no_sample_can_have(change, words):
    with pytest.raises(routh.InputError, match=words):
        routh.sweep(study(50, **change))


def test_arguments_of_other_kinds():
    with pytest.raises(TypeError, match="threads: expected a whole number, found str"):
        routh.sweep(study(10), threads="two")
    with pytest.raises(routh.InputError, match="resume needs the output"):
        routh.sweep(study(10), resume=True)
    result = routh.sweep(study(vary={"friction": range(3)}, sampling={"method": "grid"}), table=True, threads=np.int64(1))
    np.testing.assert_array_equal(result.table["friction"], [0, 1, 2])


def test_few_values():
    one = routh.sweep(study(1, vary={"friction": {"from": 0.1, "to": 1}}))["lost"]
    assert one.count == 1 and one.std is None and one.mean == one.min == one.max == one.quantiles[0.5]
    assert "std" in "".join(word for word, _ in one._rows()) and "nan" not in repr(one)
    two = routh.sweep(study(2, vary={"friction": {"values": [0.3, 0.3]}}))["lost"]
    assert two.std == 0


def test_no_result_replaces_what_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listed = tmp_path / "points.csv"
    listed.write_text("friction\n0.1\n0.2\n", encoding="utf-8")
    some = study(1, vary={"friction": "friction"}, sampling={"method": "csv", "file": "points.csv"})
    for name in ("points.csv", tmp_path / "." / "points.csv"):
        with pytest.raises(routh.InputError, match="points.csv.*would replace"):
            routh.sweep(some, output=name)
    assert listed.read_text(encoding="utf-8").startswith("friction")
    routh.sweep(some, output="out.csv")
    routh.sweep(some, output="out.csv")  # its own result may go


def test_a_result_in_use_is_refused(tmp_path):
    out = tmp_path / "out.h5"
    refused = []

    def look(done, samples):
        if not refused:
            with pytest.raises(routh.FileError, match="in use") as error:
                routh.sweep(study(10), output=out, restart=True)
            refused.append(error)
    first = routh.sweep(study(scaled(300000, 100000)), output=out, progress=look)
    assert refused and first.samples and [path.name for path in tmp_path.iterdir()] == ["out.h5"]
    routh.sweep(study(10), output=out)  # while the first result still lives


LIMITED = """
import resource, signal, sys, routh
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
try:
    routh.sweep({study!r}, table=True, output={out!r})
except routh.FileError as error:
    print(error)
"""


def test_a_full_disk_says_how_to_go_on(tmp_path):
    many = study(100000)
    many["problem"] = {"delassus": D.tolist(), "contact_velocity": [-0.5, 2.0], "friction": 0.3, "restitution": 0.5}
    out = str(tmp_path / "out.h5")
    output = subprocess.run([sys.executable, "-c", LIMITED.format(study=many, out=out)], capture_output=True, text=True,
                            env=os.environ, check=True).stdout
    assert "cannot write" in output and "resume=True" in output
    assert routh.sweep(many, table=True, output=out, resume=True).samples == 100000


def test_memory():
    small = study(100)
    for threads in (1, 2):
        flat(lambda: routh.sweep(small, table=True, threads=threads).table, scaled(1000, 100), small)


@pytest.mark.parametrize("change, options, error, text", [
    (dict(beauty=1), {}, routh.InputError, "beauty"),
    (dict(measure={"lost": "energy.chnge"}), {}, routh.InputError, "energy.change"),
    (dict(measure={"friction": "energy.change"}), {}, routh.InputError, "column of the table"),
    (dict(problem="none.json"), {}, routh.InputError, "none.json"),
    (dict(measure={"lost": np.nan}), {}, routh.InputError, "NaN"),
    (dict(measure={"lost": {1, 2}}), {}, TypeError, "found set"),
    ({}, dict(threads=-1), routh.InputError, "threads"),
    ({}, dict(checkpoint=0.0), routh.InputError, "checkpoint"),
    ({}, dict(resume=True, restart=True), routh.InputError, "exclude"),
    ({}, dict(output="out.xyz"), routh.InputError, r"none of .h5, .csv, .html"),
    ({}, dict(output="/nonexistent/out.h5"), routh.FileError, "nonexistent"),
])
def test_mistakes(change, options, error, text):
    with pytest.raises(error, match=text):
        routh.sweep(study(10, **change), **options)


def test_mistakes_in_files(tmp_path):
    with pytest.raises(routh.FileError, match="none.yaml"):
        routh.sweep(tmp_path / "none.yaml")
    with pytest.raises(TypeError, match="found int"):
        routh.sweep(3)
    with pytest.raises(routh.InputError) as error:
        routh.sweep("study: 1\nproblem: {friction: 1\n")
    assert error.value.file == "<study>" and error.value.line > 0
