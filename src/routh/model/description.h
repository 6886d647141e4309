// A machine as it was written down: plain values, by name, each with the place it came from. Readers of files and
// `ModelBuilder` fill one; `build_model` checks it and makes the Model that everything else works on.
//
// SI units and radians. In a planar description z is 0 in every vector and every rotation is about z; x points right,
// y up. In a spatial one z points up.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "routh/base/error.h"
#include "routh/base/names.h"
#include "routh/impact/problem.h"
#include "routh/math/spatial.h"
#include "routh/mesh/hull.h"

namespace routh {

// The body everything stands on.
inline constexpr const char* world_name = "world";

// A function of time by straight lines between points, held at its ends. One point is a constant.
struct Profile {
  struct Point {
    double time = 0;  // [s], increasing
    double value = 0;
  };
  std::vector<Point> points;

  static Profile constant(double value) { return {{{0, value}}}; }
  double operator()(double time) const;
  // Per second, to the right of `time`.
  double slope(double time) const;
};

struct BodyDescription {
  std::string name;
  double mass = 0;     // [kg]
  Vector3 com;         // centre of mass in the body's frame [m]
  Symmetric3 inertia;  // about the centre of mass, in the body's axes [kg m²]; planar: zz only
  Location where, mass_where, com_where, inertia_where;
};

enum class JointKind {
  fixed,        // no coordinates
  revolute,     // angle about `axis`
  prismatic,    // displacement along `axis`
  cylindrical,  // displacement along `axis`, angle about it
  planar,       // displacement along the frame's x and y, angle about its z
  spherical,    // unit quaternion (w, x, y, z); velocity: angular velocity in the child's joint frame
  universal,    // angle about `axis`, then angle about `second_axis`
  free,         // position, then unit quaternion; velocity: that of the position in the parent's frame, then angular
                // velocity in the child's joint frame. The parent is the world
};
constexpr auto names_of(JointKind) {
  return name_table<JointKind>({
      {JointKind::fixed, "fixed"},
      {JointKind::revolute, "revolute"},
      {JointKind::prismatic, "prismatic"},
      {JointKind::cylindrical, "cylindrical"},
      {JointKind::planar, "planar"},
      {JointKind::spherical, "spherical"},
      {JointKind::universal, "universal"},
      {JointKind::free, "free"},
  });
}
inline constexpr int joint_kind_count = static_cast<int>(count_of<JointKind>);
int coordinate_count(JointKind kind);  // entries of q
int velocity_count(JointKind kind);    // entries of q̇
// What each entry of q̇ is called: x, y, z, angle, angle1, angle2, displacement, wx, wy, wz.
std::span<const std::string_view> dof_names(JointKind kind);
// The same for q; the entries of a quaternion are qw, qx, qy, qz.
std::span<const std::string_view> coordinate_names(JointKind kind);

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

// A drive with proportional and derivative gain: u = stiffness (position − q) + damping (velocity − q̇), |u| ≤ limit.
struct DriveDescription {
  double stiffness = 0;  // [N/m] or [N m/rad]
  double damping = 0;    // [N s/m] or [N m s/rad]
  Profile position = Profile::constant(0);
  Profile velocity = Profile::constant(0);
  double limit = unlimited;
};

// What acts along one degree of freedom of a joint. On the turning of a spherical or free joint only `damping`,
// `armature` and `effort` have a meaning.
struct DofDescription {
  double lower = -unlimited, upper = unlimited;  // joint limits: unilateral constraints
  double limit_restitution = 0;                  // of a strike at a limit, in [0, 1]
  double stiffness = 0, rest = 0;                // spring to the coordinate value `rest`
  double damping = 0;
  double armature = 0;  // inertia of a rotor, added to the diagonal of M [kg] or [kg m²]
  std::optional<DriveDescription> drive;
  std::optional<Profile> effort;  // generalised force
  Location where;
};

struct JointDescription {
  std::string name;
  JointKind kind = JointKind::fixed;
  std::string parent = world_name;   // body
  std::string child;                 // body; every body is the child of exactly one joint
  Pose at;                           // the joint's frame in the parent's body frame, at rest
  Pose in_child;                     // the joint's frame in the child's body frame
  Vector3 axis = {0, 0, 1};          // in the joint's frame; any length but zero
  Vector3 second_axis = {0, 1, 0};   // universal only; perpendicular to `axis`
  std::vector<DofDescription> dofs;  // empty, or one for each entry of the joint's velocity
  Location where, parent_where, axis_where;
};

enum class LoopKind {
  point,     // the origins of the two frames coincide (3 rows; planar 2)
  hinge,     // and their z axes are parallel (5 rows; planar: as point)
  weld,      // the frames coincide (6 rows; planar 3)
  distance,  // the origins keep a distance (1 row)
  coupling,  // Σ coefficient · coordinate = constant (1 row)
};
constexpr auto names_of(LoopKind) {
  return name_table<LoopKind>({
      {LoopKind::point, "point"},
      {LoopKind::hinge, "hinge"},
      {LoopKind::weld, "weld"},
      {LoopKind::distance, "distance"},
      {LoopKind::coupling, "coupling"},
  });
}

struct CouplingTerm {
  std::string joint;
  int dof = 0;
  double coefficient = 1;
  Location where;
};

struct LoopDescription {
  std::string name;
  LoopKind kind = LoopKind::point;
  std::string body_a, body_b = world_name;
  Pose at_a, at_b;                  // frames in those bodies
  double distance = 0;              // > 0
  std::vector<CouplingTerm> terms;  // coordinates that are numbers, not quaternions
  double constant = 0;
  Location where, body_a_where, body_b_where;
};

// A spring and damper along the line between two points.
struct SpringDescription {
  std::string name;
  std::string body_a, body_b = world_name;
  Vector3 at_a, at_b;      // in those bodies' frames
  double stiffness = 0;    // [N/m]
  double rest_length = 0;  // [m], ≥ 0
  double damping = 0;      // [N s/m]
  Location where, body_a_where, body_b_where;
};

enum class ForceFrame { world, body };
constexpr auto names_of(ForceFrame) {
  return name_table<ForceFrame>({{ForceFrame::world, "world"}, {ForceFrame::body, "body"}});
}

// A force at a point of a body, or a torque; scaled by a profile in time.
struct ForceDescription {
  std::string name;
  std::string body;
  Vector3 at;      // in the body's frame
  Vector3 force;   // [N]
  Vector3 torque;  // [N m]
  ForceFrame frame = ForceFrame::world;
  Profile scale = Profile::constant(1);
  Location where, body_where;
};

// A blow: an impulse at a point of a body, an angular one, or both; or a generalised one along a degree of freedom of a
// joint. It acts at one instant, before the contacts that are closed there answer.
struct ImpulseDescription {
  std::string name;
  double time = 0;          // [s]
  std::string body;         // empty: on a joint
  Vector3 at;               // in the body's frame
  Vector3 impulse;          // [N s]
  Vector3 angular_impulse;  // [N m s]
  ForceFrame frame = ForceFrame::world;
  std::string joint;
  int dof = 0;           // of the joint
  double along_dof = 0;  // [N s] or [N m s]
  Location where, target_where;
};

// Friction and restitution of a surface, or of a pair of surfaces.
struct SurfaceProperties {
  Friction friction;
  Restitution restitution;  // its table is `table` below
  std::vector<RestitutionPoint> table;
  std::optional<Law> law;  // absent: energetic
};
// The restitution with its table: a view of `properties`, valid while they stay where they are.
Restitution restitution_of(const SurfaceProperties& properties);

struct SurfaceDescription {
  std::string name;
  SurfaceProperties properties;
  Location where;
};

// Overrides the rule for this pair of surfaces.
struct SurfacePairDescription {
  std::string first, second;
  SurfaceProperties properties;
  Location where;
};

enum class ShapeKind {
  point,
  sphere,      // radius; in the plane a disc
  capsule,     // radius, length between the centres of its ends; along the up axis
  box,         // half extents
  cylinder,    // radius, length; along z; spatial only
  ellipsoid,   // half extents; in the plane an ellipse
  mesh,        // the convex hull of a mesh; spatial only
  half_space,  // all below the frame's origin; normal the up axis
  strip,       // the part |x| ≤ half_extents.x (spatial also |y| ≤ half_extents.y) of such a plane; and all below
  pin,         // radius, about z; touches holes only
  hole,        // radius, about z
};
constexpr auto names_of(ShapeKind) {
  return name_table<ShapeKind>({
      {ShapeKind::point, "point"},
      {ShapeKind::sphere, "sphere"},
      {ShapeKind::capsule, "capsule"},
      {ShapeKind::box, "box"},
      {ShapeKind::cylinder, "cylinder"},
      {ShapeKind::ellipsoid, "ellipsoid"},
      {ShapeKind::mesh, "mesh"},
      {ShapeKind::half_space, "half_space"},
      {ShapeKind::strip, "strip"},
      {ShapeKind::pin, "pin"},
      {ShapeKind::hole, "hole"},
  });
}
inline constexpr int shape_kind_count = static_cast<int>(count_of<ShapeKind>);

// A mesh and where it came from. The hull is shared by all copies.
struct MeshDescription {
  std::shared_ptr<const Polyhedron> hull;
  std::string file;           // empty: the hull's vertices were given
  Vector3 scale = {1, 1, 1};  // of the file's coordinates along each axis
  int corners = 0;            // most that the hull of a file may have; 0: as many as usual
  std::string note;           // what the hull changes, as the end of a sentence; empty: nothing to speak of
};

struct ShapeDescription {
  std::string name;
  std::string body = world_name;
  ShapeKind kind = ShapeKind::point;
  Pose at;               // the shape's frame in the body's. The up axis is z in space, y in the plane
  double radius = 0;     // [m]
  double length = 0;     // [m]
  Vector3 half_extents;  // [m]
  MeshDescription mesh;
  std::string surface;  // empty: the properties of the other shape count, or none if it has none either
  Vector3 belt;         // direction in which the surface itself runs, in the shape's frame
  Profile belt_speed = Profile::constant(0);  // times `belt`
  Location where, body_where, surface_where;
};

// Which pairs of shapes may touch. By default all on different bodies, except neighbours in the tree (a body and the
// one it hangs from, unless that is the world) and pairs that cannot move against each other. Names are of shapes or of
// bodies (then all their shapes); what is excluded stays excluded.
struct FilterDescription {
  enum class Rule { exclude, include };  // `include` overrides the default exception for neighbours
  Rule rule = Rule::exclude;
  std::string first, second;
  Location where;
};

// Rotation by an angle about z.
Matrix3 rotation_about_z(double angle);
// A rotation that takes the up axis (z in space, y in the plane) to `normal`, of any length but zero.
Matrix3 rotation_from_up(Dimension dimension, const Vector3& normal);

struct ModelDescription {
  std::string name;
  Dimension dimension = Dimension::spatial;
  Vector3 gravity = {0, 0, -9.81};
  std::vector<BodyDescription> bodies;  // without the world
  std::vector<JointDescription> joints;
  std::vector<LoopDescription> loops;
  std::vector<SpringDescription> springs;
  std::vector<ForceDescription> forces;
  std::vector<ImpulseDescription> impulses;
  std::vector<SurfaceDescription> surfaces;
  std::vector<SurfacePairDescription> surface_pairs;
  std::vector<ShapeDescription> shapes;
  std::vector<FilterDescription> filters;
  Location where, gravity_where;
};

}  // namespace routh
