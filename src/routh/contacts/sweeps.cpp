#include "routh/contacts/sweeps.h"

#include <algorithm>
#include <cmath>

#include "routh/contacts/contact_system.h"
#include "routh/contacts/tolerances.h"

namespace routh::internal {

class SweepEngine {
 public:
  SweepOutcome solve(const ResponseColumns& response, const Eigen::VectorXd& velocity, std::span<const double> friction,
                     double tolerance, int sweeps, Eigen::VectorXd& impulse, Eigen::VectorXd& z);

 private:
  struct SweptContact {
    Vector3 velocity = Vector3::Zero();  // v
    Vector3 impulse = Vector3::Zero(), last = Vector3::Zero();
    double friction = 0;
    double normal = 1, tangential = 1;  // a and c of diag(a, c, c) ≥ D_ii
    double stretch = 1;                 // √(c/a): tangents in which that is a multiple of 1
    double mobility = 1;
    int idle = 0;  // sweeps for which it is left alone
  };

  void take_up(const ResponseColumns& response, const Eigen::VectorXd& velocity, std::span<const double> friction,
               const Eigen::VectorXd& impulse, const Eigen::VectorXd& z);
  Vector3 velocity_of(std::size_t contact) const;
  double sweep();
  void carry_on(double share);
  double residual() const;

  std::vector<SweptContact> contact_;
  std::vector<std::size_t> begin_;
  std::vector<int> row_;  // of z_
  std::vector<Vector3> column_;
  std::vector<double> z_, z_last_;
  std::vector<int> place_, rows_;  // row of Y → place in z_, −1 elsewhere; and back
  double speed_ = 1;
};

void SweepEngine::take_up(const ResponseColumns& response, const Eigen::VectorXd& velocity,
                          std::span<const double> friction, const Eigen::VectorXd& impulse, const Eigen::VectorXd& z) {
  const std::size_t count = response.contacts(), d = static_cast<std::size_t>(response.dimension);
  begin_ = response.begin;
  place_.resize(static_cast<std::size_t>(z.size()), -1);
  row_.resize(response.row.size());
  column_.assign(response.row.size(), Vector3::Zero());
  rows_.clear();
  z_.clear();
  for (std::size_t k = 0; k < row_.size(); ++k) {
    int& place = place_[static_cast<std::size_t>(response.row[k])];
    if (place < 0) {
      place = static_cast<int>(rows_.size());
      rows_.push_back(response.row[k]);
      z_.push_back(z[response.row[k]]);
    }
    row_[k] = place;
    for (std::size_t r = 0; r < d; ++r) column_[k][static_cast<Eigen::Index>(r)] = response.value[d * k + r];
  }
  for (const int row : rows_) place_[static_cast<std::size_t>(row)] = -1;
  contact_.assign(count, {});
  speed_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    SweptContact& it = contact_[i];
    const auto size = static_cast<Eigen::Index>(d), first = size * static_cast<Eigen::Index>(i);
    it.velocity.head(size) = velocity.segment(first, size);
    it.impulse.head(size) = impulse.segment(first, size);
    it.last = it.impulse;
    it.friction = std::min(friction[i], tolerances::holding_friction);
    if (it.velocity[0] < 0) speed_ += it.velocity.squaredNorm();
    Matrix3 inertia = Matrix3::Zero();
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) inertia.noalias() += column_[k] * column_[k].transpose();
    // The larger eigenvalue of the tangents' block; then a and c are raised by what the coupling x of normal and
    // tangents needs: a t² + c s² ≥ 2 x t s with the shares in the ratio of the two.
    const double half_difference = 0.5 * (inertia(1, 1) - inertia(2, 2)), cross = inertia(1, 2);
    const double tangents =
        0.5 * (inertia(1, 1) + inertia(2, 2)) + std::sqrt(half_difference * half_difference + cross * cross);
    const double coupling = std::sqrt(inertia(0, 1) * inertia(0, 1) + inertia(0, 2) * inertia(0, 2));
    const double mobility = inertia.trace() / response.dimension;
    it.mobility = mobility > 0 ? mobility : 1;
    // Rows that nothing moves take no part; their step only has to be finite.
    const double least = tolerances::immovable_contact * it.mobility;
    const double normal = std::max(inertia(0, 0), least), tangential = std::max(tangents, least);
    it.stretch = std::sqrt(tangential / normal);
    it.normal = normal + (it.friction > 0 ? coupling / it.stretch : 0);
    it.tangential = tangential + coupling * it.stretch;
  }
  speed_ = speed_ > 0 ? std::sqrt(speed_) : 1;
  z_last_ = z_;
}

Vector3 SweepEngine::velocity_of(std::size_t contact) const {
  Vector3 v = contact_[contact].velocity;
  for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k)
    v += column_[k] * z_[static_cast<std::size_t>(row_[k])];
  return v;
}

// The square of the change, in units of velocity.
double SweepEngine::sweep() {
  double changed = 0;
  for (std::size_t i = 0; i < contact_.size(); ++i) {
    SweptContact& it = contact_[i];
    if (it.idle > 0) {
      --it.idle;
      continue;
    }
    const Vector3 v = velocity_of(i);
    Vector3 p;
    if (it.friction == 0) {
      p = {std::max(0.0, it.impulse[0] - v[0] / it.normal), 0, 0};
    } else {
      const double slip = std::sqrt(v[1] * v[1] + v[2] * v[2]);
      p = {it.impulse[0] - (v[0] + it.friction * slip) / it.normal, it.stretch * (it.impulse[1] - v[1] / it.tangential),
           it.stretch * (it.impulse[2] - v[2] / it.tangential)};
      p = project_on_cone(p, it.friction * it.stretch);
      p[1] /= it.stretch;
      p[2] /= it.stretch;
    }
    if (p[0] == 0 && it.impulse[0] == 0 && it.last[0] == 0) it.idle = tolerances::sweeps_idle;
    const Vector3 change = p - it.impulse;
    const double size = it.mobility * it.mobility * change.squaredNorm();
    if (!(size > 0) || !std::isfinite(size)) continue;
    changed += size;
    it.impulse = p;
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k)
      z_[static_cast<std::size_t>(row_[k])] += column_[k].dot(change);
  }
  return changed;
}

// A share of the way from the last sweep's end to this one's once more.
void SweepEngine::carry_on(double share) {
  for (SweptContact& it : contact_) {
    const Vector3 here = it.impulse;
    it.impulse += share * (here - it.last);
    it.last = here;
  }
  for (std::size_t k = 0; k < z_.size(); ++k) {
    const double here = z_[k];
    z_[k] += share * (here - z_last_[k]);
    z_last_[k] = here;
  }
}

double SweepEngine::residual() const {
  double natural = 0, scaled = 0;
  const auto map = [](const SweptContact& it, const Vector3& v, double rho) -> Vector3 {
    if (it.friction == 0) return {it.impulse[0] - std::max(0.0, it.impulse[0] - rho * v[0]), 0, 0};
    Vector3 x = it.impulse - rho * v;
    x[0] -= rho * it.friction * std::sqrt(v[1] * v[1] + v[2] * v[2]);
    return it.impulse - project_on_cone(x, it.friction);
  };
  for (std::size_t i = 0; i < contact_.size(); ++i) {
    const SweptContact& it = contact_[i];
    const Vector3 v = velocity_of(i);
    natural += map(it, v, 1).squaredNorm();
    scaled += it.mobility * it.mobility * map(it, v, 1 / it.mobility).squaredNorm();
  }
  return std::sqrt(std::max(natural, scaled)) / speed_;
}

SweepOutcome SweepEngine::solve(const ResponseColumns& response, const Eigen::VectorXd& velocity,
                                std::span<const double> friction, double tolerance, int sweeps,
                                Eigen::VectorXd& impulse, Eigen::VectorXd& z) {
  take_up(response, velocity, friction, impulse, z);
  SweepOutcome outcome;
  outcome.residual = residual();
  double last = 0, pace = 1;
  while (outcome.residual > tolerances::sweeps_rest && outcome.sweeps < sweeps) {
    const double changed = sweep();
    ++outcome.sweeps;
    // What is left is about what the sweep changed: only then is it worth a look, or where momentum hides it.
    const bool looks = std::sqrt(changed) <= tolerances::sweeps_look * tolerance * speed_ ||
                       outcome.sweeps % tolerances::sweeps_between_looks == 0 || outcome.sweeps == sweeps;
    if (looks && outcome.sweeps >= tolerances::sweeps_least) {
      outcome.residual = residual();
      if (outcome.residual <= tolerance || outcome.sweeps == sweeps) break;
    }
    // Momentum is lost where changes grow.
    const double next = changed > last && last > 0 ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * pace * pace));
    carry_on(next == 1 ? 0 : (pace - 1) / next);
    pace = next;
    last = changed;
  }
  const Eigen::Index d = response.dimension;
  for (std::size_t i = 0; i < contact_.size(); ++i)
    impulse.segment(d * static_cast<Eigen::Index>(i), d) = contact_[i].impulse.head(d);
  for (std::size_t k = 0; k < z_.size(); ++k) z[rows_[k]] = z_[k];
  return outcome;
}

ContactSweeps::ContactSweeps() : engine_(make_hidden<SweepEngine>()) {}

SweepOutcome ContactSweeps::solve(const ResponseColumns& response, const Eigen::VectorXd& velocity,
                                  std::span<const double> friction, double tolerance, int sweeps,
                                  Eigen::VectorXd& impulse, Eigen::VectorXd& z) {
  return engine_->solve(response, velocity, friction, tolerance, sweeps, impulse, z);
}

}  // namespace routh::internal
