#include "routh/study/valley_search.h"

#include <cmath>
#include <limits>
#include <utility>

namespace routh::internal {

namespace {

constexpr std::size_t most_starts = 8;

}  // namespace

double inner_product(const std::vector<double>& a, const std::vector<double>& b) {
  double total = 0;
  for (std::size_t k = 0; k < a.size(); ++k) total += a[k] * b[k];
  return total;
}

bool solve_definite(std::vector<double>& matrix, std::vector<double>& right, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    const double pivot = matrix[k * n + k];
    if (!(pivot > 0)) return false;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = matrix[i * n + k] / pivot;
      for (std::size_t j = k; j < n; ++j) matrix[i * n + j] -= factor * matrix[k * n + j];
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right[k] -= matrix[k * n + j] * right[j];
    right[k] /= matrix[k * n + k];
  }
  return true;
}

std::vector<std::vector<double>> ValleySearch::slopes(const FitPoint& at) {
  std::vector<std::vector<double>> columns;
  std::vector<double> above(residuals_.size()), below(residuals_.size());
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double step = 1e-6 * (high(j) - low(j));
    FitPoint up = at, down = at;
    up[j] = clamp(at[j] + step, j);
    down[j] = clamp(at[j] - step, j);
    evaluations += 2;
    problem_.evaluate(up, above);
    problem_.evaluate(down, below);
    std::vector<double> column(residuals_.size());
    for (std::size_t k = 0; k < column.size(); ++k) column[k] = (above[k] - below[k]) / (up[j] - down[j]);
    columns.push_back(std::move(column));
  }
  return columns;
}

// One step of Levenberg and Marquardt's, cut off at the box. False when it gains nothing.
bool ValleySearch::gauss_newton(FitPoint& at, double& best, int held, double& damping) {
  const auto columns = slopes(at);
  sum(at);
  const std::vector<double> here = residuals_;
  std::vector<std::size_t> free;
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double downhill = -inner_product(columns[j], here);
    const bool pressed = (at[j] <= low(j) && downhill <= 0) || (at[j] >= high(j) && downhill >= 0);
    if (static_cast<int>(j) != held && !pressed && inner_product(columns[j], columns[j]) > 0) free.push_back(j);
  }
  const std::size_t n = free.size();
  if (n == 0) return false;
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::vector<double> matrix(n * n), right(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] = inner_product(columns[free[i]], columns[free[j]]);
      matrix[i * n + i] *= 1 + damping;
      right[i] = -inner_product(columns[free[i]], here);
    }
    if (solve_definite(matrix, right, n)) {
      FitPoint next = at;
      for (std::size_t i = 0; i < n; ++i) next[free[i]] = clamp(at[free[i]] + right[i], free[i]);
      const double value = sum(next);
      if (value < best) {
        const bool much = value < best * (1 - 1e-12);
        at = std::move(next);
        best = value;
        damping = std::max(damping * 0.2, 1e-12);
        return much;
      }
    }
    damping = std::max(damping * 8, 1e-9);
  }
  return false;
}

// Tries both directions of every parameter and every pair of them, for a valley may run aslant along a kink.
bool ValleySearch::feel_around(FitPoint& at, double& best, int held, double reach) {
  const FitPoint from = at;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = i; j < at.size(); ++j)
      for (const double a : {-1.0, 1.0})
        for (const double b : {-1.0, 1.0}) {
          if (static_cast<int>(i) == held || static_cast<int>(j) == held || (i == j && b < 0)) continue;
          FitPoint next = from;
          next[i] = clamp(next[i] + a * reach * (high(i) - low(i)), i);
          if (j != i) next[j] = clamp(next[j] + b * reach * (high(j) - low(j)), j);
          const double value = sum(next);
          if (!(value < best)) continue;
          at = std::move(next);
          best = value;
        }
  return at != from;
}

double ValleySearch::descend(FitPoint& at, int held) {
  double best = sum(at), damping = 1e-3, reach = 0.02;
  for (int step = 0; step < 40 && gauss_newton(at, best, held, damping); ++step) {
  }
  for (int step = 0; step < 60 && reach > 1e-6; ++step) {
    if (!feel_around(at, best, held, reach)) {
      reach *= 0.3;
      continue;
    }
    damping = 1e-3;
    gauss_newton(at, best, held, damping);
  }
  return best;
}

// How many values of a parameter the grid has. What saturates is looked at closely: its plateau covers most of the
// range and the minimum may be a narrow valley below it.
int ValleySearch::levels(std::size_t j) const {
  const std::size_t count = problem_.parameters.size();
  if (problem_.parameters[j].open_above) return count <= 3 ? 61 : 31;
  return count <= 2 ? 15 : count == 3 ? 9 : 5;
}

FitPoint ValleySearch::grid_point(const std::vector<int>& index) const {
  FitPoint point(index.size());
  for (std::size_t j = 0; j < index.size(); ++j) {
    const double share = index[j] / (levels(j) - 1.0);
    // Denser towards the low end, where friction matters most.
    point[j] = low(j) + (high(j) - low(j)) * (problem_.parameters[j].open_above ? share * share : share);
  }
  return point;
}

// Whether no neighbour on the grid is lower; of a flat stretch only its first point counts, so that a plateau gives one
// start and not all of them.
bool ValleySearch::is_lowest_around(const std::vector<int>& index, const std::vector<double>& sums) const {
  std::vector<int> step(index.size(), -1);
  std::size_t here = 0, stride = 1;
  for (std::size_t j = 0; j < index.size(); stride *= static_cast<std::size_t>(levels(j++)))
    here += stride * static_cast<std::size_t>(index[j]);
  while (true) {
    std::size_t there = 0;
    bool inside = true;
    stride = 1;
    for (std::size_t j = 0; j < index.size(); stride *= static_cast<std::size_t>(levels(j++))) {
      const int at = index[j] + step[j];
      inside = inside && at >= 0 && at < levels(j);
      if (inside) there += stride * static_cast<std::size_t>(at);
    }
    if (inside && (sums[there] < sums[here] || (sums[there] == sums[here] && there < here))) return false;
    std::size_t digit = 0;
    while (digit < step.size() && ++step[digit] == 2) step[digit++] = -1;
    if (digit == step.size()) return true;
  }
}

void ValleySearch::scan() {
  const std::size_t count = problem_.parameters.size();
  std::vector<std::vector<int>> places;
  std::vector<double> sums;
  std::vector<int> index(count, 0);
  while (true) {
    places.push_back(index);
    grid_.push_back(grid_point(index));
    sums.push_back(sum(grid_.back()));
    std::size_t digit = 0;
    while (digit < count && ++index[digit] == levels(digit)) index[digit++] = 0;
    if (digit == count) break;
  }
  std::vector<std::size_t> minima;
  for (std::size_t k = 0; k < places.size(); ++k)
    if (is_lowest_around(places[k], sums)) minima.push_back(k);
  std::stable_sort(minima.begin(), minima.end(), [&](std::size_t a, std::size_t b) { return sums[a] < sums[b]; });
  for (std::size_t k = 0; k < std::min(most_starts, minima.size()); ++k) starts_.push_back(grid_[minima[k]]);
  grid_sums_ = std::move(sums);
  for (std::size_t j = 0; j < count; ++j)
    if (problem_.parameters[j].open_above) follow(j);
}

// A valley that runs aslant passes between the points of a grid: at each level of a parameter that saturates the best
// point is brought down a few steps over the others, and the minima along the levels are starts too.
void ValleySearch::follow(std::size_t j) {
  std::size_t stride = 1;
  for (std::size_t i = 0; i < j; ++i) stride *= static_cast<std::size_t>(levels(i));
  const auto count = static_cast<std::size_t>(levels(j));
  std::vector<std::size_t> best(count, grid_.size());
  for (std::size_t k = 0; k < grid_.size(); ++k)
    if (std::size_t& it = best[k / stride % count]; it == grid_.size() || grid_sums_[k] < grid_sums_[it]) it = k;
  std::vector<FitPoint> path;
  std::vector<double> sums;
  for (const std::size_t k : best) {
    path.push_back(grid_[k]);
    double value = grid_sums_[k], damping = 1e-3;
    for (int step = 0; step < 6 && gauss_newton(path.back(), value, static_cast<int>(j), damping); ++step) {
    }
    sums.push_back(value);
  }
  for (std::size_t k = 0; k < count; ++k)
    if ((k == 0 || sums[k] < sums[k - 1]) && (k + 1 == count || sums[k] <= sums[k + 1])) starts_.push_back(path[k]);
}

bool ValleySearch::are_near(const FitPoint& a, const FitPoint& b) const {
  for (std::size_t j = 0; j < a.size(); ++j)
    if (std::abs(a[j] - b[j]) > 1e-3 * (high(j) - low(j))) return false;
  return true;
}

double ValleySearch::minimise(FitPoint& at) {
  scan();
  double best = std::numeric_limits<double>::infinity();
  for (FitPoint start : std::exchange(starts_, {})) {
    const double value = descend(start, -1);
    if (value < best) at = start;
    best = std::min(best, value);
    // The valleys themselves are where profiles look later, each once.
    if (std::none_of(starts_.begin(), starts_.end(), [&](const FitPoint& it) { return are_near(it, start); }))
      starts_.push_back(std::move(start));
  }
  return best;
}

double ValleySearch::descend_held(FitPoint& at, std::size_t j, double enough) {
  const double place = at[j];
  double best = descend(at, static_cast<int>(j));
  for (const FitPoint& start : starts_) {
    if (best <= enough) break;
    FitPoint other = start;
    other[j] = place;
    const double value = descend(other, static_cast<int>(j));
    if (!(value < best)) continue;
    best = value;
    at = std::move(other);
  }
  return best;
}

FitPoint ValleySearch::outermost(const FitPoint& from, std::size_t j, double end, double threshold) const {
  FitPoint far = from;
  for (std::size_t k = 0; k < grid_.size(); ++k)
    if (grid_sums_[k] <= threshold && (end > from[j] ? grid_[k][j] > far[j] : grid_[k][j] < far[j])) far = grid_[k];
  return far;
}

}  // namespace routh::internal
