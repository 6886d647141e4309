#include "routh/study/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/base/error.h"
#include "routh/impact/solve.h"
#include "routh/math/elementary.h"
#include "routh/study/fit_checks.h"
#include "routh/study/tolerances.h"

namespace routh::internal {

namespace {

// The residuals of one law as a function of the parameters.
class LawModel {
 public:
  LawModel(const FitData& data, Law law, const std::function<void()>& look)
      : data_(data), law_(law), ratio_(data.friction_ratio()), look_(look) {}

  void evaluate(std::span<const double> parameters, std::span<double> residuals) {
    if (look_) look_();
    unanswered = 0;
    std::size_t k = 0;
    for (const MeasuredImpact& impact : data_.impacts) {
      ImpactProblem problem = impact.problem;
      problem.friction = {parameters[0] * ratio_, parameters[0]};
      problem.restitution.normal = parameters[1];
      problem.restitution.tangential = parameters.size() > 2 ? parameters[2] : 0;
      const ImpactResult result = solve_impact(problem, law_);
      // Without an answer the law predicts no impulse, which fits badly, as it should.
      const ContactVector i = usable(result.status) ? result.impulse : ContactVector{};
      if (!usable(result.status)) ++unanswered;
      for (const Measurement& m : impact.measured)
        residuals[k++] = (m.value - m.offset - (m.gain.n * i.n + m.gain.t1 * i.t1 + m.gain.t2 * i.t2)) / m.deviation;
    }
  }

  std::size_t unanswered = 0;

 private:
  const FitData& data_;
  Law law_;
  double ratio_;
  const std::function<void()>& look_;
};

// A part in 10⁹ of what was measured: what is left of data without noise.
double noise_floor(const FitData& data) {
  double largest = 0;
  for (const MeasuredImpact& impact : data.impacts)
    for (const Measurement& m : impact.measured) largest = std::max(largest, std::abs(m.value) / m.deviation);
  return tolerances::residual_noise_relative * std::max(largest, tolerances::residual_noise_min);
}

// Akaike's criterion with its correction for few data, of residuals with an unknown common deviation.
double information(double sum, double count, double parameters, double floor) {
  const double k = parameters + 1;
  const double correction = count > k + 1 ? 2 * k * (k + 1) / (count - k - 1) : 0;
  return count * elementary::log(std::max(sum / count, floor * floor)) + 2 * k + correction;
}

LeastSquaresProblem problem_of(const FitData& data, LawModel& model, Law law, const FitOptions& options) {
  LeastSquaresProblem problem;
  problem.parameters = {{"friction", 0, options.largest_friction, true}, {"restitution", 0, 1, false}};
  if (options.tangential && law == Law::unified) problem.parameters.push_back({"tangential", -1, 1, false});
  problem.residuals = data.measurements;
  problem.evaluate = [&](std::span<const double> at, std::span<double> residuals) { model.evaluate(at, residuals); };
  problem.noise_floor = noise_floor(data);
  problem.confidence = options.confidence;
  return problem;
}

// Every fifth impact, or all but these.
FitData fold_of(const FitData& data, int fold, bool held_out) {
  FitData out;
  out.columns = data.columns;
  out.dimension = data.dimension;
  out.friction = data.friction;
  out.where = data.where;
  for (std::size_t k = 0; k < data.impacts.size(); ++k) {
    if ((static_cast<int>(k % tolerances::fit_folds) == fold) != held_out) continue;
    out.impacts.push_back(data.impacts[k]);
    out.measurements += data.impacts[k].measured.size();
  }
  return out;
}

std::optional<double> held_out_share(const FitData& data, Law law, const FitOptions& options,
                                     const std::vector<double>& estimate) {
  if (data.impacts.size() < tolerances::held_out_impacts) return std::nullopt;
  std::vector<double> shares;
  for (int fold = 0; fold < tolerances::fit_folds; ++fold) {
    const FitData others = fold_of(data, fold, false), held = fold_of(data, fold, true);
    LawModel model(others, law, options.look), judge(held, law, options.look);
    const std::vector<double> at = descend_from(problem_of(others, model, law, options), estimate);
    std::vector<double> residuals(held.measurements);
    judge.evaluate(at, residuals);
    for (const double each : unexplained_shares(held, residuals)) shares.push_back(each);
  }
  return mean_share(shares);
}

LawFit fit_law(const FitData& data, Law law, const FitOptions& options) {
  LawFit out;
  out.law = law;
  LawModel model(data, law, options.look);
  const LeastSquaresProblem problem = problem_of(data, model, law, options);
  out.fit = fit_least_squares(problem);
  if (out.fit.parameters.empty())
    throw InputError(data.where, fmt::format("{}: the squares of the residuals are too large to be summed", name(law)),
                     "use units in which the numbers are near 1");
  std::vector<double> at;
  for (std::size_t j = 0; j < problem.parameters.size(); ++j) {
    out.names.push_back(problem.parameters[j].name);
    at.push_back(out.fit.parameters[j].value);
  }
  out.residuals.resize(data.measurements);
  model.evaluate(at, out.residuals);
  out.unanswered = model.unanswered;
  out.unexplained = mean_share(unexplained_shares(data, out.residuals));
  out.held_out = held_out_share(data, law, options, at);
  const auto count = static_cast<double>(data.measurements);
  out.rms = std::sqrt(out.fit.sum / count);
  out.information = information(out.fit.sum, count, static_cast<double>(at.size()), problem.noise_floor);
  return out;
}

// What the data do not tell about the parameters of one law.
void remark_parameters(const LawFit& law, std::vector<std::string>& remarks) {
  for (std::size_t j = 0; j < law.names.size(); ++j) {
    const FittedParameter& it = law.fit.parameters[j];
    if (it.determination == Determination::nothing)
      remarks.push_back(fmt::format("{}: the data say nothing about {}; every value of its range fits as well",
                                    name(law.law), law.names[j]));
    if (it.determination == Determination::at_least)
      remarks.push_back(fmt::format("{}: {} is at least {:.4g}, but the data cannot tell how large: the impacts stick",
                                    name(law.law), law.names[j], it.low));
  }
  const std::size_t n = law.names.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      if (std::abs(law.fit.correlation[i * n + j]) > tolerances::correlated_parameters)
        remarks.push_back(
            fmt::format("{}: {} and {} can hardly be told apart (correlation {:.4f}); vary the direction of the strike",
                        name(law.law), law.names[i], law.names[j], law.fit.correlation[i * n + j]));
}

// Signs, units or columns that were mixed up leave most of what the impacts changed unexplained, whatever the law.
void remark_poor_fit(const FitData& data, const LawFit& best, std::vector<std::string>& remarks) {
  double squares = 0;
  for (const MeasuredImpact& impact : data.impacts)
    for (const Measurement& m : impact.measured) {
      const double off = (m.value - m.offset) / m.deviation;
      squares += off * off;
    }
  const double changed = std::sqrt(squares / static_cast<double>(data.measurements));
  if (best.rms > tolerances::unexplained_share * changed)
    remarks.push_back(fmt::format(
        "no law explains these data: of changes of {:.3g} (rms) the best leaves {:.3g}; look at signs, units "
        "and the order of the columns",
        changed, best.rms));
}

void remark_laws(const FitReport& report, std::vector<std::string>& remarks) {
  if (report.laws.size() < 2) return;
  std::string near;
  for (const LawFit& law : report.laws)
    if (law.behind < tolerances::aicc_indistinct) near += fmt::format("{}{}", near.empty() ? "" : ", ", name(law.law));
  if (near.find(',') != std::string::npos)
    remarks.push_back(fmt::format("the data cannot tell these laws apart: {}", near));
  else if (report.laws[1].behind < tolerances::aicc_decisive)
    remarks.push_back(fmt::format("{} fits best, but {} is not ruled out (AICc {:.1f} more)", name(report.laws[0].law),
                                  name(report.laws[1].law), report.laws[1].behind));
  else
    remarks.push_back(fmt::format("{} fits best; the next, {}, is far behind (AICc {:.1f} more)",
                                  name(report.laws[0].law), name(report.laws[1].law), report.laws[1].behind));
}

}  // namespace

FitReport fit_laws(const FitData& data, const FitOptions& options) {
  FitReport report;
  report.impacts = data.impacts.size();
  report.measurements = data.measurements;
  for (const MeasuredImpact& impact : data.impacts)
    if (impact.problem.velocity.n - impact.problem.surface_velocity.n < 0) ++report.approaching;
  const std::size_t parameters = options.tangential ? 3 : 2;
  if (data.measurements <= parameters)
    throw InputError(data.where, fmt::format("{} measurements for {} parameters", data.measurements, parameters),
                     "a fit with intervals needs more measurements than parameters");
  if (report.approaching == 0)
    throw InputError(data.where, "no row describes an impact: no contact approaches",
                     "a normal velocity below zero approaches; look at the signs and the order of the columns");
  for (const Law law : options.laws) report.laws.push_back(fit_law(data, law, options));
  std::stable_sort(report.laws.begin(), report.laws.end(),
                   [](const LawFit& a, const LawFit& b) { return a.information < b.information; });
  for (LawFit& law : report.laws) law.behind = law.information - report.laws.front().information;
  if (report.approaching < report.impacts)
    report.remarks.push_back(fmt::format("{} of {} rows do not approach: they say nothing",
                                         report.impacts - report.approaching, report.impacts));
  if (const auto shares = least_shares(data)) report.least = mean_share(*shares);
  remark_poor_fit(data, report.laws.front(), report.remarks);
  for (std::string& each : impact_remarks(data, report.laws.front().residuals))
    report.remarks.push_back(std::move(each));
  remark_laws(report, report.remarks);
  for (const LawFit& law : report.laws)
    if (law.behind < tolerances::aicc_indistinct) remark_parameters(law, report.remarks);
  return report;
}

}  // namespace routh::internal
