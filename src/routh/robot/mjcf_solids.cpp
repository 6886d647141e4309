// What simple geoms weigh, as solids and as shells, and how they are fitted to meshes.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/math/elementary.h"
#include "routh/robot/mjcf_reading.h"

namespace routh::internal {

namespace {

using Type = MjcfGeom::Type;

constexpr double pi = std::numbers::pi;

double volume(Type type, const std::array<double, 3>& size) {
  const auto [a, b, c] = size;
  switch (type) {
    case Type::plane:
    case Type::mesh:
    case Type::other:
      return 0;
    case Type::sphere:
      return 4 * pi / 3 * a * a * a;
    case Type::capsule:
      return pi * a * a * (2 * b + 4 * a / 3);
    case Type::cylinder:
      return pi * a * a * 2 * b;
    case Type::ellipsoid:
      return 4 * pi / 3 * a * b * c;
    case Type::box:
      return 8 * a * b * c;
  }
  return 0;
}

// That of an ellipsoid to about 1 %, as MuJoCo has it (Thomsen's formula): ((a b)^p + (b c)^p + (c a)^p)/3 is the mean.
double area(Type type, const std::array<double, 3>& size) {
  const auto [a, b, c] = size;
  switch (type) {
    case Type::plane:
    case Type::mesh:
    case Type::other:
      return 0;
    case Type::sphere:
      return 4 * pi * a * a;
    case Type::capsule:
      return 4 * pi * a * (a + b);
    case Type::cylinder:
      return 2 * pi * a * (a + 2 * b);
    case Type::ellipsoid: {
      constexpr double p = 1.6075;
      const double mean = (elementary::pow(a * b, p) + elementary::pow(b * c, p) + elementary::pow(c * a, p)) / 3;
      return 4 * pi * elementary::pow(mean, 1 / p);
    }
    case Type::box:
      return 8 * (a * b + b * c + c * a);
  }
  return 0;
}

// A capsule is a cylinder and a sphere cut in halves, whose centres of mass lie 3/8 r from the cut:
// m_s (2/5 r² + h (3 r + 2 h) / 8) about an axis across, with the length h of the cylinder.
Symmetric3 solid_inertia(const MjcfGeom& geom) {
  const auto [a, b, c] = geom.size;
  const double m = geom.mass;
  switch (geom.type) {
    case Type::plane:
    case Type::mesh:
    case Type::other:
      return {};
    case Type::sphere: {
      const double moment = 0.4 * m * a * a;
      return {moment, moment, moment, 0, 0, 0};
    }
    case Type::capsule: {
      const double h = 2 * b, ball = m * 4 * a / (4 * a + 3 * h), tube = m - ball;
      const double across = tube * (3 * a * a + h * h) / 12 + ball * (0.4 * a * a + h * (3 * a + 2 * h) / 8);
      return {across, across, tube * a * a / 2 + 0.4 * ball * a * a, 0, 0, 0};
    }
    case Type::cylinder: {
      const double across = m * (3 * a * a + 4 * b * b) / 12;
      return {across, across, m * a * a / 2, 0, 0, 0};
    }
    case Type::ellipsoid:
      return {m * (b * b + c * c) / 5, m * (a * a + c * c) / 5, m * (a * a + b * b) / 5, 0, 0, 0};
    case Type::box:
      return {m * (b * b + c * c) / 3, m * (a * a + c * c) / 3, m * (a * a + b * b) / 3, 0, 0, 0};
  }
  return {};
}

// trace(S) 1 − S of the second moments S along the axes.
Symmetric3 from_second_moments(double x, double y, double z) { return {y + z, x + z, x + y, 0, 0, 0}; }

// Halves of a hollow ball have their centres of mass r/2 from the cut. The shell of an ellipsoid is what lies between
// it and one with all semi-axes longer by the same little, as MuJoCo has it: second moments
// m/5 (a² + 2 a V/V′) with V/V′ = a b c / (a b + b c + c a).
Symmetric3 shell_inertia(const MjcfGeom& geom) {
  const auto [a, b, c] = geom.size;
  const double m = geom.mass;
  switch (geom.type) {
    case Type::plane:
    case Type::mesh:
    case Type::other:
      return {};
    case Type::sphere: {
      const double moment = m * a * a / 3;
      return from_second_moments(moment, moment, moment);
    }
    case Type::capsule: {
      const double h = 2 * b, ball = m * 2 * a / (2 * a + h), tube = m - ball;
      const double across = tube * (6 * a * a + h * h) / 12 + ball * (2 * a * a / 3 + h * h / 4 + h * a / 2);
      return {across, across, tube * a * a + 2 * ball * a * a / 3, 0, 0, 0};
    }
    case Type::cylinder: {
      const double h = 2 * b, ends = m * a / (a + h), tube = m - ends;
      const double across = tube * (6 * a * a + h * h) / 12 + ends * (a * a + h * h) / 4;
      return {across, across, tube * a * a + ends * a * a / 2, 0, 0, 0};
    }
    case Type::ellipsoid: {
      const double ratio = a * b * c / (a * b + b * c + c * a);
      const auto moment = [&](double s) { return m / 5 * (s * s + 2 * s * ratio); };
      return from_second_moments(moment(a), moment(b), moment(c));
    }
    case Type::box: {
      const double sum = a * b + b * c + c * a;
      // Two faces at a distance, four across.
      const auto moment = [&](double s, double t, double u) { return m / sum * s * s * (t * u + s * (t + u) / 3); };
      return from_second_moments(moment(a, b, c), moment(b, c, a), moment(c, a, b));
    }
  }
  return {};
}

// The centre and the principal axes of what fills or covers the mesh, the largest moment along x, and half the edges of
// the box with the same inertia.
struct InertiaBox {
  Pose at;
  Eigen::Vector3d half;
};

InertiaBox inertia_box(const SolidProperties& solid) {
  const Symmetric3& s = solid.inertia;
  Eigen::Matrix3d matrix;
  matrix << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  const Eigen::Vector3d moments = solver.eigenvalues().reverse();
  Eigen::Matrix3d R = solver.eigenvectors().rowwise().reverse();
  if (R.determinant() < 0) R.col(2) = -R.col(2);
  InertiaBox box;
  box.at = {{{R(0, 0), R(0, 1), R(0, 2)}, {R(1, 0), R(1, 1), R(1, 2)}, {R(2, 0), R(2, 1), R(2, 2)}}, solid.com};
  for (int i = 0; i < 3; ++i)
    box.half[i] = std::sqrt(std::max(0.0, 1.5 * (moments.sum() - 2 * moments[i]) / solid.volume));
  return box;
}

// To the inertia of the mesh.
std::array<double, 3> sizes_by_inertia(Type type, const Eigen::Vector3d& half) {
  const double across = (half[0] + half[1]) / 2;
  switch (type) {
    case Type::sphere:
      return {half.sum() / 3, 0, 0};
    case Type::capsule:
      return {across, std::max(0.0, half[2] - across / 2), 0};
    case Type::cylinder:
      return {across, half[2], 0};
    default:
      return {half[0], half[1], half[2]};
  }
}

// To the extent of the mesh along its principal axes; moves `at` to the middle of it.
std::array<double, 3> sizes_by_extent(Type type, const MjcfMesh& mesh, Pose& at) {
  std::vector<Vector3> points;
  const Pose back = inverse(at) * mesh.at;
  for (const Vector3& v : mesh.whole->vertices) points.push_back(back * v);
  Vector3 low = points.front(), high = low;
  for (const Vector3& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const Vector3 middle = 0.5 * (low + high), half = 0.5 * (high - low);
  at.position = at * middle;
  double farthest = 0, across = 0;
  for (const Vector3& p : points) {
    const Vector3 d = p - middle;
    farthest = std::max(farthest, norm(d));
    across = std::max(across, elementary::hypot(d.x, d.y));
  }
  double straight = 0;  // half the length of a capsule with this radius that holds all points
  for (const Vector3& p : points) {
    const Vector3 d = p - middle;
    const double cap = std::sqrt(std::max(0.0, across * across - d.x * d.x - d.y * d.y));
    straight = std::max(straight, std::abs(d.z) - cap);
  }
  switch (type) {
    case Type::sphere:
      return {farthest, 0, 0};
    case Type::capsule:
      return {across, straight, 0};
    case Type::cylinder:
      return {across, half.z, 0};
    default:
      return {half.x, half.y, half.z};
  }
}

}  // namespace

double mjcf_geom_measure(const MjcfGeom& geom) {
  return geom.shell ? area(geom.type, geom.size) : volume(geom.type, geom.size);
}

Symmetric3 mjcf_geom_inertia(const MjcfGeom& geom) { return geom.shell ? shell_inertia(geom) : solid_inertia(geom); }

bool fit_mjcf_geom(MjcfReading& reading, MjcfGeom& geom, double factor) {
  const MjcfMesh& mesh = mjcf_mesh(reading, geom);
  const SolidProperties& solid = geom.shell ? mesh.shell : mesh.solid;
  if (!mesh.problem.empty() || !(solid.volume > 0)) return false;
  const InertiaBox box = inertia_box(solid);
  Pose at = box.at;
  geom.size = reading.compiler(*geom.element).fit_boxes ? sizes_by_extent(geom.type, mesh, at)
                                                        : sizes_by_inertia(geom.type, box.half);
  for (double& size : geom.size) size *= factor;
  geom.at = geom.at * at;
  return true;
}

}  // namespace routh::internal
