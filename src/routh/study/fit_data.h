// Measured impacts: a problem that all of them share, and a CSV file with a row for each.
//
// A column named like a number of the problem (`contact_velocity[1]`, `velocity[0]`, `delassus[0][1]`, see
// problem_parameter.h) sets it for that row. `after.contact_velocity[i]`, `after.velocity[i]` (of a machine) and
// `after.impulse[i]` were measured; `sigma.` before such a name gives the deviation of that measurement, 1 by default.
#pragma once

#include <string>
#include <vector>

#include "routh/problem/problem_file.h"
#include "routh/study/sample_list.h"

namespace routh::internal {

// One number measured after an impact. The model says: offset + gain · impulse.
struct Measurement {
  double value = 0;
  double deviation = 1;
  double offset = 0;
  ContactVector gain;
  std::size_t column = 0;  // of FitData::columns
};

struct MeasuredImpact {
  ImpactProblem problem;  // friction and restitution are what is sought
  std::vector<Measurement> measured;
};

struct FitData {
  std::vector<MeasuredImpact> impacts;
  std::vector<std::string> columns;  // names of what was measured
  Dimension dimension = Dimension::spatial;
  Friction friction;  // of the problem: the ratio of static to kinetic is kept
  std::size_t measurements = 0;
  Location where;  // of the first row

  // Static over kinetic friction; 1 where the problem gives neither.
  double friction_ratio() const;
};

// The problem that all impacts share, from its file. Throws InputError, RuntimeFailure.
ProblemFile read_common_problem(const std::string& path);
// Throws InputError with the place of whatever is wrong: a column nobody knows, a measurement that is missing, a row
// that makes the problem invalid.
FitData make_fit_data(ProblemFile problem, const SampleList& list);
// The problem of data that hold all of it: `delassus` and `contact_velocity` in every row. Throws InputError; `option`
// is how the caller names the problem that is not there.
ProblemFile problem_of_columns(const SampleList& list, const std::string& option);

}  // namespace routh::internal
