// What can be measured of an impact: the members of the JSON of `routh impact`, by path.
//
//   status, mode, restitution, contact_velocity.n …, relative_velocity.n …, impulse.n …, velocity[i], loop_impulse[i],
//   energy.normal_work, .tangential_work, .supplied, .change, .consistent, warnings.NAME, phases, jams
//     of the law of the study, or of another: newton.energy.change
//   critical_friction.stick, .impact, .slip_unavoidable, jamming_friction, restitution_bound, restitution_bound_any,
//   condition, verdict, before.contact_velocity.n …, before.energy
#pragma once

#include <array>
#include <optional>

#include "routh/problem/answer.h"
#include "routh/solvability/diagnosis.h"
#include "routh/study/expression.h"

namespace routh::internal {

// One impact, as far as it was asked for.
struct ImpactObservation {
  const ImpactProblem* problem = nullptr;
  std::array<const LawAnswer*, law_count> laws = {};  // by Law; null: not asked for
  const ImpactBounds* bounds = nullptr;
  std::optional<ContactVerdict> verdict;
  double energy_before = 0;  // ½ q̇ᵀ M q̇ of a machine; NaN: not known
};

// A row of what can be measured: of the answer of a law, or of the problem and all laws.
struct ImpactMeasure {
  enum class Needs { law, bounds, verdict, energy, problem };
  enum class Entry { none, direction, coordinate, warning };  // what follows the words of the path
  enum class Says { number, condition, status, mode, verdict };
  std::string_view first, second;  // words of the path; the second may be empty
  Needs needs;
  Says says;
  double (*of_answer)(const LawAnswer& answer, int index);  // null where no law is needed
  double (*of_impact)(const ImpactObservation& seen, int index);
  Entry entry = Entry::none;
  bool of_one_contact = false;  // several contacts at once have none
};

struct ImpactQuantity {
  const ImpactMeasure* measure = nullptr;
  Law law = Law::energetic;
  int index = 0;  // direction, coordinate, or bit of the warning

  bool needs(ImpactMeasure::Needs what) const { return measure->needs == what; }
  double value(const ImpactObservation& seen) const;
  // The names behind its codes; empty: a number.
  std::span<const std::string_view> words() const;
  bool is_condition() const { return measure->says == ImpactMeasure::Says::condition; }
  bool operator==(const ImpactQuantity&) const = default;
};

// What the finder must know of the impact.
struct ImpactShape {
  Law law = Law::energetic;  // of quantities that name none
  int directions = 2;
  int coordinates = 0;  // of the machine; 0: the contact alone
};

// Throws InputError at the path.
ImpactQuantity find_impact_quantity(const StudyPath& path, const ImpactShape& shape);

// Whether the answer of a law means that the sample failed: the numbers gave out. A law that has no answer
// (no_solution, undefined) has failed nothing; its quantities are missing.
bool gave_out(ImpactStatus status);

}  // namespace routh::internal
