#include "routh/contacts/low_rank.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "routh/contacts/tolerances.h"
#include "routh/math/lanes.h"

namespace routh::internal {

namespace {

// to −= Σ factor[k] columns[k], columns one after the other in memory.
void subtract_columns(const std::vector<double>& factor, int count_of, const Quad* columns, std::size_t height,
                      Quad* to) {
  on_widest_lanes([&](auto count) __attribute__((always_inline)) {
    constexpr std::size_t lanes = count;
    using V = Lanes<lanes>;
    for (std::size_t q = 0; q < height; ++q)
      for (std::size_t part = 0; part < 4; part += lanes) {
        V sum = *reinterpret_cast<const V*>(to[q].lane + part);
        const Quad* column = columns + q;
        for (int k = 0; k < count_of; ++k, column += height)
          sum -= factor[k] * *reinterpret_cast<const V*>(column->lane + part);
        *reinterpret_cast<V*>(to[q].lane + part) = sum;
      }
  });
}

// Rows below row k of a matrix −= their factor times row k, which is stored in column k; `upper` is row k without what
// stands left of its diagonal.
void eliminate_below(int k, int rank, std::size_t quads, const Quad* upper, double inverse, Quad* matrix) {
  on_widest_lanes([&](auto count) __attribute__((always_inline)) {
    constexpr std::size_t lanes = count;
    using V = Lanes<lanes>;
    const std::size_t first = (static_cast<std::size_t>(k) + 1) / 4;
    for (int i = k + 1; i < rank; ++i) {
      Quad* lower = matrix + static_cast<std::size_t>(i) * quads;
      double& entry = reinterpret_cast<double*>(lower)[k];
      entry *= inverse;
      const double factor = entry;
      for (std::size_t q = first; q < quads; ++q)
        for (std::size_t part = 0; part < 4; part += lanes)
          *reinterpret_cast<V*>(lower[q].lane + part) -= factor * *reinterpret_cast<const V*>(upper[q].lane + part);
    }
  });
}

// Rows of `to` += left[0][row] a₀ + left[1][row] a₁ + left[2][row] a₂: what one contact adds to the Gram matrix.
void add_gram(const double* const left[3], const Quad* const a[3], int rows, std::size_t quads, Quad* to) {
  on_widest_lanes([&](auto count) __attribute__((always_inline)) {
    constexpr std::size_t lanes = count;
    using V = Lanes<lanes>;
    for (int r = 0; r < rows; ++r) {
      const double f0 = left[0][r], f1 = left[1][r], f2 = left[2][r];
      Quad* sums = to + static_cast<std::size_t>(r) * quads;
      for (std::size_t k = 0; k < quads; ++k)
        for (std::size_t part = 0; part < 4; part += lanes) {
          V& sum = *reinterpret_cast<V*>(sums[k].lane + part);
          sum = sum + f0 * *reinterpret_cast<const V*>(a[0][k].lane + part) +
                f1 * *reinterpret_cast<const V*>(a[1][k].lane + part) +
                f2 * *reinterpret_cast<const V*>(a[2][k].lane + part);
        }
    }
  });
}

}  // namespace

bool LowRankInertia::symmetric(const ContactSystem& system) const {
  const int n = system.size();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const double allowed = tolerances::low_rank_remainder * root_[i] * root_[j];
      const Matrix3 &block = system.inertia.block[i * n + j], &across = system.inertia.block[j * n + i];
      if (!((block - across.transpose()).cwiseAbs().maxCoeff() <= allowed)) return false;
    }
  return true;
}

bool LowRankInertia::factorise(const ContactSystem& system) {
  const int n = system.size(), rows = 3 * n;
  if (n < tolerances::low_rank_contacts_least || n > tolerances::low_rank_contacts_most) return false;
  if (static_cast<int>(system.inertia.column.size()) != n * n) return false;
  const int most = static_cast<int>(tolerances::low_rank_share * rows);
  const std::size_t height = (static_cast<std::size_t>(rows) + 3) / 4;  // registers in a column
  column_.assign(height * static_cast<std::size_t>(most), {});
  z_.resize(static_cast<std::size_t>(most));
  left_.resize(static_cast<std::size_t>(rows));
  root_.resize(static_cast<std::size_t>(n));
  scale_.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    root_[i] = std::sqrt(system.mobility[i]);
    scale_[i] = 1 / root_[i];
    for (int r = 0; r < 3; ++r) left_[3 * i + r] = system.inertia.block[i * n + i](r, r) / system.mobility[i];
  }
  if (!symmetric(system)) return false;
  for (rank_ = 0;; ++rank_) {
    const auto pivot = static_cast<int>(std::max_element(left_.begin(), left_.end()) - left_.begin());
    const double size = left_[pivot];
    if (size <= tolerances::low_rank_remainder) break;
    if (rank_ == most) return false;
    Quad* const quads = column_.data() + static_cast<std::size_t>(rank_) * height;
    double* const column = reinterpret_cast<double*>(quads);
    const int contact = pivot / 3;
    for (int j = 0; j < n; ++j) {
      const Matrix3& block = system.inertia.block[contact * n + j];
      for (int c = 0; c < 3; ++c) column[3 * j + c] = block(pivot % 3, c) * scale_[contact] * scale_[j];
    }
    for (int k = 0; k < rank_; ++k)
      z_[k] = reinterpret_cast<const double*>(column_.data() + static_cast<std::size_t>(k) * height)[pivot];
    subtract_columns(z_, rank_, column_.data(), height, quads);
    const double root = 1 / std::sqrt(size);
    for (int a = 0; a < rows; ++a) {
      column[a] *= root;
      left_[a] -= column[a] * column[a];
    }
    left_[pivot] = 0;
  }
  if (*std::min_element(left_.begin(), left_.end()) < -tolerances::low_rank_remainder) return false;
  quads_ = (static_cast<std::size_t>(rank_) + 3) / 4;
  g_.assign(quads_ * static_cast<std::size_t>(rows), {});
  for (int a = 0; a < rows; ++a)
    for (int c = 0; c < rank_; ++c)
      row(g_, a)[c] =
          reinterpret_cast<const double*>(column_.data() + static_cast<std::size_t>(c) * height)[a] * root_[a / 3];
  return true;
}

void LowRankInertia::gram(const ContactSystem& system, const DiagonalBlocks& blocks) {
  gram_.assign(quads_ * static_cast<std::size_t>(rank_), {});
  for (int k = 0; k < rank_; ++k) row(gram_, k)[k] = 1;
  std::vector<Quad>& turned = column_;  // C⁻¹ B G of one contact
  turned.assign(3 * quads_, {});
  for (int i = 0; i < system.size(); ++i) {
    if (blocks.velocity[i].isZero(0)) continue;  // open contacts
    const Matrix3& h = gain_[i];
    const double* const g[3] = {row(g_, 3 * i), row(g_, 3 * i + 1), row(g_, 3 * i + 2)};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < rank_; ++c) row(turned, r)[c] = h(r, 0) * g[0][c] + h(r, 1) * g[1][c] + h(r, 2) * g[2][c];
    const Quad* const by[3] = {turned.data(), turned.data() + quads_, turned.data() + 2 * quads_};
    add_gram(g, by, rank_, quads_, gram_.data());
  }
}

// LU by rows, with exchanges: slip under large friction makes the Gram matrix unsymmetric.
bool LowRankInertia::eliminate() {
  pivot_.resize(static_cast<std::size_t>(rank_));
  masked_.assign(quads_, {});
  for (int k = 0; k < rank_; ++k) {
    int best = k;
    for (int i = k + 1; i < rank_; ++i)
      if (std::abs(row(gram_, i)[k]) > std::abs(row(gram_, best)[k])) best = i;
    pivot_[k] = best;
    double* upper = row(gram_, k);
    if (best != k) std::swap_ranges(upper, upper + rank_, row(gram_, best));
    if (!(upper[k] != 0) || !std::isfinite(upper[k])) return false;
    double* const masked = reinterpret_cast<double*>(masked_.data());
    masked[k] = 0;
    std::copy(upper + k + 1, upper + rank_, masked + k + 1);
    eliminate_below(k, rank_, quads_, masked_.data(), 1 / upper[k], gram_.data());
  }
  return true;
}

bool LowRankInertia::solve(const ContactSystem& system, const DiagonalBlocks& blocks, double lift,
                           const std::vector<Vector3>& y, std::vector<Vector3>& x) {
  const auto n = static_cast<std::size_t>(system.size());
  inverse_.resize(n);
  gain_.resize(n);
  lift = std::max(lift, tolerances::low_rank_lift);
  for (std::size_t i = 0; i < n; ++i) {
    inverse_[i] = (blocks.impulse[i] + lift * system.mobility[i] * blocks.velocity[i]).inverse();
    if (!inverse_[i].allFinite()) return false;
    gain_[i].noalias() = inverse_[i] * blocks.velocity[i];
  }
  gram(system, blocks);
  if (!eliminate()) return false;
  velocity_ = &blocks.velocity;
  solve_again(y, x);
  return std::all_of(x.begin(), x.end(), [](const Vector3& v) { return v.allFinite(); });
}

void LowRankInertia::solve_again(const std::vector<Vector3>& y, std::vector<Vector3>& x) {
  const std::size_t n = y.size();
  z_.assign(4 * quads_, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3 part = inverse_[i] * y[i];
    for (int r = 0; r < 3; ++r) {
      const double* g = row(g_, static_cast<int>(3 * i) + r);
      for (int c = 0; c < rank_; ++c) z_[c] += part[r] * g[c];
    }
  }
  for (int k = 0; k < rank_; ++k) std::swap(z_[k], z_[pivot_[k]]);
  for (int i = 0; i < rank_; ++i) {
    const double* lower = row(gram_, i);
    for (int k = 0; k < i; ++k) z_[i] -= lower[k] * z_[k];
  }
  for (int k = rank_ - 1; k >= 0; --k) {
    const double* upper = row(gram_, k);
    double sum = z_[k];
    for (int c = k + 1; c < rank_; ++c) sum -= upper[c] * z_[c];
    z_[k] = sum / upper[k];
  }
  x.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    Vector3 moved;  // G z
    for (int r = 0; r < 3; ++r) {
      const double* g = row(g_, static_cast<int>(3 * i) + r);
      double sum = 0;
      for (int c = 0; c < rank_; ++c) sum += g[c] * z_[c];
      moved[r] = sum;
    }
    x[i].noalias() = inverse_[i] * (y[i] - (*velocity_)[i] * moved);
  }
}

}  // namespace routh::internal
