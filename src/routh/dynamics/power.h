// The power of what is neither kinetic nor potential energy: dampers, drives, efforts and forces.
//
//   d/dt (K + V) = supplied − dissipated      with K and V of compute_energy
#pragma once

#include "routh/dynamics/state.h"

namespace routh::internal {

struct Power {
  double dissipated = 0;  // by dampers, and by drives that take on balance: ≥ 0 [W]
  double supplied = 0;    // by drives that give on balance, by efforts and forces [W]
};

// Without contacts. After compute_velocities of the same state.
Power compute_power(const Model& model, const State& state, const Workspace& workspace);

}  // namespace routh::internal
