// What goes into a run and comes out of it, between the user's units and the machine's own (model/in_units.h). Engines
// compute in the latter, so that all their tolerances are multiples of the machine's scales L, M and T, and a machine
// written down in other units has the same run. Units are powers of two: no conversion changes a digit. Private to the
// module.
#pragma once

#include "routh/model/in_units.h"
#include "routh/simulation/simulator.h"

namespace routh::internal {

// Of an engine: what it is asked to do, and the units in which messages to the user give times and depths.
struct EngineOptions : SimulationOptions {
  Units units;
};

class OwnUnits {
 public:
  // `model`: the user's. `units`: the machine's own in the user's.
  OwnUnits(const Model& model, const Units& units);

  enum class Way { in, out };  // to the machine's own units, or back to the user's
  // Each changes what it is given.
  void convert(Way way, State& state) const;
  void convert(Way way, SimulationOptions& options) const;
  void convert(Way way, Checkpoint& checkpoint) const;
  void convert(Way way, Event& event) const;
  void convert(Way way, ActiveContact& contact) const;
  void convert(Way way, Sample& sample) const;
  void convert(Way way, EnergyAccount& energy) const;
  void convert(Way way, SimulationStatistics& statistics) const;
  void convert_velocity(Way way, Eigen::VectorXd& v) const;
  void convert_acceleration(Way way, Eigen::VectorXd& a) const;
  void convert_force(Way way, Eigen::VectorXd& force) const;  // generalised
  double time(Way way, double value) const;

 private:
  // By which a quantity is multiplied whose unit is given.
  double by(Way way, double unit) const { return way == Way::in ? 1 / unit : unit; }
  double length_of(ContactId id) const;  // the unit of its gap: 1 for the limit of an angle
  void convert_velocity(Way way, ContactId id, ContactVector& v) const;
  void convert_impulse(Way way, ContactId id, ContactVector& p) const;

  const Model& model_;
  Units units_;
  Eigen::VectorXd q_, v_, force_;  // units of the entries of q, q̇ and of generalised forces
};

}  // namespace routh::internal
