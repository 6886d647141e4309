"""Impulses from outside, and margins of contacts, against closed forms."""
import csv

import numpy as np
import pytest

import routh

G = 9.81


def block(friction=0.5):
    """A particle of 2 kg that rests on the ground."""
    machine = routh.ModelBuilder("planar", "block")
    machine.surface("stone").friction(friction).restitution(0.6)
    machine.body("block").mass(2).inertia(1).planar()
    machine.shape("foot").on("block").point().surface("stone")
    machine.shape("ground").half_space().surface("stone")
    return machine


def test_a_block_that_is_struck():
    """It slides P/m until v/(mu g), and stops after v^2/(2 mu g)."""
    machine = block()
    machine.impulse("hammer").time(0.5).on("block").impulse(3, 0)
    run = routh.simulate(machine.build(), until=2)
    (blow,) = [event for event in run.events if event.kind == "impulse"]
    assert (blow.time, blow.label) == (0.5, "hammer")
    assert blow.supplied == pytest.approx(0.5 * 2 * 1.5**2)
    assert run.q[-1, 0] == pytest.approx(1.5**2 / (2 * 0.5 * G), abs=1e-9)
    assert run.energy.supplied == pytest.approx(0.5 * 2 * 1.5**2)


def test_along_a_joint_and_down_a_slant():
    machine = block(friction=0.2)
    machine.impulse("down").time(0.1).on("block").impulse(4, -3)
    machine.impulse("turn").time(0.1).along("block.angle", 0.5)
    run = routh.simulate(machine.build(), until=0.1)
    assert run.v[-1, 0] == pytest.approx((4 - 0.2 * 3) / 2)  # pressed with 3 N s, no rebound
    assert run.v[-1, 1] == pytest.approx(0, abs=1e-12)
    assert run.v[-1, 2] == pytest.approx(0.5)
    with pytest.raises(routh.InputError, match="one body or along one joint"):
        machine = block()
        machine.impulse("nowhere").time(1)
        machine.build()


def test_margins(tmp_path):
    """A push F(t) on 2 kg: 1 - F/(mu m g) of friction is left."""
    machine = block()
    machine.force("push").on("block").force(4, 0).scale([[0, 0], [1, 1]])
    run = routh.simulate(machine.build(), until=1, sample_interval=0.25, margins=True)
    margins = run.margins("foot on ground")
    expected = 1 - 4 * run.time / (0.5 * 2 * G)
    np.testing.assert_allclose(margins["slip"], expected, atol=1e-9)
    np.testing.assert_allclose(margins["normal_force"], 2 * G, atol=1e-9)
    np.testing.assert_allclose(margins["jam"], 1, atol=1e-12)
    run.save(tmp_path / "run.h5")
    again = routh.load(tmp_path / "run.h5")
    np.testing.assert_array_equal(again.margins("foot on ground")["slip"], margins["slip"])
    run.save(tmp_path / "run.csv")
    with open(tmp_path / "run.contacts.csv", encoding="utf-8") as text:
        assert [float(row["slip_margin"]) for row in csv.DictReader(text)] == margins["slip"].tolist()
    # A run without them, also one that was read, has them measured when they are asked for.
    plain = routh.simulate(machine.build(), until=1, sample_interval=0.25)
    plain.save(tmp_path / "plain.h5")
    np.testing.assert_allclose(routh.load(tmp_path / "plain.h5").margins("foot on ground")["slip"], expected, atol=1e-9)
    with pytest.raises(routh.InputError, match="does not occur"):
        plain.margins("hand on ground")


def test_the_least_of_a_map():
    """mu* = a/|c| of a rod: 4/3 at tan = 2."""
    least = routh.map("""
routh: 1
dimension: planar
surfaces: {s: {friction: 0.5, restitution: 0}}
bodies: {rod: {mass: 1, inertia: 0.3333333333333333, joint: {kind: planar, in_child: [-1, 0]}, shapes: {
  tip: {kind: point, at: [-1, 0], surface: s}}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {rod: [0, 0, 1]}}
""", ("position.rod.angle", 0.3, 1.5), ("velocity.rod.x", -1, 1), "jamming-friction", points=9).least
    assert least[0] == pytest.approx(4 / 3, abs=1e-9)
    assert least[1] == pytest.approx(np.arctan(2), abs=1e-5)
