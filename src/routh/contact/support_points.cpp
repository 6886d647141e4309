// The points of two bodies that face each other along a normal of greatest separation.
#include "routh/contact/support_sum.h"

namespace routh::internal {

namespace {

// Least-norm weights u of the columns with Σ column · u = r, by the normal equations of the 3×3 matrix K = Σ column
// columnᵀ, made regular by a small multiple of its trace and improved by two rounds of residuals.
struct Columns {
  std::array<Vector3, 18> column;
  std::array<double, 18> weight{};
  std::array<int, 18> disc{};
  int count = 0;

  Vector3 sum() const {
    Vector3 s;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) s += weight[i] * column[i];
    return s;
  }
};

Vector3 solve_regular(const Symmetric3& K, const Vector3& r) {
  const double trace = K.xx + K.yy + K.zz, shift = 1e-10 * trace;
  const double a = K.xx + shift, b = K.yy + shift, c = K.zz + shift;
  // L D Lᵀ of a positive definite matrix needs no pivots.
  const double l1 = K.xy / a, l2 = K.xz / a;
  const double d2 = b - l1 * K.xy, m = K.yz - l1 * K.xz, l3 = m / d2, d3 = c - l2 * K.xz - l3 * m;
  const double y2 = r.y - l1 * r.x, y3 = r.z - l2 * r.x - l3 * y2;
  const double z = y3 / d3, y = y2 / d2 - l3 * z, x = r.x / a - l1 * y - l2 * z;
  return {x, y, z};
}

// Adds least-norm weights for the residual r to the columns that are still free.
void spread(Columns& columns, const std::array<bool, 6>& fixed, Vector3 r) {
  Symmetric3 K;
  for (std::size_t i = 0; i < static_cast<std::size_t>(columns.count); ++i)
    if (!fixed[static_cast<std::size_t>(columns.disc[i])]) K = minus_outer(K, columns.column[i], -columns.column[i]);
  if (!(K.xx + K.yy + K.zz > 0)) return;
  for (int round = 0; round < 3; ++round) {
    const Vector3 y = solve_regular(K, r);
    for (std::size_t i = 0; i < static_cast<std::size_t>(columns.count); ++i) {
      if (fixed[static_cast<std::size_t>(columns.disc[i])]) continue;
      const double more = dot(columns.column[i], y);
      columns.weight[i] += more;
      r -= more * columns.column[i];
    }
  }
}

// Discs that would be left are held at their rims. Returns whether there were any.
bool hold_at_rims(Columns& columns, std::array<bool, 6>& fixed) {
  std::array<double, 6> square{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(columns.count); ++i)
    square[static_cast<std::size_t>(columns.disc[i])] += columns.weight[i] * columns.weight[i];
  bool any = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(columns.count); ++i) {
    const auto k = static_cast<std::size_t>(columns.disc[i]);
    if (square[k] <= 1) continue;
    columns.weight[i] /= std::sqrt(square[k]);
    any |= !fixed[k];
    fixed[k] = true;
  }
  return any;
}

}  // namespace

// At a maximum c − s n = Σ E_kᵀ u_k with u_k = E_k n/‖E_k n‖, or of discs at their kinks any ‖u_k‖ ≤ 1: flat against
// flat leaves a choice, and the weights of least norm put the contact near the middle.
PairContact SupportSum::contact(const Maximum& maximum) const {
  const Vector3& n = maximum.normal;
  Vector3 a = centre_a_, b = centre_b_, rest = c_ - maximum.separation * n;
  Columns columns;
  const auto shift = [&](const Disc& disc, const Vector3& by) { (disc.side > 0 ? a : b) -= disc.side * by; };
  for (std::size_t k = 0; k < static_cast<std::size_t>(count_); ++k) {
    const Disc& disc = discs_[k];
    const double reach = disc.reach(n);
    if (reach > flat_angle * disc.size) {
      const Vector3 u = (1 / reach) * disc.turned(n);
      shift(disc, u), rest -= u;
      continue;
    }
    for (std::size_t j = 0; j < static_cast<std::size_t>(disc.rank); ++j) {
      columns.column[static_cast<std::size_t>(columns.count)] = disc.axes[j] - dot(disc.axes[j], n) * n;
      columns.disc[static_cast<std::size_t>(columns.count++)] = static_cast<int>(k);
    }
  }
  std::array<bool, 6> fixed{};
  for (int round = 0; round < 6; ++round) {
    spread(columns, fixed, rest - columns.sum());
    if (!hold_at_rims(columns, fixed)) break;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(columns.count); ++i)
    shift(discs_[static_cast<std::size_t>(columns.disc[i])], columns.weight[i] * columns.column[i]);
  const Vector3 middle = 0.5 * (a + b);
  const Vector3 half = (maximum.separation / 2) * n;
  return {middle + half, middle - half, n, maximum.separation, {FeatureKind::nearest, 0}, {FeatureKind::nearest, 0}};
}

}  // namespace routh::internal
