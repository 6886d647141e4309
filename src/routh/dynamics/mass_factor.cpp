#include "routh/dynamics/mass_factor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "routh/dynamics/tolerances.h"
#include "routh/dynamics/tree.h"
#include "routh/math/lanes.h"

namespace routh::internal {

namespace {

constexpr std::size_t width = 4;

// Takes amount · row out of four rows at once, over whole registers: what lies behind the ends is padding.
[[gnu::always_inline]] inline void take_out(double* const* up, const double* amount, const double* row,
                                            std::size_t registers) {
  for (std::size_t j = 0; j < registers * width; j += width) {
    Lanes<width> from;
    std::memcpy(&from, row + j, sizeof from);
    for (std::size_t i = 0; i < width; ++i) {
      Lanes<width> to;
      std::memcpy(&to, up[i] + j, sizeof to);
      to -= amount[i] * from;
      std::memcpy(up[i] + j, &to, sizeof to);
    }
  }
}

}  // namespace

bool has_constant_mass(const Model& model) {
  return std::all_of(model.links.begin(), model.links.end(), [&](const Link& link) {
    if (link.parent >= 0 && model.links[static_cast<std::size_t>(link.parent)].kind != LinkKind::slide) return false;
    switch (link.kind) {
      case LinkKind::turn:
        return link.moment.x == 0 && link.moment.y == 0;
      case LinkKind::slide:
        return true;
      case LinkKind::ball:
      case LinkKind::floating:
        return false;
    }
    return false;
  });
}

MassFactor::MassFactor(const Model& model) : paths_(model) {
  if (has_constant_mass(model)) posture_ = rest_state(model).q;
  std::size_t size = 0;
  const std::size_t n = paths_.begin.size() - 1;
  begin_.reserve(n);
  for (std::size_t k = 0; k < n; ++k) {
    begin_.push_back(size);
    size += (paths_.size(k) + width - 1) / width * width;
  }
  mass_.resize(size);
  left_.resize(size);
  unit_.resize(size);
  root_.resize(n);
  inverse_root_.resize(n);
}

MassFactor::MassFactor(const Model& model, std::span<const int> parents) : MassFactor(model) {
  const DofPaths tree = paths_;
  paths_ = DofPaths(parents);
  if (paths_.dofs == tree.dofs) return;
  tree_begin_ = begin_;
  tree_mass_ = mass_;
  std::size_t size = 0;
  for (std::size_t k = 0; k < begin_.size(); ++k) {
    begin_[k] = size;
    size += (paths_.size(k) + width - 1) / width * width;
    const int* const path = paths_.path(k);
    for (std::size_t j = 0; j < tree.size(k); ++j)
      tree_place_.push_back(
          begin_[k] + static_cast<std::size_t>(std::lower_bound(path, path + paths_.size(k), tree.path(k)[j]) - path));
  }
  mass_.assign(size, 0);
  left_.assign(size, 0);
  unit_.assign(size, 0);
}

int MassFactor::factorise(const ConstVector& q, Workspace& workspace) {
  if (known_) return -1;
  // In one posture for all, so that it is the same to the last bit wherever it is needed first.
  const bool constant = posture_.size() > 0;
  if (constant)
    load(posture_, workspace);
  else
    load(q, workspace);
  const int singular = decompose();
  known_ = constant && singular < 0;
  return singular;
}

void MassFactor::load(const ConstVector& q, Workspace& workspace) {
  if (tree_begin_.empty()) return mass_rows(workspace.tree->tree, q.data(), begin_.data(), mass_.data());
  mass_rows(workspace.tree->tree, q.data(), tree_begin_.data(), tree_mass_.data());
  std::fill(mass_.begin(), mass_.end(), 0.0);
  std::size_t entry = 0;
  const auto& paths = workspace.tree->tree.paths;
  for (std::size_t k = 0; k < begin_.size(); ++k)
    for (std::size_t j = 0; j < paths.size(k); ++j) mass_[tree_place_[entry++]] = tree_mass_[tree_begin_[k] + j];
}

void MassFactor::add_to_diagonal(int dof, double inertia) {
  const auto k = static_cast<std::size_t>(dof);
  mass_[begin_[k] + paths_.size(k) - 1] += inertia;
}

void MassFactor::add_product(std::span<const int> dofs, std::span<const double> x, double weight) {
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    if (x[i] == 0) continue;
    double* const row = mass_.data() + begin_[static_cast<std::size_t>(dofs[i])];
    for (std::size_t j = 0; j <= i; ++j)
      row[paths_.size(static_cast<std::size_t>(dofs[j])) - 1] += weight * x[i] * x[j];
  }
}

int MassFactor::non_finite() const {
  int found = -1;
  for (std::size_t k = begin_.size(); k-- > 0;)
    for (std::size_t j = 0; j < paths_.size(k); ++j)
      if (!std::isfinite(mass_[begin_[k] + j])) found = std::min(paths_.path(k)[j], static_cast<int>(k));
  return found;
}

int MassFactor::decompose() {
  left_ = mass_;
  int singular = -1;
  on_widest_lanes([&](auto) __attribute__((always_inline)) { singular = eliminate(); });
  return singular;
}

// From the leaves to the root: row k is taken out of all its ancestors' rows, which are as long as the piece of row k
// they meet. Ancestors go by fours; where fewer are left row k itself, which nobody needs any more, makes up for them.
[[gnu::always_inline]] inline int MassFactor::eliminate() {
  for (std::size_t k = begin_.size(); k-- > 0;) {
    const std::size_t last = paths_.size(k) - 1;
    const int* const path = paths_.path(k);
    const double* const row = left_.data() + begin_[k];
    const double pivot = row[last];
    if (!(pivot > tolerances::mass_factor_pivot_relative * mass_[begin_[k] + last]) || !std::isfinite(pivot))
      return static_cast<int>(k);
    const double inverse = 1 / pivot;
    double* const unit = unit_.data() + begin_[k];
    for (std::size_t i = 0; i < last; i += width) {
      double* up[width];
      for (std::size_t m = 0; m < width; ++m) {
        unit[i + m] = row[i + m] * inverse;
        up[m] = left_.data() + begin_[static_cast<std::size_t>(path[std::min(i + m, last)])];
      }
      take_out(up, unit + i, row, i / width + 1);
    }
    root_[k] = pivot;
  }
  for (std::size_t k = 0; k < root_.size(); ++k) {
    root_[k] = std::sqrt(root_[k]);
    inverse_root_[k] = 1 / root_[k];
  }
  return -1;
}

// Lᵀ y = x, from the leaves: row k of U is column k of Uᵀ. A force on one branch leaves the others alone.
template <int columns>
void MassFactor::half_solve_columns(double* x) const {
  const std::size_t n = begin_.size();
  for (std::size_t k = n; k-- > 0;) {
    double own[columns];
    bool nothing = true;
    for (std::size_t c = 0; c < columns; ++c) {
      own[c] = x[c * n + k];
      nothing = nothing && own[c] == 0;
    }
    if (nothing) continue;
    const std::size_t last = paths_.size(k) - 1;
    const int* const path = paths_.path(k);
    const double* const row = unit_.data() + begin_[k];
    for (std::size_t j = 0; j < last; ++j) {
      double* const up = x + path[j];
      for (std::size_t c = 0; c < columns; ++c) up[c * n] -= row[j] * own[c];
    }
    for (std::size_t c = 0; c < columns; ++c) x[c * n + k] = own[c] * inverse_root_[k];
  }
}

void MassFactor::half_solve(VectorView x) const { half_solve_columns<1>(x.data()); }

void MassFactor::half_solve_all(Eigen::MatrixXd& x) const {
  Eigen::Index column = 0;
  for (; column + 3 <= x.cols(); column += 3) half_solve_columns<3>(x.col(column).data());
  if (x.cols() - column == 2) half_solve_columns<2>(x.col(column).data());
  if (x.cols() - column == 1) half_solve_columns<1>(x.col(column).data());
}

template <int columns>
void MassFactor::half_solve_entries(std::span<const int> dofs, const std::vector<int>& place, double* x) const {
  for (std::size_t i = dofs.size(); i-- > 0;) {
    const auto k = static_cast<std::size_t>(dofs[i]);
    double* const own = x + i * columns;
    const std::size_t last = paths_.size(k) - 1;
    const int* const path = paths_.path(k);
    const double* const row = unit_.data() + begin_[k];
    for (std::size_t j = 0; j < last; ++j) {
      double* const up = x + static_cast<std::size_t>(place[static_cast<std::size_t>(path[j])]) * columns;
      for (std::size_t c = 0; c < columns; ++c) up[c] -= row[j] * own[c];
    }
    for (std::size_t c = 0; c < columns; ++c) own[c] *= inverse_root_[k];
  }
}

void MassFactor::half_solve_path(std::span<const int> dofs, std::vector<int>& place, int columns, double* x) const {
  for (std::size_t i = 0; i < dofs.size(); ++i) place[static_cast<std::size_t>(dofs[i])] = static_cast<int>(i);
  if (columns == 3)
    half_solve_entries<3>(dofs, place, x);
  else
    half_solve_entries<2>(dofs, place, x);
  for (const int dof : dofs) place[static_cast<std::size_t>(dof)] = -1;
}

void MassFactor::finish_solve(VectorView x) const {
  for (std::size_t k = 0; k < begin_.size(); ++k) {
    const std::size_t last = paths_.size(k) - 1;
    const int* const path = paths_.path(k);
    const double* const row = unit_.data() + begin_[k];
    double own = x[static_cast<Eigen::Index>(k)] * inverse_root_[k];
    for (std::size_t j = 0; j < last; ++j) own -= row[j] * x[path[j]];
    x[static_cast<Eigen::Index>(k)] = own;
  }
}

void MassFactor::solve(VectorView x) const {
  half_solve(x);
  finish_solve(x);
}

void MassFactor::solve_rows(double* x, std::size_t columns) const {
  const auto take = [columns](double* __restrict to, const double* __restrict from, double amount) {
    for (std::size_t c = 0; c < columns; ++c) to[c] -= amount * from[c];
  };
  on_widest_machine([&] {
    for (std::size_t k = begin_.size(); k-- > 0;) {
      const std::size_t last = paths_.size(k) - 1;
      const int* const path = paths_.path(k);
      const double* const row = unit_.data() + begin_[k];
      double* const own = x + k * columns;
      for (std::size_t j = 0; j < last; ++j) take(x + static_cast<std::size_t>(path[j]) * columns, own, row[j]);
      const double inverse = inverse_root_[k] * inverse_root_[k];
      for (std::size_t c = 0; c < columns; ++c) own[c] *= inverse;
    }
    for (std::size_t k = 0; k < begin_.size(); ++k) {
      const std::size_t last = paths_.size(k) - 1;
      const int* const path = paths_.path(k);
      const double* const row = unit_.data() + begin_[k];
      for (std::size_t j = 0; j < last; ++j)
        take(x + k * columns, x + static_cast<std::size_t>(path[j]) * columns, row[j]);
    }
  });
}

std::vector<int> coupled_parents(const Model& model, std::span<const std::vector<int>> groups) {
  const std::size_t n = model.dofs.size();
  std::vector<std::vector<int>> later(n);  // that are coupled to each and eliminated before it
  const auto couple = [&](int first, int last) { later[static_cast<std::size_t>(first)].push_back(last); };
  for (std::size_t k = 0; k < n; ++k)
    if (model.dofs[k].parent >= 0) couple(model.dofs[k].parent, static_cast<int>(k));
  for (const std::vector<int>& group : groups)
    for (std::size_t i = 1; i < group.size(); ++i) couple(group[i - 1], group[i]);
  std::vector<int> parents(n, -1), top(n, -1);  // top: an ancestor, for a short way up
  for (std::size_t k = n; k-- > 0;)
    for (int i : later[k]) {
      const int own = static_cast<int>(k);
      while (i != own) {
        const int up = std::exchange(top[static_cast<std::size_t>(i)], own);
        if (up < 0) parents[static_cast<std::size_t>(i)] = own;
        i = up < 0 ? own : up;
      }
    }
  return parents;
}

double MassFactor::product(const Eigen::VectorXd& y, const Eigen::VectorXd& x) const {
  double sum = 0;
  for (std::size_t k = 0; k < begin_.size(); ++k) {
    const std::size_t last = paths_.size(k) - 1;
    const int* const path = paths_.path(k);
    const double* const row = mass_.data() + begin_[k];
    const double own_y = y[static_cast<Eigen::Index>(k)], own_x = x[static_cast<Eigen::Index>(k)];
    double here = row[last] * own_y * own_x;
    for (std::size_t j = 0; j < last; ++j) here += row[j] * (own_y * x[path[j]] + own_x * y[path[j]]);
    sum += here;
  }
  return sum;
}

}  // namespace routh::internal
