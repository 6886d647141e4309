// Where a machine touches: gaps, contact points and frames of all pairs of shapes, and its joint limits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/base/names.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/state.h"
#include "routh/impact/problem.h"

namespace routh {

enum class ContactKind {
  surfaces,  // two shapes
  limit,     // a joint at the end of its range: a contact with a normal only
};
const char* name(ContactKind kind);

// Stays the same as long as the same features face each other, from call to call.
struct ContactId {
  int pair = -1;    // index in Model::pairs; of a limit, −1 − dof
  int feature = 0;  // which of the pair's contacts: a corner of a box, an end of a capsule; of a limit 0 lower, 1 upper

  bool operator==(const ContactId&) const = default;
  auto operator<=>(const ContactId&) const = default;
};
inline ContactKind kind_of(ContactId id) { return id.pair < 0 ? ContactKind::limit : ContactKind::surfaces; }

// One contact point. The normal points from b to a: `gap` grows when a moves along it. World coordinates.
struct Contact {
  ContactKind kind = ContactKind::surfaces;
  ContactId id;
  double gap = 0;  // [m], or [rad] of an angle at its limit; negative: overlap
  int shape_a = -1, shape_b = -1;
  int body_a = 0, body_b = 0;
  Vector3 point_a, point_b;            // nearest points on the two surfaces
  Vector3 point;                       // midway: where the impulse acts
  Vector3 normal, tangent1, tangent2;  // right-handed; in the plane tangent1 is the normal turned by −90°
  int dof = -1;                        // of a limit
  double direction = 0;  // of a limit: +1 at the lower end, −1 at the upper: gap rate = direction · q̇
};

// All contacts with a gap of at most `margin` (negative gaps included), ordered by id. Pairs far apart give none; the
// exact and full manifold of the others. After compute_kinematics. `contacts` is emptied first; its storage is reused.
void find_contacts(const Model& model, const Workspace& workspace, const ConstVector& q, double margin,
                   std::vector<Contact>& contacts);
// After compute_velocities: no gap of a contact or joint limit changes faster than this; infinite where a plane moves.
double contact_speed_bound(const Model& model, const Workspace& workspace, const ConstVector& v);

// The contact with this id alone, whatever its gap; nothing when these features do not face each other. One that was
// there before may have left the border of a face by what integration does to it, one that is new has not.
enum class ContactAge { known, fresh };
std::optional<Contact> find_contact(const Model& model, const Workspace& workspace, const ConstVector& q, ContactId id,
                                    ContactAge age = ContactAge::known);
// The same for many ids at one posture, those of a pair one after the other: all contacts of a pair are found at once.
class ContactFinder {
 public:
  // Valid until the next call; null when there is no such contact.
  const Contact* find(const Model& model, const Workspace& workspace, const ConstVector& q, ContactId id);
  // All contacts of the pair that was asked for last, unless it is of meshes.
  const std::vector<Contact>& of_pair() const { return contacts_; }
  // The posture has changed.
  void forget();

 private:
  std::vector<Contact> contacts_;  // of `pair_`
  std::optional<Contact> known_;   // the last that was not among them
  int pair_ = -1;
};

// The frame of a contact with this normal: the same for the same normal.
void set_normal(Contact& contact, const Vector3& normal, Dimension dimension);

// `tip on floor`, `crate on floor (corner 3)`, `knee at its lower limit`.
std::string contact_name(const Model& model, const Contact& contact);

// Rows of the contact's Jacobian: normal, tangent 1 and, in space, tangent 2. A limit has the same number; its
// tangential rows are zero. After compute_kinematics.
inline int contact_rows(const Model& model) { return model.dimension == Dimension::planar ? 2 : 3; }
void contact_jacobian(const Model& model, const Workspace& workspace, const Contact& contact,
                      Eigen::Ref<Eigen::MatrixXd> J);

// J q̇, of a's contact point against b's, without the belts. After compute_velocities.
ContactVector contact_velocity(const Model& model, const Workspace& workspace, const ConstVector& v,
                               const Contact& contact);
// v_s: how fast the belts move the surfaces against each other, to be subtracted from J q̇.
ContactVector surface_velocity(const Model& model, const Workspace& workspace, const Contact& contact, double time);

// v̇_s: how the belts change their speed and turn with their bodies. After compute_velocities.
ContactVector surface_acceleration(const Model& model, const Workspace& workspace, const Contact& contact, double time);

// What J q̈ lacks, for accelerations, when q̈ = 0. Normal: the second derivative of the gap. Tangential:
// t·(v_a(p) − v_b(p))˙, where the contact point p moves along both surfaces as they roll and slide: 0 for a sphere that
// rolls and spins on a plane. The turning of the tangents, ṫ·(v_a − v_b), is not in it; without slip there is none.
// Where the motion of p is not known (between given points, or as features change) it counts as fixed to each body.
// Without the belts. After compute_velocities.
ContactVector contact_drift(const Model& model, const Workspace& workspace, const ConstVector& v,
                            const Contact& contact);

// How the two surfaces meet. Views of the model: valid while it lives.
Friction contact_friction(const Model& model, const Contact& contact);
Restitution contact_restitution(const Model& model, const Contact& contact);
Law contact_law(const Model& model, const Contact& contact);

// What touches at a state.

struct TouchOptions {
  double tolerance = 1e-6;  // [m] or [rad]: a gap of at most this touches; an overlap beyond it is refused
};

enum class TouchKind { approaching, resting, separating };
constexpr auto names_of(TouchKind) {
  return name_table<TouchKind>({{TouchKind::approaching, "approaching"},
                                {TouchKind::resting, "resting"},
                                {TouchKind::separating, "separating"}});
}

// A contact that touches, and its normal velocity relative to the surfaces. Resting: |v_n| within rounding of zero.
struct Touch {
  Contact contact;
  TouchKind kind = TouchKind::resting;
  double normal_velocity = 0;
};

struct TouchReport {
  std::vector<Touch> touches;      // ordered by id
  std::vector<Contact> overlaps;   // deeper than the tolerance
  std::optional<Contact> nearest;  // when nothing touches: the smallest gap of all within 10 m, if any
};

// What touches at a state. Computes velocities.
TouchReport find_touches(const Model& model, const State& state, const TouchOptions& options, Workspace& workspace);

}  // namespace routh
