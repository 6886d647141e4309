"""Files: names that are no UTF-8, places that cannot be written, scenes that are read from elsewhere."""
import errno
import os
import pickle
import shutil
import stat

import numpy as np
import pytest
from conftest import SOURCE, pendulum

import routh

STUDY = {"study": 1, "problem": {"delassus": [[1, 0.1], [0.1, 1]], "contact_velocity": [-1, 0.2], "friction": 0.5,
                                 "restitution": 0.5},
         "vary": {"friction": {"from": 0, "to": 1}}, "sampling": {"method": "random", "seed": 1, "samples": 3},
         "measure": {"lost": "-energy.change"}}


@pytest.fixture
def die(tmp_path):
    """A scene in a folder of its own, beside the file of its mesh."""
    for name in ("die.yaml", "die.stl"):
        shutil.copy(SOURCE / "tests" / "data" / "meshes" / name, tmp_path)
    return tmp_path / "die.yaml"


def same_machine(a, b):
    """To the last bit: inertia, and the contacts of the hull with the table, from the state of the file."""
    np.testing.assert_array_equal(a.state.q, b.state.q)
    np.testing.assert_array_equal(a.state.v, b.state.v)
    found = [routh.find_contacts(each, each.create_data(), each.state.q, margin=1) for each in (a, b)]
    assert [(c.name, c.gap) for c in found[0]] == [(c.name, c.gap) for c in found[1]] and found[0]


@pytest.mark.parametrize("relative", [False, True])
def test_meshes_are_found_from_anywhere(die, monkeypatch, relative):
    monkeypatch.chdir(die.parent)
    model = routh.Model.from_file("die.yaml" if relative else die)
    by_text = routh.Model.from_yaml(die.read_text())
    monkeypatch.chdir("/")
    assert str(die.with_name("die.stl")) in model.text
    for again in (routh.Model.from_yaml(model.text), routh.Model.from_yaml(by_text.text), pickle.loads(pickle.dumps(model))):
        same_machine(again, model)
    study = {"study": 1, "scene": model, "run": {"until": 0.05}, "vary": {"state.position.die.z": {"from": 0.08, "to": 0.09}},
             "sampling": {"method": "random", "seed": 1, "samples": 2}, "measure": {"low": "final.position.die.z"}}
    # Nothing touches for so long: z = z0 - g t²/2.
    result = routh.sweep(study, table=True)
    start = result.table["state.position.die.z"]
    np.testing.assert_allclose(result.table["low"], start - 9.81 * 0.05**2 / 2, rtol=1e-9)
    run = routh.simulate(by_text, until=0.01)
    run.save(die.with_name("run.h5"))
    same_machine(routh.load(die.with_name("run.h5")).model, by_text)


def test_robots_with_meshes(die, monkeypatch):
    (die.parent / "robot.urdf").write_text(
        '<robot name="r"><link name="die"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
        'iyz="0"/></inertial><collision><geometry><mesh filename="die.stl"/></geometry></collision></link></robot>')
    monkeypatch.chdir(die.parent.parent)
    model = routh.Model.from_file(os.path.join(die.parent.name, "robot.urdf"), base="floating")
    monkeypatch.chdir("/")
    again = routh.Model.from_yaml(model.text)
    assert again.shapes == model.shapes and len(model.shapes) == 1


def test_models_can_be_pickled(examples):
    for model in (pendulum(), routh.Model.from_file(examples / "kane.yaml")):
        again = pickle.loads(pickle.dumps(model))
        assert again.name == model.name and again.dof_names == model.dof_names
        q = [0.3, 0.2]
        np.testing.assert_array_equal(routh.mass_matrix(again, again.create_data(), q),
                                      routh.mass_matrix(model, model.create_data(), q))
        np.testing.assert_array_equal(again.state.q, model.state.q)


def test_names_that_are_no_utf8(tmp_path):
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe")
    os.mkdir(folder)
    scene = os.path.join(folder, "kane.yaml")
    shutil.copy(SOURCE / "examples" / "kane.yaml", scene)
    run = routh.simulate(scene, until=0.1, output=os.path.join(folder, "run.h5"))
    again = routh.load(os.path.join(folder, "run.h5"))
    np.testing.assert_array_equal(again.q, run.q)
    assert again.model.name == run.name
    result = routh.sweep(STUDY, output=os.path.join(folder, "out.csv"))
    for name in ("out.json", "out.html", "again.csv"):
        result.save(os.path.join(folder, name))
    assert {"out.csv", "out.json", "out.html", "again.csv", "run.h5"} <= set(os.listdir(folder))
    with open(scene, "a", encoding="ascii") as file:
        file.write("nonsense: 1\n")
    with pytest.raises(routh.InputError) as caught:
        routh.Model.from_file(scene)
    assert caught.value.file == scene and "\\xff\\xfe" in str(caught.value) and os.path.exists(caught.value.file)
    with pytest.raises(routh.FileError):
        routh.Model.from_file(os.path.join(folder, "none.yaml"))
    for call in (routh.fit, routh.sweep, routh.load):
        with pytest.raises(routh.FileError):
            call(os.path.join(folder, "none.csv"))


def test_a_nul_does_not_end_a_path(examples, tmp_path):
    shutil.copy(examples / "kane.yaml", tmp_path / "a.yaml")
    for path in (f"{tmp_path}/a.yaml\0b.yaml", os.fsencode(f"{tmp_path}/a.yaml\0b.yaml")):
        with pytest.raises(ValueError, match="NUL"):
            routh.Model.from_file(path)
        with pytest.raises(ValueError, match="NUL"):
            routh.load(path)
    for call in (routh.sweep, routh.fit):
        with pytest.raises(ValueError, match="NUL"):
            call("a\0b.csv")


def test_messages_that_are_no_utf8():
    """A name is cut to a length in messages; that may not cut a character."""
    for before in ("", "a", "ab"):
        name = before + "\u2260" * 40  # three bytes each
        machine = routh.ModelBuilder("planar", name)
        machine.body("b").mass(1).inertia(1).revolute()
        assert "\u2260..." in repr(machine.build())
        with pytest.raises(routh.InputError, match="\u2260\\.\\.\\.' is unknown"):
            routh.impact(np.eye(2), [-1, 0], 0, 0, law=name)
    for word in ("\ud800", "\udcff"):
        with pytest.raises(routh.InputError, match="is unknown"):
            routh.impact(np.eye(2), [-1, 0], 0, 0, law=word)
    with pytest.raises(routh.FileError, match="device"):
        routh.Model.from_file(os.fsencode("/dev/null"))


@pytest.mark.parametrize("output, error, text", [
    ("run.txt", routh.InputError, "ending"), ("none/run.h5", routh.FileError, "none/run.h5"),
    ("folder.csv", routh.FileError, "folder.csv")])
def test_an_output_is_refused_before_the_run(kane, tmp_path, output, error, text):
    (tmp_path / "folder.csv").mkdir()
    asked = []

    def controller(time, q, v):
        asked.append(time)
        return [0, 0]

    with pytest.raises(error, match=text):
        routh.simulate(kane, until=1, controller=controller, output=tmp_path / output)
    assert asked == [] and sorted(os.listdir(tmp_path)) == ["folder.csv"]


def writers(tmp_path, kane):
    result, run = routh.sweep(STUDY), routh.simulate(kane, until=0.1)
    start = np.array([[-1.0, 0.2], [-0.5, 0.4], [-0.3, -0.6], [-0.9, 0.1]])
    D = np.array([[1, 0.1], [0.1, 1]])
    after = routh.impact(D, start, 0.3, 0.5).contact_velocity
    fit = routh.fit({"contact_velocity": start, "after.contact_velocity": after},
                    {"delassus": D, "contact_velocity": [-1, 0]}, laws="energetic")
    yield from ((result.save, suffix) for suffix in (".json", ".csv", ".html", ".h5"))
    yield from ((fit.save, suffix) for suffix in (".json", ".csv", ".svg"))
    yield from ((run.save, suffix) for suffix in (".h5", ".csv", ".json", ".npz"))
    yield result.to_html, ".html"
    if routh.has_page():
        yield run.to_html, ".html"


def test_files_are_written_whole_or_not_at_all(tmp_path, kane):
    """A reader that has the old file open keeps it: the new one takes its name when it is complete."""
    for k, (write, suffix) in enumerate(writers(tmp_path, kane)):
        with pytest.raises(routh.FileError, match="cannot write") as caught:
            write(tmp_path / "none" / f"x{suffix}")
        assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(tmp_path / "none" / f"x{suffix}"))
        assert isinstance(caught.value, OSError) and str(caught.value).startswith("cannot write")
        path = tmp_path / f"{k}{suffix}"
        path.write_text("old")
        with open(path, encoding="ascii") as reader:
            write(path)
            assert reader.read() == "old" and path.stat().st_size > 3
        assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR


def test_file_errors_say_which_file(tmp_path):
    path = tmp_path / "none.yaml"
    for call in (routh.Model.from_file, routh.load, routh.sweep):
        with pytest.raises(routh.FileError) as caught:
            call(path)
        assert caught.value.filename == str(path) and caught.value.errno in (errno.ENOENT, None)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.filename, again.errno) == (str(caught.value), caught.value.filename, caught.value.errno)
