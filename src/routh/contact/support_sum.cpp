#include "routh/contact/support_sum.h"

#include <algorithm>
#include <cassert>

#include "routh/contact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

Vector3 unit(const Vector3& v) { return (1 / std::sqrt(dot(v, v))) * v; }

}  // namespace

Vector3 Disc::turned(const Vector3& n) const {
  Vector3 sum;
  for (std::size_t j = 0; j < static_cast<std::size_t>(rank); ++j) sum += dot(axes[j], n) * axes[j];
  return sum;
}

double Disc::reach(const Vector3& n) const {
  double square = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(rank); ++j) square += dot(axes[j], n) * dot(axes[j], n);
  return std::sqrt(square);
}

// √(‖E n‖² + ε²) with ε in proportion to the disc: without the kink.
double Disc::smoothed_reach(const Vector3& n, double smoothing) const {
  const double plain = reach(n), epsilon = smoothing * size;
  return std::sqrt(plain * plain + epsilon * epsilon);
}

void SupportSum::add_disc(std::initializer_list<Vector3> axes, double side) {
  assert(count_ < capacity);
  Disc& disc = discs_[static_cast<std::size_t>(count_++)];
  disc.side = side;
  for (const Vector3& axis : axes) {
    disc.size = std::max(disc.size, norm(axis));
    disc.axes[static_cast<std::size_t>(disc.rank++)] = axis;
  }
  size_ += disc.size;
}

void SupportSum::add(const PosedShape& shape, double side) {
  const Matrix3& R = shape.pose.rotation;
  const Vector3 x = column_x(R), y = column_y(R), z = column_z(R), h = shape.half_extents;
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::sphere:
      return;
    case ShapeKind::capsule:
      if (shape.length > 0) add_disc({(shape.length / 2) * up_axis(shape)}, side);
      return;
    case ShapeKind::box:
      add_disc({h.x * x}, side), add_disc({h.y * y}, side);
      if (!planar_) add_disc({h.z * z}, side);
      return;
    case ShapeKind::cylinder:
      add_disc({shape.radius * x, shape.radius * y}, side), add_disc({(shape.length / 2) * z}, side);
      return;
    case ShapeKind::ellipsoid:
      if (planar_)
        add_disc({h.x * x, h.y * y}, side);
      else
        add_disc({h.x * x, h.y * y, h.z * z}, side);
      return;
    case ShapeKind::mesh:
    case ShapeKind::half_space:
    case ShapeKind::strip:
    case ShapeKind::pin:
    case ShapeKind::hole:
      break;
  }
  assert(false && "a shape whose support function is no sum of discs");
}

SupportSum::SupportSum(const PosedShape& a, const PosedShape& b)
    : centre_a_(a.pose.position),
      centre_b_(b.pose.position),
      c_(a.pose.position - b.pose.position),
      planar_(a.dimension == Dimension::planar) {
  add(a, 1);
  add(b, -1);
}

double SupportSum::separation(const Vector3& n) const {
  double s = dot(c_, n);
  for (std::size_t k = 0; k < static_cast<std::size_t>(count_); ++k) s -= discs_[k].reach(n);
  return s;
}

double SupportSum::smoothed_value(const Vector3& n, double smoothing, int kinked) const {
  double s = dot(c_, n);
  for (int k = 0; k < count_; ++k) {
    const Disc& disc = discs_[static_cast<std::size_t>(k)];
    if (k != kinked) s -= disc.smoothed_reach(n, smoothing);
  }
  return s;
}

SupportSum::Derivatives SupportSum::smoothed(const Vector3& n, double smoothing, int kinked) const {
  Derivatives d;
  d.value = dot(c_, n);
  d.gradient = c_;
  for (int k = 0; k < count_; ++k) {
    const Disc& disc = discs_[static_cast<std::size_t>(k)];
    if (k == kinked) continue;
    const double rho = disc.smoothed_reach(n, smoothing);
    d.value -= rho;
    if (rho < tolerances::disc_edge_on_relative * disc.size) continue;
    const Vector3 u = (1 / rho) * disc.turned(n);
    d.gradient -= u;
    for (std::size_t j = 0; j < static_cast<std::size_t>(disc.rank); ++j)
      d.hessian = minus_outer(d.hessian, disc.axes[j], (1 / rho) * disc.axes[j]);
    d.hessian = minus_outer(d.hessian, u, (-1 / rho) * u);
  }
  return d;
}

// Directions in which n may turn: along the sphere, in the plane about z, on a kink along its great circle.
int SupportSum::tangents(const Vector3& n, int kinked, std::array<Vector3, 2>& basis) const {
  if (planar_) {
    basis[0] = z_cross(n);
    return 1;
  }
  if (kinked != no_disc) {
    const Disc& disc = discs_[static_cast<std::size_t>(kinked)];
    basis[0] = (1 / disc.size) * cross(disc.axes[0], n);
    return 1;
  }
  const Vector3 beside = std::abs(n.x) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  basis[0] = unit(cross(n, beside));
  basis[1] = cross(n, basis[0]);
  return 2;
}

namespace {

struct Turn {
  double first = 0, second = 0;
};

// −H⁻¹ g with the eigenvalues of H made negative: uphill wherever it starts, Newton's step near a maximum.
Turn uphill(double g1, double g2, double h11, double h12, double h22, double floor) {
  const double mean = (h11 + h22) / 2, half = (h11 - h22) / 2, radius = elementary::hypot(half, h12);
  const double angle = radius > 0 ? elementary::atan2(h12, half) / 2 : 0;
  const double cosine = elementary::cos(angle), sine = elementary::sin(angle);
  const double along = (cosine * g1 + sine * g2) / std::max(std::abs(mean + radius), floor);
  const double across = (-sine * g1 + cosine * g2) / std::max(std::abs(mean - radius), floor);
  return {cosine * along - sine * across, sine * along + cosine * across};
}

}  // namespace

// Newton's method on the sphere: with tangents t_i the second derivative along great circles is
// t_i·H t_j − δ_ij n·∇s.
Vector3 SupportSum::ascend(Vector3 n, double smoothing, int kinked) const {
  // Unsmoothed it starts at its goal, or runs into a kink and has nothing to find.
  const int max_steps = smoothing > 0 ? tolerances::ascent_steps_max : tolerances::ascent_steps_on_kink_max;
  const double least_scale = smoothing > 0 ? tolerances::line_search_scale_min : tolerances::line_search_scale_on_kink;
  double last_length = tolerances::turn_expected;
  std::array<Vector3, 2> t;
  for (int step = 0; step < max_steps; ++step) {
    const Derivatives d = smoothed(n, smoothing, kinked);
    const int count = tangents(n, kinked, t);
    const double radial = dot(n, d.gradient), floor = tolerances::curvature_floor_relative * size_;
    Turn turn;
    if (count == 1) {
      const double h = dot(t[0], d.hessian * t[0]) - radial;
      turn.first = dot(t[0], d.gradient) / std::max(std::abs(h), floor);
    } else {
      turn = uphill(dot(t[0], d.gradient), dot(t[1], d.gradient), dot(t[0], d.hessian * t[0]) - radial,
                    dot(t[0], d.hessian * t[1]), dot(t[1], d.hessian * t[1]) - radial, floor);
    }
    const Vector3 move = count == 1 ? turn.first * t[0] : turn.first * t[0] + turn.second * t[1];
    const double length = std::sqrt(dot(move, move));
    double scale = length > tolerances::turn_max ? tolerances::turn_max / length : 1;
    if (length < 0.1 * smoothing) return unit(n + move);
    // Steps this short change s by rounding only, so that s cannot judge them: they are good while they shrink.
    if (length < tolerances::turn_unjudged ||
        std::abs(dot(d.gradient, move)) < tolerances::gain_unjudged_relative * size_) {
      if (length > last_length / 2) return n;
      n = unit(n + move);
      last_length = length;
      continue;
    }
    for (;; scale /= 2) {
      if (scale < least_scale) return n;
      const Vector3 next = unit(n + scale * move);
      if (smoothed_value(next, smoothing, kinked) > d.value) {
        n = next;
        break;
      }
    }
  }
  return n;
}

void SupportSum::consider(const Vector3& direction, Maximum& best) const {
  const double length = norm(direction);
  if (!(length > tolerances::direction_length_min)) return;
  const Vector3 n = (1 / length) * direction;
  const Vector3 towards_a = dot(c_, n) < 0 ? -n : n;
  const double s = separation(towards_a);
  // Among equals but for rounding the first counts: kinks are tried before the smooth parts beside them.
  if (s > best.separation + tolerances::better_direction_relative * (size_ + std::abs(s))) best = {towards_a, s};
}

// Every isolated normal at which kinks meet: of faces and caps, and across two edges.
void SupportSum::try_kinks(Maximum& best) const {
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i) {
    const Disc& disc = discs_[i];
    if (disc.rank == 1 && planar_) consider(z_cross(unit(disc.axes[0])), best);
    if (disc.rank == 2 && !planar_) consider(cross(unit(disc.axes[0]), unit(disc.axes[1])), best);
    if (disc.rank != 1 || planar_) continue;
    for (std::size_t j = 0; j < i; ++j)
      if (discs_[j].rank == 1) consider(cross(unit(disc.axes[0]), unit(discs_[j].axes[0])), best);
  }
}

// Follows the maximum while the smoothing vanishes.
void SupportSum::climb(const Vector3& start, Maximum& best) const {
  Vector3 n = start;
  for (double smoothing = tolerances::smoothing_first; smoothing > tolerances::smoothing_last; smoothing *= 0.1)
    n = ascend(n, smoothing, no_disc);
  settle(n, best);
}

// On the sphere, and on each great circle across an edge that is near.
void SupportSum::settle(const Vector3& n, Maximum& best) const {
  for (int k = 0; k < count_; ++k) {
    const Disc& disc = discs_[static_cast<std::size_t>(k)];
    if (disc.rank != 1 || planar_) continue;
    const Vector3 e = unit(disc.axes[0]);
    const double off = dot(e, n);
    if (std::abs(off) < tolerances::kink_near) consider(ascend(unit(n - off * e), 0, k), best);
  }
  consider(ascend(n, 0, no_disc), best);
  // Nothing above found what was given: better a few digits than none.
  if (separation(n) > best.separation + tolerances::smoothed_gain_relative * size_) consider(n, best);
}

// w = c − Σ E_kᵀ E_k n/‖E_k n‖; of a disc that is seen flat any of its points is as far.
Corner SupportSum::least(const Vector3& n) const {
  Corner corner;
  corner.w = c_;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count_); ++k) {
    const double reach = discs_[k].reach(n);
    if (reach > tolerances::disc_edge_on_relative * discs_[k].size) corner.w -= (1 / reach) * discs_[k].turned(n);
  }
  return corner;
}

SupportSum::Maximum SupportSum::maximise() const {
  Maximum best;
  // Centres that coincide have no direction of their own.
  const Vector3 any = {0, 1, 0};
  try_kinks(best);
  consider(c_, best);
  consider(any, best);
  const Vector3 start = best.normal;
  climb(start, best);
  const BoundedSeparation found =
      search_separation(*this, planar_ ? Dimension::planar : Dimension::spatial, size_, best.normal);
  if (found.separation > best.separation) settle(found.normal, best);
  return best;
}

}  // namespace routh::internal
