#include "routh/contacts/least_norm.h"

#include <algorithm>
#include <cmath>

#include "routh/contacts/tolerances.h"

namespace routh::internal {

namespace {

// Projection onto what a contact may do, and its derivative.
Vector3 project(ContactDuty duty, const Vector3& x, double mu, const Vector3& direction, Matrix3* slope) {
  if (slope != nullptr) slope->setZero();
  switch (duty) {
    case ContactDuty::open:
      return Vector3::Zero();
    case ContactDuty::holds:
      if (slope != nullptr) slope->setIdentity();
      return x;
    case ContactDuty::slides: {
      const double along = x.dot(direction) / direction.squaredNorm();
      if (along <= 0) return Vector3::Zero();
      if (slope != nullptr) *slope = direction * direction.transpose() / direction.squaredNorm();
      return along * direction;
    }
    case ContactDuty::sticks:
      break;
  }
  const double tangential = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (slope != nullptr) {
    if (tangential <= mu * x[0]) {
      slope->setIdentity();
    } else if (mu * tangential > -x[0]) {
      const double h1 = x[1] / tangential, h2 = x[2] / tangential, all = 1 + mu * mu;
      const double turn = mu * (x[0] + mu * tangential) / (all * tangential);
      *slope << 1 / all, mu * h1 / all, mu * h2 / all,                                                //
          mu * h1 / all, mu * mu * h1 * h1 / all + turn * h2 * h2, (mu * mu / all - turn) * h1 * h2,  //
          mu * h2 / all, (mu * mu / all - turn) * h1 * h2, mu * mu * h2 * h2 / all + turn * h1 * h1;
    }
  }
  return project_on_cone(x, mu);
}

double norm(const std::vector<Vector3>& a) {
  double sum = 0;
  for (const Vector3& v : a) sum += v.squaredNorm();
  return std::sqrt(sum);
}

}  // namespace

// F = p − P(p − ρ((D + ε)p − b)) by contacts, ρ = 1/mobility; returns ‖F‖² in units of velocity.
double LeastNorm::evaluate(const ContactSystem& system, const std::vector<Vector3>& p, bool with_slope) {
  system.respond(p, image_);
  double merit = 0;
  Matrix3 projection;
  for (int i = 0; i < system.size(); ++i) {
    const double size = system.mobility[i];
    const double lift = lift_ * system.mean_mobility / size;
    const Vector3 gradient = (image_[i] - system.free_velocity[i] - raised_[i]) / size + lift * p[i];
    const Vector3 nearest =
        project((*duty_)[i], p[i] - gradient, system.friction[i], (*direction_)[i], with_slope ? &projection : nullptr);
    const Vector3 value = p[i] - nearest;
    merit += (size * value).squaredNorm();
    if (!with_slope) continue;
    value_[i] = -value;
    slope_.impulse[i] = Matrix3::Identity() - (1 - lift) * projection;
    slope_.velocity[i] = projection / size;
  }
  return merit;
}

// Contact after contact down the gradient of the quadratic, with a step its own block allows: slow, but never uphill.
void LeastNorm::descend(const ContactSystem& system, std::vector<Vector3>& p) const {
  const BlockRows& d = system.inertia;
  for (int i = 0; i < system.size(); ++i) {
    Vector3 gradient = lift_ * system.mean_mobility * p[i] - raised_[i];
    for (int k = d.row_start[i]; k < d.row_start[i + 1]; ++k) gradient.noalias() += d.block[k] * p[d.column[k]];
    const double stiffness = 3 * system.mobility[i] + lift_ * system.mean_mobility;  // at least the largest eigenvalue
    p[i] = project((*duty_)[i], p[i] - gradient / stiffness, system.friction[i], (*direction_)[i], nullptr);
  }
}

void LeastNorm::run(const ContactSystem& system, BlockFactor& factor, const std::vector<ContactDuty>& duty,
                    const std::vector<Vector3>& direction, const std::vector<Vector3>& change,
                    AdmissibleImpulse& result) {
  const auto n = static_cast<std::size_t>(system.size());
  duty_ = &duty;
  direction_ = &direction;
  for (auto* vector : {&value_, &trial_, &image_}) vector->resize(n);
  slope_.impulse.resize(n);
  slope_.velocity.resize(n);
  raised_ = change;
  lift_ = tolerances::least_norm_lift;
  std::vector<Vector3>& p = result.impulse;
  const double size = std::max(norm(change), std::numeric_limits<double>::min());
  double previous = std::numeric_limits<double>::infinity();
  for (int round = 0; round < tolerances::least_norm_rounds; ++round) {
    bool settled = false;  // only the minimum of a round leads to the least norm
    for (int step = 0; step < tolerances::least_norm_steps; ++step) {
      const double merit = evaluate(system, p, true);
      settled = !(std::sqrt(merit) > tolerances::least_norm_relative * size);
      if (settled) break;
      double share = 1;
      bool better = false;
      const bool regular = factor.solve(system, slope_, 0, value_, step_);
      for (int halving = 0; regular && halving < tolerances::newton_halvings && !better; ++halving, share *= 0.5) {
        for (std::size_t i = 0; i < n; ++i) trial_[i] = p[i] + share * step_[i];
        better = evaluate(system, trial_, false) < merit;
      }
      if (better) {
        std::swap(p, trial_);
      } else {
        if (!system.formed()) break;
        for (int k = 0; k < tolerances::least_norm_sweeps; ++k) descend(system, p);
      }
    }
    system.respond(p, image_);
    double lack = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Vector3 missing = change[i] - (image_[i] - system.free_velocity[i]);
      lack += missing.squaredNorm();
      raised_[i] += missing;
    }
    result.lack = std::sqrt(lack) / size;
    if (result.lack <= tolerances::least_norm_lack && settled) break;
    // Directions in which D hardly yields want a smaller ε; where that does not help either, there is no such impulse.
    if (result.lack > tolerances::least_norm_slow * previous) {
      if (lift_ <= tolerances::least_norm_lift_least) break;
      lift_ *= tolerances::least_norm_slow;
      // The multipliers are what b was raised by, in units of ε.
      for (std::size_t i = 0; i < n; ++i)
        raised_[i] = change[i] + tolerances::least_norm_slow * (raised_[i] - change[i]);
    }
    previous = result.lack;
  }
  // Rounding may leave p beside its cone.
  for (std::size_t i = 0; i < n; ++i) p[i] = project(duty[i], p[i], system.friction[i], direction[i], nullptr);
}

}  // namespace routh::internal
