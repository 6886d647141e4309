// Characteristic scales of a machine, from the machine alone: no state, no posture, no unit.
//
//   length  L   how far the largest link reaches from its centre of mass
//   mass    M   of all that moves
//   time    T   √(M L / F): in which the largest load F moves M by about L from rest; √(L/g) where the load is the
//   weight
//
// and from these speed L/T, acceleration L/T², force M L/T², energy M L²/T². An angle of 1 rad stands for the length L.
// They are homogeneous [Buckingham 1914]: in other units of length, mass and time, or for a machine that is another one
// scaled, they change as their dimensions say, and by powers of two exactly. So a tolerance "of the scale" means the
// same for a machine in millimetres and in metres.
//
// Users: `routh info`; simulation, which computes in these scales (in_units.h).
#pragma once

#include "routh/model/model.h"

namespace routh::internal {

// What the time scale comes from, the first of these that the machine has. Springs come after loads because a stiff one
// is faster than anything the machine does as a whole.
enum class TimeSource {
  load,       // weight, applied forces and torques, efforts
  stiffness,  // springs and drives: the force of a stretch by L or a turn by 1 rad
  damping,    // dampers: T = M / c
  motion,     // belts, driven velocities and blows: T = L / v
  none,       // nothing in the machine has a time, as in free flight without gravity: 1 s
};
const char* name(TimeSource source);

struct Scales {
  double length = 1;  // L [m]; 1 where all is in one point
  double mass = 1;    // M [kg]; 1 where nothing moves
  double time = 1;    // T [s]
  TimeSource time_source = TimeSource::none;

  double speed() const { return length / time; }
  double acceleration() const { return speed() / time; }
  double force() const { return mass * acceleration(); }
  double energy() const { return force() * length; }  // and torque
  double impulse() const { return mass * speed(); }
  // Of an entry of q and of q̇: an angle has the scale 1 rad.
  double coordinate(const Model& model, int dof) const { return is_angular(model, dof) ? 1 : length; }
  double velocity(const Model& model, int dof) const { return coordinate(model, dof) / time; }
};

Scales compute_scales(const Model& model);
double total_mass(const Model& model);  // of all bodies [kg]

}  // namespace routh::internal
