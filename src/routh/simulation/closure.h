// Keeps what is closed closed: gaps of held contacts and loops are brought back to zero, and velocities to what they
// allow. The steps are of least kinetic energy, so that they do not depend on the choice of coordinates.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "routh/contact/contact_rows.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/math/column_space.h"
#include "routh/simulation/accounts.h"
#include "routh/simulation/fault_injection.h"
#include "routh/solvability/contact_modes.h"

namespace routh::internal {

struct ClosedContact {
  ContactId id;
  ContactMode mode = ContactMode::slip;  // stick: its tangential velocity is that of the surface as well
};

struct ClosureReport {
  bool closed = true;
  double gap = 0;    // largest |gap| found at the start
  double loop = 0;   // largest |φ|
  double speed = 0;  // largest forbidden velocity found at the start
  // What it did to K + V: belts supply the impulse of contacts that stick to them times their speed; the rest is
  // `corrected`, measured from the states before and after.
  Accounts energy;
  std::vector<ContactId> turned;  // contacts that move along their normals faster than allowed
};

class Closure {
 public:
  // `tolerance`: of the steps, whose errors in velocities are no more telling.
  Closure(const Model& model, double tolerance, const FaultInjection& faults);

  // Only the position. `state` is left as it was where the posture cannot be reached.
  ClosureReport close_position(const Model& model, std::span<const ClosedContact> contacts, State& state,
                               Workspace& workspace);
  // Position, then velocity.
  ClosureReport close(const Model& model, std::span<const ClosedContact> contacts, State& state, Workspace& workspace,
                      double fastest = unlimited);
  // Only the velocity. Left as it was where a contact moves along its normal faster than `fastest` [m/s].
  static constexpr double unlimited = std::numeric_limits<double>::max();
  ClosureReport close_velocity(const Model& model, std::span<const ClosedContact> contacts, State& state,
                               Workspace& workspace, double fastest = unlimited);

 private:
  // The rows of a linear system, as columns, and its right side.
  struct Room {
    double tolerance;  // of rows that depend on one another
    int rows = 0;
    std::unique_ptr<ColumnSpace> space;
    Eigen::MatrixXd columns;
    Eigen::VectorXd right;
  };

  // Makes the change, and measures what it does to the energy.
  template <class Change>
  void apply(const Model& model, State& state, Workspace& workspace, ClosureReport& report, const Change& change);
  void make_room(Room& room, int rows);
  bool step_position(const Model& model, std::span<const ClosedContact> contacts, const State& state,
                     Workspace& workspace);
  bool solve(const Eigen::VectorXd& q, Workspace& workspace, Room& room, int rows);

  MassFactor factor_;
  Room position_{ColumnSpace::rank_tolerance, 0, {}, {}, {}};
  // Near a dead centre a slip of next to nothing is a motion of the machine at full speed: such rows are left alone.
  Room velocity_;
  Eigen::MatrixXd loop_rows_;
  ContactRows contact_rows_;
  std::vector<Contact> found_;
  std::vector<ContactMode> modes_;  // of those found
  Eigen::VectorXd phi_, half_, trial_;
  Eigen::VectorXd belts_, impulse_;  // of the rows of velocities: speeds that they ask for, and what it takes
  double gap_ = 0, loop_ = 0;
  double size_ = 0;  // of the last solution: how fast it moves the most mobile row at most
  const FaultInjection& faults_;
};

}  // namespace routh::internal
