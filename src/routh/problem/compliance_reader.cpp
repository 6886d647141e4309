#include "routh/problem/compliance_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/base/error.h"

namespace routh::internal {

namespace {

double read_number_or_infinity(const Node& node) {
  for (const char* word : {"inf", ".inf", "Infinity"})
    if (node.is_scalar() && node.raw() == word) return std::numeric_limits<double>::infinity();
  return node.number();
}

// What a single number says of the second body.
enum class Second { same, usual };

void read_bodies(const Node& node, double ElasticBody::*member, Second second, std::array<ElasticBody, 2>& bodies) {
  if (!node.is_sequence()) {
    bodies[0].*member = node.number();
    if (second == Second::same) bodies[1].*member = bodies[0].*member;
    return;
  }
  if (node.size() != 2)
    node.fail(fmt::format("{}: found {} numbers", node.path(), node.size()), "give one for each of the two bodies");
  for (std::size_t k = 0; k < 2; ++k) bodies[k].*member = read_number_or_infinity(node.child(k));
}

void read_solids(const Node& node, Compliance& c) {
  read_bodies(node.require("young"), &ElasticBody::young, Second::same, c.bodies);
  read_bodies(node.require("poisson"), &ElasticBody::poisson, Second::same, c.bodies);
  if (c.kind != ComplianceKind::hertz) read_bodies(node.require("yield"), &ElasticBody::yield, Second::same, c.bodies);
  read_bodies(node.require("radius"), &ElasticBody::radius, Second::usual, c.bodies);
  c.mass = node.require("mass").number();
}

void read_optional(const Node& node, const char* key, double& value) {
  if (const auto found = node.find(key)) value = found->number();
}

void expect_positive(const Node& node, const char* key) {
  const auto found = node.find(key);
  if (found && !(found->number() > 0))
    found->fail(fmt::format("{} = {} must be positive", found->path(), found->raw()),
                "leave it out if it is not known");
}

}  // namespace

std::optional<Node> find_compliance(const Node& map) {
  if (!map.is_map()) return std::nullopt;
  for (const std::string_view kind : all_names<ComplianceKind>)
    if (const auto found = map.find(kind)) return found;
  return std::nullopt;
}

bool has_several_compliances(const Node& map) {
  return std::count_if(all_names<ComplianceKind>.begin(), all_names<ComplianceKind>.end(),
                       [&](std::string_view kind) { return map.find(kind).has_value(); }) > 1;
}

Compliance read_compliance(const Node& node) {
  Compliance c;
  c.kind = *value_named<ComplianceKind>(node.key());
  node.expect_map();
  switch (c.kind) {
    case ComplianceKind::spring_dashpot:
      node.allow_keys({"stiffness", "damping", "mass"});
      c.stiffness = node.require("stiffness").number();
      c.damping = node.require("damping").number();
      c.mass = node.require("mass").number();
      break;
    case ComplianceKind::hunt_crossley:
      node.allow_keys({"stiffness", "damping", "exponent", "mass"});
      c.stiffness = node.require("stiffness").number();
      c.damping = node.require("damping").number();
      break;
    case ComplianceKind::lankarani_nikravesh:
      node.allow_keys({"restitution", "stiffness", "exponent", "mass"});
      c.restitution = node.require("restitution").number();
      expect_positive(node, "stiffness");
      read_optional(node, "stiffness", c.stiffness);
      break;
    case ComplianceKind::hertz:
      node.allow_keys({"young", "poisson", "radius", "mass", "loss_time"});
      read_solids(node, c);
      read_optional(node, "loss_time", c.loss_time);
      break;
    case ComplianceKind::thornton:
    case ComplianceKind::johnson:
      node.allow_keys({"young", "poisson", "yield", "radius", "mass"});
      read_solids(node, c);
      break;
  }
  expect_positive(node, "mass");
  read_optional(node, "mass", c.mass);
  read_optional(node, "exponent", c.exponent);
  const ComplianceViolation found = check(c);
  if (!found.rule) return c;
  const Node at = node.find(found.key).value_or(node);
  at.fail(fmt::format("{} = {:.15g} {}", at.path(), found.value, found.rule));
}

CompliantImpact impact_at(const Compliance& law, double speed) {
  const CompliantImpact impact = compliant_impact(law, speed);
  const auto fits = [](const std::optional<double>& value) { return !value || (*value > 0 && std::isfinite(*value)); };
  if (!fits(impact.duration) || !fits(impact.peak_force) || !fits(impact.indentation) ||
      !std::isfinite(impact.restitution))
    throw InputError(Location{}, fmt::format("speed: at {:g} m/s duration or force leave the range of a double", speed),
                     "give a speed nearer to one");
  return impact;
}

}  // namespace routh::internal
