// The machine once more, by other means: in extended precision, from the description alone, body by body in world axes.
//
// The pose of each body is composed of homogeneous matrices, each a polynomial in time up to t², for the motion
//
//   T(t) = T_parent · at · motion(q + v t + a t²/2) · in_child⁻¹
//
// which gives positions, velocities and accelerations exactly. Forces follow from Newton's and Euler's equations of
// each body and d'Alembert's principle in Jourdain's form: τ_j = Σ ∂v/∂q̇_j · (m a − m g) + ∂ω/∂q̇_j · d(Iω)/dt. Only the
// indices of coordinates are taken from the Model.
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "routh/dynamics/reactions.h"
#include "routh/dynamics/state.h"

namespace reference {

using Real = long double;
using Vec3 = Eigen::Matrix<Real, 3, 1>;
using Mat3 = Eigen::Matrix<Real, 3, 3>;
using Mat4 = Eigen::Matrix<Real, 4, 4>;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

Vec3 vec(const routh::Vector3& a);
Mat3 mat(const routh::Matrix3& m);
Mat3 mat(const routh::Symmetric3& s);

// A body's motion at an instant: its pose T0 + T1 t + T2 t².
struct Motion {
  std::array<Mat4, 3> T;

  Mat3 rotation() const { return T[0].topLeftCorner<3, 3>(); }
  Vec3 position(const Vec3& local) const;
  Vec3 velocity(const Vec3& local) const;
  Vec3 acceleration(const Vec3& local) const;
  Vec3 omega() const;
  Vec3 alpha() const;
};

// Force and moment about the world's origin.
struct Load {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  Load& operator+=(const Load& other);
  Load& operator-=(const Load& other);
};
Load load_at(const Vec3& point, const Vec3& force, const Vec3& moment = Vec3::Zero());

// By degree of freedom, then by body.
using Partials = std::vector<std::vector<Motion>>;
Matrix point_jacobian(const Partials& partials, int body, const Vec3& local);
Matrix angular_jacobian(const Partials& partials, int body);

class Machine {
 public:
  Machine(const routh::ModelDescription& description, const routh::Model& model);

  // Bodies in the order of Model::bodies.
  std::vector<Motion> motions(const Vector& q, const Vector& v, const Vector& a) const;
  // The motions that a unit of each degree of freedom gives alone.
  Partials partials(const Vector& q) const;
  // The same with v = a = 0.
  std::vector<Motion> places(const Vector& q) const;

  Matrix mass_matrix(const Vector& q) const;
  Vector inverse_dynamics(const Vector& q, const Vector& v, const Vector& a) const;
  // Springs, dampers, drives, efforts and forces.
  Vector applied_force(const Vector& q, const Vector& v, Real time) const;

  Real kinetic_energy(const Vector& q, const Vector& v) const;
  // Bodies that cannot move are left out.
  Real potential_energy(const Vector& q, Real time) const;
  // About the world's origin.
  Load momentum(const Vector& q, const Vector& v) const;

  // Rate of change of the momentum of one body about the world's origin.
  Load momentum_rate(const Motion& motion, int body) const;
  // Its momentum.
  Load momentum(const Motion& motion, int body) const;
  // Gravity, springs between points and forces on one body; not what acts along joints.
  Load outer_load(const std::vector<Motion>& motions, int body, Real time) const;
  // What acts along the joints: springs, dampers, drives and efforts of degrees of freedom.
  Vector joint_force(const Vector& q, const Vector& v, Real time) const;

  Real armature(int dof) const { return dofs_[static_cast<std::size_t>(dof)].armature; }
  const routh::JointDescription& joint(int index) const { return *joints_[static_cast<std::size_t>(index)]; }
  const routh::BodyDescription& body(int index) const { return *bodies_[static_cast<std::size_t>(index)]; }
  Vec3 gravity() const { return vec(description_.gravity); }

 private:
  Load spring_load(const routh::SpringDescription& spring, const std::vector<Motion>& motions, int body) const;
  Load force_load(const routh::ForceDescription& force, const Motion& motion, Real time) const;
  Vector generalised(const Partials& partials, const std::vector<Load>& loads) const;
  int index_of(const std::string& body) const;

  const routh::ModelDescription& description_;
  const routh::Model& model_;
  std::vector<const routh::BodyDescription*> bodies_;   // by index in the model; the world is null
  std::vector<const routh::JointDescription*> joints_;  // by index in the model
  std::vector<int> parents_, children_;                 // bodies of each joint, by index in the model
  std::vector<routh::DofDescription> dofs_;             // by degree of freedom
  std::vector<int> coordinates_;                        // of each degree of freedom in q; −1: turning of a quaternion
};

inline Vector wide(const Eigen::VectorXd& x) { return x.cast<Real>(); }

// q moved along the constant velocity v for the time t, quaternions on their sphere.
Vector advanced(const routh::Model& model, const Vector& q, const Vector& v, Real t);

}  // namespace reference
