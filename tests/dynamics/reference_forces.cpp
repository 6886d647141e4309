#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "reference.h"

namespace reference {

namespace {

// By straight lines between the points, written anew.
Real value_at(const routh::Profile& profile, Real time) {
  const auto& points = profile.points;
  if (time <= points.front().time) return points.front().value;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (time <= points[i].time) {
      const Real share = (time - points[i - 1].time) / (Real(points[i].time) - points[i - 1].time);
      return points[i - 1].value * (1 - share) + points[i].value * share;
    }
  return points.back().value;
}

}  // namespace

Load Machine::momentum(const Motion& motion, int body) const {
  const routh::BodyDescription& b = *bodies_[static_cast<std::size_t>(body)];
  const Mat3 R = motion.rotation();
  return load_at(motion.position(vec(b.com)), Real(b.mass) * motion.velocity(vec(b.com)),
                 R * mat(b.inertia) * R.transpose() * motion.omega());
}

Load Machine::momentum_rate(const Motion& motion, int body) const {
  const routh::BodyDescription& b = *bodies_[static_cast<std::size_t>(body)];
  const Mat3 R = motion.rotation();
  const Mat3 I = R * mat(b.inertia) * R.transpose();
  const Vec3 w = motion.omega();
  return load_at(motion.position(vec(b.com)), Real(b.mass) * motion.acceleration(vec(b.com)),
                 I * motion.alpha() + w.cross(Vec3(I * w)));
}

// Σ of load · partial velocity over all bodies, at the point of each body that is at the world's origin.
Vector Machine::generalised(const Partials& partials, const std::vector<Load>& loads) const {
  Vector tau = Vector::Zero(model_.velocities);
  for (std::size_t j = 0; j < partials.size(); ++j)
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      const Motion& unit = partials[j][i];
      const Vec3 w = unit.omega();
      const Vec3 v = unit.velocity(Vec3::Zero()) - w.cross(unit.position(Vec3::Zero()));
      tau[static_cast<Eigen::Index>(j)] += loads[i].force.dot(v) + loads[i].moment.dot(w);
    }
  return tau;
}

Matrix Machine::mass_matrix(const Vector& q) const {
  const int n = model_.velocities;
  const auto units = partials(q);
  Matrix M = Matrix::Zero(n, n);
  for (int j = 0; j < n; ++j) {
    std::vector<Load> loads(bodies_.size());
    for (std::size_t i = 1; i < bodies_.size(); ++i)
      loads[i] = momentum(units[static_cast<std::size_t>(j)][i], static_cast<int>(i));
    M.col(j) = generalised(units, loads);
    M(j, j) += armature(j);
  }
  return M;
}

Vector Machine::inverse_dynamics(const Vector& q, const Vector& v, const Vector& a) const {
  const auto motion = motions(q, v, a);
  std::vector<Load> loads(bodies_.size());
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    loads[i] = momentum_rate(motion[i], static_cast<int>(i));
    loads[i] -= load_at(motion[i].position(vec(bodies_[i]->com)), Real(bodies_[i]->mass) * gravity());
  }
  Vector tau = generalised(partials(q), loads);
  for (int j = 0; j < model_.velocities; ++j) tau[j] += armature(j) * a[j];
  return tau;
}

Load Machine::spring_load(const routh::SpringDescription& spring, const std::vector<Motion>& motions, int body) const {
  const Motion& a = motions[static_cast<std::size_t>(index_of(spring.body_a))];
  const Motion& b = motions[static_cast<std::size_t>(index_of(spring.body_b))];
  const Vec3 from = a.position(vec(spring.at_a)), to = b.position(vec(spring.at_b));
  const Real length = (to - from).norm();
  const Vec3 along = (to - from) / length;
  const Real rate = along.dot(b.velocity(vec(spring.at_b)) - a.velocity(vec(spring.at_a)));
  const Real pull = spring.stiffness * (length - spring.rest_length) + spring.damping * rate;
  Load load;
  if (index_of(spring.body_a) == body) load += load_at(from, pull * along);
  if (index_of(spring.body_b) == body) load -= load_at(to, pull * along);
  return load;
}

Load Machine::force_load(const routh::ForceDescription& force, const Motion& motion, Real time) const {
  const Real scale = value_at(force.scale, time);
  const Mat3 R = force.frame == routh::ForceFrame::body ? motion.rotation() : Mat3(Mat3::Identity());
  return load_at(motion.position(vec(force.at)), scale * R * vec(force.force), scale * R * vec(force.torque));
}

Load Machine::outer_load(const std::vector<Motion>& motions, int body, Real time) const {
  const std::size_t i = static_cast<std::size_t>(body);
  Load load = load_at(motions[i].position(vec(bodies_[i]->com)), Real(bodies_[i]->mass) * gravity());
  for (const auto& spring : description_.springs) load += spring_load(spring, motions, body);
  for (const auto& force : description_.forces)
    if (force.body == bodies_[i]->name) load += force_load(force, motions[i], time);
  return load;
}

Vector Machine::joint_force(const Vector& q, const Vector& v, Real time) const {
  Vector tau = Vector::Zero(model_.velocities);
  for (std::size_t j = 0; j < dofs_.size(); ++j) {
    const routh::DofDescription& dof = dofs_[j];
    const Eigen::Index k = static_cast<Eigen::Index>(j);
    tau[k] -= dof.damping * v[k];
    if (dof.effort) tau[k] += value_at(*dof.effort, time);
    if (coordinates_[j] < 0) continue;
    const Real x = q[coordinates_[j]];
    tau[k] -= dof.stiffness * (x - dof.rest);
    if (dof.drive) {
      const Real push = dof.drive->stiffness * (value_at(dof.drive->position, time) - x) +
                        dof.drive->damping * (value_at(dof.drive->velocity, time) - v[k]);
      tau[k] += std::clamp(push, -Real(dof.drive->limit), Real(dof.drive->limit));
    }
  }
  return tau;
}

Vector Machine::applied_force(const Vector& q, const Vector& v, Real time) const {
  const auto motion = motions(q, v, Vector::Zero(model_.velocities));
  std::vector<Load> loads(bodies_.size());
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    loads[i] = outer_load(motion, static_cast<int>(i), time);
    loads[i] -= load_at(motion[i].position(vec(bodies_[i]->com)), Real(bodies_[i]->mass) * gravity());
  }
  return generalised(partials(q), loads) + joint_force(q, v, time);
}

Real Machine::kinetic_energy(const Vector& q, const Vector& v) const {
  const auto motion = motions(q, v, Vector::Zero(model_.velocities));
  Real twice = 0;
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const Vec3 c = motion[i].velocity(vec(bodies_[i]->com));
    const Vec3 w = motion[i].rotation().transpose() * motion[i].omega();
    twice += bodies_[i]->mass * c.squaredNorm() + w.dot(mat(bodies_[i]->inertia) * w);
  }
  for (int j = 0; j < model_.velocities; ++j) twice += armature(j) * v[j] * v[j];
  return twice / 2;
}

Real Machine::potential_energy(const Vector& q, Real time) const {
  const auto motion = places(q);
  Real energy = 0;
  for (std::size_t i = 1; i < bodies_.size(); ++i)
    if (model_.bodies[i].link >= 0)
      energy -= bodies_[i]->mass * gravity().dot(motion[i].position(vec(bodies_[i]->com)));
  const auto stored = [](Real stiffness, Real stretch) { return stiffness * stretch * stretch / 2; };
  for (const auto& spring : description_.springs) {
    const Vec3 from = motion[static_cast<std::size_t>(index_of(spring.body_a))].position(vec(spring.at_a));
    const Vec3 to = motion[static_cast<std::size_t>(index_of(spring.body_b))].position(vec(spring.at_b));
    energy += stored(spring.stiffness, (to - from).norm() - spring.rest_length);
  }
  for (std::size_t j = 0; j < dofs_.size(); ++j) {
    if (coordinates_[j] < 0) continue;
    const Real x = q[coordinates_[j]];
    energy += stored(dofs_[j].stiffness, x - dofs_[j].rest);
    if (dofs_[j].drive) energy += stored(dofs_[j].drive->stiffness, x - value_at(dofs_[j].drive->position, time));
  }
  return energy;
}

Load Machine::momentum(const Vector& q, const Vector& v) const {
  const auto motion = motions(q, v, Vector::Zero(model_.velocities));
  Load sum;
  for (std::size_t i = 1; i < bodies_.size(); ++i) sum += momentum(motion[i], static_cast<int>(i));
  return sum;
}

}  // namespace reference
