"""`routh.impact` with a rule: several contacts at once, against the program, Newton's rule and the impact of one."""
import json
import os
import subprocess

import numpy as np
import pytest

import routh

BOX = """
routh: 1
name: box
surfaces: {rubber: {friction: 0.5, restitution: 0.8}}
bodies:
  box: {mass: 2, inertia: [0.2, 0.2, 0.2], joint: {kind: free},
        shapes: {box: {kind: box, size: [1, 1, 1], surface: rubber}}}
world: {shapes: {floor: {kind: half_space}}}
state:
  position: {box: {position: [0, 0, 0.5]}}
  velocity: {box: [1, 0, -1, 0, 0, 0]}
"""
MASS = np.diag([2.0, 2.0, 0.3])
FEET = np.array([[[1, 0, 0.5], [0, 1, 0.4]], [[1, 0, -0.5], [0, 1, 0.4]]])
VELOCITY = np.array([-1, 1.5, 0])


def feet(**changes):
    arguments = dict(mass_matrix=MASS, jacobian=FEET, velocity=VELOCITY, friction=[0.5, 0.0], restitution=0.4,
                     rule="together")
    arguments.update(changes)
    return routh.impact(**arguments)


def test_of_a_model_is_what_the_program_says(tmp_path):
    path = tmp_path / "box.yaml"
    path.write_text(BOX)
    model = routh.Model.from_file(path)
    impact = routh.impact(model, rule="together")
    assert (impact.rule, impact.status, impact.ok, impact.sticking) == ("together", "ok", True, None)
    assert [contact.name for contact in impact.contacts] == [f"box on floor (corner {k})" for k in range(4)]
    program = os.environ.get("ROUTH")
    if program:
        text = subprocess.run([program, "impact", str(path), "--json", "-q", "--rule", "together"], check=True,
                              capture_output=True, text=True).stdout
        answer = json.loads(text)["simultaneous"]["together"]
        assert impact.velocity.tolist() == answer["velocity"]
        assert impact.impulse[:, 0].tolist() == [contact["normal_impulse"] for contact in answer["contacts"]]
        assert impact.energy_change == answer["energy"]["change"]
    run = routh.simulate(model, until=1e-3)
    assert run.events[0].rule == "together"
    assert run.events[0].velocity_after == pytest.approx(impact.velocity, abs=1e-12)


def test_of_matrices_keeps_momentum_and_coulombs_law():
    impact = feet()
    change = MASS @ (impact.velocity - VELOCITY)
    assert np.einsum("kri,kr->i", FEET, impact.impulse) == pytest.approx(change, abs=1e-12)
    assert impact.impulse[0, 1] == pytest.approx(-0.5 * impact.impulse[0, 0], abs=1e-12)
    assert impact.impulse[1, 1] == 0
    assert impact.roles == ("strikes", "strikes") and impact.consistent and impact.warnings == ()
    assert impact.departure == pytest.approx(FEET[:, 0] @ impact.velocity)
    assert impact.energy_change == pytest.approx(impact.normal_work + impact.tangential_work)
    assert impact.contacts == [] and impact.multipliers.shape == (0,)


def test_of_the_other_rule():
    impact = feet(rule="simultaneous", friction=9.0)
    assert impact.departure == pytest.approx(-0.4 * impact.approach)
    assert (impact.impulse[:, 1] == 0).all()
    assert FEET[:, 1] @ impact.sticking.velocity == pytest.approx([0, 0], abs=1e-12)


def test_friction_without_rebound_is_the_contact_problem():
    assert feet(rule="simultaneous").frictional is None  # rebounds
    assert feet(restitution=0).frictional is None  # the other rule
    impact = feet(rule="simultaneous", restitution=0)
    found = impact.frictional
    assert found.solved and found.contacts == 2
    J = FEET.reshape(4, -1)
    same = routh.contacts(J @ np.linalg.solve(MASS, J.T), J @ VELOCITY, [0.5, 0.0], dimension=2)
    assert found.velocity == pytest.approx(same.velocity, abs=1e-9)
    assert found.machine_velocity == pytest.approx(VELOCITY + np.linalg.solve(MASS, J.T @ found.impulse), abs=1e-12)
    assert found.states[0] == "slips"


def test_a_run_takes_one_rule_and_has_the_laws_beside(tmp_path):
    impact = feet(rule="run")
    assert impact.rule == "together"  # a foot would slip
    assert impact.velocity.tolist() == feet().velocity.tolist()
    assert list(impact.laws) == ["newton", "energetic", "poisson"]
    assert impact.laws["newton"].velocity.tolist() == feet(rule="simultaneous").velocity.tolist()
    assert impact.laws["poisson"].velocity.tolist() == feet(law="poisson").velocity.tolist()
    assert impact.slip[:, 0] == pytest.approx(FEET[:, 1] @ impact.velocity)
    ice = feet(rule="run", friction=0)
    assert ice.rule == "simultaneous"
    assert ice.departure == pytest.approx(-0.4 * ice.approach)
    path = tmp_path / "box.yaml"
    path.write_text(BOX)
    model = routh.Model.from_file(path)
    struck = routh.simulate(model, until=1e-3).events[0]
    found = routh.impact(model, rule="run")
    assert found.rule == struck.rule
    assert found.velocity == pytest.approx(struck.velocity_after, abs=1e-12)


def test_one_contact_is_the_single_impact():
    alone = routh.impact(mass_matrix=MASS, jacobian=FEET[0], velocity=VELOCITY, friction=0.5, restitution=0.4)
    impact = feet(jacobian=FEET[:1], friction=0.5)
    assert impact.velocity == pytest.approx(alone.velocity, abs=1e-12)


def test_refusals():
    for changes, words in (({"rule": "never"}, "simultaneous, together"), ({"law": "newton"}, "energetic and poisson"),
                           ({"external_impulse": [1, 0, 0]}, "external_impulse"),
                           ({"mass_matrix": np.tile(MASS, (2, 1, 1))}, "leading axes|broadcast"), ({"friction": [-1, 0]}, "contact 0")):
        with pytest.raises(routh.InputError, match=words):
            feet(**changes)
    with pytest.raises(TypeError, match="batch"):
        feet(threads=2)
    with pytest.raises(TypeError, match="machine"):
        routh.impact([[1, 0], [0, 1]], [-1, 0], 0.1, 0.5, rule="together")


def test_the_way_through_a_march():
    impact = feet()
    path = impact.path
    assert len(path) > 2
    assert not path[0]["impulse"].any() and path[0]["stage"] == ("compression", "compression")
    assert path[-1]["impulse"] == pytest.approx(impact.impulse, abs=1e-12)
    assert path[-1]["stage"] == ("open", "open")
    assert {slip for point in path for slip in point["slip"]} >= {"slips"}
    normals = np.array([point["impulse"][:, 0] for point in path])
    assert (np.diff(normals, axis=0) >= -1e-12).all()
    inertia = np.einsum("kri,ij,lsj->krls", FEET, np.linalg.inv(MASS), FEET)
    for point in path:
        moved = np.einsum("kri,i->kr", FEET, VELOCITY) + np.einsum("krls,ls->kr", inertia, point["impulse"])
        assert point["velocity"] == pytest.approx(moved, abs=1e-9)
    assert impact.laws == {} and feet(rule="simultaneous").path == []


def test_springs_of_other_stiffness():
    """The feet are alike, mirrored: stiff left is stiff right mirrored, and only the ratio counts."""
    smooth = dict(friction=0.0, velocity=np.array([-1.0, 0.0, 0.0]))
    left, right = feet(stiffness=[4, 1], **smooth), feet(stiffness=[1, 4], **smooth)
    assert left.impulse[::-1, 0] == pytest.approx(right.impulse[:, 0], abs=1e-9)
    assert left.velocity[2] == pytest.approx(-right.velocity[2], abs=1e-9)
    assert abs(left.velocity[2]) > 1e-3
    assert feet(stiffness=[8, 2], **smooth).velocity == pytest.approx(left.velocity, abs=1e-9)
    for wrong in ([1], [1, 0], [1, float("inf")]):
        with pytest.raises(routh.InputError, match="stiffness"):
            feet(stiffness=wrong)
    with pytest.raises(TypeError, match="rule"):
        routh.impact([[1, 0], [0, 1]], [-1, 0], 0.1, 0.5, stiffness=[1])


def test_springs_of_a_models_contacts_are_those_of_its_matrices(tmp_path):
    """The box by hand: J of a corner at r takes v + ω × r."""
    path = tmp_path / "box.yaml"
    path.write_text(BOX)
    model = routh.Model.from_file(path)
    ratios = {"box on floor (corner 0)": 4.0, "box on floor (corner 3)": 0.5}
    ours = routh.impact(model, rule="together", stiffness=ratios)

    def corner(contact):
        x, y, z = contact.point - np.array([0, 0, 0.5])
        return [[0, 0, 1, y, -x, 0], [1, 0, 0, 0, z, -y], [0, 1, 0, -z, 0, x]]

    matrices = routh.impact(
        mass_matrix=np.diag([2, 2, 2, 0.2, 0.2, 0.2]), velocity=[1, 0, -1, 0, 0, 0], friction=0.5, restitution=0.8,
        jacobian=[corner(contact) for contact in ours.contacts], rule="together",
        stiffness=[ratios.get(contact.name, 1.0) for contact in ours.contacts])
    assert ours.velocity == pytest.approx(matrices.velocity, abs=1e-9)
    alike = routh.impact(model, rule="together")
    assert np.abs(ours.velocity - alike.velocity).max() > 1e-3
    assert routh.impact(model, rule="together", stiffness={"box on floor": 7}).velocity == pytest.approx(
        alike.velocity, abs=1e-12)
    for wrong, words in (({"box on flor": 2}, "unknown contact"), ({"box on floor": 0}, "positive"), ([1], "dictionary")):
        with pytest.raises(routh.InputError, match=words):
            routh.impact(model, rule="together", stiffness=wrong)
    with pytest.raises(TypeError, match="rule"):
        routh.impact(model, stiffness=ratios)


def test_a_batch_of_velocities():
    velocities = np.array([[-1, 1.5, 0], [-2, 0, 0.5], [-0.5, -1, 0.1]])
    many = feet(velocity=velocities)
    assert len(many) == 3
    for impact, velocity in zip(many, velocities):
        assert impact.velocity.tolist() == feet(velocity=velocity).velocity.tolist()
