// A machine, its state and its run as somebody with other units writes them down: every number is converted by its
// dimension, so that the run has to be the same one.
#pragma once

#include "routh/model/description.h"
#include "routh/model/model.h"
#include "routh/simulation/simulator.h"

namespace testing_support {

// How many of the new units make up one of the old: 1000 for metres to millimetres.
struct OtherUnits {
  double length = 1, mass = 1, time = 1;

  double speed() const { return length / time; }
  double acceleration() const { return speed() / time; }
  double force() const { return mass * acceleration(); }
  double torque() const { return force() * length; }  // and energy
  double impulse() const { return mass * speed(); }
  double inertia() const { return mass * length * length; }
};

routh::ModelDescription in_units(routh::ModelDescription description, const OtherUnits& units);
// Of either model: angles and quaternions stay as they are.
routh::State in_units(const routh::Model& model, routh::State state, const OtherUnits& units);
routh::SimulationOptions in_units(routh::SimulationOptions options, const OtherUnits& units);

}  // namespace testing_support
