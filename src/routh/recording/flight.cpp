#include "routh/recording/flight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/dynamics/dynamics.h"
#include "routh/recording/tolerances.h"

namespace routh::internal {

namespace {

Vector3 com_in_joint(const Model& model, const Joint& joint) {
  return inverse(joint.in_child) * model.bodies[static_cast<std::size_t>(joint.child)].com;
}

Matrix3 turn_of(const Model& model, const Eigen::VectorXd& q) {
  if (model.dimension == Dimension::planar) return rotation_about_z(q[2]);
  return rotation_matrix({q[3], q[4], q[5], q[6]});
}

Vector3 place_of(const Model& model, const Eigen::VectorXd& q) {
  return {q[0], q[1], model.dimension == Dimension::planar ? 0 : q[2]};
}

// The farthest point of a shape from its frame's origin.
double extent_of(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::pin:
    case ShapeKind::hole:
      return shape.radius;
    case ShapeKind::capsule:
      return shape.radius + shape.length / 2;
    case ShapeKind::cylinder:
      return norm(Vector3{shape.radius, shape.length / 2, 0});
    case ShapeKind::box:
      return norm(shape.half_extents);
    case ShapeKind::ellipsoid:
      return std::max({shape.half_extents.x, shape.half_extents.y, shape.half_extents.z});
    case ShapeKind::mesh: {
      double far = 0;
      for (const Vector3& vertex : shape.hull->vertices) far = std::max(far, norm(vertex));
      return far;
    }
    case ShapeKind::point:
    case ShapeKind::half_space:
    case ShapeKind::strip:
      return 0;
  }
  return 0;
}

// A straight line through (t, y) by least squares: the value at `at`, the slope, the squares of what is left.
struct Line {
  double value = 0, slope = 0, squares = 0;
};

Line fit_line(const std::vector<double>& t, const std::vector<double>& y, double at) {
  const auto n = static_cast<double>(t.size());
  double mean_t = 0, mean_y = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    mean_t += t[k] / n;
    mean_y += y[k] / n;
  }
  double tt = 0, ty = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    tt += (t[k] - mean_t) * (t[k] - mean_t);
    ty += (t[k] - mean_t) * (y[k] - mean_y);
  }
  Line out;
  out.slope = ty / tt;
  out.value = mean_y + out.slope * (at - mean_t);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double off = y[k] - mean_y - out.slope * (t[k] - mean_t);
    out.squares += off * off;
  }
  return out;
}

double entry(const Vector3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
double& entry(Vector3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

class FlightFit {
 public:
  FlightFit(const Recording& recording, const Model& model, std::size_t rows, std::size_t at)
      : recording_(recording),
        model_(model),
        joint_(thrown_joint(model, recording.where.front())),
        slides_(model.dimension == Dimension::planar ? 2 : 3),
        n_(model.velocities),
        at_(recording.times[at]) {
    times_.assign(recording.times.begin(), recording.times.begin() + static_cast<std::ptrdiff_t>(rows));
  }

  void run(Throw& out) {
    out.start = rest_state(model_);
    const auto n = static_cast<double>(times_.size());
    double mean = 0, squares = 0;
    for (const double t : times_) mean += t / n;
    for (const double t : times_) squares += (t - mean) * (t - mean);
    out.noise = {Eigen::VectorXd::Zero(n_), n - 2, 1 / std::sqrt(n), 1 / std::sqrt(squares), at_ - mean};
    fit_turning(out);
    fit_centre(out);
    out.flight = times_.size();
  }

 private:
  // Rotations against a body that turns uniformly, and the line through what is left of them.
  void fit_turning(Throw& out) {
    const std::size_t m = times_.size(), middle = m / 2;
    Eigen::VectorXd rate = Eigen::VectorXd::Zero(n_), step(n_), from = recording_.q[middle], moved(from.size());
    for (std::size_t k = 0; k + 1 < m; ++k) {
      difference(model_, recording_.q[k], recording_.q[k + 1], step);
      rate += step / (times_[m - 1] - times_[0]);
    }
    for (int k = 0; k < slides_; ++k) rate[k] = 0;
    std::vector<double> off(m);
    for (int round = 0; round < tolerances::turning_rounds; ++round) {
      Eigen::VectorXd turn = Eigen::VectorXd::Zero(n_), faster = Eigen::VectorXd::Zero(n_);
      std::vector<Eigen::VectorXd> left(m, step);
      for (std::size_t k = 0; k < m; ++k) {
        integrate(model_, from, rate, times_[k] - times_[middle], moved);
        difference(model_, moved, recording_.q[k], left[k]);
      }
      for (int j = slides_; j < n_; ++j) {
        for (std::size_t k = 0; k < m; ++k) off[k] = left[k][j];
        const Line line = fit_line(times_, off, times_[middle]);
        turn[j] = line.value;
        faster[j] = line.slope;
        out.noise.squares[j] = line.squares;
      }
      const Eigen::VectorXd before = from;
      integrate(model_, before, turn, 1, from);
      rate += faster;
    }
    integrate(model_, from, rate, at_ - times_[middle], out.start.q);
    out.start.v = rate;
  }

  void fit_centre(Throw& out) {
    const Vector3 in_joint = com_in_joint(model_, joint_);
    Vector3 place, speed;
    for (int j = 0; j < slides_; ++j) {
      std::vector<double> y;
      for (std::size_t k = 0; k < times_.size(); ++k) {
        const double t = times_[k] - at_;
        y.push_back(entry(centre_of(model_, joint_, recording_.q[k]), j) - entry(model_.gravity, j) * t * t / 2);
      }
      const Line line = fit_line(times_, y, at_);
      entry(place, j) = line.value;
      entry(speed, j) = line.slope;
      out.noise.squares[j] = line.squares;
    }
    const Matrix3 turn = turn_of(model_, out.start.q);
    const Vector3 arm = turn * in_joint;
    const Vector3 rate = model_.dimension == Dimension::planar
                             ? Vector3{0, 0, out.start.v[2]}
                             : turn * Vector3{out.start.v[3], out.start.v[4], out.start.v[5]};
    place = place - arm;
    speed = speed - cross(rate, arm);
    for (int j = 0; j < slides_; ++j) {
      out.start.q[j] = entry(place, j);
      out.start.v[j] = entry(speed, j);
    }
  }

  const Recording& recording_;
  const Model& model_;
  const Joint& joint_;
  int slides_, n_;
  double at_;
  std::vector<double> times_;
};

}  // namespace

Vector3 upwards(const Model& model) {
  const double size = norm(model.gravity);
  if (size > 0) return (-1 / size) * model.gravity;
  return model.dimension == Dimension::planar ? Vector3{0, 1, 0} : Vector3{0, 0, 1};
}

double reach_of(const Model& model, const Joint& joint) {
  const Vector3 com = model.bodies[static_cast<std::size_t>(joint.child)].com;
  double reach = 0;
  for (const Shape& shape : model.shapes)
    if (shape.body == joint.child) reach = std::max(reach, norm(shape.at.position - com) + extent_of(shape));
  if (!(reach > 0))
    throw InputError(joint.where, "the body that flies has no shape of any extent", "give it the shapes that touch");
  return reach;
}

double characteristic_length(const Model& model, const Joint& joint) {
  return reach_of(model, joint) / std::sqrt(model.dimension == Dimension::planar ? 2.0 : 3.0);
}

Vector3 centre_of(const Model& model, const Joint& joint, const Eigen::VectorXd& q) {
  return place_of(model, q) + turn_of(model, q) * com_in_joint(model, joint);
}

double height_of(const Model& model, const Joint& joint, const Eigen::VectorXd& q) {
  double height = std::numeric_limits<double>::infinity();
  for (const Shape& shape : model.shapes) {
    if (shape.link >= 0 || (shape.kind != ShapeKind::half_space && shape.kind != ShapeKind::strip)) continue;
    const Vector3 normal =
        model.dimension == Dimension::planar ? column_y(shape.in_link.rotation) : column_z(shape.in_link.rotation);
    height = std::min(height, dot(centre_of(model, joint, q) - shape.in_link.position, normal));
  }
  return height;
}

// A round body is never nearer than it reaches: its flight ends where it turns up within a step of that.
std::size_t flight_rows(const Recording& recording, const Model& model) {
  const Joint& joint = thrown_joint(model, recording.where.front());
  const double reach = reach_of(model, joint);
  std::vector<double> clear;
  for (const Eigen::VectorXd& q : recording.q) clear.push_back(height_of(model, joint, q) - reach);
  for (std::size_t k = 0; k < clear.size(); ++k) {
    if (clear[k] <= 0) return k;
    if (k < 2 || k + 1 >= clear.size() || clear[k] >= clear[k - 1] || clear[k] >= clear[k + 1]) continue;
    if (clear[k] < std::max(clear[k - 1] - clear[k], clear[k - 2] - clear[k - 1])) return k;
  }
  return clear.size();
}

Throw throw_of(const Recording& recording, const Model& model, FlightEnd end) {
  const std::size_t near = flight_rows(recording, model);
  if (near == recording.size() && end == FlightEnd::must_touch)
    throw InputError(recording.where.front(), "the body stays out of reach of every plane of the scene",
                     "a half_space or strip of the world is what it falls onto; look at axes, units and the origin");
  Throw out;
  out.name = recording.name;
  out.first = near > tolerances::approach_samples ? near - tolerances::approach_samples : 0;
  FlightFit(recording, model, std::max(near, tolerances::approach_samples), out.first).run(out);
  for (std::size_t k = out.first; k < recording.size(); ++k) {
    out.times.push_back(recording.times[k] - recording.times[out.first]);
    out.measured.push_back(recording.q[k]);
  }
  return out;
}

}  // namespace routh::internal
