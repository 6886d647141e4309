#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/contact/contact.h"
#include "routh/contact/contact_search.h"
#include "routh/contact/far_apart.h"
#include "routh/contact/machine_contacts.h"
#include "routh/contact/posed_shape.h"
#include "routh/contact/tolerances.h"

namespace routh {

namespace {

const Shape& shape_of(const Model& model, int shape) { return model.shapes[static_cast<std::size_t>(shape)]; }

Contact contact_of(const Model& model, const PairOfShapes& shapes, const PairContact& found) {
  Contact contact;
  contact.id = {shapes.pair, feature_code(found.feature_a, found.feature_b)};
  contact.gap = found.gap;
  contact.shape_a = shapes.first, contact.shape_b = shapes.second;
  contact.body_a = shape_of(model, shapes.first).body, contact.body_b = shape_of(model, shapes.second).body;
  contact.point_a = found.point_a, contact.point_b = found.point_b;
  contact.point = 0.5 * (found.point_a + found.point_b);
  set_normal(contact, found.normal, model.dimension);
  return contact;
}

Contact contact_of(const Model& model, int pair, const PairContact& found) {
  const ShapePair shapes = model.pairs[static_cast<std::size_t>(pair)];
  return contact_of(model, {pair, shapes.first, shapes.second}, found);
}

Contact limit_of(const Model& model, int dof, double gap, double direction) {
  const Joint& joint = model.joints[static_cast<std::size_t>(model.dofs[static_cast<std::size_t>(dof)].joint)];
  Contact contact;
  contact.kind = ContactKind::limit;
  contact.id = {-1 - dof, direction > 0 ? 0 : 1};
  contact.gap = gap;
  contact.body_a = joint.child, contact.body_b = joint.parent;
  contact.dof = dof;
  contact.direction = direction;
  return contact;
}

Contact limit_of(const Model& model, const ConstVector& q, ContactId id) {
  const int dof = -1 - id.pair;
  const Dof& it = model.dofs[static_cast<std::size_t>(dof)];
  return id.feature == 0 ? limit_of(model, dof, q[it.coordinate] - it.properties.lower, 1)
                         : limit_of(model, dof, it.properties.upper - q[it.coordinate], -1);
}

enum class Extent { whole, chosen };  // of what was found of a pair

// The contacts of the pair of `id`, whatever their gaps. Of the many of a mesh only some are chosen, that with this id
// among them.
Extent find_all_of(const Model& model, const Workspace& workspace, ContactId id, Manifold& manifold) {
  const ShapePair shapes = model.pairs[static_cast<std::size_t>(id.pair)];
  const PosedShape a = posed_shape(model, workspace, shapes.first), b = posed_shape(model, workspace, shapes.second);
  const bool chosen = a.kind == ShapeKind::mesh || b.kind == ShapeKind::mesh;
  if (chosen) {
    const auto [feature_a, feature_b] = features_of(id.feature);
    manifold.want(feature_a, feature_b);
  }
  find_pair_contacts(a, b, manifold);
  return chosen ? Extent::chosen : Extent::whole;
}

// One that is known, and may have left the border of a face by what rounding does: shapes that stand flush beside each
// other keep their contacts.
std::optional<Contact> find_known(const Model& model, const Workspace& workspace, ContactId id) {
  const ShapePair shapes = model.pairs[static_cast<std::size_t>(id.pair)];
  const auto [feature_a, feature_b] = features_of(id.feature);
  Manifold manifold(std::numeric_limits<double>::infinity());
  manifold.want(feature_a, feature_b);
  manifold.set_border_slack(tolerances::known_border_relative);
  find_pair_contacts(posed_shape(model, workspace, shapes.first), posed_shape(model, workspace, shapes.second),
                     manifold);
  if (manifold.contacts().empty()) return std::nullopt;
  return contact_of(model, id.pair, manifold.contacts().front());
}

}  // namespace

PosedShape internal::shape_at(const Model& model, const Shape& it, const Pose& pose) {
  return {it.kind, model.dimension, pose, it.radius, it.length, it.half_extents, it.hull.get()};
}

PosedShape internal::posed_shape(const Model& model, std::span<const Pose> link_poses, int shape) {
  const Shape& it = shape_of(model, shape);
  return shape_at(model, it, it.link < 0 ? it.in_link : link_poses[static_cast<std::size_t>(it.link)] * it.in_link);
}

PosedShape internal::posed_shape(const Model& model, const Workspace& workspace, int shape) {
  return posed_shape(model, workspace.link_poses, shape);
}

double contact_speed_bound(const Model& model, const Workspace& workspace, const ConstVector& v) {
  double fastest = 0, turning = 0;
  for (const Shape& it : model.shapes) {
    if (it.link < 0) continue;
    const PosedShape shape = shape_at(model, it, it.in_link);
    if (is_plane(shape.kind)) return std::numeric_limits<double>::infinity();
    const Twist& twist = workspace.link_twists[static_cast<std::size_t>(it.link)];
    const double arm = norm(shape.pose.position) + bounding_radius(shape);
    fastest = std::max(fastest, norm(twist.linear) + arm * norm(twist.angular));
  }
  for (int dof = 0; dof < model.velocities; ++dof) turning = std::max(turning, std::abs(v[dof]));
  return std::max(2 * fastest, turning);
}

void internal::add_limit_contacts(const Model& model, const ConstVector& q, int dof, double margin,
                                  std::vector<Contact>& contacts) {
  const Dof& it = model.dofs[static_cast<std::size_t>(dof)];
  if (it.coordinate < 0) return;
  const double below = q[it.coordinate] - it.properties.lower, above = it.properties.upper - q[it.coordinate];
  if (below <= margin) contacts.push_back(limit_of(model, dof, below, 1));
  if (above <= margin) contacts.push_back(limit_of(model, dof, above, -1));
}

void internal::add_limit_contacts(const Model& model, const ConstVector& q, double margin,
                                  std::vector<Contact>& contacts) {
  // The ids of limits are −1 − dof: in order, the last degree of freedom comes first.
  for (int dof = model.velocities - 1; dof >= 0; --dof) add_limit_contacts(model, q, dof, margin, contacts);
}

void internal::add_contacts(const Model& model, const PairOfShapes& pair, const Manifold& manifold,
                            std::vector<Contact>& contacts) {
  for (const PairContact& found : manifold.contacts()) contacts.push_back(contact_of(model, pair, found));
}

void find_contacts(const Model& model, const Workspace& workspace, const ConstVector& q, double margin,
                   std::vector<Contact>& contacts) {
  contacts.clear();
  if (margin >= 0 && std::isfinite(margin) && model.pairs.size() > tolerances::pairs_asked_one_by_one)
    return ContactSearch(model, ContactSearch::HullMemory::none).find(model, workspace, q, margin, contacts);
  add_limit_contacts(model, q, margin, contacts);
  // Pairs are ordered by their first shape, which therefore is placed once.
  int placed = -1, pair = -1;
  PosedShape a;
  for (const ShapePair shapes : model.pairs) {
    ++pair;
    if (placed != shapes.first) a = posed_shape(model, workspace, placed = shapes.first);
    const PosedShape b = posed_shape(model, workspace, shapes.second);
    if (far_apart(a, b, margin)) continue;
    Manifold manifold(margin);
    find_pair_contacts(a, b, manifold);
    add_contacts(model, {pair, shapes.first, shapes.second}, manifold, contacts);
  }
}

const Contact* ContactFinder::find(const Model& model, const Workspace& workspace, const ConstVector& q, ContactId id) {
  if (id.pair < 0) {
    forget();
    return &contacts_.emplace_back(limit_of(model, q, id));
  }
  if (id.pair != pair_) {
    forget();
    Manifold manifold(std::numeric_limits<double>::infinity());
    if (find_all_of(model, workspace, id, manifold) == Extent::whole) pair_ = id.pair;
    for (const PairContact& found : manifold.contacts()) contacts_.push_back(contact_of(model, id.pair, found));
  }
  for (const Contact& contact : contacts_)
    if (contact.id == id) return &contact;
  known_ = find_known(model, workspace, id);
  return known_ ? &*known_ : nullptr;
}

void ContactFinder::forget() {
  contacts_.clear();
  pair_ = -1;
}

std::optional<Contact> find_contact(const Model& model, const Workspace& workspace, const ConstVector& q, ContactId id,
                                    ContactAge age) {
  if (id.pair < 0) return limit_of(model, q, id);
  Manifold manifold(std::numeric_limits<double>::infinity());
  find_all_of(model, workspace, id, manifold);
  for (const PairContact& found : manifold.contacts())
    if (feature_code(found.feature_a, found.feature_b) == id.feature) return contact_of(model, id.pair, found);
  if (age == ContactAge::fresh) return std::nullopt;
  return find_known(model, workspace, id);
}

void set_normal(Contact& contact, const Vector3& normal, Dimension dimension) {
  contact.normal = normal;
  if (dimension == Dimension::planar) {
    contact.tangent1 = {normal.y, -normal.x, 0};
    contact.tangent2 = {0, 0, -1};
    return;
  }
  // Frames jump nowhere near the normals that machines have, along axes and halfway between them: rounding must not
  // turn the tangents of a face that moves.
  const Vector3 along = std::abs(normal.x) < tolerances::frame_axis_component ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  const Vector3 tangent = along - dot(along, normal) * normal;
  contact.tangent1 = (1 / norm(tangent)) * tangent;
  contact.tangent2 = cross(contact.normal, contact.tangent1);
}

}  // namespace routh
