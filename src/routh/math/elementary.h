// Elementary functions that give the same bits on every machine. Those of the C library choose fused variants by the
// processor and differ from one version to the next; these use + − × ÷ and √ alone, which IEEE 754 rounds in one way,
// and are compiled without contraction. Arguments reduced by Cody and Waite's parts of π/2 and ln 2, by Payne and
// Hanek's digits of 2/π where those are too few [Muller, Elementary functions, 2016].
//
// Within 1 ulp of the true value for every argument, but for tan and hypot (1.5 ulp). Zeros with their sign,
// infinities, NaN and subnormal numbers as in C's Annex F; errno and the exception flags are left alone.
#pragma once

#include <cmath>

namespace routh::internal::elementary {

double exp(double x);
double log(double x);
double log10(double x);  // exact for powers of ten
double pow(double base, double exponent);
double cbrt(double x);

double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);

// Sums of squares between these bounds have lost nothing to overflow or underflow.
inline constexpr double least_square_sum = 0x1p-900, largest_square_sum = 0x1p1000;

// √(x² + y²) and √(x² + y² + z²) where the squares overflow or underflow.
double scaled_hypot(double x, double y, double z);

inline double hypot(double x, double y) {
  const double square = x * x + y * y;
  if (square >= least_square_sum && square <= largest_square_sum) [[likely]]
    return std::sqrt(square);
  return scaled_hypot(x, y, 0);
}

inline double hypot(double x, double y, double z) {
  const double square = x * x + y * y + z * z;
  if (square >= least_square_sum && square <= largest_square_sum) [[likely]]
    return std::sqrt(square);
  return scaled_hypot(x, y, z);
}

}  // namespace routh::internal::elementary
