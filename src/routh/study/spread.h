// How one parameter varies: a distribution as a function of a number in [0, 1).
#pragma once

#include <vector>

#include "routh/base/names.h"

namespace routh::internal {

// Along which a range is even, as studies name it.
enum class SpreadScale { linear, log };
constexpr auto names_of(SpreadScale) {
  return name_table<SpreadScale>({{SpreadScale::linear, "linear"}, {SpreadScale::log, "log"}});
}

enum class SpreadKind {
  uniform,      // from … to
  logarithmic,  // from … to, even in the logarithm; 0 < from
  normal,       // mean, deviation
  values,       // each of a list equally often
};

struct Spread {
  SpreadKind kind = SpreadKind::uniform;
  double from = 0, to = 0;
  double mean = 0, deviation = 0;
  std::vector<double> values;
  long long levels = 1;  // on a grid; of a list its length

  // The value below which the share `u` of all lies.
  double at(double u) const;
  // Level `k` of `levels`, the ends included; of a normal distribution the middle of each of `levels` equal shares.
  double level(long long k) const;
};

// The inverse of the normal distribution function, to about 1e-16 [Wichura, Algorithm AS 241, 1988]; 0 < p < 1.
double normal_quantile(double p);

}  // namespace routh::internal
