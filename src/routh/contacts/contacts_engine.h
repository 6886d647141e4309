// The order in which methods are tried, and what is told of the answer.
//
//   warm start → Newton; compliant contacts that hold on to it, ever stiffer → Newton
//   sweeps of Gauss and Seidel, or all contacts stuck, whichever is nearer → Newton
//   interior points → Newton; from the best point, Newton over kinks
//   all modes, case by case, of few contacts in the plane: a solution, or the proof that there is none
//   compliant contacts that become rigid → Newton; other compliances → Newton
//   pyramids by Lemke's method, their sides ever closer to where contacts slide → Newton (small problems)
//   many sweeps → Newton; the same over kinks, again and again; yet other compliances
//   certificate of infeasibility
//
// From the third on, friction far above one is approached: first a problem with friction up to a hundred, then step by
// step the one that is given.
//
// Every stage has a bound, and the best point of all is kept. docs/contacts.md has the measurements behind the order.
#pragma once

#include <memory>
#include <optional>
#include <random>

#include "routh/contacts/interior_point.h"
#include "routh/contacts/least_norm.h"
#include "routh/contacts/newton.h"
#include "routh/contacts/pyramid.h"
#include "routh/contacts/tolerances.h"

namespace routh::internal {

// Between −1 and 1.
inline double signed_uniform(std::mt19937& random) { return 2.0 * static_cast<double>(random()) / 4294967295.0 - 1; }

class ContactsEngine {
 public:
  const ContactsSolution& solve(const FrictionContactProblem& problem, const ContactsOptions& options,
                                std::span<const double> start);

 private:
  friend struct ContactsStarts;
  bool from_start(std::span<const double> start);
  bool from_proximity();
  bool from_sweeps();
  bool from_interior();
  bool over_kinks();
  bool from_modes();
  bool by_cases();
  bool from_compliance();
  bool from_other_compliances();
  bool compliant_path();
  bool pyramids(double cap);
  bool from_pyramids();
  bool from_many_sweeps();
  bool over_more_kinks();
  void sweep_best();
  bool newton(int limit, int halving_steps, double rho = 1, int watchdog = 0);
  bool arrive(int limit, int halving_steps, double rho = 1);
  void cap_friction(double cap, std::vector<Vector3>& impulse);
  int steps_left(int limit) const;
  bool finish(bool solved);
  bool nothing_touches();
  bool small() const { return system_.size() <= tolerances::pyramid_contacts; }
  void begin(ContactsState& state);

  void bring_into_cones();
  void read_duties();
  void choose_least_norm();
  std::optional<bool> impulse_unique();
  bool has_idle_direction();
  bool is_other(const ContactsState& state) const;
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
  std::vector<double> given_friction_;
  double largest_friction_ = 0;
  double cap_ = 0;
  bool refuted_ = false;  // by `solution_.cases` or `solution_.certificate`
  int stage_end_ = 0;     // of the steps of the start that is being tried
  DiagonalBlocks blocks_;
  std::vector<Vector3> right_, step_, direction_, start_, weight_;
  std::vector<Vector3> given_start_, given_velocity_;  // empty: no start was given
  std::vector<Vector3> no_impulse_;                    // none that would have to follow friction
  std::vector<Matrix3> diagonal_;
  std::vector<ContactDuty> duty_;
  PyramidFans fans_;
  PyramidSolver pyramid_;
  AdmissibleImpulse admissible_;
};

}  // namespace routh::internal
