#include "routh/recording/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/map/shared_work.h"
#include "routh/math/elementary.h"
#include "routh/recording/hygiene.h"
#include "routh/recording/surrogate.h"
#include "routh/recording/throw_remarks.h"
#include "routh/recording/tolerances.h"
#include "routh/study/random.h"
#include "routh/study/sobol.h"

namespace routh::internal {

namespace {

struct Stopped {};

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum / static_cast<double>(values.size());
}

// ρ(e); a scale of zero is the mean.
double loss_of(double error, double scale) { return scale > 0 ? scale * elementary::log(1 + error / scale) : error; }

// The search under one law.
class LawSearch {
 public:
  LawSearch(const Scene& scene, const std::vector<Throw>& throws, const std::vector<SoughtParameter>& sought,
            const IdentifyOptions& options, std::size_t law)
      : scene_(scene, parameters_of(sought), options.laws[law]),
        throws_(throws),
        sought_(sought),
        options_(options),
        law_(law) {
    for (const SoughtParameter& each : sought) {
      box_.centre.push_back((each.low + each.high) / 2);
      box_.half.push_back((each.high - each.low) / 2);
    }
  }

  IdentifiedLaw run() {
    IdentifiedLaw out;
    out.law = options_.laws[law_];
    add_points(tolerances::design_points);
    boxes_.push_back(box_);
    for (int round = 0; round < tolerances::rounds_max; ++round) {
      lower_scale();
      const std::optional<ParameterBox> next = next_box();
      if (!next && lowered()) break;
      box_ = next.value_or(box_);
      boxes_.push_back(box_);
      add_points(tolerances::refining_points);
    }
    if (options_.loss == ThrowLoss::robust) scale_ = least_median();
    widen_box();
    estimate(out);
    cross_validate(out);
    out.runs = runs_;
    return out;
  }

  double scale() const { return scale_; }

 private:
  static std::vector<ThrowParameter> parameters_of(const std::vector<SoughtParameter>& sought) {
    std::vector<ThrowParameter> out;
    for (const SoughtParameter& each : sought) out.push_back(each.parameter);
    return out;
  }

  // Errors of the throws (of a fold, or all) at a point: known, or run now.
  std::vector<double> errors_at(const std::vector<double>& at, int fold) {
    ThrowRow row{law_, fold, at, {}};
    for (const ThrowRow& each : options_.known)
      if (each.is_of(row)) return each.errors;
    std::vector<std::size_t> which;
    for (std::size_t t = 0; t < throws_.size(); ++t)
      if (fold < 0 || fold_of(t) == fold) which.push_back(t);
    row.errors.resize(which.size());
    run_throws(at, which, row.errors);
    if (options_.on_row) options_.on_row(row);
    return row.errors;
  }

  std::vector<ThrowError> run_throws(const std::vector<double>& at, const std::vector<std::size_t>& which,
                                     std::vector<double>& errors) {
    const std::shared_ptr<const Model> model = scene_.at(at);
    std::vector<ThrowError> all(which.size());
    const bool done = for_each_index(which.size(), options_.threads, options_.stop, [&](std::size_t k) {
      const Throw& one = throws_[which[k]];
      std::vector<Eigen::VectorXd> poses;
      const bool sound = scene_.run(*model, one.start, one.times, poses).sound;
      all[k] = scene_.error(poses, one.measured);
      all[k].failed = !sound;
    });
    if (!done) throw Stopped{};
    runs_ += which.size();
    errors.clear();
    for (const ThrowError& each : all) errors.push_back(each.mean);
    return all;
  }

  // Points of a Sobol sequence in the box, so many for each coefficient of the surrogate.
  void add_points(int share) {
    const std::size_t n = box_.size();
    const auto count = static_cast<std::uint64_t>(share) * QuadraticSurrogate::coefficients(n);
    for (std::uint64_t k = 0; k < count; ++k, ++next_point_) {
      std::vector<double> at(n);
      for (std::size_t j = 0; j < n; ++j) {
        const SobolDimension dimension(static_cast<int>(j));
        const double u = std::ldexp(static_cast<double>(dimension.bits(next_point_ + 1)), -sobol_bits);
        at[j] = box_.centre[j] + box_.half[j] * (2 * u - 1);
      }
      std::vector<double> errors = errors_at(at, -1);
      points_.push_back(std::move(at));
      errors_.push_back(std::move(errors));
    }
  }

  // From the last box to the first, the first in which nearly all minima of the bootstrap lie: where chaos made a box
  // smaller than the estimate is certain, they stand at its border.
  void widen_box() {
    for (; !boxes_.empty(); boxes_.pop_back()) {
      box_ = boxes_.back();
      const QuadraticSurrogate model = surrogate();
      if (model.valid() && holds_minima(model)) return;
    }
    for (std::size_t j = 0; j < box_.size(); ++j) {
      box_.centre[j] = (sought_[j].low + sought_[j].high) / 2;
      box_.half[j] = (sought_[j].high - sought_[j].low) / 2;
    }
  }

  // How many of the bootstrapped minima stand at the borders of the box, as shares.
  struct Border {
    double low = 0, high = 0, deviation = 0;
    bool scattered() const { return low > tolerances::border_share && high > tolerances::border_share; }
    bool one_sided() const { return low > 0.5 || high > 0.5; }
  };
  std::vector<Border> borders(const QuadraticSurrogate& model) const {
    const auto draws = bootstrap(model, tolerances::bootstrap_draws_search);
    std::vector<Border> out(box_.size());
    for (std::size_t j = 0; j < box_.size(); ++j) {
      const double inner = tolerances::box_inner * box_.half[j];
      for (const auto& each : draws) {
        if (each[j] < box_.centre[j] - inner) out[j].low += 1 / static_cast<double>(draws.size());
        if (each[j] > box_.centre[j] + inner) out[j].high += 1 / static_cast<double>(draws.size());
      }
      out[j].deviation = deviation_of(draws, j);
    }
    return out;
  }

  // Minima at both borders, whatever the parameter.
  bool is_chaos(const QuadraticSurrogate& model) const {
    const std::vector<Border> all = borders(model);
    for (std::size_t j = 0; j < box_.size(); ++j)
      if (!all[j].scattered() && !model.flat(j)) return false;
    return true;
  }

  // The ends of the ranges are no borders.
  bool holds_minima(const QuadraticSurrogate& model) const {
    const std::vector<Border> all = borders(model);
    for (std::size_t j = 0; j < box_.size(); ++j) {
      const double low = box_.centre[j] - box_.half[j], high = box_.centre[j] + box_.half[j];
      const double reach = tolerances::box_border * box_.half[j];
      const double outside =
          (low > sought_[j].low + reach ? all[j].low : 0) + (high < sought_[j].high - reach ? all[j].high : 0);
      if (outside > tolerances::border_share && !model.flat(j)) return false;
    }
    return true;
  }

  // s comes down from the least mean error to the least median by steps: at once it would make throws that are far off
  // count so little that a point at which half of them happen to fit is a minimum of its own.
  void lower_scale() {
    if (options_.loss == ThrowLoss::mean) return;
    double mean = mean_of(errors_.front());
    for (const auto& row : errors_) mean = std::min(mean, mean_of(row));
    scale_ = std::max(least_median(), scale_ > 0 ? scale_ * tolerances::scale_step : mean);
  }
  double least_median() const {
    double least = median_of(errors_.front());
    for (const auto& row : errors_) least = std::min(least, median_of(row));
    return std::max(least, tolerances::loss_floor);
  }
  bool lowered() const { return options_.loss == ThrowLoss::mean || scale_ <= least_median(); }

  QuadraticSurrogate surrogate() const {
    std::vector<std::vector<double>> points, losses;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      if (!box_.holds(points_[k])) continue;
      points.push_back(points_[k]);
      losses.push_back(errors_[k]);
      for (double& each : losses.back()) each = loss_of(each, scale_);
    }
    return {box_, points, losses};
  }

  // Minima for throws drawn with replacement.
  std::vector<std::vector<double>> bootstrap(const QuadraticSurrogate& surrogate, int draws) const {
    std::vector<std::vector<double>> out(static_cast<std::size_t>(draws));
    const std::size_t n = throws_.size();
    for (std::size_t b = 0; b < out.size(); ++b) {
      std::vector<double> weights(n, 0.0);
      for (std::size_t t = 0; t < n; ++t) {
        const double u = uniform(0, b, static_cast<std::uint32_t>(t));
        weights[std::min(n - 1, static_cast<std::size_t>(u * static_cast<double>(n)))] += 1;
      }
      out[b] = surrogate.minimum(weights);
    }
    return out;
  }

  static double deviation_of(const std::vector<std::vector<double>>& draws, std::size_t j) {
    double mean = 0, squares = 0;
    for (const auto& each : draws) mean += each[j] / static_cast<double>(draws.size());
    for (const auto& each : draws) squares += (each[j] - mean) * (each[j] - mean);
    return std::sqrt(squares / static_cast<double>(draws.size() - 1));
  }

  // Around the minimum of the surrogate, some standard errors wide, where it explains the losses; else half as wide
  // around the best point. Nothing when the minima of the bootstrap have scattered to the borders twice: smaller boxes
  // show chaos alone.
  std::optional<ParameterBox> next_box() {
    const QuadraticSurrogate model = surrogate();
    ParameterBox next = box_;
    if (!model.valid() || model.explained() < tolerances::surrogate_trust) {
      if (model.valid() && is_chaos(model) && ++scattered_ >= tolerances::scattered_rounds) return std::nullopt;
      next.centre = points_[ranked().front()];
      for (double& each : next.half) each *= tolerances::box_shrink_blind;
      return within_ranges(next, model);
    }
    const std::vector<double> least = model.minimum(std::vector<double>(throws_.size(), 1.0));
    const std::vector<Border> all = borders(model);
    bool settled = true;
    for (std::size_t j = 0; j < box_.size(); ++j) {
      if (all[j].scattered() || model.flat(j)) continue;
      next.centre[j] = least[j];
      if (all[j].one_sided()) settled = false;
      const double wide = tolerances::box_deviations * all[j].deviation;
      if (all[j].one_sided() || wide > tolerances::box_settled * box_.half[j]) continue;
      settled = false;
      next.half[j] = wide;
    }
    if (settled) return std::nullopt;
    return within_ranges(next, model);
  }

  ParameterBox within_ranges(ParameterBox next, const QuadraticSurrogate& model) const {
    for (std::size_t j = 0; j < box_.size(); ++j) {
      if (model.valid() && model.flat(j)) next.centre[j] = box_.centre[j];
      if (model.valid() && model.flat(j)) next.half[j] = box_.half[j];
      next.half[j] = std::max(next.half[j], tolerances::box_shrink_most * box_.half[j]);
      const double low = std::max(sought_[j].low, next.centre[j] - next.half[j]);
      const double high = std::min(sought_[j].high, next.centre[j] + next.half[j]);
      next.centre[j] = (low + high) / 2;
      next.half[j] = (high - low) / 2;
    }
    return next;
  }

  // The places of the points in the box, that of the least loss first.
  std::vector<std::size_t> ranked() const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      if (!box_.holds(points_[k])) continue;
      double sum = 0;
      for (const double each : errors_[k]) sum += loss_of(each, scale_);
      order.emplace_back(sum, k);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> out;
    for (const auto& [sum, place] : order) out.push_back(place);
    return out;
  }

  // Standard errors by leaving out each throw in turn (the jackknife): never too small on the average, and right where
  // a few throws tell most, which bootstrap draws often miss altogether.
  std::vector<double> jackknife(const QuadraticSurrogate& model) const {
    const std::size_t n = throws_.size();
    std::vector<std::vector<double>> without;
    for (std::size_t t = 0; t < n; ++t) {
      std::vector<double> weights(n, 1.0);
      weights[t] = 0;
      without.push_back(model.minimum(weights));
    }
    std::vector<double> out;
    for (std::size_t j = 0; j < box_.size(); ++j)
      out.push_back(deviation_of(without, j) * static_cast<double>(n - 1) / std::sqrt(static_cast<double>(n)));
    return out;
  }

  // Percentiles of the bootstrap, widened for few throws by t/z √(n/ν), at least t standard errors of the jackknife
  // either way: t of Student's distribution with as many degrees of freedom ν as there are throws that tell the
  // parameter, one less.
  void estimate(IdentifiedLaw& out) {
    const QuadraticSurrogate model = surrogate();
    const std::size_t n = box_.size();
    point_ = model.minimum(std::vector<double>(throws_.size(), 1.0));
    const auto draws = bootstrap(model, tolerances::bootstrap_draws);
    const std::vector<double> errors_of_jackknife = jackknife(model);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out.correlation.push_back(correlation(draws, i, j));
    for (std::size_t j = 0; j < n; ++j) {
      const double few = std::min(model.telling(j) - 1, static_cast<double>(throws_.size() - n));
      const auto freedom = std::max(1L, static_cast<long>(few));
      const double t = student_quantile(options_.confidence, freedom), least = errors_of_jackknife[j];
      const double widen =
          t / student_quantile(options_.confidence, tolerances::freedom_normal) *
          std::sqrt(static_cast<double>(freedom + static_cast<long>(n)) / static_cast<double>(freedom));
      std::vector<double> values;
      for (const auto& each : draws) values.push_back(each[j]);
      std::sort(values.begin(), values.end());
      const double last = static_cast<double>(values.size() - 1), tail = (1 - options_.confidence) / 2;
      const double below = values[static_cast<std::size_t>(tail * last)] - point_[j],
                   above = values[static_cast<std::size_t>((1 - tail) * last)] - point_[j];
      out.parameters.push_back(
          model.flat(j)
              ? FittedParameter{point_[j], sought_[j].low, sought_[j].high, Determination::nothing}
              : told(point_[j], std::min(widen * below, -t * least), std::max(widen * above, t * least), sought_[j]));
      out.deviation.push_back(std::max(deviation_of(draws, j), least));
    }
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < throws_.size(); ++k) all.push_back(k);
    std::vector<double> errors;
    out.errors = run_throws(point_, all, errors);
    out.error = summary_of(out.errors);
  }

  static double correlation(const std::vector<std::vector<double>>& draws, std::size_t i, std::size_t j) {
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    const auto n = static_cast<double>(draws.size());
    for (const auto& each : draws) {
      a += each[i] / n;
      b += each[j] / n;
    }
    for (const auto& each : draws) {
      aa += (each[i] - a) * (each[i] - a);
      bb += (each[j] - b) * (each[j] - b);
      ab += (each[i] - a) * (each[j] - b);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : (i == j ? 1.0 : 0.0);
  }

  static FittedParameter told(double value, double below, double above, const SoughtParameter& sought) {
    FittedParameter out{value, std::max(value + below, sought.low), std::min(value + above, sought.high),
                        Determination::interval};
    const double near = tolerances::range_end * (sought.high - sought.low);
    const bool no_low = out.low<sought.low + near, no_high = out.high> sought.high - near;
    if (no_low && no_high) out.determination = Determination::nothing;
    if (no_low && !no_high) out.determination = Determination::at_most;
    if (!no_low && no_high) out.determination = Determination::at_least;
    return out;
  }

  int fold_of(std::size_t t) const { return static_cast<int>(t % static_cast<std::size_t>(folds())); }
  int folds() const { return std::min(tolerances::folds, static_cast<int>(throws_.size())); }

  void cross_validate(IdentifiedLaw& out) {
    const QuadraticSurrogate model = surrogate();
    out.held_out.resize(throws_.size());
    for (int fold = 0; fold < folds(); ++fold) {
      std::vector<double> weights(throws_.size());
      for (std::size_t t = 0; t < throws_.size(); ++t) weights[t] = fold_of(t) == fold ? 0 : 1;
      const std::vector<double> errors = errors_at(model.minimum(weights), fold);
      std::size_t k = 0;
      for (std::size_t t = 0; t < throws_.size(); ++t)
        if (fold_of(t) == fold) out.held_out[t] = errors[k++];
    }
    out.held_out_mean = mean_of(out.held_out);
  }

  ThrowScene scene_;
  const std::vector<Throw>& throws_;
  const std::vector<SoughtParameter>& sought_;
  const IdentifyOptions& options_;
  std::size_t law_;
  ParameterBox box_;
  std::vector<ParameterBox> boxes_;  // all so far
  int scattered_ = 0;                // rounds in which chaos was all that was seen
  std::uint64_t next_point_ = 0;
  std::vector<std::vector<double>> points_, errors_;
  std::vector<double> point_;  // the estimate
  double scale_ = 0;
  std::size_t runs_ = 0;
};

// The held-out loss of all laws by the scale of the best, and how far each is behind, throw by throw.
void rank_laws(std::vector<IdentifiedLaw>& laws, ThrowLoss loss) {
  double scale = 0;
  if (loss == ThrowLoss::robust) {
    for (const IdentifiedLaw& each : laws) {
      const double median = std::max(median_of(each.held_out), tolerances::loss_floor);
      scale = scale > 0 ? std::min(scale, median) : median;
    }
  }
  for (IdentifiedLaw& each : laws) {
    std::vector<double> losses;
    for (const double error : each.held_out) losses.push_back(loss_of(error, scale));
    each.held_out_loss = mean_of(losses);
  }
  std::stable_sort(laws.begin(), laws.end(),
                   [](const IdentifiedLaw& a, const IdentifiedLaw& b) { return a.held_out_loss < b.held_out_loss; });
  const auto n = static_cast<double>(laws.front().held_out.size());
  for (IdentifiedLaw& each : laws) {
    double squares = 0;
    each.behind = each.held_out_loss - laws.front().held_out_loss;
    for (std::size_t t = 0; t < each.held_out.size(); ++t) {
      const double off = loss_of(each.held_out[t], scale) - loss_of(laws.front().held_out[t], scale) - each.behind;
      squares += off * off;
    }
    each.behind_deviation = std::sqrt(squares / (n - 1) / n);
  }
}

void check_sought(const std::vector<SoughtParameter>& sought, std::size_t throws, const Location& where) {
  if (sought.empty())
    throw InputError(where, "nothing is sought", "name a parameter and its range: --set surfaces.NAME.friction=0:1");
  if (sought.size() > tolerances::sought_max)
    throw InputError(where, fmt::format("{} parameters are too many", sought.size()),
                     fmt::format("at most {} can be sought at once", tolerances::sought_max));
  const std::size_t least = std::max(tolerances::throws_min, sought.size() + 2);
  if (throws < least)
    throw InputError(where,
                     fmt::format("{} throws are too few for {} parameters with intervals", throws, sought.size()),
                     fmt::format("at least {} are needed", least));
}

}  // namespace

void refuse_ends(const Scene& scene, const std::vector<SoughtParameter>& sought) {
  std::vector<ThrowParameter> parameters;
  std::vector<double> low, high;
  for (const SoughtParameter& each : sought) {
    parameters.push_back(each.parameter);
    low.push_back(each.low);
    high.push_back(each.high);
  }
  const ThrowScene tried(scene, parameters, std::nullopt);
  tried.at(low);
  tried.at(high);
}

ThrowSummary summary_of(const std::vector<ThrowError>& errors) {
  ThrowSummary out;
  std::vector<double> all;
  for (const ThrowError& each : errors) {
    all.push_back(each.mean);
    out.position += each.position / static_cast<double>(errors.size());
    out.rotation += each.rotation / static_cast<double>(errors.size());
    if (each.failed) ++out.failed;
  }
  out.mean = mean_of(all);
  out.median = median_of(all);
  return out;
}

std::vector<Throw> throws_of(const std::vector<Recording>& recordings, const Model& model) {
  std::vector<Throw> out;
  for (const Recording& each : recordings) out.push_back(throw_of(each, model));
  return out;
}

IdentifyReport identify(const Scene& scene, const Recordings& recordings, const std::vector<SoughtParameter>& sought,
                        const IdentifyOptions& options) {
  const std::vector<Throw> throws = throws_of(recordings.throws, scene.model);
  check_sought(sought, throws.size(), scene.draft.description.where);
  IdentifyReport report;
  report.throws = throws.size();
  report.length = characteristic_length(scene.model, thrown_joint(scene.model, scene.draft.description.where));
  for (const SoughtParameter& each : sought) {
    report.names.push_back(each.parameter.text);
    report.low.push_back(each.low);
    report.high.push_back(each.high);
  }
  try {
    for (std::size_t law = 0; law < options.laws.size(); ++law)
      report.laws.push_back(LawSearch(scene, throws, sought, options, law).run());
  } catch (const Stopped&) {
    return report;
  }
  rank_laws(report.laws, options.loss);
  report.remarks = identify_remarks(scene, recordings, throws, sought, report);
  report.complete = true;
  return report;
}

}  // namespace routh::internal
