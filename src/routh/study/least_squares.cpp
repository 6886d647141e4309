#include "routh/study/least_squares.h"

#include <algorithm>
#include <cmath>

#include "routh/math/bracket.h"
#include "routh/math/elementary.h"
#include "routh/study/spread.h"
#include "routh/study/tolerances.h"
#include "routh/study/valley_search.h"

namespace routh::internal {

namespace {

constexpr int most_parameters = 4;

// The profile of S in one parameter, from the estimate towards one end of its range.
class Profile {
 public:
  Profile(ValleySearch& search, const FitPoint& estimate, std::size_t j, double threshold)
      : search_(search), estimate_(estimate), j_(j), threshold_(threshold), least_(search.sum(estimate)) {}

  // How far it stays within the threshold.
  double end(double end);
  // A point that lies lower than the estimate, where one was met; else empty.
  const FitPoint& lower() const { return lower_; }

 private:
  // Of a parabola √(S − S_min) is straight, so that its chord points to the end.
  double height(double sum) const { return std::sqrt(std::max(0.0, sum - least_)); }
  void inspect(double place);
  void close_in();

  ValleySearch& search_;
  const FitPoint& estimate_;
  const std::size_t j_;
  const double threshold_, least_;
  FitPoint inside_, lower_;
  double outside_ = 0, high_ = 0, low_ = 0;
  bool left_ = false;
};

void Profile::inspect(double place) {
  FitPoint next = inside_;
  next[j_] = place;
  const double sum = search_.descend_held(next, j_, threshold_);
  if (sum > threshold_) {
    left_ = true;
    outside_ = place;
    high_ = height(sum);
    return;
  }
  if (sum < least_ - tolerances::lower_sum_relative * (threshold_ - least_)) lower_ = next;
  low_ = height(sum);
  inside_ = std::move(next);
}

void Profile::close_in() {
  const double from = estimate_[j_];
  for (int step = 0; step < tolerances::profile_steps_max &&
                     std::abs(outside_ - inside_[j_]) > tolerances::profile_width_relative * std::abs(outside_ - from);
       ++step) {
    const double share = high_ > low_ ? std::clamp((height(threshold_) - low_) / (high_ - low_),
                                                   tolerances::profile_share_min, 1 - tolerances::profile_share_min)
                                      : 0.5;
    // A little beyond on either side in turn, so that both ends close in; and halves, where it is no parabola.
    const double nudge = step % 3 == 0 ? tolerances::profile_nudge : step % 3 == 1 ? -tolerances::profile_nudge : 0;
    const double width = outside_ - inside_[j_];
    const double place =
        step % 3 == 2 ? inside_[j_] + 0.5 * width : inside_[j_] + share * width + nudge * (outside_ - from);
    inspect(std::clamp(place, std::min(inside_[j_], outside_), std::max(inside_[j_], outside_)));
  }
}

double Profile::end(double end) {
  const double from = estimate_[j_];
  inside_ = search_.outermost(estimate_, j_, end, threshold_);
  outside_ = end;
  high_ = low_ = 0;
  left_ = false;
  double reach = tolerances::profile_width_relative * std::abs(end - from);
  for (int step = 0; step < tolerances::profile_reaches_max && !left_ && inside_[j_] != end; ++step, reach *= 2)
    inspect(end > from ? std::min(end, inside_[j_] + reach) : std::max(end, inside_[j_] - reach));
  if (left_) close_in();
  return inside_[j_];
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
        const double size = std::sqrt(inner_product(columns[i], columns[i]) * inner_product(columns[j], columns[j]));
        matrix[i * n + j] = size > 0 ? inner_product(columns[i], columns[j]) / size : 0;
      }
    unit[c] = 1;
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] *= 1 + tolerances::correlation_shift;
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
  const double angle = elementary::atan(t / std::sqrt(static_cast<double>(freedom)));
  const double c2 = elementary::cos(angle) * elementary::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? elementary::cos(angle) : 1, total = freedom == 1 ? 0 : term;
  for (long k = odd ? 3 : 2; k <= freedom - 2; k += 2) {
    term *= c2 * static_cast<double>(k - 1) / static_cast<double>(k);
    total += term;
  }
  return odd ? 2 / M_PI * (angle + elementary::sin(angle) * total) : elementary::sin(angle) * total;
}

}  // namespace

double student_quantile(double probability, long freedom) {
  constexpr long many = 100'000;  // from here on the distribution is the normal one to five digits
  if (freedom >= many) return normal_quantile(0.5 + 0.5 * probability);
  const long n = std::max(freedom, 1L);
  double high = 1;
  while (student_within(high, n) < probability && high < tolerances::student_quantile_max) high *= 2;
  return bisect({0, high}, 100, [&](double t) { return student_within(t, n) < probability; }).middle();
}

namespace {

// The estimate and its intervals; false, with a better point in `at`, where a profile leads below it.
bool find_intervals(const LeastSquaresProblem& problem, ValleySearch& search, FitPoint& at, LeastSquaresFit& fit) {
  const auto freedom = static_cast<double>(problem.residuals) - static_cast<double>(at.size());
  fit.sum = search.sum(at);
  fit.deviation = std::sqrt(fit.sum / freedom);
  const double t = student_quantile(problem.confidence, static_cast<long>(freedom));
  const double variance = std::max(fit.sum / freedom, problem.noise_floor * problem.noise_floor);
  const double threshold = fit.sum + t * t * variance;
  fit.parameters.clear();
  for (std::size_t j = 0; j < at.size(); ++j)
    fit.parameters.push_back({at[j], problem.parameters[j].low, problem.parameters[j].high, Determination::nothing});
  for (std::size_t j = 0; j < at.size(); ++j) {
    const FitParameter& range = problem.parameters[j];
    FittedParameter& fitted = fit.parameters[j];
    Profile profile(search, at, j, threshold);
    fitted.low = profile.end(range.low);
    if (profile.lower().empty()) fitted.high = profile.end(range.high);
    if (!profile.lower().empty()) {
      at = profile.lower();
      return false;
    }
    fitted.determination = determined(range, fitted);
  }
  return true;
}

}  // namespace

LeastSquaresFit fit_least_squares(const LeastSquaresProblem& problem) {
  LeastSquaresFit fit;
  const std::size_t count = std::min<std::size_t>(problem.parameters.size(), most_parameters);
  const auto freedom = static_cast<double>(problem.residuals) - static_cast<double>(count);
  if (count == 0 || !(freedom >= 1)) return fit;
  ValleySearch search(problem);
  FitPoint at;
  if (!std::isfinite(search.minimise(at))) return fit;
  for (int restart = 0; !find_intervals(problem, search, at, fit) && restart < tolerances::restarts_max; ++restart)
    search.descend(at, -1);
  fit.correlation = correlations(search.slopes(at));
  fit.evaluations = search.evaluations;
  return fit;
}

std::vector<double> descend_from(const LeastSquaresProblem& problem, std::vector<double> start) {
  ValleySearch(problem).descend(start, -1);
  return start;
}

}  // namespace routh::internal
