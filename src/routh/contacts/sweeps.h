// Large contact problems without forming D: sweeps of Gauss and Seidel over D = YᵀY, Y sparse [Jourdan, Alart and Jean
// 1998], carried on by momentum from sweep to sweep [Nesterov 1983; Mazhar, Heyn, Negrut and Tasora 2015].
//
// z = Y p is kept beside p, so that a contact costs as much as it has degrees of freedom: time and memory of a sweep
// are linear in the contacts. Each contact in turn has the impulse of Coulomb's law where the others keep theirs, with
// D_ii replaced by diag(a, c, c) ≥ D_ii: of spheres it is just that. A sweep hands impulses on to the neighbours;
// momentum carries them through l layers in some l sweeps rather than l².
//
// Contacts are swept by colours: those of one colour have no body in common, so that none waits for the one before it.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "routh/base/hidden.h"

namespace routh::internal {

class SweepEngine;

// The columns of Y, `dimension` for each contact.
struct ResponseColumns {
  int dimension = 3;
  std::vector<std::size_t> begin = {0};  // of a contact's entries; one more than there are contacts
  std::vector<int> row;                  // of Y
  std::vector<double> value;             // `dimension` numbers for each entry of `row`

  std::size_t contacts() const { return begin.size() - 1; }
};

struct SweepOutcome {
  // ‖p − P_K(p − û)‖ in the units of the problem or, where that is more, in units of velocity; of the norm of v of the
  // contacts that approach.
  double residual = 0;
  int sweeps = 0;
};

class ContactSweeps {
 public:
  ContactSweeps();
  // Improves `impulse`, and z = Y·impulse beside it, of which only the rows of Y are looked at. `velocity`: v. Where
  // the start is as good as asked for it still goes a little further, so that what rests comes to rest in the end.
  SweepOutcome solve(const ResponseColumns& response, const Eigen::VectorXd& velocity, std::span<const double> friction,
                     double tolerance, int sweeps, Eigen::VectorXd& impulse, Eigen::VectorXd& z);

 private:
  Hidden<SweepEngine> engine_;
};

}  // namespace routh::internal
