#include "routh/problem/surface_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "routh/problem/problem_file.h"

namespace routh::internal {

namespace {

// A coefficient of friction: the only number that may be infinite.
double read_friction_value(const Node& node) {
  if (node.is_scalar() && (node.raw() == "inf" || node.raw() == ".inf")) return std::numeric_limits<double>::infinity();
  return node.number();
}

void read_restitution_table(const Node& node, std::vector<RestitutionPoint>& table) {
  node.expect_sequence();
  if (node.size() == 0 || node.size() > static_cast<std::size_t>(max_table_points))
    node.fail(fmt::format("{}: found {} points; 1 to {} are allowed", node.path(), node.size(), max_table_points));
  for (const Node point : node) {
    if (!point.is_sequence() || point.size() != 2)
      point.fail(fmt::format("{}: found {} where a pair [speed, e] is expected", point.path(), point.describe()));
    table.push_back({point.child(0).number(), point.child(1).number()});
  }
}

// α = 2c/(3k) of a contact with stiffness k and damping c.
double read_alpha(const Node& node) {
  const Node damping = node.require("damping");
  const Node stiffness = node.require("stiffness");
  if (!(damping.number() >= 0))
    damping.fail(fmt::format("{} = {} must be zero or positive", damping.path(), damping.number()));
  if (!(stiffness.number() > 0))
    stiffness.fail(fmt::format("{} = {} must be positive", stiffness.path(), stiffness.number()));
  const double alpha = damping.number() / stiffness.number() * 2 / 3;
  if (!std::isfinite(alpha)) node.fail(fmt::format("{}: damping/stiffness exceeds the range of a double", node.path()));
  return alpha;
}

// Throws at the entry `part` of a map, or at the node itself when it is the number.
[[noreturn]] void refuse(const Node& node, std::string_view part, const char* rule) {
  const Node at = node.find(part).value_or(node);
  at.fail(fmt::format("{} = {} {}", at.path(), at.raw(), rule));
}

void check_table(const Node& node, const std::vector<RestitutionPoint>& table) {
  double last = -1;
  std::size_t i = 0;
  for (const Node point : node) {
    const auto [speed, e] = table[i++];
    const Node first = point.child(0), second = point.child(1);
    if (!(speed >= 0 && speed > last))
      first.fail(fmt::format("{} = {} must be zero or positive and exceed the speed before it", first.path(), speed),
                 "sort the table by approach speed");
    if (!(e >= 0 && e <= 1)) second.fail(fmt::format("{} = {} must lie in [0, 1]", second.path(), e));
    last = speed;
  }
}

}  // namespace

Friction read_friction(const Node& node) {
  if (!node.is_map()) {
    const double value = read_friction_value(node);
    return {value, value};
  }
  static constexpr std::string_view keys[] = {"static", "kinetic"};
  node.allow_keys(keys);
  return {read_friction_value(node.require("static")), read_friction_value(node.require("kinetic"))};
}

void read_restitution(const Node& node, Restitution& restitution, std::vector<RestitutionPoint>& table) {
  restitution = {};
  table.clear();
  if (!node.is_map()) {
    restitution.normal = node.number();
    return;
  }
  static constexpr std::string_view keys[] = {"normal", "tangential", "alpha", "damping", "stiffness", "table"};
  node.allow_keys(keys);
  const bool spring = node.find("damping") || node.find("stiffness");
  const int forms =
      (node.find("normal") ? 1 : 0) + (node.find("alpha") ? 1 : 0) + (node.find("table") ? 1 : 0) + (spring ? 1 : 0);
  if (forms != 1)
    node.fail(fmt::format("{}: found {} of normal, alpha, damping with stiffness, table", node.path(),
                          forms == 0 ? "none" : "several"),
              "give exactly one of them");
  if (const auto tangential = node.find("tangential")) restitution.tangential = tangential->number();
  if (const auto normal = node.find("normal")) {
    restitution.normal = normal->number();
  } else if (const auto points = node.find("table")) {
    restitution.kind = RestitutionKind::table;
    read_restitution_table(*points, table);
  } else {
    restitution.kind = RestitutionKind::linear;
    const auto alpha = node.find("alpha");
    restitution.alpha = alpha ? alpha->number() : read_alpha(node);
  }
}

Law read_law(const Node& node) { return static_cast<Law>(node.choice(law_names)); }

void check_friction(const Node& node, const Friction& friction) {
  constexpr const char* rule = "must be zero or positive";
  if (!(friction.static_coefficient >= 0)) refuse(node, "static", rule);
  if (!(friction.kinetic_coefficient >= 0)) refuse(node, "kinetic", rule);
  if (!(friction.kinetic_coefficient <= friction.static_coefficient))
    refuse(node, "kinetic", "must not exceed the static coefficient");
}

void check_restitution(const Node& node, const Restitution& restitution, const std::vector<RestitutionPoint>& table) {
  const double e = restitution.normal, e_t = restitution.tangential;
  if (!(e_t >= -1 && e_t <= 1)) refuse(node, "tangential", "must lie in [-1, 1]");
  switch (restitution.kind) {
    case RestitutionKind::constant:
      if (!(e >= 0 && e <= 1)) refuse(node, "normal", "must lie in [0, 1]");
      return;
    case RestitutionKind::linear:
      if (!(restitution.alpha >= 0)) refuse(node, "alpha", "must be zero or positive");
      return;
    case RestitutionKind::table:
      return check_table(node.require("table"), table);
  }
}

}  // namespace routh::internal
