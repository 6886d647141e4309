// How far an answer of the library is from the oracle's, and helpers to say which problem it was.
#pragma once

#include <string>

#include "routh/impact/solve.h"
#include "support/oracle.h"

namespace testing_support {

// Relative errors: each vector against its own scale, works against ‖i‖ times the larger speed.
struct Errors {
  double impulse = 0;
  double velocity = 0;
  double work = 0;
  double worst() const;
};
Errors errors(const routh::ImpactProblem& problem, const routh::ImpactResult& result, const oracle::Answer& answer);

// How much the oracle's answer moves when every digit of the problem is shaken by 2⁻⁵², relative: what no method in
// double can undercut.
double sensitivity(const oracle::Problem& problem, oracle::Law law);

// All digits, ready to be pasted into a test or a problem file.
std::string describe(const routh::ImpactProblem& problem);
std::string to_json(const routh::ImpactProblem& problem, routh::Law law);

// Relative velocity before, J q̇ − v_s.
routh::ContactVector relative_before(const routh::ImpactProblem& problem);

double norm(const routh::ContactVector& v);
double distance(const routh::ContactVector& v, const routh::ContactVector& w);

// True when every number in the result is finite.
bool all_finite(const routh::ImpactResult& result);
// True when two results agree in every bit of every field that is filled.
bool same_bits(const routh::ImpactResult& x, const routh::ImpactResult& y);

}  // namespace testing_support
