// Numbers of some 106 bits as unevaluated sums of two doubles [Dekker, A floating-point technique for extending the
// available precision, 1971; Shewchuk 1997]: for the elementary functions, tables, and formulas that cancel. Nothing is
// fused, so that every machine gives the same bits, which `long double` does not; operands must stay below 2⁹⁹⁵, where
// the splitting of a product would overflow.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace routh::internal {

struct DoubleDouble {
  double high = 0, low = 0;  // |low| ≤ ulp(high)/2

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}
  constexpr DoubleDouble(double first, double second) : high(first), low(second) {}
};

// a + b without error, for |a| ≥ |b| or a = 0.
constexpr DoubleDouble ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b without error.
constexpr DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// a b without error.
constexpr DoubleDouble exact_product(double a, double b) {
  constexpr double splitter = 0x1p27 + 1;
  const double a_shifted = splitter * a, b_shifted = splitter * b;
  const double a_high = a_shifted - (a_shifted - a), a_low = a - a_high;
  const double b_high = b_shifted - (b_shifted - b), b_low = b - b_high;
  const double product = a * b;
  return {product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)};
}

constexpr DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }

constexpr DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble sum = exact_sum(a.high, b.high);
  return ordered_sum(sum.high, sum.low + (a.low + b.low));
}

constexpr DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + (-b); }

constexpr DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

constexpr DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double quotient = a.high / b.high;
  const DoubleDouble back = exact_product(quotient, b.high);
  const double rest = ((a.high - back.high) - back.low) + (a.low - quotient * b.low);
  return ordered_sum(quotient, rest / b.high);
}

// √a for a ≥ 0. The first part has 26 bits, so that its square is exact.
inline DoubleDouble square_root(double a) {
  const double root = std::sqrt(a);
  if (!(root > 0)) return {};
  const auto high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(root) & ~std::uint64_t{0x7ffffff});
  return {high, (a - high * high) / (root + high)};
}

// √a for a ≥ 0, by one step of Newton's method from that of the first part.
inline DoubleDouble square_root(const DoubleDouble& a) {
  const double root = std::sqrt(a.high);
  if (!(root > 0)) return {};
  const DoubleDouble rest = a - exact_product(root, root);
  return ordered_sum(root, rest.high / (2 * root));
}

}  // namespace routh::internal
