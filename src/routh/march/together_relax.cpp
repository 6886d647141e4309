// Friction of contacts at rest when they cannot all stick, and held contacts that open.
//
// With the normal rates given, r_t of the contacts at rest minimises ½ r_tᵀ D_tt r_t + r_tᵀ(D r_known)_t over the disks
// ‖r_t,i‖ ≤ μ_i ρ_i: where a contact stays inside it does not accelerate, at the rim it accelerates against its
// friction. All contacts are relaxed at once (projected gradient in the metric of the diagonal blocks times their
// number, which exceeds D), so that their order does not matter. Held contacts join with ρ ≥ 0; then convergence is not
// certain.
#include <algorithm>
#include <cmath>

#include "routh/march/together_state.h"
#include "routh/march/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal::together {

namespace {

// Least ½ rᵀ b r + gᵀ r over ‖r‖ ≤ radius, b positive semidefinite 2×2: r = −(b + λ)⁻¹ g, λ ≥ 0 by Newton on 1/‖r‖.
Eigen::Vector2d least_in_disk(const Eigen::Matrix2d& b, const Eigen::Vector2d& g, double radius) {
  const double mean = 0.5 * (b(0, 0) + b(1, 1)), half = 0.5 * (b(0, 0) - b(1, 1));
  const double spread = elementary::hypot(half, b(0, 1));
  const double low = std::max(0.0, mean - spread), high = mean + spread;
  const double angle = 0.5 * elementary::atan2(b(0, 1), half);
  const Eigen::Vector2d u(elementary::cos(angle), elementary::sin(angle)), w(-u[1], u[0]);
  const double gu = u.dot(g), gw = w.dot(g);
  if (radius <= 0 || (gu == 0 && gw == 0)) return Eigen::Vector2d::Zero();
  double lambda = low > tolerances::march_disk_curvature_min * high ? 0 : tolerances::march_disk_curvature_min * high;
  for (int k = 0; k < tolerances::march_disk_steps; ++k) {
    const double ru = gu / (high + lambda), rw = gw / (low + lambda);
    const double size = elementary::hypot(ru, rw);
    if (!(size > radius * (1 + tolerances::march_disk_relative))) break;
    const double slope = (ru * ru / (high + lambda) + rw * rw / (low + lambda)) / (size * size);
    const double next = lambda + (size / radius - 1) / slope;
    if (!(next > lambda)) break;
    lambda = next;
  }
  return -u * (gu / (high + lambda)) - w * (gw / (low + lambda));
}

class Relaxation {
 public:
  Relaxation(System& system, const Eigen::VectorXd& rho, const Eigen::VectorXd& start) : system_(system), r_(start) {
    broken_.assign(system.contacts.size(), 0);
    int blocks = 0;
    for (int i = 0; i < system.count(); ++i) {
      const Contact& c = contact(i);
      if (c.sprung()) r_[system.row(i)] = rho[i];
      if (c.normal == Normal::held) {
        r_[system.row(i)] = std::max(0.0, r_[system.row(i)]);
        convex_ = false;
      }
      if (c.normal == Normal::held || at_rest(i)) ++blocks;
      clip(i);
    }
    damping_ = 1.0 / std::max(1, blocks);
  }

  bool solve() {
    bool converged = false;
    for (int round = 0; round <= system_.count(); ++round) {
      converged = settle();
      if (!r_.allFinite()) return false;
      if (!break_loose()) break;
    }
    return converged;
  }

  // Puts the answer into the states.
  void book() {
    const Eigen::VectorXd acceleration = system_.d * r_;
    const double force = r_.cwiseAbs().maxCoeff();
    for (int i = 0; i < system_.count(); ++i) {
      Contact& c = contact(i);
      const double rho = r_[system_.row(i)];
      if (c.normal == Normal::held && rho <= tolerances::march_open_force * force) {
        c.normal = Normal::free;
        c.tangent = Tangent::none;
        c.weight = 0;
        system_.v[system_.row(i)] = 0;
      }
      if (!at_rest(i) || !(rho > 0)) continue;
      const Eigen::Vector2d t = system_.tangent_of(r_, i);
      const double size = t.norm();
      if (slips(i, acceleration) && size > 0) {
        c.tangent = Tangent::straight;
        c.starting = true;
        c.direction = -t / size;
        c.ratio = -c.mu_kinetic * c.direction;
        c.weight = 0;
      } else {
        // At the rim and yet at rest: others hold it, and it goes on giving all it can.
        const double most = std::min(c.mu_static, tolerances::march_friction_max) * rho;
        c.ratio = t / rho;
        c.weight = size < tolerances::march_spare_friction * most ? most - size : 0;
      }
    }
  }

 private:
  Contact& contact(int i) const { return system_.contacts[static_cast<std::size_t>(i)]; }
  bool at_rest(int i) const { return contact(i).tangent == Tangent::stick && contact(i).weight > 0; }
  double radius(int i) const {
    const Contact& c = contact(i);
    const double mu = broken_[static_cast<std::size_t>(i)]
                          ? c.mu_kinetic
                          : std::min(c.mu_static, tolerances::march_friction_max) * tolerances::march_cautious_friction;
    return mu * r_[system_.row(i)];
  }

  void clip(int i) {
    if (!at_rest(i)) return;
    const Eigen::Vector2d t = system_.tangent_of(r_, i);
    const double size = t.norm(), most = radius(i);
    if (size > most) system_.set_tangent(r_, i, t * (most / size));
  }

  // Steps of the damped gradient, with Nesterov's momentum (and restarts) where the problem is convex.
  bool settle() {
    Eigen::VectorXd last = r_, acceleration(r_.size());
    double weight = 1;
    for (int sweep = 0; sweep < (convex_ ? tolerances::march_sweeps_max : tolerances::march_sweeps_held_max); ++sweep) {
      acceleration.noalias() = system_.d * r_;
      Eigen::VectorXd next = r_;
      for (int i = 0; i < system_.count(); ++i)
        if (!relax_contact(i, acceleration, next)) return false;
      const double change = (next - r_).cwiseAbs().maxCoeff(), size = next.cwiseAbs().maxCoeff();
      const bool overshoots = (r_ - next).dot(next - last) > 0;
      const double following = overshoots ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * weight * weight));
      r_ = next;
      if (!(size < tolerances::march_rate_max)) return false;
      if (change <= (sweep < tolerances::march_sweeps_early ? tolerances::march_sweep_change
                                                            : tolerances::march_sweep_change_late) *
                        size)
        return true;
      if (convex_ && !overshoots) r_ += ((weight - 1) / following) * (next - last);
      last = next;
      weight = following;
    }
    return false;
  }

  bool relax_contact(int i, const Eigen::VectorXd& acceleration, Eigen::VectorXd& next) const {
    const Contact& c = contact(i);
    const Eigen::Index n = system_.row(i);
    if (c.normal == Normal::held) {
      double slope = system_.d(n, n);
      if (c.tangent == Tangent::slip)
        for (int t = 1; t <= system_.tangents; ++t) slope += system_.d(n, n + t) * c.ratio[t - 1];
      if (!(slope > 0)) return false;
      next[n] = std::max(0.0, r_[n] - damping_ * acceleration[n] / slope);
      if (c.tangent == Tangent::slip) system_.set_tangent(next, i, c.ratio * next[n]);
    }
    if (!at_rest(i)) return true;
    Eigen::Matrix2d b = Eigen::Matrix2d::Zero();
    b.topLeftCorner(system_.tangents, system_.tangents) =
        system_.d.block(n + 1, n + 1, system_.tangents, system_.tangents) / damping_;
    const Eigen::Vector2d old = system_.tangent_of(r_, i);
    const double most = radius(i);
    if (system_.tangents == 1)
      next[n + 1] = std::clamp(old[0] - acceleration[n + 1] / b(0, 0), -most, most);
    else
      system_.set_tangent(next, i, least_in_disk(b, system_.tangent_of(acceleration, i) - b * old, most));
    return true;
  }

  bool slips(int i, const Eigen::VectorXd& acceleration) const {
    const double size = system_.tangent_of(r_, i).norm();
    if (radius(i) > 0 && size < tolerances::march_cone_rim * radius(i)) return false;
    const Eigen::Index t = system_.row(i) + 1;
    double mobility = system_.d(t, t);
    if (system_.tangents == 2) mobility += system_.d(t + 1, t + 1);
    return system_.tangent_of(acceleration, i).norm() >
           tolerances::march_acceleration_relative * mobility * r_.cwiseAbs().maxCoeff();
  }

  // Contacts that slip go on with kinetic friction. True when there are new ones.
  bool break_loose() {
    const Eigen::VectorXd acceleration = system_.d * r_;
    bool any = false;
    for (int i = 0; i < system_.count(); ++i) {
      if (!at_rest(i) || broken_[static_cast<std::size_t>(i)] || !slips(i, acceleration)) continue;
      broken_[static_cast<std::size_t>(i)] = 1;
      any = true;
    }
    return any;
  }

  System& system_;
  Eigen::VectorXd r_;
  std::vector<char> broken_;
  double damping_ = 1;
  bool convex_ = true;  // no held contacts
};

}  // namespace

bool relax(System& system, const Eigen::VectorXd& rho, const Eigen::VectorXd& start) {
  Relaxation relaxation(system, rho, start);
  const bool found = relaxation.solve();
  if (found) relaxation.book();
  return found;
}

}  // namespace routh::internal::together
