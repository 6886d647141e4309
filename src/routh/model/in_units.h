// A model in other units: the same machine, every number converted by its dimension. Units that are powers of two
// change no digit of any number, nor of anything that is computed from them.
#pragma once

#include "routh/model/scales.h"

namespace routh::internal {

// How many of the model's units make one of another: 1000 for metres to kilometres.
struct Units {
  double length = 1, mass = 1, time = 1;

  double speed() const { return length / time; }
  double acceleration() const { return speed() / time; }
  double force() const { return mass * acceleration(); }
  double energy() const { return force() * length; }  // and torque
  double impulse() const { return mass * speed(); }
  double inertia() const { return mass * length * length; }
};

Model in_units(Model model, const Units& units);

// The machine's own: its scales L, M and 4 T, each rounded to a power of two: those of a machine of a metre under its
// weight are metres and seconds. A machine in other units has the same
// numbers in its own, to the last bit where those units are powers of two, too, of mass and time even ones.
Units own_units(const Scales& scales);

}  // namespace routh::internal
