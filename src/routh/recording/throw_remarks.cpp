#include "routh/recording/throw_remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/contact/contact.h"
#include "routh/recording/hygiene.h"
#include "routh/recording/tolerances.h"
#include "routh/study/sobol.h"

namespace routh::internal {

namespace {

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The same motion with turning the other way round: how data look whose axes make a left-handed frame, or whose
// quaternions take the world to the body.
Recording turned_back(const Recording& recording, const Model& model) {
  Recording out = recording;
  for (Eigen::VectorXd& q : out.q) {
    if (model.dimension == Dimension::planar)
      q[2] = -q[2];
    else
      q.tail<3>() = -q.tail<3>();
  }
  out.v.clear();
  return out;
}

double median_error(const ThrowScene& scene, const Model& model, const std::vector<Throw>& throws) {
  std::vector<double> errors;
  std::vector<Eigen::VectorXd> poses;
  for (const Throw& each : throws) {
    scene.run(model, each.start, each.times, poses);
    errors.push_back(scene.error(poses, each.measured).mean);
  }
  return middle_of(errors);
}

void remark_mirror(const Scene& scene, const Recordings& recordings, const std::vector<SoughtParameter>& sought,
                   const IdentifyReport& report, std::vector<std::string>& remarks) {
  std::vector<ThrowParameter> parameters;
  for (const SoughtParameter& each : sought) parameters.push_back(each.parameter);
  const ThrowScene runner(scene, parameters, report.laws.front().law);
  const std::size_t count = std::min(tolerances::mirrored_throws, recordings.throws.size());
  std::vector<Throw> plain, mirrored;
  for (std::size_t t = 0; t < count; ++t) {
    plain.push_back(throw_of(recordings.throws[t], scene.model));
    mirrored.push_back(throw_of(turned_back(recordings.throws[t], scene.model), scene.model));
  }
  // The estimate is that of the data as they are: each has the best of the same points.
  double here = std::numeric_limits<double>::infinity(), there = here;
  for (std::uint64_t k = 0; k < tolerances::mirrored_points; ++k) {
    std::vector<double> at;
    for (std::size_t j = 0; j < sought.size(); ++j) {
      const SobolDimension dimension(static_cast<int>(j));
      const double u = std::ldexp(static_cast<double>(dimension.bits(k + 1)), -sobol_bits);
      at.push_back(sought[j].low + u * (sought[j].high - sought[j].low));
    }
    const auto model = runner.at(at);
    here = std::min(here, median_error(runner, *model, plain));
    there = std::min(there, median_error(runner, *model, mirrored));
  }
  if (there < tolerances::mirrored_share * here)
    remarks.push_back(
        fmt::format("with turning the other way round the least median error is {:.3g} in place of {:.3g}: the frame "
                    "is left-handed, an "
                    "axis is mirrored, or the quaternions take the world to the body",
                    there, here));
}

void remark_laws(const IdentifyReport& report, std::vector<std::string>& remarks) {
  const auto word = [](const IdentifiedLaw& each) { return each.law ? name(*each.law) : "the scene's law"; };
  for (std::size_t k = 1; k < report.laws.size(); ++k) {
    const IdentifiedLaw& each = report.laws[k];
    if (each.behind < 2 * each.behind_deviation)
      remarks.push_back(fmt::format("the data cannot tell {} from {} (held-out loss {:.2g} ± {:.2g} more)", word(each),
                                    word(report.laws[0]), each.behind, each.behind_deviation));
  }
}

void remark_parameters(const IdentifyReport& report, std::vector<std::string>& remarks) {
  const IdentifiedLaw& best = report.laws.front();
  const std::size_t n = report.names.size();
  for (std::size_t j = 0; j < n; ++j) {
    const FittedParameter& it = best.parameters[j];
    if (it.determination == Determination::nothing)
      remarks.push_back(fmt::format("the data say nothing about {} in its range", report.names[j]));
    if (it.determination == Determination::at_least)
      remarks.push_back(
          fmt::format("{} is at least {:.4g}; the range ends before the data do", report.names[j], it.low));
    if (it.determination == Determination::at_most)
      remarks.push_back(fmt::format("{} is at most {:.4g}; the data cannot tell it from the lower end of the range",
                                    report.names[j], it.high));
    for (std::size_t i = 0; i < j; ++i)
      if (std::abs(best.correlation[i * n + j]) > tolerances::told_correlation)
        remarks.push_back(fmt::format("{} and {} can hardly be told apart (correlation {:.2f})", report.names[i],
                                      report.names[j], best.correlation[i * n + j]));
  }
}

// Far beyond the upper quartile, as a box plot draws it, on the scale of logarithms that errors of chaos have.
void remark_outliers(const std::vector<Throw>& throws, const IdentifyReport& report,
                     std::vector<std::string>& remarks) {
  std::vector<double> errors;
  for (const ThrowError& each : report.laws.front().errors) errors.push_back(each.mean);
  std::vector<double> sorted = errors;
  std::sort(sorted.begin(), sorted.end());
  const double lower = sorted[sorted.size() / 4], upper = sorted[3 * sorted.size() / 4];
  const double fence = upper * (lower > 0 ? upper / lower : 1) * std::sqrt(lower > 0 ? upper / lower : 1);
  std::string names;
  std::size_t count = 0;
  for (std::size_t t = 0; t < errors.size(); ++t)
    if (errors[t] > fence && ++count <= tolerances::worst_throws)
      names += fmt::format("{}{} ({:.3g})", names.empty() ? "" : ", ", printable(throws[t].name), errors[t]);
  if (count > 0)
    remarks.push_back(fmt::format("{} of {} throws go another way than the rest: {}{}", count, throws.size(), names,
                                  count > tolerances::worst_throws ? ", …" : ""));
}

}  // namespace

std::optional<RestingGap> resting_gap(const std::vector<Recording>& recordings, const Model& model) {
  Workspace workspace(model);
  std::vector<double> gaps;
  std::vector<Contact> contacts;
  for (const Recording& each : recordings) {
    const Joint& joint = thrown_joint(model, each.where.front());
    const std::size_t last = each.size() - 1;
    const double moved = norm(centre_of(model, joint, each.q[last]) - centre_of(model, joint, each.q[last - 2]));
    if (moved > tolerances::rest_speed * (each.times[last] - each.times[last - 2])) continue;
    compute_kinematics(model, each.q[last], workspace);
    find_contacts(model, workspace, each.q[last], reach_of(model, joint), contacts);
    if (contacts.empty()) continue;
    double least = contacts.front().gap;
    for (const Contact& contact : contacts) least = std::min(least, contact.gap);
    gaps.push_back(least);
  }
  if (2 * gaps.size() < recordings.size() || gaps.empty()) return std::nullopt;
  return RestingGap{middle_of(gaps), gaps.size()};
}

std::vector<std::string> data_remarks(const Recordings& recordings, const Model& model) {
  std::vector<std::string> out;
  for (const std::string& each : recordings.left_out) out.push_back("left out: " + each);
  for (std::string& each : hygiene_remarks(recordings.throws, model)) out.push_back(std::move(each));
  const auto gap = resting_gap(recordings.throws, model);
  if (gap && std::abs(gap->median) > tolerances::offset_told)
    out.push_back(fmt::format(
        "at rest the body {} by {:.3g} mm (median of {} throws): move the surface or the shape, or seek the offset "
        "(shapes.NAME.at[{}])",
        gap->median < 0 ? "is inside the ground" : "hovers", 1000 * std::abs(gap->median), gap->throws,
        model.dimension == Dimension::planar ? 1 : 2));
  std::size_t blind = 0;
  for (const Recording& each : recordings.throws)
    if (throw_of(each, model, FlightEnd::may_fly).flight <= tolerances::approach_samples) ++blind;
  if (blind > 0)
    out.push_back(fmt::format("{} of {} recordings begin within reach of the ground: their starts rest on {} samples",
                              blind, recordings.throws.size(), tolerances::approach_samples));
  return out;
}

std::vector<std::string> identify_remarks(const Scene& scene, const Recordings& recordings,
                                          const std::vector<Throw>& throws, const std::vector<SoughtParameter>& sought,
                                          const IdentifyReport& report) {
  std::vector<std::string> out = data_remarks(recordings, scene.model);
  remark_laws(report, out);
  remark_parameters(report, out);
  remark_outliers(throws, report, out);
  remark_mirror(scene, recordings, sought, report, out);
  if (report.laws.front().error.failed > 0)
    out.push_back(fmt::format("{} runs ended before their time; their last pose stood for the rest",
                              report.laws.front().error.failed));
  return out;
}

}  // namespace routh::internal
