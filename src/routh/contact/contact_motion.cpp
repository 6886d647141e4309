// How a contact moves with its machine, and what its surfaces are like.
#include "routh/contact/contact.h"
#include "routh/dynamics/point_columns.h"

namespace routh {

namespace {

const SurfaceProperties& properties_of(const Model& model, const Contact& contact) {
  if (contact.shape_a >= 0 && contact.shape_b >= 0) return model.pairs.properties(contact.shape_a, contact.shape_b);
  return model.pairs[static_cast<std::size_t>(contact.id.pair)].properties;
}

const Dof& dof_of(const Model& model, const Contact& contact) {
  return model.dofs[static_cast<std::size_t>(contact.dof)];
}

ContactVector in_frame(const Contact& contact, Dimension dimension, const Vector3& v) {
  return {dot(contact.normal, v), dot(contact.tangent1, v),
          dimension == Dimension::planar ? 0 : dot(contact.tangent2, v)};
}

// Adds sign · frameᵀ J of the contact point fixed to the body.
void add_rows(const Model& model, const Workspace& workspace, const Contact& contact, int body, double sign,
              Eigen::Ref<Eigen::MatrixXd> J) {
  visit_point_jacobian(model, workspace, body, contact.point, [&](int dof, const Vector3& velocity) {
    const ContactVector rate = in_frame(contact, model.dimension, velocity);
    J(0, dof) += sign * rate.n;
    J(1, dof) += sign * rate.t1;
    if (J.rows() == 3) J(2, dof) += sign * rate.t2;
  });
}

// A contact between given points of bodies has no shapes, and so no belts.
Vector3 belt_velocity(const Model& model, const Workspace& workspace, int shape, double time) {
  if (shape < 0) return {};
  const Shape& it = model.shapes[static_cast<std::size_t>(shape)];
  if (!it.moving) return {};
  const Matrix3 R = body_pose(model, workspace, it.body).rotation * it.at.rotation;
  return it.belt_speed(time) * (R * it.belt);
}

// After compute_velocities.
Vector3 belt_acceleration(const Model& model, const Workspace& workspace, int shape, double time) {
  if (shape < 0) return {};
  const Shape& it = model.shapes[static_cast<std::size_t>(shape)];
  if (!it.moving) return {};
  const Matrix3 R = body_pose(model, workspace, it.body).rotation * it.at.rotation;
  return it.belt_speed.slope(time) * (R * it.belt) +
         cross(angular_velocity(model, workspace, it.body), belt_velocity(model, workspace, shape, time));
}

}  // namespace

void contact_jacobian(const Model& model, const Workspace& workspace, const Contact& contact,
                      Eigen::Ref<Eigen::MatrixXd> J) {
  clear_columns(J);
  if (contact.kind == ContactKind::limit) {
    J(0, contact.dof) = contact.direction;
    return;
  }
  add_rows(model, workspace, contact, contact.body_a, 1, J);
  add_rows(model, workspace, contact, contact.body_b, -1, J);
}

ContactVector contact_velocity(const Model& model, const Workspace& workspace, const ConstVector& v,
                               const Contact& contact) {
  if (contact.kind == ContactKind::limit) return {contact.direction * v[contact.dof], 0, 0};
  return in_frame(contact, model.dimension,
                  point_velocity(model, workspace, contact.body_a, contact.point) -
                      point_velocity(model, workspace, contact.body_b, contact.point));
}

// A belt runs along its surface: it has no part along the normal.
ContactVector surface_velocity(const Model& model, const Workspace& workspace, const Contact& contact, double time) {
  if (contact.kind == ContactKind::limit) return {};
  ContactVector v = in_frame(
      contact, model.dimension,
      belt_velocity(model, workspace, contact.shape_b, time) - belt_velocity(model, workspace, contact.shape_a, time));
  v.n = 0;
  return v;
}

ContactVector surface_acceleration(const Model& model, const Workspace& workspace, const Contact& contact,
                                   double time) {
  if (contact.kind == ContactKind::limit) return {};
  ContactVector a = in_frame(contact, model.dimension,
                             belt_acceleration(model, workspace, contact.shape_b, time) -
                                 belt_acceleration(model, workspace, contact.shape_a, time));
  a.n = 0;
  return a;
}

Friction contact_friction(const Model& model, const Contact& contact) {
  return contact.kind == ContactKind::limit ? Friction{} : properties_of(model, contact).friction;
}

Restitution contact_restitution(const Model& model, const Contact& contact) {
  if (contact.kind == ContactKind::surfaces) return restitution_of(properties_of(model, contact));
  Restitution restitution;
  restitution.normal = dof_of(model, contact).properties.limit_restitution;
  return restitution;
}

Law contact_law(const Model& model, const Contact& contact) {
  if (contact.kind == ContactKind::limit) return Law::energetic;
  return properties_of(model, contact).law.value_or(Law::energetic);
}

}  // namespace routh
