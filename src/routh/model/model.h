// What the machine is. A Model is made once by `build_model`, checked, and then never changes: any number of threads
// may share it, each with its own workspace.
//
// Two views of the same machine: bodies, joints and shapes with names, as the user wrote them; and the tree of links
// that the dynamics runs on. A link is a rigid piece that moves: bodies welded together are one link; a cylindrical,
// planar or universal joint is two or three links in a row, all but the last without mass. Each link's frame has its z
// axis along its joint, so that the inner loops know one kind of turning and one of sliding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "routh/model/description.h"

namespace routh {

// The pairs of shapes that may touch, numbered in the order of (first, second), none of them kept: nearly all shapes of
// bodies that move freely may touch, and ten thousand of them make fifty million pairs.
//
// What is kept is what a row of the table of all pairs is made of: the classes that can touch at all (solid, point,
// plane, pin, hole), less the shapes on the same rigid piece, less those that neighbours and filters leave out. Both
// are lists of intervals, which many shapes share. Memory follows the shapes, their surfaces and the filters.

namespace internal {
class ShapePairsBuilder;
}

// Two shapes that may touch, and how. `properties` follow from the rule or from an override; pairs of the same two
// surfaces share them.
struct ShapePair {
  int first = 0, second = 0;  // shapes, first < second
  const SurfaceProperties& properties;
};

class ShapePairs {
 public:
  std::size_t size() const { return row_.empty() ? 0 : row_.back(); }
  bool empty() const { return size() == 0; }
  // In some steps of bisection.
  ShapePair operator[](std::size_t pair) const;
  // Throws std::out_of_range.
  ShapePair at(std::size_t pair) const;
  // The number of the pair of two shapes, in any order, if they may touch.
  std::optional<int> find(int shape, int other) const;
  // In how many pairs a shape is.
  int count_of(int shape) const;
  // How two shapes of a pair meet.
  const SurfaceProperties& properties(int shape, int other) const;
  // Of every two surfaces that may meet.
  std::span<const SurfaceProperties> properties() const { return properties_; }
  std::span<SurfaceProperties> properties() { return properties_; }
  // No shapes may touch.
  void clear() { *this = {}; }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = ShapePair;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = ShapePair;

    ShapePair operator*() const { return {first_, second_, pairs_->properties(first_, second_)}; }
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return pair_ == other.pair_; }

   private:
    friend class ShapePairs;
    Iterator(const ShapePairs& pairs, std::size_t pair);
    void place();

    const ShapePairs* pairs_;
    std::size_t pair_;
    int first_ = 0, second_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  friend class internal::ShapePairsBuilder;

  // What can touch what: solids touch solids, points and planes; points touch planes; pins touch holes.
  enum class Class : std::uint8_t { solid, point, plane, pin, hole };
  static constexpr std::size_t class_count = 5;
  // Shapes from `begin` to before `end`; `before`: how many of the class that the list is for stand in earlier ones.
  struct Interval {
    int begin = 0, end = 0, before = 0;
  };
  struct Place {
    Class kind = Class::solid;
    int surface = -1;
    int rigid = 0, left_out = 0;  // lists: of the same rigid piece; of neighbours and filters
  };

  int candidates(Class kind, int begin, int end) const;
  int listed_before(int list, Class kind, int shape) const;
  bool listed(int list, int shape) const;
  bool may_touch(int shape, int other) const;
  int rank(int first, int second) const;
  int second_of(int first, int rank) const;
  static std::uint64_t key(int surface, int other);

  std::vector<Place> places_;                       // by shape
  std::vector<int> touching_[class_count];          // by shape: how many before it can touch the class
  std::vector<std::size_t> list_begin_;             // of its intervals; one more than there are lists
  std::vector<Interval> intervals_;                 // ascending and apart within a list
  std::vector<std::size_t> row_;                    // by shape: the first pair with it as first; one more at the end
  std::vector<SurfaceProperties> properties_;       // of surfaces that meet
  std::unordered_map<std::uint64_t, int> meeting_;  // two surfaces → place in `properties_`
};

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

struct Impulse {
  std::string name;
  double time = 0;
  int body = -1;  // −1: along `dof`
  Vector3 at, impulse, angular_impulse;
  ForceFrame frame = ForceFrame::world;
  int dof = -1;
  double along_dof = 0;
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
  std::vector<Impulse> impulses;  // in the order of their times
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
