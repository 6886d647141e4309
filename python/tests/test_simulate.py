"""Runs: against closed forms, and in every way they are looked at."""
import gc
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import SOURCE, pendulum, scaled

import routh

G = 9.81


def ball(e=0.5, friction=0.0):
    """A disc of 1 kg above the ground; coordinates x, y, angle."""
    machine = routh.ModelBuilder("planar", "ball")
    machine.surface("rubber").friction(friction).restitution(e)
    machine.body("ball").mass(1).inertia(0.4 * 0.01).planar()
    machine.shape("skin").on("ball").sphere(0.1).surface("rubber")
    machine.shape("ground").half_space().surface("rubber")
    return machine.build()


def dropped(height, **others):
    return routh.State([0.0, 0.1 + height, 0.0], [others.get("vx", 0.0), 0.0, others.get("spin", 0.0)])


def test_a_bouncing_ball():
    e, height = 0.5, 1.0
    run = routh.simulate(ball(e), until=3, state=dropped(height), sample_interval=0.01)
    fall = math.sqrt(2 * height / G)
    times = [fall]
    for k in range(1, 6):
        times.append(times[-1] + 2 * fall * e**k)
    impacts = [event for event in run.events if event.kind == "impact"]
    np.testing.assert_allclose([event.time for event in impacts[:6]], times, rtol=1e-9)
    for k, event in enumerate(impacts[:6]):
        (contact,) = event.contacts
        speed = math.sqrt(2 * G * height) * e**k
        assert contact.name == "skin on ground" and contact.restitution == e
        np.testing.assert_allclose(contact.velocity_before, [-speed, 0], atol=1e-8)
        np.testing.assert_allclose(contact.velocity_after, [e * speed, 0], atol=1e-8)
        np.testing.assert_allclose(contact.impulse, [(1 + e) * speed, 0], atol=1e-8)
        assert event.energy_change == pytest.approx(-0.5 * (1 - e * e) * speed**2)
        np.testing.assert_allclose(event.velocity_after[1], -e * event.velocity_before[1])
        assert event.q[1] == pytest.approx(0.1) and event.law == "energetic" and event.rule == "single"
    # The bounces end at a time of their own, and the ball rests.
    assert [event.kind for event in run.events][-1] == "zeno" or "zeno" in [event.kind for event in run.events]
    assert run.status == "ready" and run.state.time == 3
    np.testing.assert_allclose(run.q[-1], [0, 0.1, 0], atol=1e-9)
    np.testing.assert_allclose(run.contact_force("skin on ground")[-1], [G, 0], rtol=1e-9)
    # Between strikes it is a parabola.
    flight = run.time < fall
    np.testing.assert_allclose(run.q[flight, 1], 0.1 + height - 0.5 * G * run.time[flight] ** 2, atol=1e-10)


def test_energy_account():
    run = routh.simulate(ball(0.8, 0.3), until=2, state=dropped(0.5, vx=1, spin=3))
    total = run.kinetic + run.potential + run.dissipated - run.supplied - run.corrected
    np.testing.assert_allclose(total, total[0], atol=1e-8)
    np.testing.assert_allclose(run.kinetic, 0.5 * run.v[:, 0] ** 2 + 0.5 * run.v[:, 1] ** 2 + 0.002 * run.v[:, 2] ** 2,
                               atol=1e-10)
    np.testing.assert_allclose(run.potential, G * run.q[:, 1], atol=1e-10)
    assert abs(run.energy.balance) < 1e-8 and run.energy.initial == pytest.approx(total[0])
    assert run.energy.total == pytest.approx(run.kinetic[-1] + run.potential[-1]) and run.energy.gained == 0
    lost = -sum(event.energy_change for event in run.events)
    assert 0 < lost <= run.energy.dissipated + 1e-9


def test_corrections_and_warnings(tmp_path):
    run = routh.simulate(ball(0.8, 0.3), until=2, state=dropped(0.5, vx=1, spin=3), output=tmp_path / "run.h5")
    energy = run.energy
    assert run.corrected.shape == run.time.shape and run.corrected[-1] == energy.corrected
    assert energy.balance == energy.total - energy.initial + energy.dissipated - energy.supplied - energy.corrected
    assert energy.turnover >= max(energy.initial, energy.dissipated)
    assert isinstance(run.statistics["warnings"], dict) and run.warnings == ()
    back = routh.load(tmp_path / "run.h5")
    np.testing.assert_array_equal(back.corrected, run.corrected)
    assert back.statistics == run.statistics and back.warnings == run.warnings
    assert [c.friction for e in back.events for c in e.contacts] == [c.friction for e in run.events for c in e.contacts]
    struck = [c for e in back.events if e.rule == "single" for c in e.contacts]
    assert struck and all(c.phases[-1]["normal_impulse"] == c.impulse[0] for c in struck)


def test_a_run_of_schema_1():
    run = routh.load(SOURCE / "tests/data/runs/schema_1.h5")
    assert not run.corrected.any() and run.statistics["warnings"] == {} and run.warnings == ()
    assert run.events[0].contacts[0].friction == 0
    assert run.events[0].contacts[0].phases == []


def test_a_run_that_gains_energy_says_so(kane):
    with pytest.warns(routh.SimulationWarning, match="gave back .* J against the second law"):
        run = routh.simulate(kane, until=0.01, law="classical")
    assert run.energy.gained > 0 and len(run.warnings) == 1


def test_a_run_that_took_shortcuts_says_so():
    box = routh.Model.from_file(SOURCE / "tests/data/scenes/good/breaks_loose.yaml")
    with pytest.warns(routh.SimulationWarning, match="friction was changed"):
        run = routh.simulate(box, until=0.25, tolerance=1e-9)
    assert len(run.warnings) == 1 and run.warnings[0].startswith("1 event: friction was changed")
    assert [event.warnings for event in run.events if event.warnings] == [("friction_changed",)]
    assert 0.59 < [e for e in run.events if e.warnings][0].contacts[0].friction < 0.5908
    assert "friction was changed" in run._repr_html_()


def test_arrays_and_names(kane):
    run = routh.simulate(kane, until=0.5, sample_interval=0.1)
    assert run.q.shape == (len(run), 2) == run.v.shape and run.time.shape == (len(run),)
    assert run.coordinate_names == kane.coordinate_names and run.velocity_units == ("rad/s", "rad/s")
    for array in (run.time, run.q, run.v, run.kinetic):
        assert not array.flags.writeable and not array.flags.owndata
    regular = np.unique(np.round(run.time, 12))
    assert {0.0, 0.1, 0.2, 0.3, 0.4, 0.5} <= set(np.round(regular, 9))
    q, kept = run.q, run.q.copy()
    del run
    gc.collect()
    np.testing.assert_array_equal(q, kept)
    by_state = routh.simulate(kane, until=0.5, state=kane.state, sample_interval=0.1)
    np.testing.assert_array_equal(by_state.q, kept)  # the same bits


def test_pieces_give_the_same_bits(kane):
    whole = routh.Simulator(kane)
    whole.advance(1.0)
    pieces = routh.Simulator(kane)
    for k in range(1, 11):
        assert pieces.advance(k / 10) == "ready"
    np.testing.assert_array_equal(whole.q, pieces.q)
    np.testing.assert_array_equal(whole.v, pieces.v)
    assert [e.time for e in whole.events] == [e.time for e in pieces.events] and whole.time == 1.0


def test_controllers_and_events_have_one_signature(kane):
    """Both may be functions of the state, or of time, q and v: the same run."""
    seen = []

    def by_state(state):
        seen.append(state.time)
        return -state.v

    runs = [routh.simulate(kane, until=0.3, controller=controller, events={"upright": event})
            for controller, event in ((by_state, lambda state: state.q[0] - 0.3), (lambda t, q, v: -v, lambda t, q, v: q[0] - 0.3),
                                      (lambda *a: -a[2], lambda state, level=0.3: state.q[0] - level))]
    assert len(seen) == 30 and any(event.kind == "user" for event in runs[0].events)
    for run in runs[1:]:
        assert (run.q == runs[0].q).all() and [e.time for e in run.events] == [e.time for e in runs[0].events]


def test_stepping_with_a_controller():
    """A cart on a rail with a proportional controller is an oscillator."""
    machine = routh.ModelBuilder("planar", "cart")
    machine.body("cart").mass(2).inertia(1).prismatic().axis(1, 0)
    model = machine.build()
    start = routh.State([1.0], [0.0])
    step, k = 1e-3, 8.0
    q, v = 1.0, 0.0
    simulator = routh.Simulator(model, start)
    for _ in range(scaled(200, 50)):
        simulator.force = [-k * simulator.q[0]]
        simulator.step(step)
        a = -k * q / 2  # held over the step: exact
        q, v = q + v * step + 0.5 * a * step**2, v + a * step
        np.testing.assert_allclose([simulator.q[0], simulator.v[0]], [q, v], atol=1e-12)
        np.testing.assert_allclose(simulator.acceleration, [a], atol=1e-9)
    np.testing.assert_allclose(simulator.force, [-k * (q - v * step + 0.5 * a * step**2)], atol=1e-2)
    seen = []

    def controller(time, coordinates, velocities):
        seen.append(time)
        return -k * coordinates - 2 * velocities

    run = routh.simulate(model, until=10, state=start, controller=controller, control_interval=0.01)
    assert len(seen) == 1000 and abs(run.q[-1, 0]) < 0.02 and run.energy.supplied == pytest.approx(run.kinetic[-1])
    assert abs(run.energy.balance) < 1e-9


def test_contacts_while_it_runs():
    simulator = routh.Simulator(ball(0, 0.5), dropped(0.0, vx=1.0))
    simulator.step(0.01)
    (contact,) = simulator.contacts
    assert contact.name == "skin on ground" and contact.mode == "slip"
    np.testing.assert_allclose(contact.force, [G, -0.5 * G], rtol=1e-9)
    np.testing.assert_allclose(contact.normal, [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(contact.point[1], 0, atol=1e-9)
    # It rolls when slip v − … has been used up: t = v / (μ g (1 + m r²/I)).
    rolls = 1.0 / (0.5 * G * (1 + 1 / 0.4))
    simulator.advance(1)
    (event,) = [e for e in simulator.events if e.kind == "stick"]
    assert event.time == pytest.approx(rolls, rel=1e-9)
    assert simulator.contacts[0].mode == "stick" and simulator.statistics["events"] == len(simulator.events)


def test_events_of_the_user():
    height = 2.0
    simulator = routh.Simulator(ball(), dropped(height))
    simulator.add_event("half way", lambda state: state.q[1] - 0.1 - height / 2, direction="falling", stop=True)
    simulator.add_event("never", lambda state: 1.0)
    assert simulator.advance(5) == "user_stop"
    assert simulator.time == pytest.approx(math.sqrt(height / G), rel=1e-9)
    (event,) = simulator.events
    assert (event.kind, event.label) == ("user", "half way")
    assert simulator.advance(simulator.time + 0.01) == "ready"
    run = routh.simulate(ball(), until=1, state=dropped(height), events=[("mark", lambda s: s.time - 0.5)])
    assert [e.time for e in run.events if e.kind == "user"] == pytest.approx([0.5])


def test_exceptions_in_events_come_out():
    class Mine(Exception):
        pass

    def bad(state):
        if state.time > 0.1:
            raise Mine("here")
        return 1.0

    simulator = routh.Simulator(ball(), dropped(5))
    simulator.add_event("bad", bad)
    with pytest.raises(Mine, match="here"):
        simulator.advance(1)
    other = routh.Simulator(ball(), dropped(5))
    other.add_event("text", lambda state: "up")
    with pytest.raises(TypeError, match="value of an event"):
        other.advance(1)
    nan = routh.Simulator(ball(), dropped(5))
    nan.add_event("nan", lambda state: math.nan)
    with pytest.raises(routh.InputError, match="value of an event is nan"):
        nan.advance(1)
    inside = routh.Simulator(ball(), dropped(5))
    inside.add_event("inside", lambda state: inside.time)
    with pytest.raises(RuntimeError, match="at work"):
        inside.advance(1)


def test_wrong_arguments(kane):
    for arguments, text in ((dict(until=-1), "must exceed"), (dict(until=math.nan), "must exceed"),
                            (dict(until=1, tolerance=-1), "tolerance"), (dict(until=1, law="hooke"), "unknown"),
                            (dict(until=1, integrator="euler"), "use automatic"), (dict(until=1, max_step=0), "max_step"),
                            (dict(until=1, sample_interval=1e-12), "1e8"), (dict(until=1, sample_interval=-1), "sample_interval"),
                            (dict(until=1, controller=lambda *a: [0, 0], control_interval=0), "control_interval"),
                            (dict(until=1, controller=lambda *a: [0]), "force: expected 2 numbers"),
                            (dict(until=1, controller=lambda *a: [math.nan, 0]), "finite")):
        with pytest.raises(routh.InputError, match=text):
            routh.simulate(kane, **arguments)
    with pytest.raises(TypeError):
        routh.simulate(kane, until="soon")
    with pytest.raises(routh.FileError, match="kane.yaml"):
        routh.simulate("no_such_folder/kane.yaml")
    simulator = routh.Simulator(kane)
    simulator.advance(0.5)
    with pytest.raises(routh.InputError, match="before the present time"):
        simulator.advance(0.2)
    with pytest.raises(routh.InputError, match="direction"):
        simulator.add_event("x", lambda s: 1.0, direction="up")
    with pytest.raises(routh.InputError, match="overlap by"):
        routh.simulate(ball(), until=1, state=dropped(-0.05))
    with pytest.raises(routh.InputError, match="does not occur in this run"):
        simulator.trajectory().contact_force("foot")


def test_fixed_steps(kane):
    run = routh.simulate(kane, until=0.5, engine="stepping", step=0.002)
    assert run.status == "ready" and run.statistics["steps"] == 250
    exact = routh.simulate(kane, until=0.5)
    assert abs(run.q[-1] - exact.q[-1]).max() < 0.05
    with pytest.raises(routh.InputError, match="use events"):
        routh.simulate(kane, until=1, engine="euler")
    with pytest.raises(routh.InputError, match="step"):
        routh.simulate(kane, until=1, engine="stepping", step=0)


def test_crowds(quadruped):
    run = routh.simulate(quadruped, until=0.2, resolution=5e-4)
    crowds = [event for event in run.events if event.kind == "crowd"]
    assert run.status == "ready" and 0 <= run.statistics["crowds"] - len(crowds) <= 1  # one may be under way
    assert 0 < sum(event.duration for event in crowds) < 1.0001 * run.statistics["crowd_time"]
    with pytest.raises(routh.InputError, match="resolution"):
        routh.simulate(quadruped, until=1, resolution=0)


def test_a_run_that_cannot_go_on(kane):
    with pytest.raises(routh.SimulationError) as caught:
        routh.simulate(kane, until=5, max_events=3)
    error = caught.value
    assert "event" in str(error) and error.trajectory.status == "event_limit" and len(error.trajectory.events) >= 3
    assert isinstance(error, RuntimeError) and isinstance(error, routh.Error)


def test_files(kane, tmp_path):
    path = tmp_path / "run.h5"
    run = routh.simulate(kane, until=1, output=path)
    again = routh.load(path)
    for name in ("time", "q", "v", "kinetic", "potential", "dissipated", "supplied"):
        np.testing.assert_array_equal(getattr(run, name), getattr(again, name))
    assert run.compare(again) == (True, "") and again.contacts == run.contacts == ("tip on floor",)
    assert [e.time for e in again.events] == [e.time for e in run.events]
    assert again.model.dof_names == kane.dof_names and again.name == kane.name and again.statistics == run.statistics
    np.testing.assert_array_equal(again.contact_force("tip on floor"), run.contact_force("tip on floor"))
    run.save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as archive:
        assert any(archive[key].shape == run.time.shape and np.array_equal(archive[key], run.time) for key in archive)
    run.save(tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text())["status"] == "ready"
    run.save(tmp_path / "run.csv")
    assert len((tmp_path / "run.csv").read_text().splitlines()) == len(run) + 1
    for bad, error in ((tmp_path / "run.xyz", routh.InputError), (tmp_path / "no" / "run.h5", routh.FileError)):
        with pytest.raises(error):
            run.save(bad)
    with pytest.raises(routh.FileError):
        routh.load(tmp_path / "none.h5")
    (tmp_path / "bad.h5").write_bytes(path.read_bytes()[:1000])
    with pytest.raises(routh.InputError, match="bad.h5"):
        routh.load(tmp_path / "bad.h5")
    other = routh.simulate(kane, until=1, law="newton")
    equal, difference = run.compare(other)
    assert not equal and difference


def test_a_built_model_can_be_saved(tmp_path):
    run = routh.simulate(ball(), until=0.6, state=dropped(1))
    run.save(tmp_path / "ball.h5")
    assert routh.load(tmp_path / "ball.h5").model.bodies == ("world", "ball")


@pytest.mark.skipif("ROUTH" not in os.environ, reason="the program was not named")
def test_the_program_reads_it(kane, tmp_path):
    routh.simulate(kane, until=1, output=tmp_path / "a.h5")
    path = os.path.relpath(str(kane_path()), tmp_path)
    subprocess.run([os.environ["ROUTH"], "simulate", path, "--until", "1", "-o", "b.h5", "--quiet"], cwd=tmp_path, check=True,
                   timeout=100, stdout=subprocess.DEVNULL)
    result = subprocess.run([os.environ["ROUTH"], "compare", "a.h5", "b.h5", "--rtol", "0", "--atol", "0"], cwd=tmp_path,
                            timeout=100, check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def kane_path():
    from conftest import SOURCE
    return SOURCE / "examples" / "kane.yaml"


def test_pages(kane, tmp_path):
    run = routh.simulate(kane, until=0.5)
    text = run._repr_html_()
    assert "Kane&#x27;s double pendulum" in text and "<table>" in text
    if not routh.has_page():
        assert "iframe" not in text
        with pytest.raises(routh.FileError, match="nodejs"):
            run.to_html(tmp_path / "run.html")
        return
    assert "<iframe srcdoc=" in text
    assert run.to_html(tmp_path / "run.html") is None
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert page == run.to_html() and "tip on floor" in page and "@ROUTH_DOCUMENT@" not in page


def test_plots(kane):
    pytest.importorskip("matplotlib").use("Agg")
    run = routh.simulate(kane, until=0.5)
    figure = run.plot()
    assert len(figure.axes) == 3
    np.testing.assert_array_equal(figure.axes[0].lines[0].get_ydata(), run.q[:, 0])
    for names in ([run.coordinate_names[1]], run.coordinate_names[1]):
        assert len(run.plot(names).axes[0].get_legend().get_texts()) == 1
    with pytest.raises(ValueError, match="'knee' is unknown"):
        run.plot(["knee"])
    import matplotlib.pyplot
    matplotlib.pyplot.close("all")


def test_matplotlib_is_imported_late():
    code = "import sys, routh; assert 'matplotlib' not in sys.modules and 'h5py' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


LONG = """
import routh, sys, time
machine = routh.ModelBuilder("planar")
machine.body("a").mass(1).com(0, -1).inertia(1).revolute()
model = machine.build()
print("begin", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("call", [
    "routh.simulate(model, until=1e7, state=routh.State([1.0], [0.0]), sample_interval=1.0, max_step=1e-3)",
    "import numpy as np; D = np.broadcast_to(np.eye(3) + 0.1, (3_000_000, 3, 3));\n"
    "    [routh.impact(D, np.array([-1.0, 0.3, 0.2]), 0.5, 0.5) for _ in range(1000)]",
])
def test_ctrl_c(call):
    with subprocess.Popen([sys.executable, "-c", LONG.format(call=call)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begin\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert output == "interrupted\n" and process.returncode == 0


def test_gil_is_released():
    machine = routh.ModelBuilder("planar")
    machine.body("a").mass(1).com(0, -1).inertia(1).revolute()
    model = machine.build()
    ticks = []
    worker = threading.Thread(target=lambda: routh.simulate(model, until=200, state=routh.State([1.0], [0.0]), max_step=2e-3))
    worker.start()
    while worker.is_alive():
        ticks.append(1)
        time.sleep(1e-3)
    worker.join()
    assert len(ticks) > 3


def test_two_threads_and_one_simulator(kane):
    simulator = routh.Simulator(kane, max_step=1e-5)
    errors = []

    def run():
        try:
            simulator.advance(0.5)
        except RuntimeError as error:
            errors.append(error)

    workers = [threading.Thread(target=run) for _ in range(3)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        try:
            simulator.q, simulator.events
        except RuntimeError as error:
            errors.append(error)
        time.sleep(1e-3)
    assert simulator.time == 0.5 and all("at work" in str(error) for error in errors)


def test_memory_of_runs_is_given_back():
    from test_memory import flat
    model = pendulum()
    state = routh.State(np.radians([20, 10]), [-0.1, -0.1])

    def call():
        run = routh.simulate(model, until=0.05, state=state, controller=lambda t, q, v: -v, control_interval=0.01)
        run.q, run.events, run.energy
        simulator = routh.Simulator(model, state)
        simulator.add_event("x", lambda s: s.time - 0.01)
        simulator.advance(0.02)

    flat(call, scaled(600, 200), model, state)


def test_a_path_in_place_of_a_model(examples):
    path = examples / "kane.yaml"
    by_path = routh.simulate(path, until=0.3)
    by_model = routh.simulate(routh.Model.from_file(path), until=0.3)
    assert np.array_equal(by_path.q, by_model.q)
    with pytest.raises(TypeError):
        routh.simulate(3, until=0.3)
