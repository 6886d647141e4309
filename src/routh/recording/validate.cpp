#include "routh/recording/validate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "routh/dynamics/dynamics.h"
#include "routh/map/shared_work.h"
#include "routh/recording/throw_remarks.h"
#include "routh/recording/tolerances.h"
#include "routh/study/random.h"

namespace routh::internal {

namespace {

ValidatedThrow run_beside(const ThrowScene& scene, const Model& model, const Throw& one) {
  const Joint& joint = thrown_joint(model, {});
  ValidatedThrow out;
  out.name = one.name;
  std::vector<Eigen::VectorXd> poses;
  const bool sound = scene.run(model, one.start, one.times, poses).sound;
  out.error = scene.error(poses, one.measured);
  out.error.failed = !sound;
  out.times = one.times;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    out.path.push_back(centre_of(model, joint, poses[k]));
    out.measured_path.push_back(centre_of(model, joint, one.measured[k]));
  }
  const Vector3 up = upwards(model);
  out.bounces = bounces_of(one.times, out.path, up);
  out.measured_bounces = bounces_of(one.times, out.measured_path, up);
  out.face = face_of(model, poses.back());
  out.measured_face = face_of(model, one.measured.back());
  return out;
}

// χ² of two samples of the same size: Σ (a − b)²/(a + b) over the bins that either has.
void compare_bounces(ValidateReport& report) {
  report.bounces.assign(tolerances::bounce_bins, 0);
  report.measured_bounces.assign(tolerances::bounce_bins, 0);
  for (const ValidatedThrow& each : report.throws) {
    ++report.bounces[std::min<std::size_t>(each.bounces, tolerances::bounce_bins - 1)];
    ++report.measured_bounces[std::min<std::size_t>(each.measured_bounces, tolerances::bounce_bins - 1)];
  }
  report.freedom = -1;
  for (std::size_t k = 0; k < tolerances::bounce_bins; ++k) {
    const double a = static_cast<double>(report.bounces[k]), b = static_cast<double>(report.measured_bounces[k]);
    if (a + b == 0) continue;
    report.chi_square += (a - b) * (a - b) / (a + b);
    ++report.freedom;
  }
}

void bound_mean(ValidateReport& report, double confidence) {
  const std::size_t n = report.throws.size();
  std::vector<double> means(tolerances::bootstrap_draws, 0.0);
  for (std::size_t b = 0; b < means.size(); ++b)
    for (std::size_t t = 0; t < n; ++t) {
      const double u = uniform(0, b, static_cast<std::uint32_t>(t));
      const std::size_t drawn = std::min(n - 1, static_cast<std::size_t>(u * static_cast<double>(n)));
      means[b] += report.throws[drawn].error.mean / static_cast<double>(n);
    }
  std::sort(means.begin(), means.end());
  const double last = static_cast<double>(means.size() - 1), tail = (1 - confidence) / 2;
  report.low = means[static_cast<std::size_t>(tail * last)];
  report.high = means[static_cast<std::size_t>((1 - tail) * last)];
}

}  // namespace

const std::vector<std::string>& face_names(Dimension dimension) {
  static const std::vector<std::string> planar = {"+x", "-x", "+y", "-y"},
                                        spatial = {"+x", "-x", "+y", "-y", "+z", "-z"};
  return dimension == Dimension::planar ? planar : spatial;
}

int face_of(const Model& model, const Eigen::VectorXd& q) {
  const Matrix3 turn =
      model.dimension == Dimension::planar ? rotation_about_z(q[2]) : rotation_matrix({q[3], q[4], q[5], q[6]});
  const Vector3 up = transpose_times(turn, upwards(model));
  const double parts[] = {up.x, up.y, up.z};
  int best = 0;
  for (int k = 1; k < (model.dimension == Dimension::planar ? 2 : 3); ++k)
    if (std::abs(parts[k]) > std::abs(parts[best])) best = k;
  return 2 * best + (parts[best] < 0 ? 1 : 0);
}

int bounces_of(const std::vector<double>& times, const std::vector<Vector3>& path, const Vector3& up) {
  int count = 0;
  bool fell = false;
  for (std::size_t k = 0; k + 1 < path.size(); ++k) {
    const double speed = dot(path[k + 1] - path[k], up) / (times[k + 1] - times[k]);
    if (speed < 0) fell = true;
    if (fell && speed > tolerances::bounce_speed) {
      ++count;
      fell = false;
    }
  }
  return count;
}

ValidateReport validate(const Scene& scene, const Recordings& recordings, const ValidateOptions& options) {
  const std::vector<Throw> throws = throws_of(recordings.throws, scene.model);
  const ThrowScene runner(scene, {}, options.law);
  ValidateReport report;
  report.length = runner.length();
  report.throws.resize(throws.size());
  report.complete = for_each_index(throws.size(), options.threads, options.stop, [&](std::size_t k) {
    report.throws[k] = run_beside(runner, scene.model, throws[k]);
  });
  if (!report.complete) return report;
  std::vector<ThrowError> errors;
  for (const ValidatedThrow& each : report.throws) {
    errors.push_back(each.error);
    if (each.face == each.measured_face) ++report.same_face;
  }
  report.summary = summary_of(errors);
  bound_mean(report, options.confidence);
  compare_bounces(report);
  report.worst.resize(throws.size());
  std::iota(report.worst.begin(), report.worst.end(), std::size_t{0});
  std::stable_sort(report.worst.begin(), report.worst.end(),
                   [&](std::size_t a, std::size_t b) { return errors[a].mean > errors[b].mean; });
  report.worst.resize(std::min(report.worst.size(), tolerances::worst_throws));
  report.remarks = data_remarks(recordings, scene.model);
  return report;
}

}  // namespace routh::internal
