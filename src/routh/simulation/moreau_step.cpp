#include "routh/simulation/moreau_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "routh/contact/machine_contacts.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/power.h"
#include "routh/math/elementary.h"
#include "routh/simulation/moreau_parts.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

namespace {

double dot_product(const ContactVector& a, const ContactVector& b) { return a.n * b.n + a.t1 * b.t1 + a.t2 * b.t2; }

bool is_powered(const Model& model) {
  return !model.springs.empty() || !model.forces.empty() ||
         std::any_of(model.dofs.begin(), model.dofs.end(), [](const Dof& dof) {
           return dof.properties.damping > 0 || dof.properties.drive || dof.properties.effort;
         });
}

bool is_implicit(const Model& model) {
  return !model.springs.empty() || std::any_of(model.dofs.begin(), model.dofs.end(), [](const Dof& dof) {
    return dof.properties.damping > 0 || dof.properties.stiffness > 0 || dof.properties.drive;
  });
}

}  // namespace

MoreauStep::MoreauStep(const Model& model, const SimulationOptions& options)
    : model_(model),
      options_(options),
      scales_(compute_scales(model)),
      springs_(model),
      factor_(model, springs_.parents()),
      loops_(model.velocities, model.loop_rows),
      rows_(model, springs_.parents()),
      search_(model),
      builder_(model),
      implicit_(is_implicit(model)),
      powered_(is_powered(model)),
      pressed_(static_cast<std::size_t>(rows_.trees())),
      closed_on_(static_cast<std::size_t>(rows_.trees())),
      touched_(model.dofs.size()),
      share_(model.dofs.size(), 0.5),
      stiffness_(static_cast<std::size_t>(rows_.trees())),
      saturated_(model.dofs.size()),
      free_(model.velocities),
      half_(model.velocities),
      velocity_(model.velocities),
      middle_(model.coordinates),
      rate_(model.velocities),
      change_(model.velocities),
      pushed_(Eigen::VectorXd::Zero(model.velocities)),
      path_(model.velocities),
      loop_(model.loop_rows),
      loop_gap_rows_(model.loop_rows),
      loop_rows_(model.loop_rows, model.velocities) {
  problem_.dimension = model.dimension;
  for (const Shape& shape : model.shapes) {
    const double radius = bounding_radius(shape_at(model, shape, Pose{}));
    radius_.push_back(std::isfinite(radius) ? radius : 0);
    arm_.push_back(norm(shape.in_link.position) + radius);
  }
}

SimulationStatus MoreauStep::take(double h, const Eigen::VectorXd& force, State& state, StepMemory& memory,
                                  Workspace& workspace) {
  workspace_ = &workspace;
  step_ = h;
  events_.clear();
  accounts_ = {};
  residual_ = overlap_ = loop_gap_ = 0;
  change_.setZero();
  status_ = SimulationStatus::ready;
  const double end = state.time + h;
  double left = h;
  // Parts of no length are strikes at the beginning of what is left.
  for (int part = 1; left > 0 && status_ == SimulationStatus::ready; ++part) {
    const double done = take_part(left, part >= tolerances::step_parts_max, force, state, memory);
    left = done >= left ? 0 : left - done;
  }
  state.time = end;
  memory.acceleration = change_ / h;
  if (status_ == SimulationStatus::ready && !(state.q.allFinite() && state.v.allFinite())) {
    status_ = SimulationStatus::non_finite;
    trouble_ = "positions or velocities after a step";
  }
  return status_;
}

double MoreauStep::take_part(double left, bool last, const Eigen::VectorXd& force, State& state, StepMemory& memory) {
  memory_ = &memory;
  look(state);
  if (project(state)) look(state);
  double length = last ? left : shorten_approach(std::min(left, longest_turn()));
  for (;;) {
    find_stiff(length, state, memory);
    expect(length, state, memory);
    if (status_ != SimulationStatus::ready) return left;
    while (!find_free_velocity(length, force, state) && !last && length > tolerances::part_shortest * step_) {
      length *= 0.5;
      expect(length, state, memory);
    }
    if (status_ != SimulationStatus::ready) return left;
    centre(length, state);
    if (!last) find_wedged(length, force, state);
    if (const double first = last ? -1 : find_first_strike(length, memory); first == 0) {
      if (strike(state)) return 0;
      for (StepContact& it : step_contacts_) it.strikes_at = -1;
      striking_.clear();
    } else if (first > 0 && first < length) {
      length = first;
      expect(length, state, memory);
      find_free_velocity(length, force, state);
      centre(length, state);
      if (status_ != SimulationStatus::ready) return left;
    }
    choose(length);
    solve(length, memory);
    for (int round = 0; (round < tolerances::bend_rounds || regroups(length)) && bends(length, state); ++round) {
      remember_forces(length, memory);
      find_free_velocity(length, force, state);
      centre(length, state);
      choose(length);
      solve(length, memory);
    }
    before_ = state;
    const Accounts accounts = accounts_;
    const double expected = std::max(depth_, expected_depth(length));
    move(length, force, state);
    remember(length, memory);
    look(state);
    // Springs turned too far, or another corner came in than those that were near before, or turned in: less far at
    // once.
    if (last || length <= tolerances::part_shortest * step_ ||
        (depth_ <= expected + tolerances::overlap_most_relative * scales_.length && !stretches(length, state)))
      break;
    state = before_;
    accounts_ = accounts;
    look(state);
    length *= 0.5;
  }
  overlap_ = std::max(overlap_, depth_);
  change_ += state.v - before_.v;
  for (Event& choice : choices_) events_.push_back(std::move(choice));
  if (!striking_.empty()) strike(state);
  return length;
}

// The overlap at the end of the part if nothing turned: what the contact problem left.
double MoreauStep::expected_depth(double length) const {
  double depth = 0;
  for (const std::size_t i : chosen_) depth = std::max(depth, -contacts_[i].gap - length * step_contacts_[i].after.n);
  return depth;
}

// K and C of a joint.
double MoreauStep::stiffness(std::size_t dof, double& damping) const {
  const DofDescription& it = model_.dofs[dof].properties;
  damping = it.damping;
  const bool driven = it.drive && !saturated_[dof];
  if (driven) damping += it.drive->damping;
  return it.stiffness + (driven ? it.drive->stiffness : 0);
}

// The trees that begin a part as touched: those that carried load in the last step, and the stiff ones, on which
// springs, dampers and drives turn or stop motions within a few steps.
void MoreauStep::find_stiff(double h, const State& state, const StepMemory& memory) {
  std::fill(touched_.begin(), touched_.end(), static_cast<char>(0));
  std::fill(pressed_.begin(), pressed_.end(), static_cast<char>(0));
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (moreau::known_force(memory, contacts_[i].id)) press_trees(i);
  if (!implicit_) return mark_touched();
  std::fill(stiffness_.begin(), stiffness_.end(), 0.0);
  std::fill(saturated_.begin(), saturated_.end(), static_cast<char>(0));
  if (!factorise(state.q, 0)) return;
  const auto add = [&](int dof, double amount) { stiffness_[static_cast<std::size_t>(rows_.tree_of(dof))] += amount; };
  for (std::size_t k = 0; k < model_.dofs.size(); ++k) {
    double damping = 0;
    const double stiff = stiffness(k, damping), step = h * (damping + h * stiff);
    if (step == 0) continue;
    rate_.setZero();
    rate_[static_cast<Eigen::Index>(k)] = 1;
    factor_.half_solve(rate_);
    add(static_cast<int>(k), step * rate_.squaredNorm());
  }
  if (!springs_.empty()) {
    springs_.find(model_, state.q, state.v, h, state.q, share_, *workspace_);
    springs_.visit_stiffness(h, factor_, add);
  }
  for (std::size_t tree = 0; tree < stiffness_.size(); ++tree)
    if (stiffness_[tree] > tolerances::stiffness_resolved) pressed_[tree] = 1;
  mark_touched();
}

// M̂ = LᵀL at q and its loops, after find_load; h = 0: M itself.
bool MoreauStep::factorise(const Eigen::VectorXd& q, double h) {
  Workspace& workspace = *workspace_;
  factor_.load(q, workspace);
  if (implicit_ && h > 0) {
    for (std::size_t k = 0; k < model_.dofs.size(); ++k) {
      double damping = 0;
      const double stiff = stiffness(k, damping), step = share_[k] * h;
      factor_.add_to_diagonal(static_cast<int>(k), step * (damping + step * stiff));
    }
    springs_.add_inertia(h, factor_);
  }
  if (const int dof = factor_.decompose(); dof >= 0) {
    status_ = SimulationStatus::singular;
    trouble_ = fmt::format("the inertia of {} is not positive", dof_name(model_, dof));
    return false;
  }
  loops_.clear();
  if (model_.loop_rows == 0) return true;
  compute_kinematics(model_, q, workspace);
  loop_jacobian(model_, workspace, loop_rows_);
  for (int r = 0; r < model_.loop_rows; ++r) {
    rate_ = loop_rows_.row(r).transpose();
    factor_.half_solve(rate_);
    loops_.add(rate_);
  }
  loops_.finish();
  return true;
}

// Shapes that overlap, and loops that opened, are put back by the least motion in the metric of kinetic energy. True
// when something moved.
bool MoreauStep::project(State& state) {
  Workspace& workspace = *workspace_;
  const double allowed = overlap_left();
  bool open = false;
  if (model_.loop_rows > 0) {
    loop_ = loop_gap_rows_;
    const double gap = loop_.cwiseAbs().maxCoeff();
    loop_gap_ = std::max(loop_gap_, gap);
    open = gap > tolerances::loop_left_relative * scales_.length;
  }
  chosen_.clear();
  bool deep = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    deep = deep || contacts_[i].gap < -allowed;
    if (contacts_[i].gap < allowed) chosen_.push_back(i);
  }
  if (!open && !deep) return false;
  const double before = total_energy(model_, state, workspace);
  if (!factorise(state.q, 0)) return false;
  half_.setZero();
  if (open) {
    loop_ = -loop_;
    loops_.least_squares(loop_, half_);
  }
  if (deep) {
    // Frictionless: λ ≥ 0 ⊥ g + D_nn λ ≥ 0.
    rate_ = half_;
    factor_.finish_solve(rate_);
    rows_.respond(factor_, loops_, chosen_);
    const double most = tolerances::projection_most_relative * scales_.length;
    const Eigen::Index d = contact_rows(model_);
    for (const std::vector<std::size_t>& island : rows_.islands(chosen_)) {
      const Eigen::Index size = static_cast<Eigen::Index>(island.size());
      problem_.friction.assign(island.size(), 0.0);
      problem_.velocity.setZero(d * size);
      for (Eigen::Index i = 0; i < size; ++i) {
        const std::size_t contact = island[static_cast<std::size_t>(i)];
        problem_.velocity[d * i] = std::max(contacts_[contact].gap, -most) + rows_.velocity(contact, rate_).n;
      }
      const double residual = island.size() > tolerances::newton_contacts_most ? options_.residual : 0;
      solve_problem(island, std::max(tolerances::projection_residual, residual), {}, tolerances::step_sweeps);
    }
  }
  factor_.finish_solve(half_);
  integrate(model_, state.q, half_, 1, state.q);
  accounts_.corrected += total_energy(model_, state, workspace) - before;
  return true;
}

// The time in which no link turns by more than rotations may be taken for small.
double MoreauStep::longest_turn() const {
  return tolerances::turn_most / std::max(turning_, tolerances::turn_most / step_);
}

// A shape of some size that goes far in a step is followed in pieces, so that the plane between the nearest points is
// that of the surfaces it meets.
double MoreauStep::shorten_approach(double length) const {
  double shortest = length;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const ContactVector& v = step_contacts_[i].velocity;
    if (contact.kind == ContactKind::limit || !(v.n < 0) || contact.gap + length * v.n > 0) continue;
    const double size = std::min(radius_[static_cast<std::size_t>(contact.shape_a)],
                                 radius_[static_cast<std::size_t>(contact.shape_b)]);
    const double way = tolerances::approach_of_gap * std::max(0.0, contact.gap) + tolerances::approach_of_size * size;
    const double speed = elementary::hypot(v.n, moreau::slip_speed(v));
    if (size > 0 && speed * shortest > way) shortest = way / speed;
  }
  return shortest;
}

void MoreauStep::move(double length, const Eigen::VectorXd& force, State& state) {
  if (faults_) faults_->at(FaultPlace::step, velocity_);
  find_touched(length);
  for (const std::size_t i : chosen_) {
    const StepContact& it = step_contacts_[i];
    if (it.impulse.n == 0) continue;
    // The work of the impulse at the mean velocity: with that of the other forces it is the change of kinetic energy.
    const ContactVector twice{it.velocity.n + it.after.n, it.velocity.t1 + it.after.t1, it.velocity.t2 + it.after.t2};
    accounts_.dissipated -= 0.5 * dot_product(it.impulse, twice);
    accounts_.supplied += dot_product(it.impulse, it.surface_velocity);
  }
  rate_ = velocity_;
  for (Eigen::Index k = 0; k < rate_.size(); ++k)
    if (!touched_[static_cast<std::size_t>(k)]) rate_[k] = 0.5 * (state.v[k] + velocity_[k]);
  if (force.size() > 0) accounts_.supplied += length * force.dot(rate_);
  integrate(model_, state.q, rate_, length, state.q);
  state.v = velocity_;
  state.time += length;
  if (!powered_) return;
  // On the way: where the forces of the step are.
  const State there{middle_, rate_, state.time};
  compute_velocities(model_, there.q, there.v, *workspace_);
  const Power power = compute_power(model_, there, *workspace_);
  accounts_.dissipated += length * power.dissipated;
  accounts_.supplied += length * power.supplied;
}

// Whether springs store more than the step knew, for they turned with their ends.
bool MoreauStep::stretches(double length, const State& state) {
  if (springs_.empty()) return false;
  const double excess = springs_.excess(model_, state.q, rate_, length, *workspace_);
  const auto kinetic = [&](const State& at) { return compute_energy(model_, at, *workspace_).kinetic; };
  return excess > tolerances::spring_excess_most * (kinetic(before_) + kinetic(state));
}

void MoreauStep::remember(double length, StepMemory& memory) {
  remember_forces(length, memory);
  active_.clear();
  for (const std::size_t i : chosen_) {
    const StepContact& it = step_contacts_[i];
    if (!(it.impulse.n > 0)) continue;
    ActiveContact shown;
    shown.contact = contacts_[i];
    shown.force = {it.impulse.n / length, it.impulse.t1 / length, it.impulse.t2 / length};
    if (slides(it)) {
      const double slip = moreau::slip_speed(it.after);
      shown.mode = ContactMode::slip;
      shown.direction = {it.after.t1 / slip, it.after.t2 / slip};
    }
    active_.push_back(std::move(shown));
  }
  keep_shares(length);
}

}  // namespace routh::internal
