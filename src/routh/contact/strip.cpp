#include "routh/contact/strip.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

// By the number of the box's feature (geometry.h) that of the strip's, the bottom's last.
constexpr std::array<int, 8> corners = {4, 5, 7, 6, 0, 1, 3, 2};
constexpr std::array<int, 12> edges = {8, 10, 0, 2, 11, 3, 9, 1, 4, 5, 7, 6};
constexpr std::array<int, 6> faces = {1, 2, 3, 4, 5, 0};
// The same in the plane, where the top is at y.
constexpr std::array<int, 4> planar_corners = {2, 3, 0, 1};
constexpr std::array<int, 4> planar_faces = {1, 2, 3, 0};

std::span<const int> numbers_of(FeatureKind kind, Dimension dimension) {
  const bool planar = dimension == Dimension::planar;
  switch (kind) {
    case FeatureKind::vertex:
      if (planar) return planar_corners;
      return corners;
    case FeatureKind::edge:
      if (planar) return {};
      return edges;
    case FeatureKind::face:
      if (planar) return planar_faces;
      return faces;
    case FeatureKind::rim:
    case FeatureKind::side:
    case FeatureKind::nearest:
    case FeatureKind::bore:
      break;
  }
  return {};
}

// The origin of the other shape in the frame of the strip.
Vector3 place_of(const PosedShape& strip, const PosedShape& other) {
  return transpose_times(strip.pose.rotation, other.pose.position - strip.pose.position);
}

}  // namespace

double border_clearance(const PosedShape& strip, const PosedShape& other) {
  const Vector3 at = place_of(strip, other);
  const double along_x = strip.half_extents.x - std::abs(at.x);
  const double least =
      strip.dimension == Dimension::planar ? along_x : std::min(along_x, strip.half_extents.y - std::abs(at.y));
  // Below the plane the way up is the shortest way out while no side is nearer.
  const double depth = -(strip.dimension == Dimension::planar ? at.y : at.z);
  return least - bounding_radius(other) - std::max(0.0, depth);
}

PosedShape box_of_strip(const PosedShape& strip, const PosedShape& other, double way) {
  const bool planar = strip.dimension == Dimension::planar;
  const Vector3 at = place_of(strip, other), &h = strip.half_extents;
  const double height = planar ? at.y : at.z;
  const auto beyond = [](double x, double half) { return std::max(0.0, std::abs(x) - half); };
  // No point of the strip that is nearest to the other shape, or below it, lies farther from its origin than this.
  const double apart = std::abs(height) + beyond(at.x, h.x) + (planar ? 0 : beyond(at.y, h.y));
  double reach = tolerances::strip_reach * (bounding_radius(other) + apart + way);
  if (!(reach > 0)) reach = planar ? h.x : std::min(h.x, h.y);  // a point on the border
  // A finite part about the other shape, its ends at the borders where these are near.
  const auto part = [&](double x, double half, double& low, double& high) {
    low = std::max(-half, x - reach), high = std::min(half, x + reach);
    if (low > high) low = high = std::clamp(x, -half, half);
  };
  double low_x = 0, high_x = 0, low_y = 0, high_y = 0;
  part(at.x, h.x, low_x, high_x);
  if (!planar) part(at.y, h.y, low_y, high_y);
  const double bottom = std::min(0.0, height) - reach;
  const Vector3 middle = {0.5 * (low_x + high_x), planar ? 0.5 * bottom : 0.5 * (low_y + high_y),
                          planar ? 0 : 0.5 * bottom};
  PosedShape box;
  box.kind = ShapeKind::box;
  box.dimension = strip.dimension;
  box.pose = {strip.pose.rotation, strip.pose * middle};
  box.half_extents = {0.5 * (high_x - low_x), planar ? -0.5 * bottom : 0.5 * (high_y - low_y),
                      planar ? 0 : -0.5 * bottom};
  return box;
}

Feature strip_feature(Feature of_box, Dimension dimension) {
  const std::span<const int> numbers = numbers_of(of_box.kind, dimension);
  const auto i = static_cast<std::size_t>(of_box.index);
  return {of_box.kind, i < numbers.size() ? numbers[i] : of_box.index};
}

Feature box_feature(Feature of_strip, Dimension dimension) {
  const std::span<const int> numbers = numbers_of(of_strip.kind, dimension);
  const auto it = std::find(numbers.begin(), numbers.end(), of_strip.index);
  return {of_strip.kind, it == numbers.end() ? of_strip.index : static_cast<int>(it - numbers.begin())};
}

}  // namespace routh::internal
