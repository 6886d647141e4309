#include "routh/recording/hygiene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/recording/flight.h"
#include "routh/recording/tolerances.h"

namespace routh::internal {

namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The rates between samples: of the position and of the turning.
struct Rates {
  std::vector<double> speed, turning;
};

Rates rates_of(const Recording& recording, const Model& model) {
  Rates out;
  Eigen::VectorXd step(model.velocities);
  const int slides = model.dimension == Dimension::planar ? 2 : 3;
  for (std::size_t k = 0; k + 1 < recording.size(); ++k) {
    difference(model, recording.q[k], recording.q[k + 1], step);
    const double h = recording.times[k + 1] - recording.times[k];
    out.speed.push_back(step.head(slides).norm() / h);
    out.turning.push_back(step.tail(model.velocities - slides).norm() / h);
  }
  return out;
}

void refuse_gaps(const Recording& recording) {
  std::vector<double> steps;
  for (std::size_t k = 0; k + 1 < recording.size(); ++k) steps.push_back(recording.times[k + 1] - recording.times[k]);
  const double usual = median(steps);
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (steps[k] > tolerances::gap_steps * usual)
      throw InputError(
          recording.where[k + 1],
          fmt::format("before this row samples are missing for {:.4g} s; usual are {:.4g} s", steps[k], usual),
          "cut the recording there, or leave the file out (--leave-out-bad)");
}

}  // namespace

// ½ m v² ≤ E, ½ ω·Iω ≤ E, where E is the energy of the usual motion and of a fall through all heights of the recording.
void refuse_impossible_motion(const Recording& recording, const Model& model) {
  refuse_gaps(recording);
  const Joint& joint = thrown_joint(model, recording.where.front());
  const Body& body = model.bodies[static_cast<std::size_t>(joint.child)];
  const Symmetric3& I = body.inertia;
  const double inertia = model.dimension == Dimension::planar ? I.zz : std::min({I.xx, I.yy, I.zz});
  const Rates rates = rates_of(recording, model);
  // Half of the samples are sound: the median height and speed cannot come from a few that are not.
  std::vector<double> heights;
  const Vector3 up = upwards(model);
  for (const Eigen::VectorXd& q : recording.q) heights.push_back(dot(centre_of(model, joint, q), up));
  const double fall = heights.front() - *std::min_element(heights.begin(), heights.end());
  const std::size_t early = std::min<std::size_t>(rates.speed.size(), tolerances::flight_samples_min);
  const double v = median({rates.speed.begin(), rates.speed.begin() + static_cast<std::ptrdiff_t>(early)});
  const double w = median({rates.turning.begin(), rates.turning.begin() + static_cast<std::ptrdiff_t>(early)});
  const double reach = reach_of(model, joint);
  const double energy =
      body.mass * v * v / 2 + inertia * w * w / 2 + body.mass * norm(model.gravity) * (std::max(fall, 0.0) + reach);
  const double fastest = tolerances::impossible_speed * std::sqrt(2 * energy / body.mass);
  const double quickest = tolerances::impossible_speed * std::sqrt(2 * energy / inertia);
  for (std::size_t k = 0; k < rates.speed.size(); ++k) {
    if (rates.speed[k] > fastest)
      throw InputError(
          recording.where[k + 1],
          fmt::format("the body jumps here: {:.4g} m/s, and its energy allows {:.4g}", rates.speed[k],
                      fastest / tolerances::impossible_speed),
          "look for a lost marker, swapped columns or another unit, or leave the file out (--leave-out-bad)");
    if (rates.turning[k] > quickest)
      throw InputError(recording.where[k + 1],
                       fmt::format("the body turns at {:.4g} rad/s here, and its energy allows {:.4g}",
                                   rates.turning[k], quickest / tolerances::impossible_speed),
                       "look for swapped columns, degrees in place of radians or a lost marker, or leave the file out "
                       "(--leave-out-bad)");
  }
}

namespace {

struct Correlation {
  double xx = 0, xy = 0, yy = 0;

  void add(double x, double y) {
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  double value() const { return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0; }
  double slope() const { return xx > 0 ? xy / xx : 0; }  // of y over x
};

// Velocity columns against the differences of the poses: entry (j, i) compares given j with measured i.
std::vector<std::string> compare_velocities(const std::vector<Recording>& throws, const Model& model) {
  const int n = model.velocities;
  std::vector<Correlation> all(static_cast<std::size_t>(n * n));
  Eigen::VectorXd step(n);
  for (const Recording& each : throws)
    for (std::size_t k = 0; k + 1 < each.v.size(); ++k) {
      difference(model, each.q[k], each.q[k + 1], step);
      step /= each.times[k + 1] - each.times[k];
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          all[static_cast<std::size_t>(j * n + i)].add((each.v[k][j] + each.v[k + 1][j]) / 2, step[i]);
    }
  std::vector<std::string> out;
  for (int j = 0; j < n; ++j) {
    int best = j;
    for (int i = 0; i < n; ++i)
      if (std::abs(all[static_cast<std::size_t>(j * n + i)].value()) >
          std::abs(all[static_cast<std::size_t>(j * n + best)].value()))
        best = i;
    const Correlation& found = all[static_cast<std::size_t>(j * n + best)];
    if (std::abs(found.value()) < tolerances::column_correlation) continue;
    const std::string given = "v" + dof_name(model, j), rate = dof_name(model, best);
    if (best != j)
      out.push_back(
          fmt::format("the velocity given for {} is the rate of {} (correlation {:.2f}): two columns are "
                      "swapped, or axes differ",
                      dof_name(model, j), rate, found.value()));
    else if (found.slope() < 0)
      out.push_back(
          fmt::format("the velocity given for {} is the negative of the rate of the poses: one of them is "
                      "mirrored",
                      rate));
    else if (std::abs(found.slope() - 1) > tolerances::scale_doubt)
      out.push_back(
          fmt::format("the poses change {:.4g} times as fast in {} as the given velocity says: another unit of "
                      "length, angle or time, or a filter",
                      found.slope(), rate));
  }
  return out;
}

// The mean acceleration of the centre in flight, by second differences with the weights of a parabola.
std::vector<std::string> compare_gravity(const std::vector<Recording>& throws, const Model& model) {
  Vector3 sum;
  double weight = 0;
  for (const Recording& each : throws) {
    const Joint& joint = thrown_joint(model, each.where.front());
    const std::size_t m = flight_rows(each, model);
    if (m < tolerances::flight_samples_min) continue;
    // The part of t² that is orthogonal to 1 and t over the samples.
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (std::size_t k = 0; k < m; ++k) {
      const double t = each.times[k] - each.times[m / 2];
      s0 += 1;
      s1 += t;
      s2 += t * t;
      s3 += t * t * t;
    }
    const double det = s0 * s2 - s1 * s1, b = (s0 * s3 - s1 * s2) / det, a = (s2 * s2 - s1 * s3) / det;
    for (std::size_t k = 0; k < m; ++k) {
      const double t = each.times[k] - each.times[m / 2], p = t * t - a - b * t;
      sum += 2 * p * centre_of(model, joint, each.q[k]);
      weight += p * p;
    }
  }
  if (!(weight > 0)) return {};
  const Vector3 found = (1 / weight) * sum;
  const double g = norm(model.gravity), off = norm(found - model.gravity);
  if (!(off > tolerances::scale_doubt * g)) return {};
  std::string text = fmt::format(
      "in flight the centre accelerates by [{:.3g}, {:.3g}, {:.3g}] m/s², and the scene's "
      "gravity is [{:.3g}, {:.3g}, {:.3g}]",
      found.x, found.y, found.z, model.gravity.x, model.gravity.y, model.gravity.z);
  const double along = dot(found, model.gravity) / (g * g), sideways = norm(found - along * model.gravity);
  if (sideways > off / 2 && std::abs(norm(found) - g) < tolerances::scale_doubt * g)
    text += ": another axis points up";
  else if (along < 0)
    text += ": the up axis is mirrored, or the poses are filtered";
  else
    text += ": another unit of length or time, a frame rate that is not the real one, a filter, or drag";
  return {text};
}

}  // namespace

std::vector<std::string> hygiene_remarks(const std::vector<Recording>& throws, const Model& model) {
  std::vector<std::string> out = compare_velocities(throws, model);
  for (std::string& each : compare_gravity(throws, model)) out.push_back(std::move(each));
  return out;
}

}  // namespace routh::internal
