// A map of a number: bands between round levels, so that contour lines are boundaries like any other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "routh/map/verdict_map.h"

namespace routh {

// Kind k < levels.size() + 1: between levels k − 1 and k, the lower one included; then +infinity, then −infinity.
struct Bands {
  std::vector<double> levels;  // rising
  long evaluations = 0;        // that their choice took

  int of(double number) const;
  int finite() const { return static_cast<int>(levels.size()) + 1; }
  int count() const { return finite() + 2; }
};

// Levels of 1, 2 and 5 times powers of ten, four to eight, from a coarse look at the plane.
Bands choose_bands(MapAxis x, MapAxis y, const MapSource& source, MapOptions options);
// The same numbers, with their bands as kinds.
MapSource in_bands(const MapSource& source, const Bands& bands);

// "< -1", "-1 to 0", ">= 2", "infinite"; with a symbol before the first one if there is one.
std::string band_name(const Bands& bands, int band, std::string_view symbol);
// Pale to dark, infinite grey.
std::string band_colour(const Bands& bands, int band);

}  // namespace routh
