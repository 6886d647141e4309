// Friction and restitution as they are written in problem files and in scenes.
//
//   friction      number | {static, kinetic}; `inf` is allowed
//   restitution   number | {normal} | {alpha} | {damping, stiffness} | {table: [[speed, e], …]} | {KIND: {…}} of a law
//                 of contact force (compliance_reader.h), each with `tangential`
#pragma once

#include <vector>

#include "routh/impact/problem.h"
#include "routh/text/document.h"

namespace routh::internal {

// Each throws InputError when the value has another form. Ranges are not looked at.
Friction read_friction(const Node& node);
// `restitution` and `table` are replaced; the restitution's own view of the table stays empty.
void read_restitution(const Node& node, Restitution& restitution, std::vector<RestitutionPoint>& table);
Law read_law(const Node& node);

// The ranges: each throws InputError at the number of `node` that lies outside.
void check_friction(const Node& node, const Friction& friction);
void check_restitution(const Node& node, const Restitution& restitution, const std::vector<RestitutionPoint>& table);

}  // namespace routh::internal
