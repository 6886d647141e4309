#include "reference.h"

#include <Eigen/Geometry>
#include <cmath>

namespace reference {

using routh::JointKind;

Vec3 vec(const routh::Vector3& a) { return {a.x, a.y, a.z}; }

Mat3 mat(const routh::Matrix3& m) {
  Mat3 out;
  out << m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z;
  return out;
}

Mat3 mat(const routh::Symmetric3& s) {
  Mat3 out;
  out << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  return out;
}

namespace {

Mat3 skew(const Vec3& a) {
  Mat3 out;
  out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return out;
}

Vec3 unskew(const Mat3& m) { return Vec3(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)) / 2; }

Mat4 homogeneous(const Mat3& rotation, const Vec3& position) {
  Mat4 out = Mat4::Identity();
  out.topLeftCorner<3, 3>() = rotation;
  out.topRightCorner<3, 1>() = position;
  return out;
}

Mat4 homogeneous(const routh::Pose& pose) { return homogeneous(mat(pose.rotation), vec(pose.position)); }

Motion at_rest(const Mat4& pose) { return {{pose, Mat4::Zero(), Mat4::Zero()}}; }

Motion operator*(const Motion& a, const Motion& b) {
  return {{a.T[0] * b.T[0], a.T[0] * b.T[1] + a.T[1] * b.T[0], a.T[0] * b.T[2] + a.T[1] * b.T[1] + a.T[2] * b.T[0]}};
}

// exp(ξ x(t)) of one screw ξ, x = q + v t + a t²/2.
Motion screw(const Mat4& pose, const Mat4& xi, Real v, Real a) {
  return {{pose, pose * xi * v, pose * (xi * a + xi * xi * v * v) / 2}};
}

Motion turning(const Vec3& axis, Real q, Real v, Real a) {
  Mat4 xi = Mat4::Zero();
  xi.topLeftCorner<3, 3>() = skew(axis);
  const Mat3 K = skew(axis);
  return screw(homogeneous(Mat3::Identity() + std::sin(q) * K + (1 - std::cos(q)) * K * K, Vec3::Zero()), xi, v, a);
}

Motion sliding(const Vec3& axis, Real q, Real v, Real a) {
  Mat4 xi = Mat4::Zero();
  xi.topRightCorner<3, 1>() = axis;
  return screw(homogeneous(Mat3::Identity(), q * axis), xi, v, a);
}

// R(q) exp(ω t + α t²/2), ω and α in the turned axes.
Motion rolling(const Real* q, const Real* omega, const Real* alpha) {
  Eigen::Quaternion<Real> u(q[0], q[1], q[2], q[3]);
  Mat4 first = Mat4::Zero(), second = Mat4::Zero();
  const Mat3 W = skew(Vec3(omega[0], omega[1], omega[2]));
  first.topLeftCorner<3, 3>() = W;
  second.topLeftCorner<3, 3>() = (skew(Vec3(alpha[0], alpha[1], alpha[2])) + W * W) / 2;
  const Mat4 pose = homogeneous(u.normalized().toRotationMatrix(), Vec3::Zero());
  return {{pose, pose * first, pose * second}};
}

// motion(q) of the joint; pointers to its own coordinates.
Motion joint_motion(const routh::JointDescription& joint, const Real* q, const Real* v, const Real* a) {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  const Vec3 axis = vec(joint.axis).normalized(), second = vec(joint.second_axis).normalized();
  switch (joint.kind) {
    case JointKind::fixed:
      return at_rest(Mat4::Identity());
    case JointKind::revolute:
      return turning(axis, q[0], v[0], a[0]);
    case JointKind::prismatic:
      return sliding(axis, q[0], v[0], a[0]);
    case JointKind::cylindrical:
      return sliding(axis, q[0], v[0], a[0]) * turning(axis, q[1], v[1], a[1]);
    case JointKind::planar:
      return sliding(x, q[0], v[0], a[0]) * sliding(y, q[1], v[1], a[1]) * turning(z, q[2], v[2], a[2]);
    case JointKind::spherical:
      return rolling(q, v, a);
    case JointKind::universal:
      return turning(axis, q[0], v[0], a[0]) * turning(second, q[1], v[1], a[1]);
    case JointKind::free:
      return sliding(x, q[0], v[0], a[0]) * sliding(y, q[1], v[1], a[1]) * sliding(z, q[2], v[2], a[2]) *
             rolling(q + 3, v + 3, a + 3);
  }
  return at_rest(Mat4::Identity());
}

bool is_turning(JointKind kind, int dof) {
  return kind == JointKind::spherical || (kind == JointKind::free && dof >= 3);
}

}  // namespace

Vec3 Motion::position(const Vec3& local) const { return (T[0] * local.homogeneous()).head<3>(); }
Vec3 Motion::velocity(const Vec3& local) const { return (T[1] * local.homogeneous()).head<3>(); }
Vec3 Motion::acceleration(const Vec3& local) const { return 2 * (T[2] * local.homogeneous()).head<3>(); }
// Ṙ Rᵀ and R̈ Rᵀ + Ṙ Ṙᵀ
Vec3 Motion::omega() const { return unskew(T[1].topLeftCorner<3, 3>() * rotation().transpose()); }
Vec3 Motion::alpha() const {
  const Mat3 rate = T[1].topLeftCorner<3, 3>();
  return unskew(2 * T[2].topLeftCorner<3, 3>() * rotation().transpose() + rate * rate.transpose());
}

Load& Load::operator+=(const Load& other) {
  force += other.force;
  moment += other.moment;
  return *this;
}
Load& Load::operator-=(const Load& other) {
  force -= other.force;
  moment -= other.moment;
  return *this;
}

Load load_at(const Vec3& point, const Vec3& force, const Vec3& moment) { return {force, moment + point.cross(force)}; }

Machine::Machine(const routh::ModelDescription& description, const routh::Model& model)
    : description_(description),
      model_(model),
      bodies_(model.bodies.size(), nullptr),
      joints_(model.joints.size(), nullptr),
      dofs_(static_cast<std::size_t>(model.velocities)),
      coordinates_(static_cast<std::size_t>(model.velocities), -1) {
  for (std::size_t i = 1; i < bodies_.size(); ++i)
    for (const auto& body : description.bodies)
      if (body.name == model.bodies[i].name) bodies_[i] = &body;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    for (const auto& joint : description.joints)
      if (joint.name == model.joints[i].name) joints_[i] = &joint;
    const auto& joint = *joints_[i];
    parents_.push_back(index_of(joint.parent));
    children_.push_back(index_of(joint.child));
    for (std::size_t k = 0; k < joint.dofs.size(); ++k) {
      const std::size_t v = static_cast<std::size_t>(model.joints[i].v) + k;
      dofs_[v] = joint.dofs[k];
      if (!is_turning(joint.kind, static_cast<int>(k))) coordinates_[v] = model.joints[i].q + static_cast<int>(k);
    }
  }
}

int Machine::index_of(const std::string& body) const {
  for (std::size_t i = 1; i < bodies_.size(); ++i)
    if (bodies_[i]->name == body) return static_cast<int>(i);
  return 0;
}

std::vector<Motion> Machine::motions(const Vector& q, const Vector& v, const Vector& a) const {
  std::vector<Motion> out(bodies_.size(), at_rest(Mat4::Identity()));
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const routh::JointDescription& joint = *joints_[i];
    const int first = model_.joints[i].q, rate = model_.joints[i].v;
    const Motion& parent = out[static_cast<std::size_t>(parents_[i])];
    const Mat3 turned_back = mat(joint.in_child.rotation).transpose();
    const Mat4 back = homogeneous(turned_back, -turned_back * vec(joint.in_child.position));
    out[static_cast<std::size_t>(children_[i])] =
        parent * at_rest(homogeneous(joint.at)) *
        joint_motion(joint, q.data() + first, v.data() + rate, a.data() + rate) * at_rest(back);
  }
  return out;
}

std::vector<Motion> Machine::places(const Vector& q) const {
  const Vector none = Vector::Zero(model_.velocities);
  return motions(q, none, none);
}

Partials Machine::partials(const Vector& q) const {
  Partials out;
  const Vector none = Vector::Zero(model_.velocities);
  for (int j = 0; j < model_.velocities; ++j) out.push_back(motions(q, Vector::Unit(model_.velocities, j), none));
  return out;
}

Matrix point_jacobian(const Partials& partials, int body, const Vec3& local) {
  Matrix J(3, static_cast<Eigen::Index>(partials.size()));
  for (Eigen::Index j = 0; j < J.cols(); ++j)
    J.col(j) = partials[static_cast<std::size_t>(j)][static_cast<std::size_t>(body)].velocity(local);
  return J;
}

Matrix angular_jacobian(const Partials& partials, int body) {
  Matrix J(3, static_cast<Eigen::Index>(partials.size()));
  for (Eigen::Index j = 0; j < J.cols(); ++j)
    J.col(j) = partials[static_cast<std::size_t>(j)][static_cast<std::size_t>(body)].omega();
  return J;
}

Vector advanced(const routh::Model& model, const Vector& q, const Vector& v, Real t) {
  Vector out = q;
  for (const routh::Joint& joint : model.joints) {
    const bool quaternion = joint.kind == JointKind::spherical || joint.kind == JointKind::free;
    const int numbers = quaternion ? joint.q_count - 4 : joint.q_count;
    for (int k = 0; k < numbers; ++k) out[joint.q + k] += t * v[joint.v + k];
    if (!quaternion) continue;
    const int i = joint.q + numbers;
    const Vec3 turn = t * v.segment<3>(joint.v + numbers);
    const Real angle = turn.norm();
    const Eigen::Quaternion<Real> before(q[i], q[i + 1], q[i + 2], q[i + 3]);
    const Eigen::Quaternion<Real> by(
        Eigen::AngleAxis<Real>(angle, angle > 0 ? Vec3(turn / angle) : Vec3(Vec3::UnitX())));
    const Eigen::Quaternion<Real> after = before.normalized() * by;
    out.segment<4>(i) << after.w(), after.x(), after.y(), after.z();
  }
  return out;
}

}  // namespace reference
