#include "routh/figure/cone_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/impact/inertia.h"

namespace routh::internal {

namespace {

double length_of(const ContactVector& v) { return std::hypot(v.n, v.t1, v.t2); }

ContactVector scaled(const ContactVector& v, double factor) { return {factor * v.n, factor * v.t1, factor * v.t2}; }

// Entries of D far from one would overflow or vanish in the lengths; a cone does not depend on the size of D.
ContactInertia unit_size(const ContactInertia& d) {
  const double size = std::max({std::abs(d.a), std::abs(d.c1), std::abs(d.c2), std::abs(d.b11), std::abs(d.b22)});
  if (!(size > 0) || !std::isfinite(size)) return d;
  ContactInertia out = d;
  for (double* entry : {&out.a, &out.c1, &out.c2, &out.b11, &out.b12, &out.b22}) *entry /= size;
  return out;
}

}  // namespace

ContactVector with_length(const ContactVector& v, double length) {
  const double size = std::max({std::abs(v.n), std::abs(v.t1), std::abs(v.t2)});
  if (!(size > 0) || !std::isfinite(size)) return {};
  const ContactVector unit{v.n / size, v.t1 / size, v.t2 / size};
  return scaled(unit, length / length_of(unit));
}

std::vector<ContactVector> cone_rim(const ContactInertia& inertia, double friction, double reach) {
  const ContactInertia d = unit_size(inertia);
  std::vector<ContactVector> rim;
  const auto add = [&](const ContactVector& force) {
    const ContactVector change = apply(d, force);
    if (length_of(change) > 1e-9 * length_of(force)) rim.push_back(change);
  };
  if (inertia.dimension == Dimension::planar) {
    constexpr int steps = 240;
    const double widest = std::atan(friction);
    for (int i = 0; i <= steps; ++i) {
      const double angle = widest * (2.0 * i / steps - 1);
      add({std::cos(angle), std::sin(angle), 0});
    }
    for (ContactVector& point : rim) point = with_length(point, reach);
    return rim;
  }
  constexpr int steps = 144;
  for (int i = 0; i < steps; ++i) {
    const double phi = 2 * std::numbers::pi * i / steps;
    add({1, friction * std::cos(phi), friction * std::sin(phi)});
  }
  double farthest = 0;
  for (const ContactVector& point : rim) farthest = std::max(farthest, length_of(point));
  for (ContactVector& point : rim) point = scaled(point, reach / farthest);
  return rim;
}

std::vector<ContactVector> rim_below_plane(const std::vector<ContactVector>& rim, Dimension dimension) {
  std::vector<ContactVector> out;
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const ContactVector& here = rim[i];
    if (here.n < 0) out.push_back(here);
    const bool last = i + 1 == rim.size();
    if (last && dimension == Dimension::planar) break;
    const ContactVector& next = rim[(i + 1) % rim.size()];
    if ((here.n < 0) == (next.n < 0)) continue;
    const double share = here.n / (here.n - next.n);
    out.push_back({0, here.t1 + share * (next.t1 - here.t1), here.t2 + share * (next.t2 - here.t2)});
  }
  return out;
}

ConeView::ConeView(Dimension dimension, PagePoint origin, double unit) : origin_(origin), unit_(unit) {
  if (dimension == Dimension::planar) return;
  turn_ = -32 * std::numbers::pi / 180;
  tilt_ = 22 * std::numbers::pi / 180;
}

PagePoint ConeView::map(const ContactVector& v) const {
  const double across = v.t1 * std::cos(turn_) - v.t2 * std::sin(turn_);
  const double away = v.t1 * std::sin(turn_) + v.t2 * std::cos(turn_);
  const double up = v.n * std::cos(tilt_) + away * std::sin(tilt_);
  return {origin_.x + unit_ * across, origin_.y - unit_ * up};
}

std::vector<PagePoint> convex_hull(std::vector<PagePoint> points) {
  std::sort(points.begin(), points.end(),
            [](const PagePoint& p, const PagePoint& q) { return p.x != q.x ? p.x < q.x : p.y < q.y; });
  const auto same = [](const PagePoint& p, const PagePoint& q) { return p.x == q.x && p.y == q.y; };
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  if (points.size() < 3) return points;
  std::vector<PagePoint> hull;
  const auto turns_left = [](const PagePoint& a, const PagePoint& b, const PagePoint& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
  };
  // Andrew's two chains: forwards, then backwards.
  for (int chain = 0; chain < 2; ++chain) {
    const std::size_t start = hull.size();
    for (const PagePoint& p : points) {
      while (hull.size() >= start + 2 && !turns_left(hull[hull.size() - 2], hull.back(), p)) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // the next chain begins with it
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

}  // namespace routh::internal
