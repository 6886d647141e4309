// Do two runs tell the same?
#pragma once

#include <string>
#include <vector>

#include "routh/record/run_file.h"

namespace routh {

// Two values are equal when they differ by at most atol + rtol · scale. The scale of a quantity (one coordinate, one
// kind of energy, all impulses …) is its largest magnitude in either run. Both zero: every bit but the sign of zero.
struct CompareOptions {
  double rtol = 1e-9;
  double atol = 1e-12;
};

struct CompareReport {
  bool equal = true;
  double largest_difference = 0;   // relative to the scale of its quantity
  std::string first_difference;    // the earliest in time, as one sentence: which quantity, when, both values
  std::vector<std::string> notes;  // what else differs or was left out, and what may explain it
};

// Coordinates are matched by name, samples and events by number. Compared are sample times, positions, velocities and
// energies, and of events kind, contacts, time, impulses, friction and warnings. Different numbers of samples or events
// are a difference; what both have is compared all the same. `corrected`, which is rounding in a good run, is compared
// on the scale of all energies; it, friction and warnings only where both runs were recorded with them (schema 2).
CompareReport compare_runs(const RunData& a, const RunData& b, const CompareOptions& options = {});

}  // namespace routh
