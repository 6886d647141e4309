// Zero crossing: where a function known on a panel passes a value; by Newton's method in a bracket.
#pragma once

#include "routh/math/chebyshev.h"

namespace routh::internal {

struct PanelCrossing {
  double x = 2;        // in (−1, 1], or 2 when there is none
  PanelArray weights;  // of interpolation at x
};

enum class Passing { upwards, downwards };

// First x beyond `from` where the polynomial through `values`, whose derivative is that through `rates`, passes
// `target`. The function is monotone between neighbouring nodes.
PanelCrossing find_crossing(const PanelArray& values, const PanelArray& rates, double target, Passing passing,
                            double from);

}  // namespace routh::internal
