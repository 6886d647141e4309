// Newton's method on Alart and Curnier's equations of all contacts, with a search along the step and, where D is
// singular or the step does not help, a lift of D's diagonal (Levenberg and Marquardt's idea; exact at the solution,
// because the residual is that of the true D).
#pragma once

#include "routh/contacts/block_factor.h"
#include "routh/contacts/contact_system.h"

namespace routh::internal {

struct ContactsState {
  std::vector<Vector3> impulse, velocity;
  ContactResidual residual;
};

class ContactNewton {
 public:
  struct Limits {
    double tolerance = 0;
    int steps = 0;
    int halving_steps = 0;  // gives up where the residual has not halved within so many steps
    double rho = 1;         // of Alart and Curnier's equations, over the mobility: what impulses are beside velocities
    double after_whole_step = 0;  // residual that is enough where a whole step led to it: the next would square it
    // Steps taken whole although the residual rises, before the best point is returned to: over a kink that no share of
    // a step leaves [Chamberlain, Powell, Lemaréchal and Pedersen 1982].
    int watchdog = 0;
  };
  // Improves `state` in place until its residual is within the tolerance; true then. Keeps the best point met. Adds the
  // steps it took to `iterations`.
  bool run(const ContactSystem& system, BlockFactor& factor, const Limits& limits, ContactsState& state,
           int& iterations);

 private:
  double evaluate(const ContactSystem& system, const std::vector<Vector3>& impulse,
                  const std::vector<Vector3>& velocity, bool with_slope);

  double rho_ = 1;
  DiagonalBlocks slope_;
  std::vector<Vector3> value_, step_;
  ContactsState current_, trial_;
};

}  // namespace routh::internal
