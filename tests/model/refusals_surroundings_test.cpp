// Every rule of what acts on bodies: loops, springs, forces, surfaces, shapes.
#include <gtest/gtest.h>

#include "model/refusal_cases.h"

namespace routh {
namespace {

using testing_support::expect_refusals;
using testing_support::inf;
using testing_support::nan;
using testing_support::on_line;
using testing_support::refusal;
using testing_support::sample;
using testing_support::shape;

using Description = ModelDescription;

TEST(Refusals, Loops) {
  const auto distance = [](double value) {
    return [value](Description& d) {
      d.loops[0].kind = LoopKind::distance;
      d.loops[0].distance = value;
    };
  };
  const auto term = [](std::function<void(CouplingTerm&)> change) {
    return [change](Description& d) { change(d.loops[1].terms[1]); };
  };
  const auto turning = term([](auto& t) { t.joint = "crate_joint", t.dof = 3; });
  expect_refusals(
      Dimension::spatial,
      {
          {"zero distance", distance(0), 80, {"loop 'link': distance = 0 must be positive"}},
          {"nan distance", distance(nan), 80, {"distance = nan"}},
          {"same link", [](Description& d) { d.loops[0].body_b = "hand"; }, 80, {"cannot move against each other"}},
          {"both still",
           [](Description& d) { d.loops[0].body_a = "base", d.loops[0].body_b = "world"; },
           80,
           {"'base' and 'world' cannot move"}},
          {"frame", [](Description& d) { d.loops[0].at_b.rotation.r0.x = 3; }, 80, {"at of the second body"}},
          {"no terms", [](Description& d) { d.loops[1].terms.clear(); }, 85, {"the coupling has no terms"}},
          {"twice", term([](auto& t) { t.joint = "arm_joint"; }), 86, {"'arm_joint' is there twice", "add the"}},
          {"zero", term([](auto& t) { t.coefficient = 0; }), 86, {"coefficient of 'hand_joint' is zero"}},
          {"infinite", term([](auto& t) { t.coefficient = inf; }), 86, {"coefficient = inf"}},
          {"number", term([](auto& t) { t.dof = 1; }), 86, {"no degree of freedom 1", "0 to 0"}},
          {"negative", term([](auto& t) { t.dof = -1; }), 86, {"no degree of freedom -1"}},
          {"quaternion", turning, 86, {"'crate_joint.wx' has no coordinate", "couple angles"}},
          {"fixed", term([](auto& t) { t.joint = "base_joint"; }), 86, {"joint 'base_joint' is fixed"}},
          {"constant", [](Description& d) { d.loops[1].constant = nan; }, 85, {"constant = nan"}},
      });
}

TEST(Refusals, SpringsAndForces) {
  expect_refusals(
      Dimension::spatial,
      {
          {"rest length", [](Description& d) { d.springs[0].rest_length = -1; }, 70, {"rest_length = -1 must be zero"}},
          {"damping", [](Description& d) { d.springs[0].damping = -1; }, 70, {"spring 'band': damping = -1"}},
          {"stiffness", [](Description& d) { d.springs[0].stiffness = nan; }, 70, {"stiffness = nan"}},
          {"point", [](Description& d) { d.springs[0].at_b.x = nan; }, 70, {"at of the second body = [nan, 0, 0]"}},
          {"same link", [](Description& d) { d.springs[0].body_b = "hand"; }, 70, {"cannot move against each other"}},
          {"force", [](Description& d) { d.forces[0].force.z = inf; }, 75, {"force = [1, 0, inf]"}},
          {"torque", [](Description& d) { d.forces[0].torque.z = nan; }, 75, {"torque = [0, 0, nan]"}},
          {"still", [](Description& d) { d.forces[0].body = "base"; }, 75, {"'base' does not move"}},
          {"world", [](Description& d) { d.forces[0].body = "world"; }, 75, {"'world' does not move"}},
          {"scale",
           [](Description& d) {
             d.forces[0].scale.points = {{0, 1}, {0, 2}};
           },
           75,
           {"scale: the time 0"}},
      });
}

TEST(Refusals, Surfaces) {
  const auto set = [](std::function<void(SurfaceProperties&)> change) {
    return [change](Description& d) { change(d.surfaces[0].properties); };
  };
  const auto table = [&](std::vector<RestitutionPoint> points) {
    return set([points](auto& p) { p.restitution.kind = RestitutionKind::table, p.table = points; });
  };
  const auto alpha = [&](double value) {
    return set([value](auto& p) { p.restitution.kind = RestitutionKind::linear, p.restitution.alpha = value; });
  };
  const auto pair = [](Description& d) {
    d.surface_pairs.push_back({"steel", "steel", {}, on_line(55)});
    d.surface_pairs.back().properties.restitution.normal = 2;
  };
  const auto twice = [](Description& d) {
    d.surfaces.push_back({"rubber", {}, on_line(51)});
    d.surface_pairs = {{"steel", "rubber", {}, on_line(55)}, {"rubber", "steel", {}, on_line(56)}};
  };
  expect_refusals(
      Dimension::spatial,
      {
          {"e", set([](auto& p) { p.restitution.normal = 1.2; }), 50, {"surface 'steel': restitution = 1.2", "[0, 1]"}},
          {"e nan", set([](auto& p) { p.restitution.normal = nan; }), 50, {"restitution = nan"}},
          {"e_t", set([](auto& p) { p.restitution.tangential = -1.5; }), 50, {"tangential = -1.5", "[-1, 1]"}},
          {"static",
           set([](auto& p) {
             p.friction = {-1, -1};
           }),
           50,
           {"friction.static = -1 must be zero or"}},
          {"kinetic",
           set([](auto& p) {
             p.friction = {1, nan};
           }),
           50,
           {"friction.kinetic = nan"}},
          {"order",
           set([](auto& p) {
             p.friction = {0.3, 0.4};
           }),
           50,
           {"friction.kinetic = 0.4 must not exceed the static coefficient"}},
          {"alpha", alpha(-0.1), 50, {"restitution.alpha = -0.1"}},
          {"alpha inf", alpha(inf), 50, {"restitution.alpha = inf"}},
          {"table empty", table({}), 50, {"restitution.table must have at least one point"}},
          {"table order",
           table({{1, 0.5}, {1, 0.4}}),
           50,
           {"a speed of restitution.table = 1 must", "exceed the speed before it", "sort the table"}},
          {"table speed", table({{-1, 0.5}}), 50, {"a speed of restitution.table = -1"}},
          {"table e", table({{0, 1.5}}), 50, {"a coefficient of restitution.table = 1.5"}},
          {"pair", pair, 55, {"surface pair 'steel' and 'steel': restitution = 2"}},
          {"pair twice", twice, 56, {"surface pair 'rubber' and 'steel': this pair is there twice"}},
      });
  ModelDescription description = sample(Dimension::spatial);
  description.surfaces[0].properties.friction = {inf, inf};
  EXPECT_FALSE(refusal(description));
}

TEST(Refusals, Shapes) {
  const auto sized = [](ShapeKind kind, double radius, double length, Vector3 half) {
    return [=](Description& d) {
      ShapeDescription& spoiled = shape(d, "tip");
      spoiled.kind = kind, spoiled.radius = radius, spoiled.length = length, spoiled.half_extents = half;
    };
  };
  expect_refusals(
      Dimension::spatial,
      {
          {"sphere", sized(ShapeKind::sphere, 0, 0, {}), 60, {"shape 'tip': radius = 0 must be positive"}},
          {"sphere inf", sized(ShapeKind::sphere, inf, 0, {}), 60, {"radius = inf must be a finite"}},
          {"capsule", sized(ShapeKind::capsule, 1, -1, {}), 60, {"length = -1 must be positive"}},
          {"capsule radius", sized(ShapeKind::capsule, nan, 1, {}), 60, {"radius = nan"}},
          {"cylinder", sized(ShapeKind::cylinder, 1, 0, {}), 60, {"length = 0"}},
          {"box", sized(ShapeKind::box, 0, 0, {1, 1, 0}), 60, {"size.z = 0 must be positive"}},
          {"box inf", sized(ShapeKind::box, 0, 0, {1, inf, 1}), 60, {"size"}},
          {"ellipsoid", sized(ShapeKind::ellipsoid, 0, 0, {-1, 1, 1}), 60, {"size.x = -2"}},
          {"strip", sized(ShapeKind::strip, 0, 0, {0, inf, 0}), 60, {"width = 0 must be positive"}},
          {"strip depth", sized(ShapeKind::strip, 0, 0, {inf, nan, 0}), 60, {"depth = nan must be positive"}},
          {"pin", sized(ShapeKind::pin, -1, 0, {}), 60, {"radius = -1"}},
          {"hole", sized(ShapeKind::hole, 0, 0, {}), 60, {"radius = 0"}},
          {"at", [](Description& d) { shape(d, "tip").at.position.x = nan; }, 60, {"at = [nan, 0, 0]"}},
          {"belt",
           [](Description& d) {
             shape(d, "floor").belt = {1, 0, 0.5};
           },
           65,
           {"component 0.5 along the normal", "up axis"}},
          {"belt nan", [](Description& d) { shape(d, "floor").belt.x = nan; }, 65, {"belt.velocity = [nan, 0, 0]"}},
          {"speed", [](Description& d) { shape(d, "floor").belt_speed.points.clear(); }, 65, {"belt.speed has no"}},
      });
  ModelDescription description = sample(Dimension::spatial);
  sized(ShapeKind::strip, 0, 0, {inf, inf, 0})(description);
  EXPECT_FALSE(refusal(description));
}

}  // namespace
}  // namespace routh
