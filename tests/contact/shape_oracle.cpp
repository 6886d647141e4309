#include "contact/shape_oracle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace testing_support {

using routh::Dimension;
using routh::PosedShape;
using routh::ShapeKind;
using routh::Vector3;

namespace {

Long dot(const LongVector& a, const LongVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Long square(Long x) { return x * x; }

LongVector normalised(const LongVector& v) {
  const Long size = std::sqrt(dot(v, v));
  return {v.x / size, v.y / size, v.z / size};
}

// Components along the axes of the shape's frame.
LongVector local(const PosedShape& shape, const LongVector& v) {
  const routh::Matrix3& R = shape.pose.rotation;
  return {dot(widened(column_x(R)), v), dot(widened(column_y(R)), v), dot(widened(column_z(R)), v)};
}

// The component along a capsule's axis.
Long along(const PosedShape& shape, const LongVector& v) { return shape.dimension == Dimension::planar ? v.y : v.z; }

}  // namespace

LongVector widened(const Vector3& v) { return {v.x, v.y, v.z}; }

Long support(const PosedShape& shape, const LongVector& n) {
  const LongVector m = local(shape, n);
  const bool planar = shape.dimension == Dimension::planar;
  const LongVector h = widened(shape.half_extents);
  const Long centre = dot(n, widened(shape.pose.position)), size = std::sqrt(dot(n, n));
  switch (shape.kind) {
    case ShapeKind::point:
      return centre;
    case ShapeKind::sphere:
      return centre + shape.radius * size;
    case ShapeKind::capsule:
      return centre + Long(shape.length) / 2 * std::fabs(along(shape, m)) + shape.radius * size;
    case ShapeKind::box: {
      Long best = -1e30L;
      for (int i = 0; i < 8; ++i)
        best = std::max(
            best, (i & 1 ? h.x : -h.x) * m.x + (i & 2 ? h.y : -h.y) * m.y + (planar ? 0 : (i & 4 ? h.z : -h.z) * m.z));
      return centre + best;
    }
    case ShapeKind::cylinder:
      return centre + shape.radius * std::sqrt(square(m.x) + square(m.y)) + Long(shape.length) / 2 * std::fabs(m.z);
    case ShapeKind::ellipsoid:
      return centre + std::sqrt(square(h.x * m.x) + square(h.y * m.y) + (planar ? 0 : square(h.z * m.z)));
    case ShapeKind::mesh: {
      Long best = -1e30L;
      for (const Vector3& v : shape.hull->vertices) best = std::max(best, dot(m, widened(v)));
      return centre + best;
    }
    default:
      return 1e30L;
  }
}

Long excess(const PosedShape& shape, const Vector3& point) {
  const Vector3 apart = point - shape.pose.position;
  const LongVector p = local(shape, widened(apart));
  const LongVector h = widened(shape.half_extents);
  const bool planar = shape.dimension == Dimension::planar;
  const auto beyond = [](Long x, Long limit) { return std::max(Long(0), std::fabs(x) - limit); };
  switch (shape.kind) {
    case ShapeKind::point:
      return std::sqrt(dot(p, p));
    case ShapeKind::sphere:
      return beyond(std::sqrt(dot(p, p)), shape.radius);
    case ShapeKind::capsule: {
      LongVector q = p;
      const Long half = Long(shape.length) / 2, over = std::clamp(along(shape, p), -half, half);
      (planar ? q.y : q.z) -= over;
      return beyond(std::sqrt(dot(q, q)), shape.radius);
    }
    case ShapeKind::box:
      return std::max({beyond(p.x, h.x), beyond(p.y, h.y), planar ? std::fabs(p.z) : beyond(p.z, h.z)});
    case ShapeKind::cylinder:
      return std::max(beyond(std::hypot(p.x, p.y), shape.radius), beyond(p.z, Long(shape.length) / 2));
    case ShapeKind::ellipsoid: {
      const Long level = square(p.x / h.x) + square(p.y / h.y) + (planar ? 0 : square(p.z / h.z));
      const Long least = std::min({h.x, h.y, planar ? h.x : h.z});
      return std::max(Long(0), std::sqrt(level) - 1) * least;
    }
    case ShapeKind::mesh: {
      Long most = 0;
      for (int f = 0; f < static_cast<int>(shape.hull->faces.size()); ++f) {
        const auto corner = [&](std::size_t i) {
          return widened(shape.hull->vertices[static_cast<std::size_t>(shape.hull->face_corners(f)[i])]);
        };
        const LongVector a = corner(0), b = corner(1), c = corner(2);
        const LongVector u = {b.x - a.x, b.y - a.y, b.z - a.z}, w = {c.x - a.x, c.y - a.y, c.z - a.z};
        const LongVector n = normalised({u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x});
        most = std::max(most, dot(n, p) - dot(n, a));
      }
      return most;
    }
    case ShapeKind::half_space:
      return std::max(Long(0), along(shape, p));
    case ShapeKind::strip:
      return std::max({Long(0), along(shape, p), beyond(p.x, h.x), planar ? 0 : beyond(p.y, h.y)});
    default:
      return 1e30L;
  }
}

Long separation(const PosedShape& a, const PosedShape& b, const LongVector& n) {
  return -support(a, {-n.x, -n.y, -n.z}) - support(b, n);
}

Long greatest_separation(const PosedShape& a, const PosedShape& b, Random& random) {
  struct Sample {
    Long value = -1e30L;
    LongVector n;
  };
  constexpr int samples = 1500, kept = 4;
  const bool planar = a.dimension == Dimension::planar;
  std::array<Sample, kept> best;
  for (int i = 0; i < samples; ++i) {
    const LongVector raw = {random.normal(), random.normal(), planar ? 0 : random.normal()};
    Sample sample;
    sample.n = normalised(raw);
    sample.value = separation(a, b, sample.n);
    for (Sample& other : best)
      if (sample.value > other.value) std::swap(sample, other);
  }
  Long result = -1e30L;
  for (Sample sample : best) {
    for (Long step = 0.2L; step > 1e-10L; step *= 0.8L) {
      for (int i = 0; i < 16; ++i) {
        const LongVector moved = {sample.n.x + step * random.normal(), sample.n.y + step * random.normal(),
                                  planar ? 0 : sample.n.z + step * random.normal()};
        const LongVector n = normalised(moved);
        const Long value = separation(a, b, n);
        if (value > sample.value) sample = {value, n};
      }
    }
    result = std::max(result, sample.value);
  }
  return result;
}

routh::Pose random_pose(Random& random, Dimension dimension, double reach) {
  const auto place = [&] { return random.uniform(-reach, reach); };
  if (dimension == Dimension::planar) {
    const double angle = random.uniform(-3.1, 3.1), c = std::cos(angle), s = std::sin(angle);
    return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, {place(), place(), 0}};
  }
  const double w = random.normal(), x = random.normal(), y = random.normal(), z = random.normal();
  const double size = std::sqrt(w * w + x * x + y * y + z * z);
  return {routh::rotation_matrix({w / size, x / size, y / size, z / size}), {place(), place(), place()}};
}

PosedShape random_shape(Random& random, ShapeKind kind, Dimension dimension) {
  const auto size = [&] { return random.uniform(0.2, 1.5); };
  PosedShape shape;
  shape.kind = kind;
  shape.dimension = dimension;
  shape.pose = random_pose(random, dimension, 2);
  if (kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::cylinder) shape.radius = size();
  if (kind == ShapeKind::capsule || kind == ShapeKind::cylinder) shape.length = size();
  if (kind == ShapeKind::box || kind == ShapeKind::ellipsoid)
    shape.half_extents = {size(), size(), dimension == Dimension::planar ? 0 : size()};
  if (kind == ShapeKind::mesh) shape.hull = random_hull(random);
  return shape;
}

// Of points about an ellipsoid, of points of a coarse grid (whose hull has faces of many corners, and right angles), or
// of a prism.
const routh::Polyhedron* random_hull(Random& random) {
  static std::vector<std::shared_ptr<const routh::Polyhedron>> kept;
  const double kind = random.uniform(0, 3);
  const Vector3 size = {random.uniform(0.2, 1.5), random.uniform(0.2, 1.5), random.uniform(0.2, 1.5)};
  std::vector<Vector3> points;
  const int count = 4 + static_cast<int>(random.uniform(0, 40));
  for (int i = 0; i < count; ++i) {
    const double x = random.normal(), y = random.normal(), z = random.normal(), r = std::sqrt(x * x + y * y + z * z);
    const double angle = 6.283185307179586 * i / count;
    if (kind < 1)
      points.push_back({size.x * x / r, size.y * y / r, size.z * z / r});
    else if (kind < 2)
      points.push_back({size.x * std::round(x), size.y * std::round(y), size.z * std::round(z)});
    else
      for (const double up : {-0.5, 0.5})
        points.push_back({size.x * std::cos(angle), size.x * std::sin(angle), size.z * up});
  }
  for (const Vector3& v : {Vector3{}, {size.x / 2, 0, 0}, {0, size.y / 2, 0}, {0, 0, size.z / 2}}) points.push_back(v);
  kept.push_back(routh::convex_hull(points).polyhedron);
  return kept.back().get();
}

void move_to_gap(const PosedShape& a, PosedShape& b, double gap, Random& random) {
  const bool planar = a.dimension == Dimension::planar;
  for (int round = 0; round < 4; ++round) {
    LongVector best;
    Long value = -1e30L;
    for (int i = 0; i < 500; ++i) {
      const LongVector raw = {random.normal(), random.normal(), planar ? 0 : random.normal()};
      const LongVector n = normalised(raw);
      const Long s = separation(a, b, n);
      if (s > value) value = s, best = n;
    }
    const Long by = value - gap;
    b.pose.position += Vector3{double(by * best.x), double(by * best.y), double(by * best.z)};
  }
}

std::vector<routh::PairContact> contacts_of(const PosedShape& a, const PosedShape& b, double margin) {
  routh::Manifold manifold(margin);
  find_pair_contacts(a, b, manifold);
  return {manifold.contacts().begin(), manifold.contacts().end()};
}

const routh::PairContact& nearest(const std::vector<routh::PairContact>& contacts) {
  return *std::min_element(contacts.begin(), contacts.end(),
                           [](const auto& x, const auto& y) { return x.gap < y.gap; });
}

std::string describe(const PosedShape& shape) {
  std::ostringstream out;
  const routh::Matrix3& R = shape.pose.rotation;
  const Vector3 &p = shape.pose.position, &h = shape.half_extents;
  out.precision(17);
  out << name(shape.kind) << " at (" << p.x << ", " << p.y << ", " << p.z << ") radius " << shape.radius << " length "
      << shape.length << " half (" << h.x << ", " << h.y << ", " << h.z << ") rotation";
  for (const Vector3& row : {R.r0, R.r1, R.r2}) out << " [" << row.x << ", " << row.y << ", " << row.z << "]";
  return out.str();
}

}  // namespace testing_support
