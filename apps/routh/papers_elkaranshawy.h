// The numbers of [Elkaranshawy 2025, section 3]: Kane's double pendulum strikes the ground.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "paper.h"
#include "routh/impact/problem.h"

namespace routh {

// Two identical uniform rods in a vertical plane; the free end strikes the ground.
struct DoublePendulum {
  double mass = 0;                   // of each rod [kg]
  double length = 0;                 // of each rod [m]
  std::array<double, 2> angle{};     // from the vertical [rad]
  std::array<double, 2> velocity{};  // absolute angular velocities of the rods [rad/s]
  Friction friction;
};

// The value of one of the paper's quantities, or nothing when the name is not known.
std::optional<OurValue> evaluate_elkaranshawy(const DoublePendulum& pendulum, const std::string& quantity, Law law,
                                              double restitution);

}  // namespace routh
