"""References and memory stay flat over many calls."""
import gc
import resource
import sys
import weakref

import numpy as np
from conftest import pendulum, scaled

import routh

D = np.array([[1.0, 0.1], [0.1, 1.0]])
V = np.array([-1.0, 0.2])


def kilobytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def grows(call, count):
    """KiB by which the process grows over `count` calls, after as many to warm up as it needs."""
    for _ in range(count // 10 + 10):
        call()
    gc.collect()
    before = kilobytes()
    for _ in range(count):
        call()
    gc.collect()
    return kilobytes() - before


def flat(call, count, *arguments):
    gc.collect()
    references = [sys.getrefcount(each) for each in arguments]
    assert grows(call, count) < 2048  # one leaked object of 16 bytes in each of 2·10⁵ calls would be 3.2 MB
    assert [sys.getrefcount(each) for each in arguments] == references


def test_impact():
    friction = (0.5, 0.4)
    restitution = {"normal": 0.5}
    law = "poisson"

    def call():
        result = routh.impact(D, V, friction=friction, restitution=restitution, law=law)
        result.impulse, result.mode, result.status

    flat(call, scaled(200_000, 20_000), D, V, friction, restitution, routh.Mode.sliding, routh.Status.ok)


def test_fast_path():
    flat(lambda: routh.impact(D, V, 0.5, 0.5), scaled(300_000, 50_000), D, V)


def test_refusals():
    bad = np.array([[1.0, 0.1], [0.3, 1.0]])
    wrong = "hooke"

    def call():
        for arguments in ((bad, V, 0.5, 0.5), (D, V, 0.5, 0.5, wrong), (D, V, 0.5), (D, None, 0.5, 0.5)):
            try:
                routh.impact(*arguments)
            except (ValueError, TypeError):
                pass

    flat(call, scaled(20_000, 2000), bad, D, V, wrong)


def test_batch():
    many = np.repeat(D[None], 50, axis=0)
    friction = np.full(50, 0.4)

    def call():
        batch = routh.impact(many, V, friction, 0.5)
        batch.impulse, batch.ok, batch.energy_change

    flat(call, scaled(20_000, 2000), many, V, friction)


def test_dynamics():
    model = pendulum()
    data = model.create_data()
    q, v = np.array([0.1, 0.2]), np.array([0.3, 0.4])
    arrays = [routh.mass_matrix(model, data, q), routh.bias(model, data, q, v)]

    def call():
        routh.mass_matrix(model, data, q)
        routh.bias(model, data, q, v)
        routh.inverse_dynamics(model, data, q, v, v)
        routh.point_jacobian(model, data, q, "lower", q)
        routh.energy(model, data, q, v)

    flat(call, scaled(100_000, 5000), model, data, q, v, *arrays)


def test_a_simulator_and_its_events_are_collected():
    """Each refers to the other: only Python's collector can free them."""
    model = pendulum()
    alive = []

    class Mark:
        pass

    def make():
        simulator, mark = routh.Simulator(model, routh.State([0.9, 0.3], [0, 0])), Mark()
        simulator.add_event("later", lambda state: state.time - 0.01 + 0 * len((simulator, mark)))
        simulator.advance(0.02)
        assert [event.label for event in simulator.events] == ["later"]
        alive.append(weakref.ref(mark))

    for _ in range(20):
        make()
    gc.collect()
    assert [ref for ref in alive if ref() is not None] == []
    kept = routh.Simulator(model, routh.State([0.9, 0.3], [0, 0]))
    kept.add_event("seen", lambda state: state.time - 0.01)
    gc.collect()  # one that is in use keeps its events
    kept.advance(0.02)
    assert len(kept.events) == 1

    class Own(routh.Simulator):
        pass

    own = Own(model, routh.State([0.9, 0.3], [0, 0]))
    own.add_event("own", lambda state: own.time)
    own.itself = own
    ref = weakref.ref(own)
    del own
    gc.collect()
    assert ref() is None


def test_models_and_contacts():
    def call():
        model = pendulum()
        data = model.create_data()
        contact = routh.find_contacts(model, data, [0.3, 0.2], margin=10)[0]
        routh.contact_jacobian(model, data, [0.3, 0.2], contact)
        routh.impact(model, routh.State(np.radians([20, 10]), [-0.1, -0.1]))[0].result.velocity

    flat(call, scaled(1000, 300))
