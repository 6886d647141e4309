// What of two shapes touches and how it moves: shared by the two halves of the drift of a contact.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "routh/contact/posed_shape.h"

// Short names for two files.
namespace routh::internal::rolling {

// Of a point fixed to a body.
struct Motion {
  Vector3 position, velocity, acceleration;
  Vector3 turning, turning_rate;  // ω, ω̇ of the body
};

Motion motion_of(const Model& model, const Workspace& workspace, int body, const Vector3& point);

// Derivatives of a direction fixed to a body.
Vector3 first(const Motion& body, const Vector3& e);
Vector3 second(const Motion& body, const Vector3& e);

// What of a core touches: a point, a line or a plane fixed to the body, or the point of an ellipsoid or of a disc (the
// cap within a rim) that reaches farthest, wherever that is.
enum class Flat { point, line, plane, curved };
struct Part {
  Flat flat = Flat::point;
  double radius = 0;                 // about the core; negative of a bore
  Vector3 direction;                 // of a line
  std::array<Vector3, 3> half_axes;  // of what is curved
};

Vector3 axis_of(const PosedShape& shape, int k);
// Nothing for points that wander over a surface in other ways.
std::optional<Part> part_of(const PosedShape& shape, Feature feature);

// From a point of b's core to a point of a's: d = g n.
struct Between {
  Motion a, b;
  Vector3 normal;
  double distance = 0;  // g

  Vector3 d() const { return a.position - b.position; }
  Vector3 rate() const { return a.velocity - b.velocity; }
  Vector3 acceleration() const { return a.acceleration - b.acceleration; }
  // The points coincide to rounding: the direction between them is not theirs.
  bool meet() const { return std::abs(distance) < 1e-12 * (1 + norm(a.position) + norm(b.position)); }
};

// Lines with a common perpendicular.
bool cross_each_other(const Part& a, const Part& b);

// ṗ of the contact point, midway between the surfaces, by closed forms; nothing for pairs without one and for rounded
// cores that meet.
std::optional<Vector3> point_rate(const Between& m, const Part& a, const Part& b);

}  // namespace routh::internal::rolling
