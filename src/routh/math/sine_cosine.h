// Sines and cosines of many angles at once, branch-free so that the loop vectorises.
#pragma once

#include <cstddef>

namespace routh::internal {

// sine[i] = sin x[i], cosine[i] = cos x[i] for i < count, each to within 3 ulp of the true value. The arrays must
// not overlap.
void sine_cosine(const double* x, std::size_t count, double* sine, double* cosine);

}  // namespace routh::internal
