"""Whatever is wrong is said so; nothing crashes."""
import gc
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import pendulum

import routh

D = np.array([[1.0, 0.1], [0.1, 1.0]])
V = np.array([-1.0, 0.2])
M2 = np.array([[2.0, 0.1], [0.1, 1.0]])


@pytest.mark.parametrize("arguments, error, text", [
    (dict(), TypeError, "delassus is missing; give delassus and contact_velocity"),
    (dict(delassus=D), TypeError, "contact_velocity is missing"),
    (dict(delassus=D, contact_velocity=V, friction=0.5), TypeError, "restitution is missing"),
    (dict(delassus=D, contact_velocity=V, restitution=0.5), TypeError, "friction is missing"),
    (dict(delassus=D, contact_velocity=V, friction=0.5, restitution=0, velocity=V), TypeError, "for a machine"),
    (dict(mass_matrix=M2, jacobian=D, velocity=V, delassus=D, friction=0, restitution=0), TypeError, "exclude"),
    (dict(mass_matrix=M2, velocity=V, friction=0, restitution=0), TypeError, "jacobian is missing"),
    (dict(delassus=D, contact_velocity=V, friction=0, restitution=0, colour=1), TypeError, "unexpected keyword .*colour"),
    (dict(delassus=D[0], contact_velocity=V, friction=0, restitution=0), ValueError, r"at least 2 axes.*\(2,\)"),
    (dict(delassus=np.eye(4), contact_velocity=V, friction=0, restitution=0), ValueError, r"shape \(4, 4\); the last"),
    (dict(delassus=D, contact_velocity=[1, 2, 3], friction=0, restitution=0), ValueError,
     r"contact_velocity: found an array of shape \(3,\), expected 2 along axis -1"),
    (dict(delassus=D, contact_velocity=V + 1j, friction=0, restitution=0), TypeError, "real numbers.*complex128"),
    (dict(delassus=D, contact_velocity="up", friction=0, restitution=0), TypeError, "contact_velocity: expected real"),
    (dict(delassus=[[1, 0], [0]], contact_velocity=V, friction=0, restitution=0), TypeError, "delassus: expected an array"),
    (dict(delassus=D, contact_velocity=V, friction="rough", restitution=0), TypeError, "friction: expected real"),
    (dict(delassus=D, contact_velocity=V, friction=(1, 2, 3), restitution=0), ValueError, "a tuple of 3"),
    (dict(delassus=D, contact_velocity=V, friction=(0.4, 0.5), restitution=0), ValueError,
     "friction.kinetic: 0.5 must not exceed the static"),
    (dict(delassus=D, contact_velocity=V, friction=-1, restitution=0), ValueError, "friction.static: -1 must be"),
    (dict(delassus=D, contact_velocity=V, friction=np.nan, restitution=0), ValueError, "friction.static: nan"),
    (dict(delassus=D, contact_velocity=V, friction={"static": 1}, restitution=0), ValueError, "friction"),
    (dict(delassus=D, contact_velocity=V, friction=0, restitution=1.2), ValueError, r"restitution: 1.2 must lie in \[0, 1\]"),
    (dict(delassus=D, contact_velocity=V, friction=0, restitution={"e": 1}), ValueError, "'e' is unknown"),
    (dict(delassus=D, contact_velocity=V, friction=0, restitution={"tangential": 1}), ValueError, "one coefficient"),
    (dict(delassus=D, contact_velocity=V, friction=0, restitution={"table": [1, 2]}), ValueError, "rows of speed"),
    (dict(delassus=D, contact_velocity=V, friction=0, restitution={"table": [[1, .5], [0, .5]]}), ValueError, "exceed the speed before it"),
    (dict(delassus=D, contact_velocity=V, friction=0, restitution=0, law="hooke"), ValueError,
     "law: 'hooke' is unknown; the laws are newton"),
    (dict(delassus=D, contact_velocity=V, friction=0, restitution=0, law=3), TypeError, "law: expected a name"),
    (dict(delassus=D * np.nan, contact_velocity=V, friction=0, restitution=0), ValueError, "delassus.*finite"),
    (dict(delassus=D, contact_velocity=V * np.inf, friction=0, restitution=0), ValueError, "contact_velocity.*finite"),
    (dict(delassus=[[1, 0.5], [0.1, 1]], contact_velocity=V, friction=0, restitution=0), ValueError, "not symmetric"),
    (dict(delassus=[[1, 2], [2, 1]], contact_velocity=V, friction=0, restitution=0), ValueError, "semidefinite"),
    (dict(mass_matrix=-M2, jacobian=D, velocity=V, friction=0, restitution=0), ValueError, "not positive definite"),
    (dict(mass_matrix=M2 * np.nan, jacobian=D, velocity=V, friction=0, restitution=0), ValueError, "finite"),
    (dict(mass_matrix=M2, jacobian=D[:1], velocity=V, friction=0, restitution=0), ValueError, "give 2 rows in the plane"),
    (dict(mass_matrix=np.eye(3), jacobian=D, velocity=V, friction=0, restitution=0), ValueError, "mass_matrix: found"),
    (dict(delassus=np.array([D] * 3), contact_velocity=np.array([V] * 2), friction=0, restitution=0), ValueError,
     r"does not fit the batch"),
    (dict(delassus=np.array([D] * 3), contact_velocity=V, friction=0, restitution=0, threads=-1), ValueError, "threads"),
    (dict(delassus=np.array([D] * 3), contact_velocity=V, friction=0, restitution=0, threads=1.5), TypeError, "threads"),
    (dict(delassus=np.array([D] * 3), contact_velocity=V, friction=0, restitution=0, invalid="x"), ValueError, "'x'"),
    (dict(delassus=D, contact_velocity=V, friction=0, restitution=0, pressed="no"), TypeError,
     "pressed: expected True or False, found str"),
    (dict(delassus=np.ma.array(D, mask=D > 0.5), contact_velocity=V, friction=0, restitution=0), ValueError,
     "delassus: some entries are masked"),
    (dict(delassus=D, contact_velocity=V, friction=np.ma.array([0.1, 0.2], mask=[0, 1]), restitution=0), ValueError,
     "friction: some entries are masked"),
])
def test_arguments_of_impact(arguments, error, text):
    with pytest.raises(error, match=text):
        routh.impact(**arguments)


def test_positional_arguments():
    with pytest.raises(TypeError, match="takes 5 positional"):
        routh.impact(D, V, 0, 0, "newton", 1)
    with pytest.raises(TypeError, match="multiple values for argument 'friction'"):
        routh.impact(D, V, 0, 0, friction=0)
    assert routh.impact(*[D, V], **{"friction": 0, "restitution": None} | {"restitution": 0}).ok


def test_impact_of_a_model():
    model = pendulum()
    state = model.state
    for bad, error in (((model, 3), TypeError), ((model, state, "hooke"), ValueError), ((model, state, None, 1), TypeError)):
        with pytest.raises(error):
            routh.impact(*bad)
    with pytest.raises(TypeError, match="unexpected keyword argument 'friction'"):
        routh.impact(model, state, friction=1)
    with pytest.raises(TypeError, match="multiple values"):
        routh.impact(model, state, state=state)
    with pytest.raises(routh.InputError, match="state.q: 1 numbers, the model has 2"):
        routh.impact(model, routh.State([0.0], [0.0]))
    with pytest.raises(routh.InputError, match="overlap by"):
        routh.impact(model, routh.State([0.0, 0.0], [0.0, 0.0]))


def test_arguments_of_the_dynamics():
    model, other = pendulum(), pendulum()
    data = model.create_data()
    with pytest.raises(routh.InputError, match=r"q: expected 2 numbers, found an array of shape \(3,\)"):
        routh.mass_matrix(model, data, [1, 2, 3])
    with pytest.raises(routh.InputError, match=r"q\[1\] is nan: it must be finite"):
        routh.mass_matrix(model, data, [1, np.nan])
    with pytest.raises(routh.InputError, match="another model"):
        routh.mass_matrix(other, data, [1, 2])
    with pytest.raises(TypeError, match="real numbers"):
        routh.bias(model, data, [1, 2], [None, None])
    for wrong in (None, 3, "x", data):
        with pytest.raises(TypeError):
            routh.mass_matrix(wrong, data, [1, 2])
        with pytest.raises((TypeError, ValueError)):
            routh.mass_matrix(model, data, wrong)
    with pytest.raises(routh.InputError, match="body: 'foot' is unknown; the bodies are world, upper, lower"):
        routh.body_pose(model, data, [0, 0], "foot")
    for body in (3, -1, 10**30):
        with pytest.raises(routh.InputError, match=f"body: {body} is out of range"):
            routh.body_pose(model, data, [0, 0], body)
    for body in (1.5, True, np.array([1, 2])):
        with pytest.raises(TypeError, match="name or a number"):
            routh.body_pose(model, data, [0, 0], body)
    np.testing.assert_array_equal(routh.body_pose(model, data, [0, 0], np.int64(1)),
                                  routh.body_pose(model, data, [0, 0], "upper"))
    with pytest.raises(routh.InputError, match="point"):
        routh.point_jacobian(model, data, [0, 0], 1, [1, 2, 3, 4])
    with pytest.raises(routh.InputError, match="margin"):
        routh.find_contacts(model, data, [0, 0], margin=np.nan)
    contact = routh.find_contacts(other, other.create_data(), [0.3, 0.2], margin=10)[0]
    with pytest.raises(routh.InputError, match="another model"):
        routh.contact_jacobian(model, data, [0, 0], contact)


def test_states():
    state = routh.State([1, 2], [3])
    with pytest.raises(routh.InputError, match="expected 2 numbers"):
        state.q = [1, 2, 3]
    with pytest.raises(routh.InputError, match="finite"):
        routh.State([np.inf], [0])
    with pytest.raises(ValueError):
        routh.State([[1, 2], [3, 4]], [0])
    state.q = [4, 5]
    state.v[:] = 6
    copy = state.copy()
    copy.q[0] = 9
    np.testing.assert_array_equal(state.q, [4, 5])


def test_messages_of_files(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("routh: 1\ndimension: planar\nbodies:\n  rod: {mass: heavy, joint: {kind: planar}}\n")
    with pytest.raises(routh.InputError) as caught:
        routh.Model.from_file(path)
    error = caught.value
    assert str(error).startswith(f"{path}:4:15: error: ")
    assert (error.file, error.line, error.column) == (str(path), 4, 15) and error.message in str(error)
    assert isinstance(error, routh.Error) and isinstance(error, ValueError)
    for make in (lambda: routh.Model.from_file(tmp_path / "none.yaml"), lambda: routh.Model.from_file(tmp_path / "none.urdf")):
        with pytest.raises(routh.FileError, match="none"):
            make()
    assert issubclass(routh.FileError, OSError)
    with pytest.raises(routh.InputError, match="this is not a scene.*from_file reads"):
        routh.Model.from_yaml("kane.yaml")
    for reader in (routh.Model.from_urdf, routh.Model.from_mjcf):
        with pytest.raises(routh.InputError, match="from_file"):
            reader("robot.urdf")
    with pytest.raises(routh.InputError, match="<text>:1:"):
        routh.Model.from_urdf("<robot")
    with pytest.raises(routh.InputError, match="base: 'loose' is unknown"):
        routh.Model.from_urdf("<robot/>", base="loose")
    with pytest.raises(TypeError):
        routh.Model.from_file(3)


def test_mistakes_in_the_builder():
    with pytest.raises(routh.InputError, match="dimension: 'flat'"):
        routh.ModelBuilder("flat")
    machine = routh.ModelBuilder("planar")
    with pytest.raises(routh.InputError, match="2 numbers"):
        machine.body("b").inertia(1, 2)
    machine = routh.ModelBuilder("planar")
    machine.body("a").mass(-1).inertia(1).revolute()
    with pytest.raises(routh.InputError, match="a.*mass"):
        machine.build()
    with pytest.raises(TypeError):
        machine.body("c").mass("heavy")
    with pytest.raises(routh.InputError, match="unknown"):
        machine.surface("s").law("hooke")


def test_freed_objects():
    """Handles that outlive what they came from."""
    model = pendulum()
    data = model.create_data()
    contact = routh.find_contacts(model, data, [0.3, 0.2], margin=10)[0]
    strike = routh.impact(model, routh.State(np.radians([20, 10]), [-0.1, -0.1]))[0]
    state = model.state
    del model, data
    gc.collect()
    assert contact.name == "tip on ground" and contact.law == "energetic"
    assert strike.contact.body_a == "lower" and strike.result.velocity.shape == (2,)
    assert state.q.shape == (2,)


@pytest.mark.parametrize("kind", ["Model", "Data", "Contact", "Strike", "ImpactResult", "ImpactBatch", "Trajectory", "Event",
                                  "EnergyAccount", "BodyBuilder"])
def test_objects_that_only_the_package_makes(kind):
    """An object whose C++ part was never constructed would crash."""
    with pytest.raises(TypeError, match="cannot create"):
        getattr(routh, kind)()
    with pytest.raises(TypeError):
        getattr(routh, kind).__new__(getattr(routh, kind))
    with pytest.raises(TypeError):
        class Mine(getattr(routh, kind)):
            pass
        Mine()


def test_none_is_no_model():
    data = pendulum().create_data()
    for call in (lambda: routh.Model.create_data(None), lambda: routh.find_contacts(None, data, [0, 0]),
                 lambda: routh.find_touches(None), lambda: routh.Simulator(None), lambda: routh.simulate(None),
                 lambda: routh.map(None, ("friction", 0, 1), ("restitution", 0, 1)), lambda: routh.load(None),
                 lambda: routh.mass_matrix(None, data, [0, 0]), lambda: routh.impact(None),
                 lambda: routh.contact_jacobian(pendulum(), data, [0, 0], None)):
        with pytest.raises((TypeError, routh.InputError)):
            call()


def test_pickling_is_refused():
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(routh.impact(D, V, 0, 0))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_object_is_pickled_or_refused(protocol, examples):
    model = routh.Model.from_file(examples / "superball.yaml")
    run = routh.simulate(model, 0.3)
    contacts = routh.find_contacts(model, model.create_data(), model.state.q, margin=10)
    for each in (model, model.state, routh.Simulator(model), run, run.events[0], run.events[0].contacts[0], run.energy,
                 routh.impact(D, V, 0, 0), routh.ModelBuilder("planar"), *contacts):
        try:
            assert isinstance(pickle.dumps(each, protocol), bytes)
        except TypeError as error:
            assert "pickle" in str(error)


def floating():
    machine = routh.ModelBuilder("spatial")
    machine.body("box").mass(1).inertia(1, 2, 3).free()
    machine.body("arm").mass(1).inertia(1, 2, 3).spherical("box")
    machine.shape("corner").on("box").point()
    machine.shape("floor").half_space().at(0, 0, -1)
    return machine.build()


@pytest.mark.parametrize("first, body", [(3, "box"), (7, "arm")])
@pytest.mark.parametrize("length", [0.0, 1e-200])
def test_quaternions_of_no_length(first, body, length):
    model = floating()
    data, q, v = model.create_data(), model.rest_state().q.copy(), np.zeros(model.velocities)
    bad = q.copy()
    bad[first:first + 4] = [length, 0, 0, 0]
    text = rf"\[{first}:{first + 4}\], the quaternion of '{body}', has the length"
    for call in (lambda: routh.mass_matrix(model, data, bad), lambda: routh.bias(model, data, bad, v),
                 lambda: routh.difference(model, q, bad), lambda: routh.difference(model, bad, q),
                 lambda: routh.integrate(model, bad, v, 0.1), lambda: routh.energy(model, data, bad, v),
                 lambda: routh.body_poses(model, data, bad), lambda: routh.find_contacts(model, data, bad),
                 lambda: routh.Simulator(model, routh.State(bad, v)), lambda: routh.impact(model, routh.State(bad, v)),
                 lambda: routh.impact(model, q=[bad], v=[v])):
        with pytest.raises(routh.InputError, match=text):
            call()
    batch = routh.impact(model, q=[q, bad, q], v=np.tile(v, (3, 1)))
    assert list(batch.status == routh.Status.invalid) == [False, True, False]
    twice = q.copy()
    twice[first:first + 4] *= 2  # any other length is the same rotation
    np.testing.assert_allclose(routh.body_poses(model, data, twice), routh.body_poses(model, data, q))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite(bad):
    model = pendulum()
    data, q, v = model.create_data(), [0.9, 0.3], [0.3, 0.4]
    state = routh.State(q, v)
    for call in (lambda: routh.integrate(model, q, v, bad), lambda: routh.energy(model, data, q, v, time=bad),
                 lambda: routh.applied_force(model, data, q, v, time=bad), lambda: routh.State(q, v, bad),
                 lambda: routh.acceleration(model, data, q, v, time=bad), lambda: setattr(state, "time", bad),
                 lambda: routh.Simulator(model, state).step(bad)):
        with pytest.raises(routh.InputError, match="finite"):
            call()
    for events in (0, -1):
        with pytest.raises(routh.InputError, match=rf"max_events: {events} must lie in \[1, 1e\+09\]"):
            routh.Simulator(model, max_events=events)


def test_integers_of_numpy():
    many = np.array([D] * 3)
    np.testing.assert_array_equal(routh.impact(many, V, 0.3, 0.5, threads=np.int64(2)).impulse,
                                  routh.impact(many, V, 0.3, 0.5).impulse)
    assert routh.impact(D, V, 0.3, 0.5, pressed=np.bool_(True)).ok
    assert routh.impact(np.ma.array(D), V, 0.3, 0.5).ok  # nothing is masked


def test_arguments_of_the_python_part(kane):
    for data in ([1], [1, 2], 3, np.eye(2), None):
        with pytest.raises(TypeError, match="expected a path, or arrays with names"):
            routh.fit(data)
    study = {"study": 1, "problem": {"delassus": D, "contact_velocity": V, "friction": 0.5, "restitution": 0.5},
             "vary": {"friction": {}}, "sampling": {"method": "csv", "file": [1, 2]}, "measure": {"m": "mode"}}
    with pytest.raises(TypeError, match="sampling.file: expected a path, or arrays with names"):
        routh.sweep(study)
    hidden = np.ma.array([0.1, 0.2], mask=[0, 1])
    with pytest.raises(routh.InputError, match="'friction' are masked"):
        routh.sweep({**study, "sampling": {"method": "csv", "file": {"friction": hidden}}})
    with pytest.raises(TypeError, match="source: expected a model, a path, or a dictionary of a contact, found int"):
        routh.map(3, ("friction", 0, 1), ("restitution", 0, 1))
    with pytest.raises(TypeError, match=r"x: expected \(variable, from, to\)"):
        routh.map(kane, ("friction", 0), ("restitution", 0, 1))
    with pytest.raises(TypeError, match="points: expected one whole number"):
        routh.map(kane, ("friction", 0, 1), ("restitution", 0, 1), points=1.5)
    chart = routh.map(kane, ("friction", 0, 1), ("restitution", 0, 1), points=np.int64(3))
    assert chart.kinds.shape == (3, 3)
    with pytest.raises(routh.InputError, match="'zz' is no verdict of this map; there are"):
        chart.share("zz")
    for events in (["ab"], [("a",)], [("a", 3)], {"a": 3}):
        with pytest.raises(TypeError, match="events: expected pairs"):
            routh.simulate(kane, 0.1, events=events)
    run = routh.simulate(kane, 0.5, events={"there": lambda state: state.time - 0.25})
    assert [event.time for event in run.events if event.label == "there"] == [pytest.approx(0.25)]


def test_threads_of_python():
    """The GIL is released in a batch: another thread goes on meanwhile."""
    many = np.broadcast_to(D, (300_000, 2, 2)).copy()
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            done.wait(1e-4)

    other = threading.Thread(target=tick)
    other.start()
    results = []
    workers = [threading.Thread(target=lambda: results.append(routh.impact(many, V, 0.3, 0.5))) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    done.set()
    other.join()
    assert len(results) == 3 and all(np.array_equal(r.impulse, results[0].impulse) for r in results) and ticks


def test_all_errors_of_a_file_are_told():
    with pytest.raises(routh.InputError) as caught:
        routh.Model.from_yaml("routh: 1\ndimension: planar\nbodies:\n  a: {mass: x, joint: {kind: planr}}\n  b: {mas: 1}\n")
    lines = str(caught.value).splitlines()
    assert len(lines) == 4 and all("error: " in line for line in lines)  # of a: mass, kind; of b: joint, mas
    assert caught.value.line == 4 and caught.value.message in lines[0]
    with pytest.raises(routh.InputError, match="routh sweep"):
        routh.simulate(Path(__file__).parents[2] / "examples/studies/kane_energy.yaml")
