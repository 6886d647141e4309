"""Models from files, texts and the builder; contacts and strikes of a machine."""
import math
import pathlib

import numpy as np
import pytest
from conftest import SOURCE, pendulum

import routh

URDF = """<robot name="arm">
  <link name="base"/>
  <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>"""
MJCF = """<mujoco model="arm"><worldbody><body name="rod"><joint name="hinge" type="hinge" axis="0 1 0"/>
  <inertial pos="0 0 -0.5" mass="2" diaginertia="0.2 0.2 0.01"/></body></worldbody></mujoco>"""
SCENE = """routh: 1
dimension: spatial
bodies:
  rod: {mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01], joint: {name: hinge, kind: revolute, axis: [0, 1, 0]}}
"""


def built():
    machine = routh.ModelBuilder("spatial", "arm")
    machine.body("rod").mass(2).com(0, 0, -0.5).inertia(0.2, 0.2, 0.01).revolute().name("hinge").axis(0, 1, 0)
    return machine.build()


@pytest.mark.parametrize("make", [lambda: routh.Model.from_urdf(URDF), lambda: routh.Model.from_mjcf(MJCF),
                                  lambda: routh.Model.from_yaml(SCENE), built])
def test_the_same_arm_from_everywhere(make):
    model = make()
    assert model.velocities == model.coordinates == 1 and model.mass == 2 and model.dimension == "spatial"
    assert model.dof_names == model.coordinate_names == ("hinge",) and "rod" in model.bodies and "hinge" in model.joints
    data = model.create_data()
    np.testing.assert_allclose(routh.mass_matrix(model, data, [0.7]), [[0.2 + 2 * 0.25]])
    np.testing.assert_allclose(routh.gravity_force(model, data, [0.7]), [2 * 9.81 * 0.5 * math.sin(0.7)])
    again = routh.Model.from_yaml(model.text)  # the text of a model is a scene
    np.testing.assert_array_equal(routh.mass_matrix(again, again.create_data(), [0.7]), data.mass_matrix)


def test_floating_base():
    model = routh.Model.from_urdf(URDF.replace('<link name="base"/>', '<link name="base"><inertial><mass value="1"/>'
                                               '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'),
                                  base="floating")
    assert (model.coordinates, model.velocities) == (8, 7)
    np.testing.assert_array_equal(model.rest_state().q, [0, 0, 0, 1, 0, 0, 0, 0])


def test_files(examples, tmp_path):
    for path in (examples / "kane.yaml", str(examples / "kane.yaml")):
        model = routh.Model.from_file(path)
        assert model.name == "Kane's double pendulum" and model.shapes == ("tip", "floor")
        np.testing.assert_allclose(model.gravity, [0, -9.81, 0])
    (tmp_path / "arm.urdf").write_text(URDF)
    assert routh.Model.from_file(tmp_path / "arm.urdf").velocities == 1
    assert repr(routh.Model.from_file(tmp_path / "arm.urdf")) == "<Model 'arm': 2 bodies, 1 degrees of freedom>"


def test_warnings_are_warnings():
    text = URDF.replace("</robot>", "<gazebo/></robot>")
    with pytest.warns(routh.InputWarning, match="<gazebo>.*ignored"):
        assert len(routh.Model.from_urdf(text).warnings) == 1
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(routh.InputWarning):
            routh.Model.from_urdf(text)


def test_every_word_of_the_builder():
    machine = routh.ModelBuilder("spatial", "all").gravity(0, 0, -1).gravity([0, 0, -2])
    machine.surface("a").friction(0.5).restitution(0.2).law("poisson")
    machine.surface("b").friction(0.5, kinetic=0.4).restitution_table([(0, 0.5), (1, 0.2)])
    machine.surface_pair("a", "b").friction(0.3).restitution_alpha(0.1).tangential_restitution(0)
    one = machine.body("one").mass(1).com([0, 0, 0]).inertia(1, 1, 1)
    one.free().name("float")
    two = machine.body("two").mass(1).inertia(1, 1, 1, 0, 0, 0)
    pose = np.eye(4)
    pose[:3, 3] = [0, 0, 1]
    two.cylindrical("one").at(pose).in_child(0, 0, 0).axis([0, 0, 1]).dof("angle").limits(-1, 1, 0.2).armature(0.1)
    three = machine.body("three").mass(1).inertia(1, 1, 1)
    three.universal("two").axis(1, 0, 0).second_axis(0, 1, 0)
    for parent, kind in (("three", "prismatic"), ("a_prismatic", "planar"), ("a_planar", "spherical"), ("a_spherical", "fixed")):
        getattr(machine.body(f"a_{kind}").mass(1).inertia(1, 1, 1), kind)(parent)
    four = machine.body("four").mass(1).inertia(1, 1, 1).revolute("world").at(5, 0, 0)
    four.drive(10, 1, position=[(0, 0), (1, 1)], limit=5).effort(2)
    for k, (shape, args) in enumerate({"point": (), "sphere": (1,), "capsule": (1, 1), "box": (1, 1, 1), "pin": (1,),
                                       "cylinder": (1, 1), "ellipsoid": (1, 1, 1)}.items()):
        getattr(machine.shape(f"s{k}").on("one"), shape)(*args).at(0, 0, k).surface("a")
    machine.shape("hole").on("four").hole(2).at(0, 0, 40)
    machine.shape("plane").half_space().at(0, 0, -30).normal(0, 0.1, 1).belt([1, 0, 0], speed=2).surface("b")
    machine.shape("strip").strip(1).at(0, 0, -20)
    machine.loop("held").distance(5, "four").at([1, 0, 0], [1, 0, 0])
    machine.loop("geared").couple("four", 1).couple("two.angle", -2).constant(0.5)
    machine.spring("coil").between("one", "four").at([0, 0, 0], [0, 0, 0]).stiffness(5).rest_length(1).damping(0.1)
    machine.force("wind").on("one").at(0, 0, 1).force(1, 2, 3).torque(0, 0, 1).in_body_frame().scale([(0, 0), (1, 1)])
    machine.exclude("one", "two").include("one", "two")
    model = machine.build()
    assert model.velocities == 6 + 2 + 2 + 1 + 3 + 3 + 1 and model.loops == ("held", "geared")
    np.testing.assert_array_equal(model.gravity, [0, 0, -2])
    for kind in ("point", "hinge", "weld"):
        other = routh.ModelBuilder("planar")
        other.body("x").mass(1).inertia(1).planar()
        getattr(other.loop("l"), kind)("x").at([0, 0], [0, 0])
        assert other.build().loop_rows == (3 if kind == "weld" else 2)


def test_a_writer_keeps_its_builder():
    body = routh.ModelBuilder("planar").body("x")  # the builder has no other owner
    assert body.mass(1).mass(2) is body
    joint = body.inertia(1).revolute()
    del body
    joint.damping(1)


def test_contacts_of_the_pendulum():
    model = pendulum()
    data = model.create_data()
    q = np.radians([20.0, 12.0])
    (contact,) = routh.find_contacts(model, data, q, margin=1)
    height = 2 * (np.cos(np.radians(20)) + np.cos(np.radians(30)) - np.cos(np.radians(20)) - np.cos(np.radians(32)))
    assert contact.gap == pytest.approx(height) and contact.name == "tip on ground" and contact.kind is None
    assert (contact.body_a, contact.body_b, contact.shape_a, contact.shape_b) == ("lower", "world", "tip", "ground")
    np.testing.assert_allclose(contact.normal, [0, 1, 0])
    np.testing.assert_allclose(contact.tangent1, [1, 0, 0])
    assert contact.friction == (0.51, 0.5) and contact.law == "energetic" and not contact.is_limit
    assert routh.find_contacts(model, data, q) == []
    q = np.radians([20.0, 10.0])  # it touches
    (contact,) = routh.find_contacts(model, data, q, margin=1e-9)
    J = routh.contact_jacobian(model, data, q, contact)
    np.testing.assert_allclose(J, routh.point_jacobian(model, data, q, "lower", [0, -2])[[1, 0]], atol=1e-12)


def test_strikes_of_the_pendulum():
    """A model and a state against the same matrices by hand."""
    model = pendulum()
    state = routh.State(np.radians([20, 10]), [-0.1, -0.1])
    (touch,) = routh.find_touches(model, state)
    assert touch.kind == "approaching"
    (strike,) = routh.impact(model, state)
    data = model.create_data()
    M, J = routh.mass_matrix(model, data, state.q), routh.contact_jacobian(model, data, state.q, touch)
    hand = routh.impact(mass_matrix=M, jacobian=J, velocity=state.v, friction=(0.51, 0.5), restitution=0.7)
    np.testing.assert_allclose(strike.result.velocity, hand.velocity, atol=1e-12)
    np.testing.assert_allclose(strike.result.impulse, hand.impulse, atol=1e-12)
    assert strike.contact.name == "tip on ground" and list(strike.results) == ["energetic"]
    # The impulse of the pivot is what changes the momentum besides the contact's.
    before, after = (routh.momentum(model, data, state.q, v)[0] for v in (state.v, strike.result.velocity))
    contact = strike.result.impulse @ np.array([touch.normal, touch.tangent1])
    np.testing.assert_allclose(strike.joint_impulses[0, :3] + contact, after - before, atol=1e-9)
    (every,) = routh.impact(model, state, law="all")
    assert set(every.results) == {"energetic", "poisson", "newton", "unified", "classical"}
    assert len(repr(every).splitlines()) == 2 + len(every.results) and "classical" in repr(every)
    (newton,) = routh.impact(model, state, "newton")
    assert newton.result.law == "newton"
    assert routh.impact(model, routh.State(state.q, -state.v)) == []


def test_state_of_the_file(kane):
    (strike,) = routh.impact(kane)
    np.testing.assert_allclose(strike.result.impulse[0], 0.867, atol=1e-3)


def test_every_example_loads(examples):
    for path in sorted(pathlib.Path(examples).glob("*.yaml")):
        model = routh.Model.from_file(path)
        data, state = model.create_data(), model.state
        M = routh.mass_matrix(model, data, state.q)
        energy = routh.energy(model, data, state.q, state.v)[0]
        assert energy == pytest.approx(0.5 * state.v @ M @ state.v, abs=1e-12), path
    assert (SOURCE / "examples" / "kane.yaml").exists()


def test_builder_makes_hulls():
    """A cube by its corners, and a point within it that the hull does not need, rests on a floor at half its edge."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.1
    machine = routh.ModelBuilder("spatial")
    machine.body("cube").mass(1).inertia(0.01, 0.01, 0.01).free()
    machine.shape("hull").on("cube").mesh(np.vstack([corners, [[0, 0, 0]]]))
    machine.shape("floor").half_space().at(0, 0, -0.1)
    model = machine.build()
    assert len(routh.find_contacts(model, model.create_data(), model.state.q, margin=1e-9)) == 4
    with pytest.raises(routh.InputError, match="points of the mesh"):
        routh.ModelBuilder("spatial").shape("flat").mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]])


def test_a_path_a_text_and_a_model_are_the_same_everywhere(tmp_path):
    """What takes a machine takes it in any form, with the same answer."""
    path = SOURCE / "examples" / "kane.yaml"
    model = routh.Model.from_file(path)
    plane = (("friction", 0.1, 1.0), ("restitution", 0.0, 0.9))
    for ask in (lambda source: str(routh.diagnose(source)), lambda source: routh.simulate(source, 0.1).q.tolist(),
                lambda source: str(routh.project(source)),
                lambda source: routh.map(source, *plane, points=5).kinds.tolist()):
        expected = ask(model)
        for source in (path, str(path), path.read_text()):
            assert ask(source) == expected
    held = SOURCE / "examples" / "hold" / "gripper.yaml"
    if held.exists():
        assert str(routh.hold(held)) == str(routh.hold(routh.Model.from_file(held)))
    assert routh.simulate(URDF, 0.1).q.shape[1] == 1
    assert routh.simulate(MJCF, 0.1).q.shape[1] == 1
    with pytest.raises(TypeError, match="Model, a path or a text"):
        routh.diagnose(3)


def test_joints_by_name():
    model = routh.Model.from_yaml("""routh: 1
bodies:
  base: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}}
  leg: {mass: 1, inertia: [1, 1, 1], joint: {kind: revolute, axis: [0, 1, 0], parent: base}}
  foot: {mass: 1, inertia: [1, 1, 1], joint: {kind: fixed, parent: leg}}
""")
    q, v = np.arange(8), np.arange(7)
    assert q[model.joint("leg")] == 7
    assert v[model.dof("leg")] == 6
    assert q[model.joint("base")].tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert v[model.dof("base")].tolist() == [0, 1, 2, 3, 4, 5]
    assert q[model.joint("base.y")] == 1
    with pytest.raises(routh.InputError, match="did you mean 'leg'"):
        model.joint("leq")
    with pytest.raises(routh.InputError, match="fixed"):
        model.joint("foot")


@pytest.mark.filterwarnings("ignore::routh.InputWarning")
def test_keyframes_floors_and_drops(tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text("""<mujoco><worldbody><body name="ball"><freejoint/><geom type="sphere" size="0.25"/></body></worldbody>
<keyframe><key name="low" qpos="0 0 1 1 0 0 0"/><key name="high" qpos="0 0 2 1 0 0 0"/></keyframe></mujoco>""")
    assert routh.Model.from_file(path, keyframe="high").state.q[2] == 2
    assert routh.Model.from_file(path, keyframe=0).state.q[2] == 1
    dropped = routh.Model.from_file(path, floor=0.5, drop=0.125)
    assert dropped.state.q[2] == pytest.approx(0.375, abs=1e-15)
    run = routh.simulate(dropped, 0.5)
    assert run.events[0].time == pytest.approx(math.sqrt(2 * 0.125 / 9.81), rel=1e-9)
    with pytest.raises(routh.InputError, match="drop"):
        routh.Model.from_file(path, drop=-1)
    with pytest.raises(routh.InputError, match="robot files"):
        routh.Model.from_file(SOURCE / "examples" / "kane.yaml", floor=1)
