// A drive as an actuator with a store of its own. Private to the module.
//
//   u = [d (w − q̇) − k (q − p)]        force on the joint; p and w are its targets, [x] is x cut off at the limit
//   V = ½ k (q − p)²                   stored, at the limit as well
//   P = u q̇ + dV/dt                    what the drive adds to K + V;  dV/dt = k (q − p)(q̇ − ṗ)
//
// V goes on as a parabola where the spring alone is beyond the limit: its bend there would be one of P but not of the
// motion, so that steps would go over it. As it is, P bends where u does.
#pragma once

#include <algorithm>
#include <cmath>

#include "routh/model/description.h"

namespace routh::internal {

inline double drive_force(const DriveDescription& drive, double q, double v, double time) {
  const double u = drive.stiffness * (drive.position(time) - q) + drive.damping * (drive.velocity(time) - v);
  return std::clamp(u, -drive.limit, drive.limit);
}

inline double drive_energy(const DriveDescription& drive, double q, double time) {
  const double stretch = q - drive.position(time);
  return 0.5 * drive.stiffness * (stretch * stretch);
}

inline double drive_power(const DriveDescription& drive, double q, double v, double time) {
  const double pull = drive.stiffness * (q - drive.position(time)), target_rate = drive.position.slope(time);
  const double push = drive.damping * (drive.velocity(time) - v), u = push - pull;
  if (std::abs(u) > drive.limit) return std::copysign(drive.limit, u) * v + pull * (v - target_rate);
  return push * v - pull * target_rate;  // the spring's work on the joint comes out of its store
}

}  // namespace routh::internal
