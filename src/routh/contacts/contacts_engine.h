// The order in which methods are tried, and what is told of the answer.
//
//   warm start → Newton
//   sweeps of Gauss and Seidel, or all contacts stuck, whichever is nearer → Newton
//   interior points → Newton, with a quick and a careful way along the path
//   pyramids by Lemke's method, their sides ever closer to where contacts slide → Newton (small problems)
//   friction raised from zero → Newton
//   many sweeps → Newton
//   impulses anywhere in the cones → Newton, as often as the limit of steps allows (small problems)
//   certificate of infeasibility
//
// Every stage has a bound, and the best point of all is kept. docs/contacts.md has the measurements behind the order.
#pragma once

#include <random>

#include "routh/contacts/interior_point.h"
#include "routh/contacts/least_norm.h"
#include "routh/contacts/newton.h"
#include "routh/contacts/pyramid.h"
#include "routh/contacts/tolerances.h"

namespace routh::internal {

class ContactsEngine {
 public:
  const ContactsSolution& solve(const FrictionContactProblem& problem, const ContactsOptions& options,
                                std::span<const double> start);

 private:
  bool from_start(std::span<const double> start);
  bool from_sweeps();
  bool from_interior(double fraction);
  bool from_pyramids();
  bool from_friction();
  bool from_many_sweeps();
  bool from_anywhere();
  bool newton(int limit, int halving_steps, double rho = 1);
  bool finish(bool solved);
  bool nothing_touches();
  bool small() const { return system_.size() <= tolerances::pyramid_contacts; }
  void begin(ContactsState& state);

  void bring_into_cones();
  void read_duties();
  void choose_least_norm();
  bool impulse_unique();
  void look_for_others();
  void anywhere(std::mt19937& random);
  void tell(const FrictionContactProblem& problem, bool solved);

  ContactSystem system_;
  BlockFactor factor_;
  ContactNewton newton_;
  InteriorPoint interior_;
  LeastNorm least_norm_;
  ContactsState best_, state_;
  ContactsOptions options_;
  ContactsSolution solution_;
  std::vector<const char*> tried_;
  DiagonalBlocks blocks_;
  std::vector<Vector3> right_, step_, direction_;
  std::vector<ContactDuty> duty_;
  PyramidFans fans_;
  AdmissibleImpulse admissible_;
};

}  // namespace routh::internal
