// The rigid answer beside that of contacts which get stiffer.
#pragma once

#include <string>
#include <vector>

#include "routh/impact/result.h"
#include "routh/referee/compliant_contact.h"

namespace routh::internal {

struct RefereeOptions {
  std::vector<double> durations;  // π/√(a k) of the contacts [s], in any order; empty: 10 ms to 0.1 µs
  double tangential_ratio = 0;    // k_t/k; 0: rigid tangents
};

// One of the contacts.
struct RefereeTrial {
  double duration = 0;  // π/√(a k), what was asked for [s]
  CompliantContact contact;
  CompliantCourse course;
  // What it amounts to: √(−W_r/W_c); and −v_n⁺/v_n⁻, zero without approach; and I_r/I_c.
  double energetic = 0, newton = 0, poisson = 0;
  ImpactResult rigid;     // Routh's increment with the energetic restitution
  double difference = 0;  // of the velocities after, of the largest speed before and after
};

enum class RefereeVerdict {
  converges,  // to Routh's answer
  differs,    // has a limit, another one
  unsettled,  // the stiffest two do not agree yet
  no_impact,  // nothing to compare
};
constexpr auto names_of(RefereeVerdict) {
  return name_table<RefereeVerdict>({{RefereeVerdict::converges, "converges"},
                                     {RefereeVerdict::differs, "differs"},
                                     {RefereeVerdict::unsettled, "unsettled"},
                                     {RefereeVerdict::no_impact, "no_impact"}});
}

struct RefereeReport {
  RefereeVerdict verdict = RefereeVerdict::no_impact;
  double asked = 0;  // e of the surface, which the dashpot is made from
  std::vector<RefereeTrial> trials;
  std::vector<std::string> sentences;
};

// The dashpot gives, without friction and other forces, the restitution of the surface.
RefereeReport referee(const AccelerationProblem& problem, const RefereeOptions& options);

// c/√(k m) of a spring and dashpot with this restitution; below 0.001 it stays at that of 0.001.
double damping_for(double restitution);

}  // namespace routh::internal
