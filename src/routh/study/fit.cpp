#include "routh/study/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/base/error.h"
#include "routh/compliant/compliant_impact.h"
#include "routh/impact/solve.h"
#include "routh/math/elementary.h"
#include "routh/study/fit_checks.h"
#include "routh/study/tolerances.h"

namespace routh::internal {

namespace {

// Names of parameters beside friction and restitution.
constexpr const char *tangential = "tangential", *tangential_compliance = "tangential_compliance",
                     *slip_loss = "slip_loss";

bool has_tangents(Refinement refinement) {
  return refinement == Refinement::tangents || refinement == Refinement::both;
}
bool has_slip(Refinement refinement) { return refinement == Refinement::slip || refinement == Refinement::both; }

struct Variant {
  Law law = Law::energetic;
  Refinement refinement = Refinement::none;
};

// The residuals of one law as a function of the parameters.
class LawModel {
 public:
  LawModel(const FitData& data, const LeastSquaresProblem& sought, const Variant& variant,
           const std::function<void()>& look)
      : data_(data), variant_(variant), ratio_(data.friction_ratio()), look_(look) {
    for (std::size_t j = 2; j < sought.parameters.size(); ++j) extra_.push_back(sought.parameters[j].name);
  }

  void evaluate(std::span<const double> parameters, std::span<double> residuals) {
    if (look_) look_();
    unanswered = 0;
    std::size_t k = 0;
    for (const MeasuredImpact& impact : data_.impacts) {
      const ImpactResult result = solve(impact.problem, parameters);
      // Without an answer the law predicts no impulse, which fits badly, as it should.
      const ContactVector i = usable(result.status) ? result.impulse : ContactVector{};
      if (!usable(result.status)) ++unanswered;
      for (const Measurement& m : impact.measured)
        residuals[k++] = (m.value - m.offset - (m.gain.n * i.n + m.gain.t1 * i.t1 + m.gain.t2 * i.t2)) / m.deviation;
    }
  }

  std::size_t unanswered = 0;

 private:
  ImpactResult solve(ImpactProblem problem, std::span<const double> parameters) const {
    double compliance = 0, loss = 0;
    problem.restitution.tangential = 0;
    for (std::size_t j = 0; j < extra_.size(); ++j) {
      const double value = parameters[2 + j];
      if (extra_[j] == tangential) problem.restitution.tangential = value;
      if (extra_[j] == tangential_compliance) compliance = value;
      if (extra_[j] == slip_loss) loss = value;
    }
    problem.friction = {parameters[0] * ratio_, parameters[0]};
    problem.restitution.normal = restitution_at_slip(problem, parameters[1], loss);
    return has_tangents(variant_.refinement) ? solve_compliant_impact(problem, compliance)
                                             : solve_impact(problem, variant_.law);
  }

  const FitData& data_;
  Variant variant_;
  double ratio_;
  std::vector<std::string> extra_;
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

LeastSquaresProblem problem_of(const FitData& data, const Variant& variant, const FitOptions& options) {
  LeastSquaresProblem problem;
  problem.parameters = {{"friction", 0, options.largest_friction, true}, {"restitution", 0, 1, false}};
  if (options.tangential && variant.law == Law::unified) problem.parameters.push_back({tangential, -1, 1, false});
  if (has_tangents(variant.refinement))
    problem.parameters.push_back(
        {tangential_compliance, tolerances::tangent_compliance_least, options.largest_compliance, false});
  if (has_slip(variant.refinement)) problem.parameters.push_back({slip_loss, -1, 1, false});
  problem.residuals = data.measurements;
  problem.noise_floor = noise_floor(data);
  problem.confidence = options.confidence;
  return problem;
}

LeastSquaresProblem problem_of(const FitData& data, const Variant& variant, const FitOptions& options,
                               LawModel& model) {
  LeastSquaresProblem problem = problem_of(data, variant, options);
  problem.evaluate = [&](std::span<const double> at, std::span<double> residuals) { model.evaluate(at, residuals); };
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

std::optional<double> held_out_share(const FitData& data, const Variant& variant, const FitOptions& options,
                                     const std::vector<double>& estimate) {
  if (data.impacts.size() < tolerances::held_out_impacts) return std::nullopt;
  std::vector<double> shares;
  for (int fold = 0; fold < tolerances::fit_folds; ++fold) {
    const FitData others = fold_of(data, fold, false), held = fold_of(data, fold, true);
    const LeastSquaresProblem sought = problem_of(others, variant, options);
    LawModel model(others, sought, variant, options.look), judge(held, sought, variant, options.look);
    const std::vector<double> at = descend_from(problem_of(others, variant, options, model), estimate);
    std::vector<double> residuals(held.measurements);
    judge.evaluate(at, residuals);
    for (const double each : unexplained_shares(held, residuals)) shares.push_back(each);
  }
  return mean_share(shares);
}

LawFit fit_law(const FitData& data, const Variant& variant, const FitOptions& options) {
  LawFit out;
  out.law = variant.law;
  out.refinement = variant.refinement;
  LawModel model(data, problem_of(data, variant, options), variant, options.look);
  const LeastSquaresProblem problem = problem_of(data, variant, options, model);
  out.fit = fit_least_squares(problem);
  if (out.fit.parameters.empty())
    throw InputError(data.where, fmt::format("{}: the squares of the residuals are too large to be summed", title(out)),
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
  out.held_out = held_out_share(data, variant, options, at);
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
                                    title(law), law.names[j]));
    if (it.determination == Determination::at_least)
      remarks.push_back(fmt::format("{}: {} is at least {:.4g}, but the data cannot tell how large: the impacts stick",
                                    title(law), law.names[j], it.low));
  }
  const std::size_t n = law.names.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      if (std::abs(law.fit.correlation[i * n + j]) > tolerances::correlated_parameters)
        remarks.push_back(
            fmt::format("{}: {} and {} can hardly be told apart (correlation {:.4f}); vary the direction of the strike",
                        title(law), law.names[i], law.names[j], law.fit.correlation[i * n + j]));
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
    if (law.behind < tolerances::aicc_indistinct) near += fmt::format("{}{}", near.empty() ? "" : ", ", title(law));
  if (near.find(',') != std::string::npos)
    remarks.push_back(fmt::format("the data cannot tell these laws apart: {}", near));
  else if (report.laws[1].behind < tolerances::aicc_decisive)
    remarks.push_back(fmt::format("{} fits best, but {} is not ruled out (AICc {:.1f} more)", title(report.laws[0]),
                                  title(report.laws[1]), report.laws[1].behind));
  else
    remarks.push_back(fmt::format("{} fits best; the next, {}, is far behind (AICc {:.1f} more)", title(report.laws[0]),
                                  title(report.laws[1]), report.laws[1].behind));
}

// The laws, and the energetic one with what it may have beside.
std::vector<Variant> variants_of(const FitOptions& options) {
  std::vector<Variant> variants;
  for (const Law law : options.laws) {
    variants.push_back({law, Refinement::none});
    if (!options.refined || law != Law::energetic) continue;
    for (const Refinement each : {Refinement::tangents, Refinement::slip, Refinement::both})
      variants.push_back({law, each});
  }
  return variants;
}

}  // namespace

std::string title(const LawFit& law) {
  return law.refinement == Refinement::none ? name(law.law) : fmt::format("{}+{}", name(law.law), name(law.refinement));
}

FitReport fit_laws(const FitData& data, const FitOptions& options) {
  FitReport report;
  report.impacts = data.impacts.size();
  report.measurements = data.measurements;
  for (const MeasuredImpact& impact : data.impacts)
    if (impact.problem.velocity.n - impact.problem.surface_velocity.n < 0) ++report.approaching;
  const std::vector<Variant> variants = variants_of(options);
  std::size_t parameters = 0;
  for (const Variant& variant : variants)
    parameters = std::max(parameters, problem_of(data, variant, options).parameters.size());
  if (data.measurements <= parameters)
    throw InputError(data.where, fmt::format("{} measurements for {} parameters", data.measurements, parameters),
                     "a fit with intervals needs more measurements than parameters");
  if (report.approaching == 0)
    throw InputError(data.where, "no row describes an impact: no contact approaches",
                     "a normal velocity below zero approaches; look at the signs and the order of the columns");
  for (const Variant& variant : variants) report.laws.push_back(fit_law(data, variant, options));
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
