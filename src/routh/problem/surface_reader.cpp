#include "routh/problem/surface_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "routh/impact/restitution.h"
#include "routh/impact/surface_check.h"
#include "routh/problem/compliance_reader.h"
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
  const double alpha = restitution_alpha(damping.number(), stiffness.number());
  if (!std::isfinite(alpha)) node.fail(fmt::format("{}: damping/stiffness exceeds the range of a double", node.path()));
  return alpha;
}

}  // namespace

Friction read_friction(const Node& node) {
  if (!node.is_map()) {
    const double value = read_friction_value(node);
    return {value, value};
  }
  node.allow_keys({"static", "kinetic"});
  return {read_friction_value(node.require("static")), read_friction_value(node.require("kinetic"))};
}

void read_restitution(const Node& node, Restitution& restitution, std::vector<RestitutionPoint>& table) {
  restitution = {};
  table.clear();
  if (!node.is_map()) {
    restitution.normal = node.number();
    return;
  }
  static constexpr std::array keys = [] {
    std::array<std::string_view, count_of<RestitutionKind> + count_of<ComplianceKind> + 3> all{"tangential", "damping",
                                                                                               "stiffness"};
    const auto next = std::copy(all_names<RestitutionKind>.begin(), all_names<RestitutionKind>.end(), all.begin() + 3);
    std::copy(all_names<ComplianceKind>.begin(), all_names<ComplianceKind>.end(), next);
    return all;
  }();
  node.allow_keys(keys);
  const bool spring = node.find("damping") || node.find("stiffness");
  int forms = spring ? 1 : 0;
  restitution.kind = spring ? RestitutionKind::linear : RestitutionKind::constant;
  for (const RestitutionKind kind : all_values<RestitutionKind>)
    if (node.find(name(kind))) ++forms, restitution.kind = kind;
  const std::optional<Node> compliance = find_compliance(node);
  if (forms + (compliance ? 1 : 0) != 1 || (compliance && has_several_compliances(node)))
    node.fail(fmt::format("{}: found {} of {}, damping with stiffness, {}", node.path(),
                          forms == 0 && !compliance ? "none" : "several", fmt::join(all_names<RestitutionKind>, ", "),
                          fmt::join(all_names<ComplianceKind>, ", ")),
              "give exactly one of them");
  if (compliance) restitution = to_restitution(read_compliance(*compliance), table), restitution.table = {};
  if (const auto tangential = node.find("tangential")) restitution.tangential = tangential->number();
  if (compliance) return;
  const auto given = node.find(name(restitution.kind));
  switch (restitution.kind) {
    case RestitutionKind::constant:
      restitution.normal = given->number();
      break;
    case RestitutionKind::linear:
      restitution.alpha = given ? given->number() : read_alpha(node);
      break;
    case RestitutionKind::table:
      read_restitution_table(*given, table);
      break;
  }
}

Law read_law(const Node& node) { return node.choice<Law>(); }

void check_friction(const Node& node, const Friction& friction) {
  const SurfaceViolation found = check_friction(friction);
  if (!found.rule) return;
  const Node at = node.find(key(found.quantity)).value_or(node);  // the node itself when it is the number
  at.fail(fmt::format("{} = {} {}", at.path(), at.raw(), found.rule));
}

void check_restitution(const Node& node, const Restitution& restitution, const std::vector<RestitutionPoint>& table) {
  Restitution whole = restitution;
  whole.table = table;
  const SurfaceViolation found = check_restitution(whole);
  if (!found.rule) return;
  Node at = node.find(key(found.quantity)).value_or(node);
  if (found.quantity == SurfaceQuantity::table_speed || found.quantity == SurfaceQuantity::table_coefficient)
    at = at.child(found.point).child(found.quantity == SurfaceQuantity::table_speed ? 0 : 1);
  at.fail(fmt::format("{} = {} {}", at.path(), at.raw(), found.rule), remedy(found.quantity));
}

}  // namespace routh::internal
