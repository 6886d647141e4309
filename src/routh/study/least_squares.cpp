#include "routh/study/least_squares.h"

#include <algorithm>
#include <cmath>

namespace routh {

namespace {

using Point = std::vector<double>;

constexpr int most_parameters = 4;

// S and its minimisation with some parameters held.
class Search {
 public:
  explicit Search(const LeastSquaresProblem& problem) : problem_(problem), residuals_(problem.residuals) {}

  double sum(const Point& at) {
    ++evaluations;
    problem_.evaluate(at, residuals_);
    double total = 0;
    for (const double r : residuals_) total += r * r;
    return total;
  }

  // From `at` to a minimum nearby over the parameters that are not `held` (−1: none); returns S there.
  double descend(Point& at, int held);
  // The least over a grid of starts.
  double minimise(Point& at);
  // The columns ∂r/∂θ_j at a point, by central differences, one-sided at a bound.
  std::vector<std::vector<double>> slopes(const Point& at);

  long evaluations = 0;

 private:
  double low(std::size_t j) const { return problem_.parameters[j].low; }
  double high(std::size_t j) const { return problem_.parameters[j].high; }
  double clamp(double value, std::size_t j) const { return std::clamp(value, low(j), high(j)); }
  bool gauss_newton(Point& at, double& best, int held, double& damping);
  bool feel_around(Point& at, double& best, int held, double reach);

  const LeastSquaresProblem& problem_;
  std::vector<double> residuals_;
};

std::vector<std::vector<double>> Search::slopes(const Point& at) {
  std::vector<std::vector<double>> columns;
  std::vector<double> above(residuals_.size()), below(residuals_.size());
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double step = 1e-6 * (high(j) - low(j));
    Point up = at, down = at;
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

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double total = 0;
  for (std::size_t k = 0; k < a.size(); ++k) total += a[k] * b[k];
  return total;
}

// Solves the symmetric positive definite system by elimination in place; false when it is not definite.
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

// One step of Levenberg and Marquardt's, cut off at the box. False when it gains nothing.
bool Search::gauss_newton(Point& at, double& best, int held, double& damping) {
  const auto columns = slopes(at);
  sum(at);
  const std::vector<double> here = residuals_;
  std::vector<std::size_t> free;
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double downhill = -product(columns[j], here);
    const bool pressed = (at[j] <= low(j) && downhill <= 0) || (at[j] >= high(j) && downhill >= 0);
    if (static_cast<int>(j) != held && !pressed && product(columns[j], columns[j]) > 0) free.push_back(j);
  }
  const std::size_t n = free.size();
  if (n == 0) return false;
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::vector<double> matrix(n * n), right(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] = product(columns[free[i]], columns[free[j]]);
      matrix[i * n + i] *= 1 + damping;
      right[i] = -product(columns[free[i]], here);
    }
    if (solve_definite(matrix, right, n)) {
      Point next = at;
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
bool Search::feel_around(Point& at, double& best, int held, double reach) {
  const Point from = at;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = i; j < at.size(); ++j)
      for (const double a : {-1.0, 1.0})
        for (const double b : {-1.0, 1.0}) {
          if (static_cast<int>(i) == held || static_cast<int>(j) == held || (i == j && b < 0)) continue;
          Point next = from;
          next[i] = clamp(next[i] + a * reach * (high(i) - low(i)), i);
          if (j != i) next[j] = clamp(next[j] + b * reach * (high(j) - low(j)), j);
          const double value = sum(next);
          if (!(value < best)) continue;
          at = std::move(next);
          best = value;
        }
  return at != from;
}

double Search::descend(Point& at, int held) {
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

double Search::minimise(Point& at) {
  const std::size_t count = problem_.parameters.size();
  const int levels = count <= 2 ? 15 : count == 3 ? 7 : 5;
  std::vector<std::pair<double, Point>> starts;
  std::vector<int> index(count, 0);
  // Denser towards the low end, where friction matters most.
  while (true) {
    Point start(count);
    for (std::size_t j = 0; j < count; ++j) {
      const double share = index[j] / (levels - 1.0);
      start[j] = low(j) + (high(j) - low(j)) * (problem_.parameters[j].open_above ? share * share : share);
    }
    const double value = sum(start);
    starts.emplace_back(value, std::move(start));
    std::size_t digit = 0;
    while (digit < count && ++index[digit] == levels) index[digit++] = 0;
    if (digit == count) break;
  }
  std::stable_sort(starts.begin(), starts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  double best = starts.front().first;
  at = starts.front().second;
  for (std::size_t k = 0; k < std::min<std::size_t>(6, starts.size()); ++k) {
    Point candidate = starts[k].second;
    const double value = descend(candidate, -1);
    if (!(value < best)) continue;
    best = value;
    at = std::move(candidate);
  }
  return best;
}

// From the estimate towards `end`: how far the profile of S stays within the threshold.
double profile_end(Search& search, const Point& from, std::size_t j, double end, double threshold) {
  Point inside = from;
  const double least = search.sum(from);
  // Of a parabola √(S − S_min) is straight, so that its chord points to the end.
  const auto height = [&](double sum) { return std::sqrt(std::max(0.0, sum - least)); };
  const double goal = height(threshold);
  double outside = end, high = 0, low = 0;
  const auto inspect = [&](double place) {
    Point next = inside;
    next[j] = place;
    const double sum = search.descend(next, static_cast<int>(j));
    if (sum > threshold) {
      outside = place;
      high = height(sum);
    } else {
      low = height(sum);
      inside = std::move(next);
    }
    return sum > threshold;
  };
  bool left = false;
  double reach = 1e-4 * std::abs(end - from[j]);
  for (int step = 0; step < 40 && !left && inside[j] != end; ++step, reach *= 2)
    left = inspect(end > from[j] ? std::min(end, inside[j] + reach) : std::max(end, inside[j] - reach));
  if (!left) return inside[j];
  for (int step = 0; step < 30 && std::abs(outside - inside[j]) > 1e-4 * std::abs(outside - from[j]); ++step) {
    const double share = high > low ? std::clamp((goal - low) / (high - low), 0.001, 0.999) : 0.5;
    // A little beyond on either side in turn, so that both ends close in; and halves, where it is no parabola.
    const double nudge = step % 3 == 0 ? 2e-5 : step % 3 == 1 ? -2e-5 : 0;
    const double width = outside - inside[j];
    const double place =
        step % 3 == 2 ? inside[j] + 0.5 * width : inside[j] + share * width + nudge * (outside - from[j]);
    inspect(std::clamp(place, std::min(inside[j], outside), std::max(inside[j], outside)));
  }
  return inside[j];
}

Determination determined(const FitParameter& range, const FittedParameter& fitted) {
  const bool bottom = fitted.low <= range.low, top = fitted.high >= range.high;
  if (bottom && top) return Determination::nothing;
  if (top && range.open_above) return Determination::at_least;
  return bottom ? Determination::at_most : Determination::interval;
}

// Of the estimates, from JᵀJ: its inverse scaled to a unit diagonal.
std::vector<double> correlations(const std::vector<std::vector<double>>& columns) {
  const std::size_t n = columns.size();
  std::vector<double> all(n * n, 0.0), inverse(n * n, 0.0);
  bool regular = true;
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<double> matrix(n * n), unit(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double size = std::sqrt(product(columns[i], columns[i]) * product(columns[j], columns[j]));
        matrix[i * n + j] = size > 0 ? product(columns[i], columns[j]) / size : 0;
      }
    unit[c] = 1;
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] *= 1 + 1e-13;
    regular = solve_definite(matrix, unit, n) && regular;
    for (std::size_t i = 0; i < n; ++i) inverse[i * n + c] = unit[i];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (i == j)
        all[i * n + j] = 1;
      else if (regular)
        all[i * n + j] = inverse[i * n + j] / std::sqrt(inverse[i * n + i] * inverse[j * n + j]);
  return all;
}

// P(|T| ≤ t) in closed form [Abramowitz and Stegun 26.7.3, 26.7.4].
double student_within(double t, long freedom) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
  const double c2 = std::cos(angle) * std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? std::cos(angle) : 1, total = freedom == 1 ? 0 : term;
  for (long k = odd ? 3 : 2; k <= freedom - 2; k += 2) {
    term *= c2 * static_cast<double>(k - 1) / static_cast<double>(k);
    total += term;
  }
  return odd ? 2 / M_PI * (angle + std::sin(angle) * total) : std::sin(angle) * total;
}

}  // namespace

double student_quantile(double probability, long freedom) {
  // Beyond this many the distribution is the normal one to six digits.
  const long n = std::clamp(freedom, 1L, 1'000'000L);
  double low = 0, high = 1;
  const auto within = [&](double t) { return n < 100'000 ? student_within(t, n) : std::erf(t / std::sqrt(2.0)); };
  while (within(high) < probability && high < 1e12) high *= 2;
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high);
    (within(middle) < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

LeastSquaresFit fit_least_squares(const LeastSquaresProblem& problem) {
  LeastSquaresFit fit;
  const std::size_t count = std::min<std::size_t>(problem.parameters.size(), most_parameters);
  const auto freedom = static_cast<double>(problem.residuals) - static_cast<double>(count);
  if (count == 0 || !(freedom >= 1)) return fit;
  Search search(problem);
  Point at;
  fit.sum = search.minimise(at);
  fit.deviation = std::sqrt(fit.sum / freedom);
  const double t = student_quantile(problem.confidence, static_cast<long>(freedom));
  const double variance = std::max(fit.sum / freedom, problem.noise_floor * problem.noise_floor);
  const double threshold = fit.sum + t * t * variance;
  for (std::size_t j = 0; j < count; ++j) {
    const FitParameter& range = problem.parameters[j];
    FittedParameter fitted{at[j], 0, 0, Determination::interval};
    fitted.low = profile_end(search, at, j, range.low, threshold);
    fitted.high = profile_end(search, at, j, range.high, threshold);
    fitted.determination = determined(range, fitted);
    fit.parameters.push_back(fitted);
  }
  fit.correlation = correlations(search.slopes(at));
  fit.evaluations = search.evaluations;
  return fit;
}

}  // namespace routh
