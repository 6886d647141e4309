#include "routh/recording/predict.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "routh/dynamics/state.h"
#include "routh/map/shared_work.h"
#include "routh/math/elementary.h"
#include "routh/recording/throw_remarks.h"
#include "routh/recording/tolerances.h"
#include "routh/recording/validate.h"
#include "routh/study/random.h"
#include "routh/study/spread.h"

namespace routh::internal {

namespace {

enum Purpose : std::uint32_t {
  start_purpose = 0x73746172,
  parameter_purpose = 0x70617261,
  sample_purpose = 0x73616d70
};

double normal(std::uint64_t seed, std::uint64_t index, std::uint32_t dimension, std::uint32_t purpose) {
  return normal_quantile(uniform(seed, index, dimension, purpose) + 0x1p-54);
}

// What one draw of one throw ends with.
struct Outcome {
  int face = 0, bounces = 0, region = 0;
  bool jams = false, failed = false;
  Vector3 end;
  std::vector<double> heights;
};

class Prediction {
 public:
  Prediction(const Scene& scene, const Recordings& recordings, const Estimate& estimate, const PredictOptions& options)
      : model_(scene.model),
        recordings_(recordings),
        estimate_(estimate),
        options_(options),
        runner_(scene, parameters(), options.law),
        joint_(thrown_joint(model_, scene.draft.description.where)),
        slides_(model_.dimension == Dimension::planar ? 2 : 3) {
    read_throws();
    pool_noise();
  }

  PredictReport run() {
    PredictReport report;
    report.draws = static_cast<std::size_t>(options_.draws);
    report.noise.assign(noise_.data(), noise_.data() + noise_.size());
    for (std::size_t d = 0; d < report.draws; ++d) models_.push_back(runner_.at(drawn_parameters(d)));
    report.throws.resize(throws_.size());
    outcomes_.resize(throws_.size());
    report.complete = for_each_index(throws_.size(), options_.threads, options_.stop,
                                     [&](std::size_t t) { report.throws[t] = run_throw(t); });
    if (!report.complete) return report;
    forecast(report);
    report.remarks = data_remarks(recordings_, model_);
    remark(report);
    return report;
  }

 private:
  std::vector<ThrowParameter> parameters() const {
    std::vector<ThrowParameter> out;
    for (const SoughtParameter& each : estimate_.parameters) out.push_back(each.parameter);
    return out;
  }

  // Runs go on to the last sample; or for the time that is asked for, at the steps of the recording.
  void read_throws() {
    for (const Recording& each : recordings_.throws) {
      const bool far = options_.duration.has_value();
      throws_.push_back(throw_of(each, model_, far ? FlightEnd::may_fly : FlightEnd::must_touch));
      Throw& one = throws_.back();
      if (!far) continue;
      const double step = (each.times.back() - each.times.front()) / static_cast<double>(each.size() - 1);
      std::size_t k = 0;
      while (k < one.times.size() && one.times[k] <= *options_.duration) ++k;
      one.times.resize(k);
      one.measured.resize(k);
      while (one.times.back() + step <= *options_.duration) one.times.push_back(one.times.back() + step);
    }
  }
  bool is_measured(const Throw& one) const { return one.measured.size() == one.times.size(); }

  // σ of one sample, the same for all throws: single flights have too few samples to tell.
  void pool_noise() {
    noise_ = Eigen::VectorXd::Zero(model_.velocities);
    double freedom = 0;
    for (const Throw& each : throws_) {
      noise_ += each.noise.squares;
      freedom += each.noise.freedom;
    }
    noise_ = (noise_ / std::max(freedom, 1.0)).cwiseSqrt();
  }

  // Normal with the correlations of the estimate, within its ranges; uniform where there is no estimate.
  std::vector<double> drawn_parameters(std::size_t draw) const {
    const std::size_t n = estimate_.parameters.size();
    const auto size = static_cast<Eigen::Index>(n);
    Eigen::MatrixXd C = Eigen::MatrixXd::Identity(size, size);
    if (estimate_.correlation.size() == n * n)
      for (Eigen::Index i = 0; i < size; ++i)
        for (Eigen::Index j = 0; j < size; ++j) C(i, j) = estimate_.correlation[static_cast<std::size_t>(i * size + j)];
    const Eigen::LDLT<Eigen::MatrixXd> factors(C);
    Eigen::VectorXd z(size);
    for (Eigen::Index j = 0; j < size; ++j)
      z[j] = normal(options_.seed, draw, static_cast<std::uint32_t>(j), parameter_purpose);
    const Eigen::VectorXd root = factors.vectorD().cwiseMax(0).cwiseSqrt();
    const Eigen::VectorXd correlated =
        factors.transpositionsP().transpose() * (factors.matrixL() * root.cwiseProduct(z)).eval();
    std::vector<double> out(n);
    for (std::size_t j = 0; j < n; ++j) {
      const SoughtParameter& each = estimate_.parameters[j];
      const double u = uniform(options_.seed, draw, static_cast<std::uint32_t>(j), parameter_purpose);
      const bool free = !(estimate_.deviation[j] >= 0);
      out[j] = free ? each.low + u * (each.high - each.low)
                    : std::clamp(estimate_.value[j] + estimate_.deviation[j] * correlated[static_cast<Eigen::Index>(j)],
                                 each.low, each.high);
    }
    return out;
  }

  State drawn_start(std::size_t t, std::size_t draw) const {
    const Throw& one = throws_[t];
    State out = one.start;
    Eigen::VectorXd moved(noise_.size());
    const std::uint64_t index = draw * throws_.size() + t;
    for (Eigen::Index j = 0; j < noise_.size(); ++j) {
      const auto dimension = static_cast<std::uint32_t>(2 * j);
      const double sigma = options_.widen * noise_[j];
      const double rate = sigma * one.noise.slope * normal(options_.seed, index, dimension + 1, start_purpose);
      moved[j] =
          sigma * one.noise.middle * normal(options_.seed, index, dimension, start_purpose) + one.noise.lever * rate;
      out.v[j] += rate;
    }
    integrate(model_, one.start.q, moved, 1, out.q);
    return out;
  }

  int region_of(const Vector3& at) const {
    const double place[] = {at.x, at.y, at.z};
    for (std::size_t r = 0; r < options_.regions.size(); ++r) {
      bool inside = true;
      for (std::size_t k = 0; k < options_.regions[r].low.size(); ++k)
        inside = inside && place[k] >= options_.regions[r].low[k] && place[k] <= options_.regions[r].high[k];
      if (inside) return static_cast<int>(r);
    }
    return static_cast<int>(options_.regions.size());
  }

  // Of poses over time: those of a draw, or those measured.
  Outcome outcome_of(const std::vector<double>& times, const std::vector<Eigen::VectorXd>& poses) const {
    Outcome out;
    const Vector3 up = upwards(model_);
    std::vector<Vector3> path;
    for (const Eigen::VectorXd& q : poses) path.push_back(centre_of(model_, joint_, q));
    for (const Vector3& each : path) out.heights.push_back(dot(each, up));
    out.face = face_of(model_, poses.back());
    out.bounces = std::min(bounces_of(times, path, up), static_cast<int>(tolerances::bounce_bins) - 1);
    out.end = path.back();
    out.region = region_of(out.end);
    return out;
  }

  // Bounces as they would be counted in a recording: noise of samples makes a slow one quick enough, or two of one.
  int noisy_bounces(std::size_t t, std::size_t draw, const std::vector<double>& times,
                    std::vector<Eigen::VectorXd>& poses) const {
    const std::uint64_t index = draw * throws_.size() + t;
    std::vector<Vector3> path;
    for (std::size_t k = 0; k < poses.size(); ++k) {
      for (int j = 0; j < slides_; ++j)
        poses[k][j] += noise_[j] * normal(options_.seed, index, static_cast<std::uint32_t>(k) * 4 + j, sample_purpose);
      path.push_back(centre_of(model_, joint_, poses[k]));
    }
    return std::min(bounces_of(times, path, upwards(model_)), static_cast<int>(tolerances::bounce_bins) - 1);
  }

  PredictedThrow run_throw(std::size_t t) {
    const Throw& one = throws_[t];
    PredictedThrow out;
    out.name = one.name;
    out.times = one.times;
    std::vector<Outcome>& draws = outcomes_[t];
    std::vector<Eigen::VectorXd> poses;
    for (std::size_t d = 0; d < models_.size(); ++d) {
      if (options_.stop && *options_.stop) break;
      const ThrowRun run = runner_.run(*models_[d], drawn_start(t, d), one.times, poses);
      draws.push_back(outcome_of(one.times, poses));
      draws.back().bounces = noisy_bounces(t, d, one.times, poses);
      draws.back().jams = run.jams > 0;
      if (!run.sound) ++out.failed;
    }
    describe(draws, out);
    if (!one.measured.empty()) out.measured = outcome_of(one.times, one.measured).heights;
    return out;
  }

  void describe(std::vector<Outcome>& draws, PredictedThrow& out) const {
    const auto n = static_cast<double>(draws.size());
    for (int k = 0; k < slides_; ++k) {
      double mean = 0, squares = 0;
      const auto entry = [&](const Outcome& one) { return k == 0 ? one.end.x : k == 1 ? one.end.y : one.end.z; };
      for (const Outcome& each : draws) mean += entry(each) / n;
      for (const Outcome& each : draws) squares += (entry(each) - mean) * (entry(each) - mean);
      out.mean.push_back(mean);
      out.deviation.push_back(n > 1 ? std::sqrt(squares / (n - 1)) : 0);
    }
    constexpr double shares[] = {tolerances::band_share, 0.5, 1 - tolerances::band_share};
    std::vector<double> sorted;
    for (std::size_t k = 0; k < out.times.size(); ++k) {
      sorted.clear();
      for (const Outcome& each : draws) sorted.push_back(each.heights[k]);
      std::sort(sorted.begin(), sorted.end());
      for (int s = 0; s < 3; ++s)
        out.height[s].push_back(sorted[static_cast<std::size_t>(shares[s] * static_cast<double>(sorted.size() - 1))]);
    }
    for (Outcome& each : draws) each.heights.clear();
  }

  void add(PredictReport& report, const std::string& name, const std::vector<std::string>& outcomes,
           const std::function<int(const Outcome&)>& which, bool measured) const {
    Forecast out;
    out.name = name;
    out.outcomes = outcomes;
    const auto count = static_cast<double>(models_.size()), kinds = static_cast<double>(outcomes.size());
    for (std::size_t t = 0; t < throws_.size(); ++t) {
      std::vector<double> p(outcomes.size(), 0.5 / (count + kinds / 2));
      for (const Outcome& each : outcomes_[t]) p[static_cast<std::size_t>(which(each))] += 1 / (count + kinds / 2);
      out.probability.push_back(std::move(p));
      const Throw& one = throws_[t];
      out.happened.push_back(measured && is_measured(one) ? which(outcome_of(one.times, one.measured)) : -1);
    }
    score(out, tolerances::score_confidence);
    report.forecasts.push_back(std::move(out));
  }

  void forecast(PredictReport& report) const {
    add(
        report, "face", face_names(model_.dimension), [](const Outcome& one) { return one.face; }, true);
    std::vector<std::string> bounces;
    for (std::size_t k = 0; k < tolerances::bounce_bins; ++k)
      bounces.push_back(k + 1 < tolerances::bounce_bins ? fmt::format("{}", k) : fmt::format("{} or more", k));
    add(
        report, "bounces", bounces, [](const Outcome& one) { return one.bounces; }, true);
    if (!options_.regions.empty()) {
      std::vector<std::string> names;
      for (const Region& each : options_.regions) names.push_back(each.name);
      names.push_back("elsewhere");
      add(
          report, "region", names, [](const Outcome& one) { return one.region; }, true);
    }
    add(
        report, "jam", {"jams", "does not jam"}, [](const Outcome& one) { return one.jams ? 0 : 1; }, false);
  }

  void remark(PredictReport& report) const {
    std::size_t failed = 0, few = 0;
    for (const PredictedThrow& each : report.throws) failed += each.failed;
    for (const Throw& each : throws_) few += each.noise.freedom < 1 ? 1 : 0;
    if (failed > 0)
      report.remarks.push_back(fmt::format("{} of {} runs ended before their time; their last pose stood for the rest",
                                           failed, report.throws.size() * report.draws));
    if (few == throws_.size())
      report.remarks.push_back("the flights are too short to tell their noise: the starts count as exact");
    std::size_t surprises = 0;
    std::string names;
    const Forecast& face = report.forecasts.front();
    for (std::size_t t = 0; t < throws_.size(); ++t) {
      if (face.happened[t] < 0) continue;
      if (face.probability[t][static_cast<std::size_t>(face.happened[t])] > tolerances::surprise) continue;
      if (++surprises <= tolerances::worst_throws)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", printable(throws_[t].name));
    }
    if (surprises > 0)
      report.remarks.push_back(fmt::format("{} of {} throws ended on a face that had a probability of at most {}: {}{}",
                                           surprises, throws_.size(), tolerances::surprise, names,
                                           surprises > tolerances::worst_throws ? ", …" : ""));
  }

  const Model& model_;
  const Recordings& recordings_;
  const Estimate& estimate_;
  const PredictOptions& options_;
  ThrowScene runner_;
  const Joint& joint_;
  int slides_;
  std::vector<Throw> throws_;
  Eigen::VectorXd noise_;
  std::vector<std::shared_ptr<const Model>> models_;  // of the draws
  std::vector<std::vector<Outcome>> outcomes_;        // [throw][draw]
};

}  // namespace

void score(Forecast& forecast, double confidence) {
  const std::size_t kinds = forecast.outcomes.size();
  std::vector<double> counts(kinds, 0.0), losses, base;
  forecast.scored = 0;
  for (const int each : forecast.happened)
    if (each >= 0) {
      counts[static_cast<std::size_t>(each)] += 1;
      ++forecast.scored;
    }
  forecast.bins.assign(tolerances::reliability_bins, {});
  if (forecast.scored == 0) return;
  const auto n = static_cast<double>(forecast.scored);
  for (std::size_t t = 0; t < forecast.happened.size(); ++t) {
    if (forecast.happened[t] < 0) continue;
    const auto it = static_cast<std::size_t>(forecast.happened[t]);
    losses.push_back(-elementary::log(forecast.probability[t][it]));
    // The frequency among the other throws, with half a throw for each outcome as well.
    base.push_back(-elementary::log((counts[it] - 0.5) / (n - 1 + static_cast<double>(kinds) / 2)));
    for (std::size_t k = 0; k < kinds; ++k) {
      const double p = forecast.probability[t][k];
      const auto place = static_cast<std::size_t>(p * static_cast<double>(tolerances::reliability_bins));
      Forecast::Bin& bin = forecast.bins[std::min(place, tolerances::reliability_bins - 1)];
      bin.forecast += p;
      bin.came_true += k == it ? 1 : 0;
      ++bin.count;
    }
  }
  for (Forecast::Bin& bin : forecast.bins)
    if (bin.count > 0) {
      bin.forecast /= static_cast<double>(bin.count);
      bin.came_true /= static_cast<double>(bin.count);
    }
  forecast.score = forecast.base = 0;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    forecast.score += losses[k] / n;
    forecast.base += base[k] / n;
  }
  std::vector<double> gains;
  for (std::uint64_t b = 0; b < static_cast<std::uint64_t>(tolerances::bootstrap_draws); ++b) {
    double ours = 0, theirs = 0;
    for (std::size_t k = 0; k < losses.size(); ++k) {
      const auto drawn =
          std::min(losses.size() - 1, static_cast<std::size_t>(uniform(0, b, static_cast<std::uint32_t>(k)) * n));
      ours += losses[drawn];
      theirs += base[drawn];
    }
    gains.push_back(theirs > 0 ? 1 - ours / theirs : 0);
  }
  std::sort(gains.begin(), gains.end());
  const double last = static_cast<double>(gains.size() - 1), tail = (1 - confidence) / 2;
  forecast.low = gains[static_cast<std::size_t>(tail * last)];
  forecast.high = gains[static_cast<std::size_t>((1 - tail) * last)];
}

PredictReport predict(const Scene& scene, const Recordings& recordings, const Estimate& estimate,
                      const PredictOptions& options) {
  return Prediction(scene, recordings, estimate, options).run();
}

}  // namespace routh::internal
