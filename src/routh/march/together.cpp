#include "routh/march/together.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "routh/contacts/friction_contact.h"
#include "routh/impact/inertia.h"
#include "routh/impact/surface_check.h"
#include "routh/march/together_state.h"
#include "routh/march/tolerances.h"
#include "routh/math/dense_qr.h"

namespace routh::internal {

namespace {

using together::Contact;
using together::Normal;
using together::System;

bool surface_valid(const TogetherContact& c) {
  return !check_friction(c.friction).rule && !check_restitution(c.restitution).rule && c.stiffness > 0 &&
         std::isfinite(c.stiffness);
}

// A contact that nothing moves along its normal is allowed, as long as it does not approach, but for rounding: nothing
// happens there.
bool immovable(const Eigen::MatrixXd& d, Eigen::Index n) { return d.row(n).isZero(0) && d.col(n).isZero(0); }

ImpactStatus check_inertia(const TogetherProblem& p, Eigen::Index per_contact) {
  const Eigen::MatrixXd& d = p.inertia;
  const double size = d.cwiseAbs().maxCoeff();
  const double approach =
      std::max(8 * p.rounding, tolerances::march_immovable_approach * p.velocity.cwiseAbs().maxCoeff());
  if (!((d - d.transpose()).cwiseAbs().maxCoeff() <= tolerances::march_asymmetry_relative * size))
    return ImpactStatus::invalid;
  for (Eigen::Index n = 0; n < d.rows(); n += per_contact)
    if (!(d(n, n) > 0) && !(immovable(d, n) && p.velocity[n] >= -approach)) return ImpactStatus::invalid;
  // Scaled to a unit diagonal, so that light and heavy contacts count alike.
  Eigen::VectorXd scale = d.diagonal();
  for (double& s : scale) {
    if (s < 0) return ImpactStatus::ill_conditioned;
    s = s > 0 ? 1 / std::sqrt(s) : 1 / std::sqrt(size);
  }
  const Eigen::MatrixXd unit = scale.asDiagonal() * d * scale.asDiagonal();
  if (!unit.allFinite()) return ImpactStatus::ill_conditioned;
  const Eigen::LDLT<Eigen::MatrixXd> factors(unit + tolerances::march_indefinite_relative *
                                                        Eigen::MatrixXd::Identity(d.rows(), d.cols()));
  return factors.vectorD().minCoeff() >= -tolerances::march_indefinite_relative ? ImpactStatus::ok
                                                                                : ImpactStatus::ill_conditioned;
}

ImpactStatus check(const TogetherProblem& p) {
  const Eigen::Index per_contact = p.dimension == Dimension::planar ? 2 : 3;
  const Eigen::Index n = per_contact * static_cast<Eigen::Index>(p.contacts.size());
  if (p.inertia.rows() != n || p.inertia.cols() != n || p.velocity.size() != n) return ImpactStatus::invalid;
  if (p.surface_velocity.size() != 0 && p.surface_velocity.size() != n) return ImpactStatus::invalid;
  if (!p.inertia.allFinite() || !p.velocity.allFinite() || !p.surface_velocity.allFinite())
    return ImpactStatus::invalid;
  for (const TogetherContact& c : p.contacts)
    if (!surface_valid(c)) return ImpactStatus::invalid;
  return n == 0 ? ImpactStatus::ok : check_inertia(p, per_contact);
}

MarchStage stage_of(Normal normal) {
  switch (normal) {
    case Normal::free:
      return MarchStage::open;
    case Normal::compression:
      return MarchStage::compression;
    case Normal::restitution:
      return MarchStage::restitution;
    case Normal::held:
      return MarchStage::held;
  }
  return MarchStage::open;
}

MarchSlip slip_of(const Contact& contact) {
  switch (contact.tangent) {
    case together::Tangent::none:
      return MarchSlip::none;
    case together::Tangent::slip:
    case together::Tangent::straight:
      return MarchSlip::slips;
    case together::Tangent::stick:
      return MarchSlip::sticks;
  }
  return MarchSlip::none;
}

// One impact from its first instant to its last.
class Walk {
 public:
  Walk(const TogetherProblem& problem, TogetherResult& result) : problem_(problem), result_(result) {
    system_.tangents = problem.dimension == Dimension::planar ? 1 : 2;
    speed_ = problem.velocity.cwiseAbs().maxCoeff();
    size_ = problem.inertia.diagonal().maxCoeff();
    system_.speed_unit = speed_;
    system_.rest_speed =
        std::clamp(problem.rounding / speed_, tolerances::march_rest_speed_min, tolerances::march_rest_speed_max);
    system_.d = 0.5 * (problem.inertia + problem.inertia.transpose()) / size_;
    system_.v = problem.velocity / speed_;
    system_.impulse = Eigen::VectorXd::Zero(system_.v.size());
    for (const TogetherContact& surface : problem.contacts) add(surface);
  }

  // False when nothing strikes.
  bool begin() {
    bool any = false;
    std::vector<int> pressed, jammed;
    for (int i = 0; i < system_.count(); ++i) {
      const double vn = system_.v[system_.row(i)];
      if (immovable(system_.d, system_.row(i))) continue;
      if (vn < -system_.rest_speed) {
        together::engage(system_, i);
        any = true;
      } else if (vn <= system_.rest_speed && contact(i).surface->load == Load::unknown) {
        if (jams(i)) warn(Warning::jams_if_pressed);
      } else if (vn <= system_.rest_speed) {
        pressed.push_back(i);
        if (jams(i)) jammed.push_back(i);
      }
    }
    // What jams begins; the others are lifted by it, or struck on the way.
    const Eigen::VectorXd wedge = jammed.empty() ? wedging(pressed) : Eigen::VectorXd();
    if (jammed.empty() && wedge.size() == 0) jammed = jamming_group(pressed);
    if (!jammed.empty()) pressed = jammed;
    for (std::size_t k = 0; k < pressed.size(); ++k) {
      const double share = wedge.size() > 0 ? wedge[static_cast<Eigen::Index>(k)] : 1;
      if (!(share > 0)) continue;
      const int i = pressed[k];
      together::engage(system_, i);
      contact(i).x = share * tolerances::march_seed_deflection;
      any = true;
    }
    return any;
  }

  ImpactStatus run() {
    together::Series series(system_);
    double time = 0;
    // What creeps is slow beside what strikes.
    const double creeping =
        std::min(tolerances::march_rest_speed_max, tolerances::march_creep_share * greatest_approach());
    int standing = 0, quiet = 0;  // steps of no length in a row, and without an event
    while (standing < tolerances::march_standing_max && result_.events < tolerances::march_events_max &&
           result_.steps < problem_.steps && time < tolerances::march_time_max) {
      for (int i = 0; i < system_.count(); ++i)
        if (contact(i).normal == Normal::free && system_.v[system_.row(i)] < -system_.rest_speed)
          together::engage(system_, i);
      if (over()) return ImpactStatus::ok;
      const Eigen::VectorXd before = system_.impulse;
      together::choose_modes(system_);
      book_sudden(before);
      keep_point(changes_);
      series.build(system_);
      const together::MarchEvent event = together::next_event(system_, series);
      const Eigen::VectorXd impulse = system_.impulse, velocity = system_.v;
      series.advance(system_, event.time);
      book_untidied(impulse, velocity);
      if (!within_range()) return ImpactStatus::overflow;
      together::pass(system_, series, event);
      time += event.time / series.pace();
      standing = event.time > 0 ? 0 : standing + 1;
      if (standing == tolerances::march_standing_max / 2) together::give_springs_back(system_);
      ++result_.steps;
      changes_ = event.kind != together::MarchEventKind::none && event.kind != together::MarchEventKind::limit;
      if (changes_) {
        ++result_.events;
        quiet = 0;
      } else if (++quiet == tolerances::march_quiet_steps) {
        system_.rest_speed = std::max(system_.rest_speed, std::min(10 * system_.rest_speed, creeping));
        quiet = 0;
      }
    }
    return ImpactStatus::not_converged;
  }

  // What counts as zero is set to zero on the way, but the bodies keep it: the work of the step on the velocity that
  // they have, v + D i, beyond that on the one the step was made with.
  void book_untidied(const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
    const Eigen::VectorXd left = problem_.velocity / speed_ + system_.d * impulse - velocity;
    const Eigen::VectorXd work = (system_.impulse - impulse).cwiseProduct(left);
    book_work(work);
  }

  // The work of impulses that acted at once since `before`: on the mean of the velocities before and after.
  void book_sudden(const Eigen::VectorXd& before) {
    const Eigen::VectorXd impulse = system_.impulse - before;
    book_work(impulse.cwiseProduct(problem_.velocity / speed_ + system_.d * (before + 0.5 * impulse)));
  }

  // What is left of the approach ends without rebound, with the friction the contacts have. False where the contact
  // problem is not solved.
  bool finish_plastic() {
    FrictionContactProblem left;
    left.dimension = problem_.dimension;
    left.inertia = system_.d;
    left.velocity = problem_.velocity / speed_ + system_.d * system_.impulse;
    for (int i = 0; i < system_.count(); ++i) {
      left.friction.push_back(contact(i).surface->friction.kinetic_coefficient);
      // What nothing moves approaches by rounding at most, and takes no part.
      if (immovable(system_.d, system_.row(i))) left.velocity.segment(system_.row(i), 1 + system_.tangents).setZero();
    }
    ContactsOptions options;
    options.tolerance = tolerances::march_end_residual / std::max(left.velocity.norm(), tolerances::march_end_residual);
    options.uniqueness = false;
    const ContactsSolution end = solve_contacts(left, options);
    if (end.status != ContactsStatus::solved) return false;
    const Eigen::VectorXd before = system_.impulse;
    system_.impulse += end.impulse;
    book_sudden(before);
    return true;
  }

  // Whether contacts approach beyond rounding: what crept, and counted as rest on the way.
  bool approaches() {
    const Eigen::VectorXd v = problem_.velocity / speed_ + system_.d * system_.impulse;
    const double rest_speed =
        std::clamp(problem_.rounding / speed_, tolerances::march_rest_speed_min, tolerances::march_rest_speed_max);
    for (int i = 0; i < system_.count(); ++i)
      if (v[system_.row(i)] < -rest_speed && !immovable(system_.d, system_.row(i))) return true;
    return false;
  }

  // Of events each, of what lies between enough to follow it.
  void keep_point(bool changes) {
    if (problem_.path == MarchPath::left_out) return;
    const Eigen::VectorXd velocity = problem_.velocity + (system_.d * system_.impulse) * speed_;
    if (!changes && !result_.path.empty() &&
        (velocity - result_.path.back().velocity).cwiseAbs().maxCoeff() < tolerances::march_path_share * speed_)
      return;
    MarchPoint point{system_.impulse * (speed_ / size_), velocity, {}, {}};
    for (const Contact& c : system_.contacts) {
      point.stages.push_back(stage_of(c.normal));
      point.slips.push_back(slip_of(c));
    }
    result_.path.push_back(std::move(point));
  }

  void book() {
    changes_ = true;
    keep_point(true);
    const double impulse = speed_ / size_, work = impulse * speed_;
    result_.impulse = system_.impulse * impulse;
    result_.velocity = problem_.velocity + (system_.d * system_.impulse) * speed_;
    for (int i = 0; i < system_.count(); ++i) {
      const Contact& c = contact(i);
      TogetherContactResult& out = result_.contacts[static_cast<std::size_t>(i)];
      out.restitution = c.e;
      out.friction = c.surface->friction.kinetic_coefficient;
      out.normal_work = c.normal_work * work;
      out.tangential_work = c.tangential_work * work;
      out.compressions = c.compressions;
      if (c.compressions > 1) warn(Warning::recompression);
    }
    if (system_.out_of_range) warn(Warning::restitution_out_of_range);
  }

 private:
  void book_work(const Eigen::VectorXd& work) {
    for (int i = 0; i < system_.count(); ++i) {
      contact(i).normal_work += work[system_.row(i)];
      contact(i).tangential_work += work.segment(system_.row(i) + 1, system_.tangents).sum();
    }
  }

  // Impulses beyond this are self-stress of redundant contacts, and the velocity v + D i has lost its digits.
  bool within_range() const {
    for (int i = 0; i < system_.count(); ++i)
      if (!(system_.impulse.segment(system_.row(i), 1 + system_.tangents).cwiseAbs().maxCoeff() *
                system_.d(system_.row(i), system_.row(i)) <=
            tolerances::march_impulse_max))
        return false;
    return system_.v.allFinite() && system_.impulse.allFinite();
  }

  double greatest_approach() const {
    double most = 0;
    for (int i = 0; i < system_.count(); ++i) most = std::max(most, -system_.v[system_.row(i)]);
    return most;
  }

  Contact& contact(int i) { return system_.contacts[static_cast<std::size_t>(i)]; }
  void warn(Warning w) { result_.warn(w); }

  void add(const TogetherContact& surface) {
    const auto i = static_cast<int>(system_.contacts.size());
    const Eigen::Index n = system_.row(i);
    Contact c;
    c.surface = &surface;
    c.mu_static = surface.friction.static_coefficient;
    c.mu_kinetic = std::min(surface.friction.kinetic_coefficient, tolerances::march_friction_max);
    double mobility = system_.d(n + 1, n + 1);
    if (system_.tangents == 2) mobility = std::max(mobility, system_.d(n + 2, n + 2));
    c.frictional = c.mu_static > 0 && mobility > tolerances::march_tangent_mobility_min * system_.d(n, n);
    system_.contacts.push_back(c);
    if (surface.restitution.tangential != 0) warn(Warning::tangential_restitution_ignored);
  }

  bool slips(int i) { return contact(i).frictional && system_.slip(i).norm() > system_.rest_speed; }

  // D times the rate of a contact that is pressed by ρ = 1 and slips as it does, or has no friction.
  Eigen::VectorXd response(int i) {
    Eigen::VectorXd column = system_.d.col(system_.row(i));
    if (!slips(i)) return column;
    const Eigen::Vector2d direction = system_.slip(i).normalized();
    for (int t = 0; t < system_.tangents; ++t)
      column -= contact(i).mu_kinetic * direction[t] * system_.d.col(system_.row(i) + 1 + t);
    return column;
  }

  // Whether slip of this contact alone presses the bodies together, or does not push them apart.
  bool jams(int i) {
    const Eigen::Index n = system_.row(i);
    const Eigen::MatrixXd& d = system_.d;
    ContactInertia own{problem_.dimension, d(n, n), d(n, n + 1), 0, d(n + 1, n + 1), 0, 0, 0};
    if (system_.tangents == 2) own.c2 = d(n, n + 2), own.b12 = d(n + 1, n + 2), own.b22 = d(n + 2, n + 2);
    const Eigen::Vector2d slip = system_.slip(i);
    return slips(i) && jams_when_pressed(own, contact(i).mu_kinetic, {slip[0], slip[1]});
  }

  // Contacts that jam only one by way of the other, as a box that slides into a groove, have forces beyond all bounds
  // in the proportions of a vector that the matrix of their accelerations takes to next to nothing, and a little beyond
  // the edge to approach. Empty when there is none.
  Eigen::VectorXd wedging(const std::vector<int>& group) {
    if (group.size() < 2) return {};
    std::vector<Eigen::Index> rows;  // the normals, then the tangents that stick
    for (const int i : group) rows.push_back(system_.row(i));
    for (const int i : group)
      for (int t = 0; t < system_.tangents && contact(i).frictional && !slips(i); ++t)
        rows.push_back(system_.row(i) + 1 + t);
    const auto size = static_cast<Eigen::Index>(rows.size()), normals = static_cast<Eigen::Index>(group.size());
    Eigen::MatrixXd K(size, size);
    for (Eigen::Index j = 0; j < size; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const Eigen::VectorXd column = j < normals ? response(group[k]) : system_.d.col(rows[k]);
      for (Eigen::Index i = 0; i < size; ++i) K(i, j) = column[rows[static_cast<std::size_t>(i)]];
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(K);
    Eigen::VectorXd x = Eigen::VectorXd::Ones(size);
    for (int round = 0; round < tolerances::march_wedge_iterations; ++round) {  // inverse iteration
      x = factors.solve(x).eval();
      const double largest = x.cwiseAbs().maxCoeff();
      if (!(largest > 0) || !std::isfinite(largest)) return {};
      x *= (x.head(normals).sum() < 0 ? -1 : 1) / largest;
    }
    const Eigen::VectorXd slope = K * x;
    for (Eigen::Index i = 0; i < normals; ++i) {
      if (std::abs(x[i]) < tolerances::march_wedge_share_min) x[i] = 0;
      if (x[i] < 0 || (x[i] > 0 && !(slope[i] < 0))) return {};
    }
    return x.head(normals);
  }

  // Of contacts none of which jams by itself, those that do when all of them press alike: the leading edge of a box.
  std::vector<int> jamming_group(std::vector<int> group) {
    while (!group.empty()) {
      Eigen::VectorXd slope = Eigen::VectorXd::Zero(system_.v.size());
      for (const int j : group) slope += response(j);
      const std::size_t before = group.size();
      std::erase_if(group, [&](int i) { return slope[system_.row(i)] >= 0; });
      if (group.size() == before) break;
    }
    return group;
  }

  bool over() const {
    for (const Contact& c : system_.contacts)
      if (c.sprung()) return false;
    return true;
  }

  const TogetherProblem& problem_;
  TogetherResult& result_;
  System system_;
  double speed_ = 1, size_ = 1;
  bool changes_ = true;  // something happened at the present instant
};

ContactVector part(const Eigen::VectorXd& vector, Eigen::Index contact, Eigen::Index per_contact) {
  const Eigen::Index n = contact * per_contact;
  return {vector[n], vector[n + 1], per_contact == 3 ? vector[n + 2] : 0.0};
}

void close_ledger(const TogetherProblem& p, TogetherResult& out) {
  EnergyLedger& energy = out.energy;
  energy = {};
  double scale = 0;
  for (Eigen::Index row = 0; row < p.velocity.size(); ++row) {
    const double surface = p.surface_velocity.size() > 0 ? p.surface_velocity[row] : 0;
    energy.supplied += surface * out.impulse[row];
    energy.change += out.impulse[row] * (0.5 * (p.velocity[row] + out.velocity[row]) + surface);
    scale += std::abs(out.impulse[row] * p.velocity[row]) + std::abs(out.impulse[row] * surface);
  }
  const Eigen::Index per_contact = p.dimension == Dimension::planar ? 2 : 3;
  for (std::size_t i = 0; i < out.contacts.size(); ++i) {
    TogetherContactResult& c = out.contacts[i];
    c.impulse = part(out.impulse, static_cast<Eigen::Index>(i), per_contact);
    c.velocity = part(out.velocity, static_cast<Eigen::Index>(i), per_contact);
    energy.normal_work += c.normal_work;
    energy.tangential_work += c.tangential_work;
  }
  const double gain = std::max(energy.normal_work + energy.tangential_work, energy.change - energy.supplied);
  energy.consistent = gain <= tolerances::march_gain_relative * scale;
  if (!energy.consistent) out.warn(Warning::energy_gain);
}

bool finite(const TogetherResult& out) {
  const EnergyLedger& e = out.energy;
  return out.impulse.allFinite() && out.velocity.allFinite() &&
         std::isfinite(e.normal_work + e.tangential_work + e.supplied + e.change);
}

void leave_unchanged(const TogetherProblem& p, TogetherResult& out) {
  const Eigen::Index per_contact = p.dimension == Dimension::planar ? 2 : 3;
  const Eigen::Index n = per_contact * static_cast<Eigen::Index>(p.contacts.size());
  out.contacts.assign(p.contacts.size(), {});
  out.impulse = Eigen::VectorXd::Zero(n);
  out.velocity = Eigen::VectorXd::Zero(n);
  if (p.velocity.size() == n && p.velocity.allFinite()) out.velocity = p.velocity;
  out.energy = {};
  for (std::size_t i = 0; i < out.contacts.size(); ++i)
    out.contacts[i].velocity = part(out.velocity, static_cast<Eigen::Index>(i), per_contact);
}

}  // namespace

TogetherResult solve_together(const TogetherProblem& problem) {
  TogetherResult out;
  leave_unchanged(problem, out);
  if (const ImpactStatus status = check(problem); status != ImpactStatus::ok) {
    out.status = status;
    return out;
  }
  if (problem.velocity.size() == 0 || problem.velocity.cwiseAbs().maxCoeff() == 0) return out;
  {
    Walk walk(problem, out);
    if (!walk.begin()) return out;
    out.status = walk.run();
    if (out.status == ImpactStatus::not_converged && walk.finish_plastic()) {
      out.status = ImpactStatus::ok;
      out.warn(Warning::plastic_end);
    } else if (out.status == ImpactStatus::ok && walk.approaches()) {
      walk.finish_plastic();
    }
    walk.book();
    close_ledger(problem, out);
    if (out.status == ImpactStatus::ok && finite(out)) return out;
  }
  // What leaves the range of numbers on the way is ended at once.
  out = {};
  leave_unchanged(problem, out);
  Walk walk(problem, out);
  if (walk.finish_plastic()) {
    out.status = ImpactStatus::ok;
    out.warn(Warning::plastic_end);
    walk.book();
    close_ledger(problem, out);
    if (finite(out)) return out;
  }
  out = {};
  leave_unchanged(problem, out);
  out.status = ImpactStatus::not_converged;
  return out;
}

}  // namespace routh::internal
