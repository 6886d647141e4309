// Laws of contact force as they are written under `restitution` of problem files, scenes and Python:
//
//   spring_dashpot       {stiffness, damping, mass}
//   hunt_crossley        {stiffness, damping, exponent, mass}; exponent (1.5) and mass may be left out
//   lankarani_nikravesh  {restitution, stiffness, exponent, mass}; all but the first may be left out
//   hertz                {young, poisson, radius, mass, loss_time}; loss_time (0) may be left out
//   thornton, johnson    {young, poisson, yield, radius, mass}
//
// young, poisson and yield are a number for both bodies, or a list of two; radius a number, of a ball on a plane, or a
// list of two. All but poisson may be `inf` in a list.
#pragma once

#include <optional>

#include "routh/impact/compliance.h"
#include "routh/text/document.h"

namespace routh::internal {

// The entry of the map that is such a law, the first if there are several; its key is the kind.
std::optional<Node> find_compliance(const Node& map);
bool has_several_compliances(const Node& map);
// Throws InputError at what cannot be.
Compliance read_compliance(const Node& node);
// compliant_impact, at any speed that someone may ask for. Throws InputError where its numbers leave the range of a
// double.
CompliantImpact impact_at(const Compliance& law, double speed);

}  // namespace routh::internal
