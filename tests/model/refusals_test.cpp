// Every rule of bodies and joints: what is refused, at which place, with which value and remedy.
#include <gtest/gtest.h>

#include "model/refusal_cases.h"

namespace routh {
namespace {

using testing_support::body;
using testing_support::dof;
using testing_support::expect_refusals;
using testing_support::inf;
using testing_support::joint;
using testing_support::nan;
using testing_support::on_line;
using testing_support::refusal;
using testing_support::sample;
using testing_support::shape;

using Description = ModelDescription;

TEST(Refusals, Names) {
  expect_refusals(
      Dimension::spatial,
      {
          {"empty", [](Description& d) { body(d, "hand").name.clear(); }, 30, {"body: the name is missing", "letters"}},
          {"space", [](Description& d) { body(d, "hand").name = "my hand"; }, 30, {"'my hand'", "position 3"}},
          {"path", [](Description& d) { joint(d, "arm_joint").name = "../x"; }, 24, {"begins with a dot"}},
          {"slash", [](Description& d) { joint(d, "arm_joint").name = "a/b"; }, 24, {"joint 'a/b'", "position 2"}},
          {"escape", [](Description& d) { shape(d, "tip").name = "\x1b[31m"; }, 60, {"shape '\\x1b[31m'"}},
          {"long", [](Description& d) { body(d, "hand").name = std::string(65, 'a'); }, 30, {"65 characters"}},
          {"world", [](Description& d) { body(d, "hand").name = "world"; }, 30, {"choose another name"}},
          {"bodies", [](Description& d) { body(d, "hand").name = "arm"; }, 30, {"two bodies", "first on line 20"}},
          {"joints", [](Description& d) { joint(d, "hand_joint").name = "arm_joint"; }, 34, {"two joints"}},
          {"shapes", [](Description& d) { shape(d, "floor").name = "tip"; }, 65, {"two shapes", "line 60"}},
          {"surfaces", [](Description& d) { d.surfaces.push_back(d.surfaces[0]); }, 50, {"two surfaces"}},
          {"loops", [](Description& d) { d.loops[1].name = "link"; }, 85, {"two loops"}},
          {"springs", [](Description& d) { d.springs.push_back(d.springs[0]); }, 70, {"two springs"}},
          {"forces", [](Description& d) { d.forces.push_back(d.forces[0]); }, 75, {"two forces"}},
          {"impulses",
           [](Description& d) {
             ImpulseDescription& tap = d.impulses.emplace_back();
             tap.name = "tap";
             tap.where = d.forces[0].where;
           },
           75,
           {"one body or along one joint"}},
          {"joint like a dof",
           [](Description& d) { joint(d, "arm_joint").name = "crate_joint.wx"; },
           24,
           {"a degree of freedom of the joint 'crate_joint' has this name too"}},
      });
}

TEST(Refusals, References) {
  expect_refusals(
      Dimension::spatial,
      {
          {"parent",
           [](Description& d) { joint(d, "hand_joint").parent = "arn"; },
           35,
           {"joint 'hand_joint': there is no body 'arn'", "did you mean 'arm'?"}},
          {"parent, nothing near",
           [](Description& d) { joint(d, "hand_joint").parent = "xyzxyz"; },
           35,
           {"the bodies are base, arm, hand, crate"}},
          {"child", [](Description& d) { joint(d, "hand_joint").child = "hans"; }, 34, {"did you mean 'hand'?"}},
          {"shape's body", [](Description& d) { shape(d, "tip").body = "hnd"; }, 61, {"no body 'hnd'", "'hand'"}},
          {"surface", [](Description& d) { shape(d, "tip").surface = "steal"; }, 62, {"no surface 'steal'", "'steel'"}},
          {"loop", [](Description& d) { d.loops[0].body_b = "crane"; }, 81, {"loop 'link'", "did you mean 'crate'?"}},
          {"spring", [](Description& d) { d.springs[0].body_a = "hands"; }, 70, {"spring 'band'", "'hand'"}},
          {"force", [](Description& d) { d.forces[0].body = "crte"; }, 75, {"force 'push'", "'crate'"}},
          {"term", [](Description& d) { d.loops[1].terms[0].joint = "arm_jont"; }, 86, {"'arm_joint'?"}},
          {"pair",
           [](Description& d) {
             d.surface_pairs.push_back({"steel", "stell", {}, on_line(55)});
           },
           55,
           {"surface pair 'steel' and 'stell'", "did you mean 'steel'?"}},
          {"filter",
           [](Description& d) {
             d.filters.push_back({{}, "tipp", "floor", on_line(90)});
           },
           90,
           {"no shape or body 'tipp'", "did you mean 'tip'?"}},
          {"filter of bodies",
           [](Description& d) {
             d.filters.push_back({{}, "tip", "crat", on_line(90)});
           },
           90,
           {"did you mean 'crate'?"}},
      });
}

TEST(Refusals, Tree) {
  const auto ring = [](Description& d) {
    joint(d, "base_joint").parent = "hand";
    joint(d, "base_joint").kind = JointKind::revolute;
  };
  expect_refusals(
      Dimension::spatial,
      {
          {"ring", ring, 15, {"base hangs from hand, hand from arm, arm from base", "from the world"}},
          {"itself", [](Description& d) { joint(d, "hand_joint").parent = "hand"; }, 35, {"'hand' hangs from itself"}},
          {"two joints",
           [](Description& d) { joint(d, "crate_joint").child = "hand"; },
           44,
           {"'hand' hangs from the joint 'hand_joint' already", "close a loop"}},
          {"no joint", [](Description& d) { d.joints.pop_back(); }, 40, {"body 'crate': it has no joint", "free"}},
          {"world hangs",
           [](Description& d) { joint(d, "hand_joint").child = "world"; },
           34,
           {"the world cannot hang"}},
          {"free on a body",
           [](Description& d) { joint(d, "crate_joint").parent = "arm"; },
           45,
           {"a free joint hangs from the world, not from 'arm'"}},
          {"free moved",
           [](Description& d) { joint(d, "crate_joint").at.position.x = 1; },
           44,
           {"leave out `at`", "state"}},
          {"too many bodies", [](Description& d) { d.bodies.resize(10'001); }, 1, {"10001 bodies; at most 10000"}},
          {"too many shapes", [](Description& d) { d.shapes.resize(100'001); }, 1, {"100001 shapes; at most 100000"}},
      });
}

TEST(Refusals, MassAndInertia) {
  const auto inertia = [](const Symmetric3& value) {
    return [value](Description& d) { body(d, "hand").inertia = value; };
  };
  expect_refusals(
      Dimension::spatial,
      {
          {"negative mass", [](Description& d) { body(d, "hand").mass = -2; }, 31, {"mass = -2 must be zero or pos"}},
          {"nan mass", [](Description& d) { body(d, "hand").mass = nan; }, 31, {"mass = nan must be a finite"}},
          {"massless with inertia", [](Description& d) { body(d, "hand").mass = 0; }, 31, {"mass = 0 but the inertia"}},
          {"com", [](Description& d) { body(d, "hand").com.y = inf; }, 32, {"com = [0, inf, 0] must be finite"}},
          {"nan inertia", inertia({1, 1, nan, 0, 0, 0}), 33, {"an entry of inertia = nan"}},
          {"negative", inertia({2, -1, 2, 0, 0, 0}), 33, {"moments -1, 2 and 2 kg m²", "none may be negative"}},
          // Eigenvalues of [[2, 3], [3, 2]] are −1 and 5.
          {"indefinite", inertia({2, 2, 4, 3, 0, 0}), 33, {"moments -1, 4 and 5"}},
          {"triangle", inertia({1, 1, 2.001, 0, 0, 0}), 33, {"1, 1 and 2.001", "sum of the others", "centre of mass"}},
          {"range", [](Description& d) { body(d, "hand").com.x = 1e200; }, 30, {"exceeds the range", "units"}},
          {"gravity", [](Description& d) { d.gravity.x = nan; }, 2, {"model 'sample': gravity"}},
      });
  // A lamina, and a rod without thickness, are at the edge; rounding beyond it is forgiven.
  for (const Symmetric3& edge : {Symmetric3{1, 1, 2, 0, 0, 0}, Symmetric3{1, 1, 0, 0, 0, 0},
                                 Symmetric3{1, 1, 2 * (1 + 1e-10), 0, 0, 0}, Symmetric3{1, 1, -1e-10, 0, 0, 0}}) {
    ModelDescription description = sample(Dimension::spatial);
    body(description, "base").inertia = edge;
    EXPECT_FALSE(refusal(description)) << refusal(description)->what();
  }
}

TEST(Refusals, Joints) {
  const auto universal = [](Description& d) {
    joint(d, "hand_joint").kind = JointKind::universal;
    joint(d, "hand_joint").second_axis = {0, 1, 1e-5};
  };
  const auto rotation = [](const Matrix3& value) {
    return [value](Description& d) { joint(d, "hand_joint").at.rotation = value; };
  };
  expect_refusals(
      Dimension::spatial,
      {
          {"axis", [](Description& d) { joint(d, "hand_joint").axis = {}; }, 36, {"axis is zero", "give a direction"}},
          {"axis nan", [](Description& d) { joint(d, "hand_joint").axis.x = nan; }, 36, {"axis = [nan, 0, 1]"}},
          {"universal", universal, 36, {"not perpendicular", "right angle"}},
          {"at", [](Description& d) { joint(d, "hand_joint").at.position.z = inf; }, 34, {"at = [1, 0, inf]"}},
          {"stretched", rotation({{1.00001, 0, 0}, {0, 1, 0}, {0, 0, 1}}), 34, {"rotation of at is none", "1.00001"}},
          {"mirrored", rotation({{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}), 34, {"rotation of at is none", "right-handed"}},
          {"not a number", rotation({{nan, 0, 0}, {0, 1, 0}, {0, 0, 1}}), 34, {"rotation of at is none"}},
          {"in_child", [](Description& d) { joint(d, "hand_joint").in_child.rotation.r0.x = 2; }, 34, {"in_child"}},
          {"dofs",
           [](Description& d) { joint(d, "hand_joint").dofs.resize(2); },
           34,
           {"2 degrees of freedom are described; a revolute joint has 1"}},
      });
  // What is nearly a rotation is made one.
  ModelDescription description = sample(Dimension::spatial);
  joint(description, "hand_joint").at.rotation = {{1 + 4e-7, 1e-7, 0}, {0, 1, 2e-7}, {0, 0, 1}};
  const Model model = build_model(description);
  const Matrix3& R = model.joints[2].at.rotation;
  EXPECT_NEAR(dot(R.r0, R.r0), 1, 1e-15);
  EXPECT_NEAR(dot(R.r0, R.r1), 0, 1e-15);
  EXPECT_NEAR(dot(R.r2, cross(R.r0, R.r1)), 1, 1e-15);
}

TEST(Refusals, DegreesOfFreedom) {
  const auto set = [](std::function<void(DofDescription&)> change) {
    return [change](Description& d) { change(dof(d, "hand_joint")); };
  };
  const auto drive = [&](std::function<void(DriveDescription&)> change) {
    return set([change](DofDescription& spoiled) { change(spoiled.drive.emplace()); });
  };
  expect_refusals(
      Dimension::spatial,
      {
          {"limits", set([](auto& x) { x.lower = x.upper = 1; }), 37, {"limits [1, 1] leave no room", "lower limit"}},
          {"limits nan", set([](auto& x) { x.lower = nan; }), 37, {"limits [nan, inf]"}},
          {"limit e", set([](auto& x) { x.limit_restitution = 1.5; }), 37, {"limits.restitution = 1.5", "[0, 1]"}},
          {"damping", set([](auto& x) { x.damping = -1; }), 37, {"joint 'hand_joint': damping = -1 must be zero or"}},
          {"armature", set([](auto& x) { x.armature = -1; }), 37, {"armature = -1 must be"}},
          {"stiffness", set([](auto& x) { x.stiffness = nan; }), 37, {"spring.stiffness = nan"}},
          {"rest", set([](auto& x) { x.rest = inf; }), 37, {"spring.rest = inf"}},
          {"gain", drive([](auto& x) { x.stiffness = -3; }), 37, {"drive.stiffness = -3"}},
          {"rate gain", drive([](auto& x) { x.damping = -3; }), 37, {"drive.damping = -3"}},
          {"limit", drive([](auto& x) { x.limit = 0; }), 37, {"drive.limit = 0 must be positive"}},
          {"target", drive([](auto& x) { x.position.points.clear(); }), 37, {"drive.position has no points"}},
          {"rate",
           drive([](auto& x) {
             x.velocity = {{{0, 1}, {0, 2}}};
           }),
           37,
           {"drive.velocity: the time 0 comes"}},
          {"effort",
           set([](auto& x) {
             x.effort = Profile{{{0, nan}}};
           }),
           37,
           {"effort: the point [0, nan]"}},
          {"order",
           set([](auto& x) {
             x.effort = Profile{{{1, 0}, {0, 0}}};
           }),
           37,
           {"time 0 comes after 1", "order"}},
      });
  const auto turning = [](int k, std::function<void(DofDescription&)> change) {
    return [k, change](Description& d) {
      dof(d, "crate_joint");
      change(joint(d, "crate_joint").dofs[static_cast<std::size_t>(k)]);
    };
  };
  expect_refusals(
      Dimension::spatial,
      {
          {"limit", turning(3, [](auto& x) { x.upper = 1; }), 44, {"'crate_joint.wx': a limit needs"}},
          {"spring", turning(4, [](auto& x) { x.stiffness = 1; }), 44, {"'crate_joint.wy': a spring"}},
          {"drive", turning(5, [](auto& x) { x.drive.emplace(); }), 44, {"'crate_joint.wz': a drive"}},
          {"rotor", turning(1, [](auto& x) { x.armature = 1; }), 44, {"armature = 0 along one axis and 1", "the same"}},
      });
  ModelDescription description = sample(Dimension::spatial);
  turning(0, [](auto& x) { x.lower = -1; })(description);
  turning(2, [](auto& x) { x.drive.emplace(); })(description);
  turning(5, [](auto& x) { x.damping = x.armature = 1; })(description);
  for (const int k : {0, 1, 2}) turning(k, [](auto& x) { x.armature = 2; })(description);
  EXPECT_FALSE(refusal(description));
}

TEST(Refusals, Plane) {
  const auto kind = [](JointKind wanted) {
    return [wanted](Description& d) { joint(d, "crate_joint").kind = wanted; };
  };
  const auto slanted = [](Description& d) {
    joint(d, "hand_joint").kind = JointKind::prismatic;
    joint(d, "hand_joint").axis = {1, 0, 0.1};
  };
  const auto tilted = [](Description& d) {
    joint(d, "hand_joint").at.rotation = {{1, 0, 0}, {0, 0.6, -0.8}, {0, 0.8, 0.6}};
  };
  const auto cylinder = [](Description& d) {
    shape(d, "tip").kind = ShapeKind::cylinder;
    shape(d, "tip").radius = shape(d, "tip").length = 1;
  };
  expect_refusals(
      Dimension::planar,
      {
          {"gravity",
           [](Description& d) {
             d.gravity = {0, 0, -9.81};
           },
           2,
           {"gravity leaves the plane", "-9.81"}},
          {"com",
           [](Description& d) { body(d, "hand").com.z = 1; },
           32,
           {"com leaves the plane: its z is 1", "z to 0"}},
          {"inertia", [](Description& d) { body(d, "hand").inertia = {1, 1, 1, 0, 0, 0}; }, 33, {"besides zz"}},
          {"negative", [](Description& d) { body(d, "hand").inertia = {0, 0, -1, 0, 0, 0}; }, 33, {"inertia = -1"}},
          {"free", kind(JointKind::free), 44, {"a free joint leaves the plane", "planar (which moves freely"}},
          {"spherical", kind(JointKind::spherical), 44, {"a spherical joint leaves the plane"}},
          {"universal", kind(JointKind::universal), 44, {"a universal joint leaves the plane"}},
          {"cylindrical", kind(JointKind::cylindrical), 44, {"a cylindrical joint leaves the plane"}},
          {"axis",
           [](Description& d) {
             joint(d, "hand_joint").axis = {1, 0, 0};
           },
           36,
           {"must be z", "leave out"}},
          {"slide", slanted, 36, {"must lie in the plane", "[x, y]"}},
          {"rotation", tilted, 34, {"the rotation of at leaves the plane", "angle about z"}},
          {"position", [](Description& d) { joint(d, "hand_joint").at.position.z = 1; }, 34, {"at leaves the plane"}},
          {"cylinder", cylinder, 60, {"a cylinder has no place in a planar model", "disc"}},
          {"belt",
           [](Description& d) {
             shape(d, "floor").belt = {0, 1, 0};
           },
           65,
           {"component 1 along the normal"}},
          {"loop", [](Description& d) { d.loops[0].at_a.position.z = 1; }, 80, {"at of the first body leaves"}},
          {"spring", [](Description& d) { d.springs[0].at_a.z = 1; }, 70, {"leaves the plane"}},
          {"force", [](Description& d) { d.forces[0].force.z = 1; }, 75, {"force leaves the plane"}},
          {"torque", [](Description& d) { d.forces[0].torque.x = 1; }, 75, {"torque leaves the plane", "about z"}},
      });
}

TEST(Refusals, WithoutAPlaceTheNameSays) {
  ModelDescription description = sample(Dimension::spatial);
  for (BodyDescription& placed : description.bodies)
    placed.where = placed.mass_where = placed.com_where = placed.inertia_where = {};
  body(description, "hand").mass = -1;
  EXPECT_STREQ(refusal(description)->what(), "error: body 'hand': mass = -1 must be zero or positive");
}

TEST(Refusals, NegativeSpringsAreAWarning) {
  ModelDescription description = sample(Dimension::spatial);
  dof(description, "hand_joint").stiffness = -3;
  description.springs[0].stiffness = -4;
  const Model model = build_model(description);
  ASSERT_EQ(model.warnings.size(), 2u);
  EXPECT_EQ(model.warnings[0],
            "m.yaml:37:3: warning: joint 'hand_joint': spring.stiffness = -3 is negative: it pushes away from its rest "
            "position");
  EXPECT_EQ(model.warnings[1],
            "m.yaml:70:3: warning: spring 'band': stiffness = -4 is negative: it pushes away from its rest length");
  EXPECT_TRUE(build_model(sample(Dimension::planar)).warnings.empty());
}

}  // namespace
}  // namespace routh
