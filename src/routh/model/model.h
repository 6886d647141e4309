// What the machine is. A Model is made once by `build_model`, checked, and then never changes: any number of threads
// may share it, each with its own workspace.
//
// Two views of the same machine: bodies, joints and shapes with names, as the user wrote them; and the tree of links
// that the dynamics runs on. A link is a rigid piece that moves: bodies welded together are one link; a cylindrical,
// planar or universal joint is two or three links in a row, all but the last without mass. Each link's frame has its z
// axis along its joint, so that the inner loops know one kind of turning and one of sliding.
#pragma once

#include <optional>
#include <string_view>

#include "routh/model/description.h"
#include "routh/model/shape_pairs.h"

namespace routh {

enum class LinkKind {
  turn,      // 1 dof: rotation about z
  slide,     // 1 dof: displacement along z
  ball,      // 3 dof: quaternion; angular velocity in the link's axes
  floating,  // 6 dof: position, quaternion; velocity of the origin in the world's axes, angular velocity in the link's
};

constexpr int coordinate_count(LinkKind kind) {
  switch (kind) {
    case LinkKind::turn:
    case LinkKind::slide:
      return 1;
    case LinkKind::ball:
      return 4;
    case LinkKind::floating:
      return 7;
  }
  return 0;
}

constexpr int velocity_count(LinkKind kind) {
  switch (kind) {
    case LinkKind::turn:
    case LinkKind::slide:
      return 1;
    case LinkKind::ball:
      return 3;
    case LinkKind::floating:
      return 6;
  }
  return 0;
}

struct Link {
  LinkKind kind = LinkKind::turn;
  int parent = -1;     // link, always of a smaller index; −1: the world
  int q = 0, v = 0;    // first coordinate and velocity
  int body = 0;        // the body it ends in; of a massless link, the one its chain ends in
  Matrix3 rotation;    // to the parent link's frame at q = 0
  Vector3 offset;      // origin in the parent link's frame at q = 0 [m]
  double mass = 0;     // [kg]
  Vector3 moment;      // mass times centre of mass, in the link's frame [kg m]
  Symmetric3 inertia;  // about the link's origin, in its axes [kg m²]
};

struct Body {
  std::string name;
  double mass = 0;
  Vector3 com;
  Symmetric3 inertia;  // about the centre of mass, in the body's axes
  int joint = -1;      // the one it hangs from; −1: the world itself
  int link = -1;       // that carries it; −1: it does not move
  Pose in_link;        // its frame in the link's; in the world's when it does not move
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::fixed;
  int parent = 0, child = 0;  // bodies
  Pose at, in_child;          // as in JointDescription
  Vector3 axis, second_axis;  // unit vectors
  int q = 0, q_count = 0;
  int v = 0, v_count = 0;
  int first_link = -1, last_link = -1;  // links that make it up; −1 for a fixed joint
  Location where;
};

// One degree of freedom: index v of the velocity. `coordinate` is its index in q, −1 on the turning of a quaternion.
struct Dof {
  int joint = 0;
  int link = 0;
  int coordinate = -1;
  int parent = -1;  // the degree of freedom before it on the way to the world; M couples only ancestors
  DofDescription properties;
};

struct Loop {
  struct Term {
    int coordinate = 0, dof = 0;
    double coefficient = 0;
  };
  std::string name;
  LoopKind kind = LoopKind::point;
  int body_a = 0, body_b = 0;
  Pose at_a, at_b;
  double distance = 0;
  std::vector<Term> terms;
  double constant = 0;
  int row = 0, row_count = 0;  // of the loop rows of the model
  Location where;
};

struct Spring {
  std::string name;
  int body_a = 0, body_b = 0;
  Vector3 at_a, at_b;
  double stiffness = 0, rest_length = 0, damping = 0;
};

struct Force {
  std::string name;
  int body = 0;
  Vector3 at, force, torque;
  ForceFrame frame = ForceFrame::world;
  Profile scale;
};

struct Shape {
  std::string name;
  int body = 0;
  ShapeKind kind = ShapeKind::point;
  Pose at;        // in the body's frame; changed by place_shape
  int link = -1;  // that carries the body; −1: it does not move
  Pose in_link;   // its frame in the link's; in the world's when it does not move
  double radius = 0, length = 0;
  Vector3 half_extents;
  std::shared_ptr<const Polyhedron> hull;  // of a mesh
  int surface = -1;                        // −1: none
  Vector3 belt;
  Profile belt_speed;
  bool moving = false;  // `belt` is not zero
};

struct Surface {
  std::string name;
  SurfaceProperties properties;
};

struct Model {
  std::string name;
  Dimension dimension = Dimension::spatial;
  Vector3 gravity;
  int coordinates = 0;  // entries of q
  int velocities = 0;   // entries of q̇: the degrees of freedom
  int loop_rows = 0;
  std::vector<Body> bodies;   // the world first; a body after the one it hangs from
  std::vector<Joint> joints;  // joint i carries body i + 1
  std::vector<Link> links;
  std::vector<Dof> dofs;  // of size `velocities`
  std::vector<Loop> loops;
  std::vector<Spring> springs;
  std::vector<Force> forces;
  std::vector<Surface> surfaces;
  std::vector<Shape> shapes;
  ShapePairs pairs;                   // of shapes that may touch, ordered by (first, second)
  std::vector<std::string> warnings;  // `file:line:col: warning: …`: allowed, and seldom meant

  // Index by name, if there is one.
  std::optional<int> find_body(std::string_view name) const;
  std::optional<int> find_joint(std::string_view name) const;
  std::optional<int> find_shape(std::string_view name) const;
};

// Moves a shape of the model to another place on its body.
void place_shape(Model& model, int shape, const Pose& at);

// Name of a degree of freedom for people: `knee`, or `base.x` where a joint has several.
std::string dof_name(const Model& model, int dof);
std::string coordinate_name(const Model& model, int coordinate);

// Whether a degree of freedom turns: its rate is in rad/s, not in m/s.
bool is_angular(const Model& model, int dof);

// Checks the description and makes the model. Throws InputError with the place, the value and a remedy: names that are
// missing, twice or unknown, a tree that is none, masses and inertias no body can have, a degree of freedom without
// inertia, coefficients out of range. Bodies keep the order of the description except that a parent comes first.
Model build_model(const ModelDescription& description);

}  // namespace routh
