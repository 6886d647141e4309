// Which contacts slip, stick and stay closed at an instant of `solve_together`.
#include <algorithm>
#include <cmath>

#include "routh/march/together_state.h"
#include "routh/march/tolerances.h"
#include "routh/math/dense_qr.h"
#include "routh/math/elementary.h"

namespace routh::internal::together {

namespace {

double bounded(double mu) { return std::min(mu, tolerances::march_friction_max); }

// Normal rates of the springs. At an instant where all are zero, their growth: only ratios matter.
Eigen::VectorXd spring_rates(const System& system) {
  Eigen::VectorXd rho = Eigen::VectorXd::Zero(system.count());
  for (int i = 0; i < system.count(); ++i) {
    const Contact& c = system.contacts[static_cast<std::size_t>(i)];
    if (c.sprung()) rho[i] = c.k * c.x;
  }
  if (rho.maxCoeff() > 0) return rho;
  for (int i = 0; i < system.count(); ++i) {
    const Contact& c = system.contacts[static_cast<std::size_t>(i)];
    if (c.sprung()) rho[i] = std::max(0.0, -c.k * system.v[system.row(i)]);
  }
  return rho;
}

bool pressed(const Contact& c) { return c.frictional && (c.normal == Normal::held || c.sprung()); }

// The speed below which slip counts as none.
double rest_speed(const System& system) {
  for (int i = 0; i < system.count(); ++i)
    if (pressed(system.contacts[static_cast<std::size_t>(i)]) && system.slip(i).norm() <= system.rest_speed)
      return std::max(tolerances::march_joint_halt_speed, 4 * system.rest_speed);
  return system.rest_speed;
}

void classify(System& system, const Eigen::VectorXd& rho) {
  const double rest = rest_speed(system);
  const double most = rho.maxCoeff();
  for (int i = 0; i < system.count(); ++i) {
    Contact& c = system.contacts[static_cast<std::size_t>(i)];
    c.tangent = Tangent::none;
    c.ratio.setZero();
    c.weight = 0;
    const bool straight = c.starting || c.gains;
    c.starting = c.gains = false;
    const bool held = c.normal == Normal::held;
    if (!pressed(c)) continue;
    const Eigen::Vector2d slip = system.slip(i);
    const double speed = elementary::hypot(slip[0], slip[1]);
    if (speed > rest) {
      c.tangent = Tangent::slip;
      // The last digits of slow slip say less of its direction than the one it began
      // with.
      const double across = c.direction[0] * slip[1] - c.direction[1] * slip[0];
      if (!straight || std::abs(across) > tolerances::march_speed_rounding || c.direction.dot(slip) < 0)
        c.direction = slip / speed;
      c.ratio = -c.mu_kinetic * c.direction;
    } else {
      c.tangent = Tangent::stick;
      c.weight = bounded(c.mu_static) * (held ? most : rho[i]);
    }
  }
}

// Whether the linear rates keep every rule.
bool keeps_rules(const System& system, const Eigen::VectorXd& r) {
  const Eigen::VectorXd acceleration = system.d * r;
  const double force = r.cwiseAbs().maxCoeff();
  const double tolerance = tolerances::march_acceleration_relative * acceleration.cwiseAbs().maxCoeff() +
                           tolerances::march_acceleration_rounding * force;
  for (const Eigen::Index row : system.linear.rows)
    if (!(std::abs(acceleration[row]) <= tolerance)) return false;
  for (int i = 0; i < system.count(); ++i) {
    const Contact& c = system.contacts[static_cast<std::size_t>(i)];
    const double rho = r[system.row(i)];
    if (c.normal == Normal::held && rho < -tolerances::march_tension_relative * force) return false;
    if (c.starting && c.direction.dot(system.tangent_of(acceleration, i)) < -tolerance) return false;
    if (c.tangent != Tangent::stick || !std::isfinite(c.mu_static)) continue;
    const Eigen::Vector2d t = system.tangent_of(r, i);
    if (elementary::hypot(t[0], t[1]) >
        c.mu_static * rho * (1 + tolerances::march_mode_cone_excess) + tolerances::march_mode_cone_rounding * force)
      return false;
  }
  return true;
}

// Contacts at rest without pressure yet begin to slip where they are driven, and slip about to halt goes straight.
void straighten(System& system, const Eigen::VectorXd& r) {
  const Eigen::VectorXd acceleration = system.d * r;
  const double tolerance = tolerances::march_acceleration_relative * acceleration.cwiseAbs().maxCoeff();
  for (int i = 0; i < system.count(); ++i) {
    Contact& c = system.contacts[static_cast<std::size_t>(i)];
    const Eigen::Vector2d a = system.tangent_of(acceleration, i);
    const double size = elementary::hypot(a[0], a[1]);
    if (c.starting && size <= tolerance) {  // others hold it after all
      c.tangent = Tangent::stick;
      c.starting = false;
    }
    if (c.tangent == Tangent::stick && c.weight <= 0 && c.normal != Normal::held && size > tolerance) {
      c.tangent = Tangent::straight;
      c.starting = true;
      c.direction = a / size;
      c.ratio = -c.mu_kinetic * c.direction;
    }
    if (c.tangent != Tangent::slip || system.tangents == 1) continue;
    const Eigen::Vector2d slip = system.slip(i);
    const double across = std::abs(c.direction[0] * a[1] - c.direction[1] * a[0]);
    const double along = c.direction.dot(a), speed = slip.norm();
    if (speed < std::max(tolerances::march_halting_slip_max, 10 * system.rest_speed) && along < 0 &&
        across < tolerances::march_halting_turn_max * size)
      c.tangent = Tangent::straight;
    c.gains =
        speed < tolerances::march_gain_turn_max && along > 0 && across < tolerances::march_straight_drift_max * size;
    if (c.gains) c.tangent = Tangent::straight;
  }
}

}  // namespace

bool give_springs_back(System& system) {
  bool any = false;
  for (int i = 0; i < system.count(); ++i)
    if (system.contacts[static_cast<std::size_t>(i)].normal == Normal::held) {
      engage(system, i);
      any = true;
    }
  return any;
}

void build_linear(System& system) {
  LinearRates& linear = system.linear;
  linear.rows.clear();
  std::vector<double> scale;
  double most = 0;
  for (const Contact& c : system.contacts) most = std::max(most, c.weight);
  for (int i = 0; i < system.count(); ++i) {
    const Contact& c = system.contacts[static_cast<std::size_t>(i)];
    if (c.normal == Normal::held) {
      linear.rows.push_back(system.row(i));
      scale.push_back(1);
    }
    if (c.tangent != Tangent::stick || !(c.weight > 0)) continue;
    for (int t = 1; t <= system.tangents; ++t) {
      linear.rows.push_back(system.row(i) + t);
      scale.push_back(std::sqrt(c.weight / most));
    }
  }
  const auto size = static_cast<Eigen::Index>(scale.size());
  linear.columns.setZero(system.v.size(), size);
  Eigen::MatrixXd driven(system.v.size(), size);  // D columns, which have one to three entries
  for (Eigen::Index u = 0; u < size; ++u) {
    const Eigen::Index row = linear.rows[static_cast<std::size_t>(u)];
    linear.columns(row, u) = 1;
    driven.col(u) = system.d.col(row);
    const int i = static_cast<int>(row) / (system.tangents + 1);
    if (row != system.row(i)) continue;
    const Contact& c = system.contacts[static_cast<std::size_t>(i)];
    for (int t = 1; t <= system.tangents && c.tangent != Tangent::none; ++t) {
      linear.columns(row + t, u) = c.ratio[t - 1];
      driven.col(u) += c.ratio[t - 1] * system.d.col(row + t);
    }
  }
  if (size == 0) return;
  Eigen::MatrixXd a(size, size);
  for (Eigen::Index u = 0; u < size; ++u)
    for (Eigen::Index w = 0; w < size; ++w)
      a(u, w) = scale[static_cast<std::size_t>(u)] * driven(linear.rows[static_cast<std::size_t>(u)], w) *
                scale[static_cast<std::size_t>(w)];
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(tolerances::march_rank_relative);
  decomposition.compute(a);
  linear.solve = decomposition.solve(Eigen::MatrixXd::Identity(size, size));
  for (Eigen::Index u = 0; u < size; ++u)
    for (Eigen::Index w = 0; w < size; ++w)
      linear.solve(u, w) *= -scale[static_cast<std::size_t>(u)] * scale[static_cast<std::size_t>(w)];
}

Eigen::VectorXd linear_rates(const System& system, const Eigen::VectorXd& rho) {
  Eigen::VectorXd r = Eigen::VectorXd::Zero(system.v.size());
  for (int i = 0; i < system.count(); ++i) {
    const Contact& c = system.contacts[static_cast<std::size_t>(i)];
    if (!c.sprung()) continue;
    r[system.row(i)] = rho[i];
    if (c.tangent != Tangent::none) system.set_tangent(r, i, c.ratio * rho[i]);
  }
  const auto size = static_cast<Eigen::Index>(system.linear.rows.size());
  if (size == 0) return r;
  const Eigen::VectorXd acceleration = system.d * r;
  Eigen::VectorXd demand(size);
  for (Eigen::Index u = 0; u < size; ++u) demand[u] = acceleration[system.linear.rows[static_cast<std::size_t>(u)]];
  r.noalias() += system.linear.columns * (system.linear.solve * demand);
  return r;
}

// Contacts that share what holds a body at rest: those near their limit leave it to the others, as far as these can.
// True when so every rule is kept.
bool share_otherwise(System& system, const Eigen::VectorXd& rho, Eigen::VectorXd& r) {
  for (int round = 0; round < tolerances::march_mode_rounds; ++round) {
    bool any = false;
    for (int i = 0; i < system.count(); ++i) {
      Contact& c = system.contacts[static_cast<std::size_t>(i)];
      if (c.tangent != Tangent::stick || !(c.weight > 0)) continue;
      if (system.tangent_of(r, i).norm() <= tolerances::march_shared_friction * bounded(c.mu_static) * r[system.row(i)])
        continue;
      c.weight *= 0.1;
      any = true;
    }
    if (!any) break;
    build_linear(system);
    r = linear_rates(system, rho);
  }
  return keeps_rules(system, r);
}

// Whether contact i cannot begin to slip, whatever presses, as long as those in `system.linear` stick.
bool held_by_others(const System& system, int i) {
  const LinearRates& linear = system.linear;
  if (linear.rows.empty()) return false;
  for (Eigen::Index row = system.row(i) + 1; row <= system.row(i) + system.tangents; ++row) {
    Eigen::RowVectorXd moved = system.d.row(row);
    const Eigen::RowVectorXd share = (moved * linear.columns) * linear.solve;
    for (std::size_t u = 0; u < linear.rows.size(); ++u)
      moved += share[static_cast<Eigen::Index>(u)] * system.d.row(linear.rows[u]);
    if (!(moved.cwiseAbs().maxCoeff() <=
          tolerances::march_acceleration_relative * system.d.row(row).cwiseAbs().maxCoeff()))
      return false;
  }
  return true;
}

// Friction at rest of contacts whose load goes would reach its limit again and again, each time with a part of the load
// that is left: in proportion to the load it does not, where others can give the rest. False: they cannot.
bool follow_loads(System& system, const Eigen::VectorXd& rho, Eigen::VectorXd& r) {
  const std::vector<Contact> before = system.contacts;
  std::vector<int> followers;
  for (int i = 0; i < system.count(); ++i) {
    Contact& c = system.contacts[static_cast<std::size_t>(i)];
    if (!c.follows || c.tangent != Tangent::stick || !c.sprung() || !(c.weight > 0)) continue;
    c.ratio = system.tangent_of(r, i) / rho[i];
    c.weight = 0;
    followers.push_back(i);
  }
  if (followers.empty()) return false;
  build_linear(system);
  r = linear_rates(system, rho);
  const auto rests = [&](int i) { return held_by_others(system, i); };
  if (std::all_of(followers.begin(), followers.end(), rests) && keeps_rules(system, r)) return true;
  system.contacts = before;
  for (Contact& c : system.contacts) c.follows = false;
  build_linear(system);
  r = linear_rates(system, rho);
  return false;
}

// What is left of the velocities of contacts that stick goes, by an impulse as small, so that the velocities of others
// on the same body go on to fit.
void take_rest_out(System& system) {
  const std::vector<Eigen::Index>& rows = system.linear.rows;
  const auto size = static_cast<Eigen::Index>(rows.size());
  Eigen::VectorXd left(size);
  for (Eigen::Index u = 0; u < size; ++u) left[u] = system.v[rows[static_cast<std::size_t>(u)]];
  const double most = size > 0 ? left.cwiseAbs().maxCoeff() : 0;
  if (most > 0) {
    const Eigen::VectorXd impulse = system.linear.columns * (system.linear.solve * left), change = system.d * impulse;
    if (change.cwiseAbs().maxCoeff() <= 10 * most) {
      system.impulse += impulse;
      system.v += change;
    }
  }
  for (int i = 0; i < system.count(); ++i)
    if (system.contacts[static_cast<std::size_t>(i)].tangent == Tangent::stick)
      system.set_tangent(system.v, i, Eigen::Vector2d::Zero());
}

// Opens held contacts that would have to pull, those that pull most first. True when so every rule is kept.
bool open_pulled(System& system, const Eigen::VectorXd& rho, Eigen::VectorXd& r) {
  const std::vector<Contact> before = system.contacts;
  const auto opened = [&](std::size_t i) {
    return before[i].normal == Normal::held && system.contacts[i].normal == Normal::free;
  };
  for (bool any = true; any;) {
    any = false;
    double most = -tolerances::march_tension_relative * r.cwiseAbs().maxCoeff();
    for (int i = 0; i < system.count(); ++i)
      if (system.contacts[static_cast<std::size_t>(i)].normal == Normal::held) most = std::min(most, r[system.row(i)]);
    for (int i = 0; i < system.count(); ++i) {
      Contact& c = system.contacts[static_cast<std::size_t>(i)];
      if (c.normal != Normal::held || !(r[system.row(i)] <= tolerances::march_tension_tie * most)) continue;
      c.normal = Normal::free;
      c.tangent = Tangent::none;
      c.weight = 0;
      any = true;
    }
    if (!any) break;
    build_linear(system);
    r = linear_rates(system, rho);
  }
  const Eigen::VectorXd acceleration = system.d * r;
  const double tolerance = tolerances::march_acceleration_relative * acceleration.cwiseAbs().maxCoeff();
  bool some = false, kept = keeps_rules(system, r);
  for (std::size_t i = 0; i < before.size(); ++i) {
    some = some || opened(i);
    kept = kept && !(opened(i) && acceleration[system.row(static_cast<int>(i))] < -tolerance);
  }
  if (!some) return false;
  if (kept) {
    for (std::size_t i = 0; i < before.size(); ++i)
      if (opened(i)) system.v[system.row(static_cast<int>(i))] = 0;
    return true;
  }
  system.contacts = before;
  build_linear(system);
  r = linear_rates(system, rho);
  return false;
}

void choose_modes(System& system) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Eigen::VectorXd rho = spring_rates(system);
    classify(system, rho);
    build_linear(system);
    take_rest_out(system);
    Eigen::VectorXd r = linear_rates(system, rho);
    if (keeps_rules(system, r) && follow_loads(system, rho, r)) {
      system.at_limit = false;
      return straighten(system, r);
    }
    // Where the share of a contact has just reached its limit, others are given more of the load.
    if (system.at_limit || !keeps_rules(system, r)) {
      if (open_pulled(system, rho, r) || share_otherwise(system, rho, r)) {
        system.at_limit = false;
        return straighten(system, r);
      }
      const bool found = relax(system, rho, r);
      build_linear(system);
      r = linear_rates(system, rho);
      if ((!found || !keeps_rules(system, r)) && attempt == 0 && give_springs_back(system)) continue;
    }
    system.at_limit = false;
    return straighten(system, r);
  }
}

}  // namespace routh::internal::together
