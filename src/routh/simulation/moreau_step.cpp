#include "routh/simulation/moreau_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "routh/contact/machine_contacts.h"
#include "routh/dynamics/drive.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/loops.h"
#include "routh/dynamics/path_bias.h"
#include "routh/dynamics/power.h"
#include "routh/impact/restitution.h"
#include "routh/math/elementary.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/single_impact.h"
#include "routh/simulation/tolerances.h"
#include "routh/solvability/slip_verdict.h"

namespace routh::internal {

namespace {

ContactVector minus(const ContactVector& a, const ContactVector& b) { return {a.n - b.n, a.t1 - b.t1, a.t2 - b.t2}; }
double dot_product(const ContactVector& a, const ContactVector& b) { return a.n * b.n + a.t1 * b.t1 + a.t2 * b.t2; }
double slip_speed(const ContactVector& v) { return elementary::hypot(v.t1, v.t2); }

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

// A step takes the best point that some hundred Newton steps find; whether it is unique, or why there is none better,
// is not asked.
ContactsOptions contact_options(double tolerance, double enough = tolerances::step_residual_enough) {
  ContactsOptions options;
  options.tolerance = tolerance;
  options.enough = enough;
  options.iterations = tolerances::step_iterations;
  options.thorough = options.uniqueness = options.certificate = false;
  return options;
}

// Of the contact in the last step; null: it carried no load.
const ContactVector* known_force(const StepMemory& memory, ContactId id) {
  const auto known = std::lower_bound(memory.forces.begin(), memory.forces.end(), id,
                                      [](const StepMemory::Known& a, ContactId b) { return a.id < b; });
  return known == memory.forces.end() || known->id != id ? nullptr : &known->force;
}

// The time after which g + u t + ½ a t² first falls to zero, from g ≥ 0; −1 where it does not within `length`.
double closing_time(double g, double u, double a, double length) {
  if (!(g > 0)) return u < 0 ? 0 : -1;
  const double discriminant = u * u - 2 * a * g;
  if (discriminant < 0) return -1;
  // The form without cancellation: t = 2g / (−u + √…).
  const double below = -u + std::sqrt(discriminant);
  if (!(below > 0)) return -1;
  const double t = 2 * g / below;
  return t <= length ? t : -1;
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
  status_ = SimulationStatus::ready;
  const double end = state.time + h;
  double left = h;
  // Parts of no length are strikes at the beginning of what is left.
  for (int part = 1; left > 0 && status_ == SimulationStatus::ready; ++part) {
    const double done = take_part(left, part >= tolerances::step_parts_max, force, state, memory);
    left = done >= left ? 0 : left - done;
  }
  state.time = end;
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
    pushed_.setZero();
    path_ = state.v;
    find_stiff(length, state, memory);
    if (status_ != SimulationStatus::ready) return left;
    while (!find_free_velocity(length, force, state) && !last && length > tolerances::part_shortest * step_) {
      length *= 0.5;
      path_ = state.v;
    }
    if (status_ != SimulationStatus::ready) return left;
    if (!last) find_wedged(length, force, state);
    if (const double first = last ? -1 : find_first_strike(length, memory); first == 0) {
      if (strike(state)) return 0;
      for (StepContact& it : step_contacts_) it.strikes_at = -1;
      striking_.clear();
    } else if (first > 0 && first < length) {
      length = first;
      path_ = state.v;
      find_free_velocity(length, force, state);
      if (status_ != SimulationStatus::ready) return left;
    }
    choose(length);
    solve(length, memory);
    for (int round = 0; (round < tolerances::bend_rounds || regroups()) && bends(length, state); ++round) {
      remember_forces(length, memory);
      find_free_velocity(length, force, state);
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

// Contacts within reach of a step, their rows and velocities; they are there already where a part ended.
void MoreauStep::look(const State& state) {
  if (looked_.q.size() > 0 && state.time == looked_.time && state.q == looked_.q && state.v == looked_.v) return;
  looked_ = state;
  Workspace& workspace = *workspace_;
  compute_velocities(model_, state.q, state.v, workspace);
  turning_ = 0;
  for (const Twist& twist : workspace.link_twists) turning_ = std::max(turning_, norm(twist.angular));
  const double speed = contact_speed_bound(model_, workspace, state.v);
  const double least = tolerances::reach_least_relative * scales_.length;
  find_speeds();
  far_.clear();
  all_reached_ = !std::isfinite(speed);
  if (all_reached_) {
    search_.find(model_, workspace, state.q, tolerances::reach_of_moving_plane * scales_.length, contacts_);
    const auto far = [&](const Contact& contact) {
      return contact.kind != ContactKind::limit &&
             contact.gap > least + tolerances::reach_factor * step_ * speed_of(contact);
    };
    std::copy_if(contacts_.begin(), contacts_.end(), std::back_inserter(far_), far);
    contacts_.erase(std::remove_if(contacts_.begin(), contacts_.end(), far), contacts_.end());
  } else {
    reach_.resize(speed_.size());
    for (std::size_t i = 0; i < reach_.size(); ++i)
      reach_[i] = 0.5 * least + tolerances::reach_factor * step_ * speed_[i];
    search_.find(model_, workspace, state.q, reach_, least + tolerances::reach_factor * step_ * speed, contacts_);
  }
  rows_.set_contacts(model_, workspace, contacts_);
  step_contacts_.assign(contacts_.size(), {});
  depth_ = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    take_up(i, state.v);
    depth_ = std::max(depth_, -contacts_[i].gap);
  }
  if (model_.loop_rows > 0) loop_residual(model_, workspace, state.q, loop_gap_rows_);
}

// Of the fastest point of each shape, from the velocities that the workspace has.
void MoreauStep::find_speeds() {
  speed_.resize(model_.shapes.size());
  for (std::size_t i = 0; i < speed_.size(); ++i) {
    const int link = model_.shapes[i].link;
    if (link < 0) {
      speed_[i] = 0;
      continue;
    }
    const Twist& twist = workspace_->link_twists[static_cast<std::size_t>(link)];
    speed_[i] = std::isfinite(arm_[i]) ? norm(twist.linear) + arm_[i] * norm(twist.angular) : arm_[i];
  }
}

double MoreauStep::speed_of(const Contact& contact) const {
  return speed_[static_cast<std::size_t>(contact.shape_a)] + speed_[static_cast<std::size_t>(contact.shape_b)];
}

void MoreauStep::take_up(std::size_t contact, const Eigen::VectorXd& v) {
  StepContact& it = step_contacts_[contact];
  it.surface_velocity = surface_velocity(model_, *workspace_, contacts_[contact], looked_.time);
  it.velocity = relative(contact, v);
}

// Contacts beyond the reach of the shapes' own speeds that impulses bring within it: `far_`.
void MoreauStep::find_far(double length) {
  bool farther = false;
  for (std::size_t i = 0; i < speed_.size(); ++i) {
    const double reach = length * speed_[i];
    if (!std::isfinite(reach)) return;
    farther = farther || reach > reach_[i];
    reach_[i] = std::max(reach_[i], reach);
  }
  if (!farther) return;
  search_.find(model_, *workspace_, looked_.q, reach_, 0, far_);
  known_.clear();
  for (const Contact& contact : contacts_) known_.push_back(contact.id);
  std::sort(known_.begin(), known_.end());
  const auto is_known = [&](const Contact& contact) {
    return contact.kind == ContactKind::limit || std::binary_search(known_.begin(), known_.end(), contact.id);
  };
  far_.erase(std::remove_if(far_.begin(), far_.end(), is_known), far_.end());
}

// Contacts that only impulses bring within reach: they take part from now on.
bool MoreauStep::join_far(double length) {
  if (all_reached_ && far_.empty()) return false;
  compute_velocities(model_, looked_.q, velocity_, *workspace_);
  find_speeds();
  if (!all_reached_) find_far(length);
  const auto joins = [&](const Contact& contact) { return contact.gap <= length * speed_of(contact); };
  const std::size_t before = contacts_.size();
  std::copy_if(far_.begin(), far_.end(), std::back_inserter(contacts_), joins);
  if (contacts_.size() == before) return false;
  far_.erase(std::remove_if(far_.begin(), far_.end(), joins), far_.end());
  rows_.set_contacts(model_, *workspace_, contacts_);
  step_contacts_.resize(contacts_.size());
  for (std::size_t i = before; i < contacts_.size(); ++i) {
    take_up(i, looked_.v);
    step_contacts_[i].free_velocity = relative(i, free_);
    step_contacts_[i].chosen = true;
    set_friction(i);
  }
  return true;
}

ContactVector MoreauStep::relative(std::size_t contact, const Eigen::VectorXd& v) const {
  return minus(rows_.velocity(contact, v), step_contacts_[contact].surface_velocity);
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
  if (!implicit_) return;
  std::fill(stiffness_.begin(), stiffness_.end(), 0.0);
  std::fill(pressed_.begin(), pressed_.end(), static_cast<char>(0));
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
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (known_force(memory, contacts_[i].id)) press_trees(i);
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
  const bool crowd = contacts_.size() > tolerances::newton_contacts_most;
  const double allowed =
      std::max(tolerances::overlap_left_relative, crowd ? tolerances::overlap_of_residual * options_.residual : 0) *
      scales_.length;
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
    const double speed = elementary::hypot(v.n, slip_speed(v));
    if (size > 0 && speed * shortest > way) shortest = way / speed;
  }
  return shortest;
}

// What drives, springs and the user's force do in a part if v⁺ = v; drives aim at where they are to be at the end.
void MoreauStep::find_load(double h, const Eigen::VectorXd& force, const State& state) {
  for (std::size_t k = 0; k < share_.size(); ++k) share_[k] = touched_[k] ? 1 : 0.5;
  solved_touched_ = touched_;
  load_path_ = path_;
  const State there{middle_, state.v, state.time + h};
  compute_applied_force(model_, there, *workspace_);
  load_ = workspace_->applied;
  if (force.size() > 0) load_ += force;
  for (std::size_t k = 0; k < model_.dofs.size() && implicit_; ++k) {
    saturated_[k] = 0;
    const auto i = static_cast<Eigen::Index>(k);
    load_[i] -= model_.dofs[k].properties.stiffness * h * (share_[k] * state.v[i] - 0.5 * path_[i]);
    if (drive_of(k)) load_[i] += wanted(k, state, h) - drive_force(*drive_of(k), coordinate(k), state.v[i], there.time);
  }
  if (springs_.empty()) return;
  springs_.find(model_, state.q, path_, h, middle_, share_, *workspace_);
  springs_.add_force(state.v, h, load_);
}

const std::optional<DriveDescription>& MoreauStep::drive_of(std::size_t dof) const {
  return model_.dofs[dof].properties.drive;
}

double MoreauStep::coordinate(std::size_t dof) const {
  const int index = model_.dofs[dof].coordinate;
  return index < 0 ? 0.0 : middle_[index];
}

// Of a drive that knows no limit, if v⁺ = v.
double MoreauStep::wanted(std::size_t dof, const State& state, double h) const {
  const DriveDescription& drive = *drive_of(dof);
  const auto i = static_cast<Eigen::Index>(dof);
  const double time = state.time + h, position = coordinate(dof) + h * (share_[dof] * state.v[i] - 0.5 * load_path_[i]);
  return drive.stiffness * (drive.position(time) - position) + drive.damping * (drive.velocity(time) - state.v[i]);
}

// free_ ← v_f − v under load_ and bias_, loops kept closed.
void MoreauStep::find_change(double h, const State& state) {
  free_ = load_ - bias_;
  for (std::size_t k = 0; k < model_.dofs.size() && implicit_; ++k)
    if (saturated_[k])
      free_[static_cast<Eigen::Index>(k)] += std::copysign(drive_of(k)->limit, saturated_[k]) - wanted(k, state, h);
  free_ *= h;
  factor_.solve(free_);
  if (model_.loop_rows == 0) return;
  loop_.noalias() = -(loop_rows_ * (state.v + free_));
  loops_.least_squares(loop_, half_);
  factor_.finish_solve(half_);
  free_ += half_;
}

// Drives that would exceed their limits with this change of velocity give just that. True when there is a new one.
bool MoreauStep::find_saturated(double h, const State& state) {
  bool any = false;
  for (std::size_t k = 0; k < model_.dofs.size() && implicit_; ++k) {
    if (!drive_of(k) || saturated_[k] || !std::isfinite(drive_of(k)->limit)) continue;
    const DriveDescription& drive = *drive_of(k);
    const double c = share_[k], change = c * free_[static_cast<Eigen::Index>(k)];
    const double given = wanted(k, state, h) - (drive.damping + c * h * drive.stiffness) * change;
    if (std::abs(given) <= drive.limit) continue;
    saturated_[k] = given > 0 ? 1 : -1;
    any = true;
  }
  return any;
}

// v_f: the velocity at the end of a part if no contact acted. Coriolis' and gyroscopic forces are taken at the velocity
// v_m = ½ (v + v⁺) along the path w = (q⁺ − q)/h, at its middle: their work is then what K gains by the change of M on
// that path (path_bias), so that what spins and swings keeps its energy. At v they would feed it. v_m is found by
// repetition, each round of which takes some h ω off its error; what contacts add to v⁺ is known from the first
// solution (bends). False where it does not converge: the motion turns too much in this time.
bool MoreauStep::find_free_velocity(double h, const Eigen::VectorXd& force, const State& state) {
  integrate(model_, state.q, path_, 0.5 * h, middle_);
  find_load(h, force, state);
  bool converged = false;
  do {
    if (!factorise(middle_, h)) return true;
    velocity_ = state.v + 0.5 * pushed_;
    double last = std::numeric_limits<double>::max();
    converged = false;
    for (int round = 0; round < tolerances::middle_rounds && !converged; ++round) {
      find_bias();
      find_change(h, state);
      rate_ = state.v + 0.5 * (free_ + pushed_);
      const double size = factor_.product(rate_, rate_);
      velocity_ -= rate_;
      const double changed = factor_.product(velocity_, velocity_);
      velocity_ = rate_;
      converged = !(changed > tolerances::middle_residual * tolerances::middle_residual * size);
      if (!(changed <= last)) break;
      last = changed;
    }
  } while (find_saturated(h, state));
  free_ += state.v;
  if (!free_.allFinite()) {
    if (h > tolerances::part_shortest * step_) return false;
    status_ = SimulationStatus::non_finite;
    trouble_ = "forces or velocities within a step";
    return true;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) step_contacts_[i].free_velocity = relative(i, free_);
  return converged;
}

// w: v⁺ where contacts act, and v_m, in velocity_, where none does.
void MoreauStep::follow_path() {
  for (Eigen::Index k = 0; k < path_.size(); ++k)
    if (!touched_[static_cast<std::size_t>(k)]) path_[k] = velocity_[k];
}

// bias_ at v_m = velocity_ along w.
void MoreauStep::find_bias() {
  follow_path();
  compute_path_bias(model_, middle_, velocity_, path_, *workspace_);
  bias_ = workspace_->force;
}

// After the contacts of a part are solved: whether what is known now of v_m and of the path changes the bias by more
// than may be neglected, so that the part is to be solved once more.
bool MoreauStep::bends(double h, const State& state) {
  find_touched();
  const bool regrouped = implicit_ && touched_ != solved_touched_;
  pushed_ = velocity_ - free_;
  path_ = velocity_;
  velocity_ = 0.5 * (state.v + velocity_);
  rate_ = bias_;
  follow_path();
  integrate(model_, state.q, path_, 0.5 * h, middle_);
  find_bias();
  rate_ = h * (bias_ - rate_);
  factor_.half_solve(rate_);
  const double size = factor_.product(velocity_, velocity_);
  velocity_ = free_ + pushed_;
  return regrouped || rate_.squaredNorm() > tolerances::bend_residual * tolerances::bend_residual * size;
}

// The degrees of freedom of the trees on which contacts act. Where springs, dampers or drives are solved with them, a
// tree that was touched stays so for the part, or it might change for ever.
void MoreauStep::find_touched() {
  if (!implicit_) std::fill(pressed_.begin(), pressed_.end(), static_cast<char>(0));
  for (const std::size_t i : chosen_)
    if (step_contacts_[i].impulse.n != 0) press_trees(i);
  mark_touched();
}

void MoreauStep::press_trees(std::size_t contact) {
  rows_.visit_trees(contact, [&](std::size_t tree) { pressed_[tree] = 1; });
}

void MoreauStep::mark_touched() {
  for (std::size_t k = 0; k < touched_.size(); ++k)
    touched_[k] = pressed_[static_cast<std::size_t>(rows_.tree_of(static_cast<int>(k)))];
}

// Whether contacts act on springs, dampers or drives that were taken in the middle of the step.
bool MoreauStep::regroups() {
  if (!implicit_) return false;
  find_touched();
  return touched_ != solved_touched_;
}

// Contacts that slip and would close, alone on their trees, where friction presses them in harder than they can push
// off, A = a − μ cᵀσ ≤ 0 [Liu 2007, eq. 6]. No force holds them: they jam, and the law of their surfaces says what the
// impact of a jam leaves. The plastic answer of a step would stop them for good, whatever its length.
void MoreauStep::find_wedged(double length, const Eigen::VectorXd& force, const State& state) {
  wedging_.clear();
  std::fill(closed_on_.begin(), closed_on_.end(), 0);
  const double allowed = tolerances::overlap_left_relative * scales_.length;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    it.wedged = false;
    const bool closes = contacts_[i].gap + length * std::min(it.free_velocity.n, it.velocity.n) <= 0;
    if (closes || contacts_[i].gap <= allowed) rows_.visit_trees(i, [&](std::size_t tree) { ++closed_on_[tree]; });
    if (closes && contacts_[i].kind != ContactKind::limit && length * it.velocity.n <= allowed &&
        slip_speed(it.velocity) > tolerances::stick_speed_relative * scales_.speed() &&
        contact_friction(model_, contacts_[i]).kinetic_coefficient > 0)
      wedging_.push_back(i);
  }
  std::erase_if(wedging_, [&](std::size_t i) {
    bool alone = true;
    rows_.visit_trees(i, [&](std::size_t tree) { alone = alone && closed_on_[tree] == 1; });
    return !alone;
  });
  if (wedging_.empty()) return;
  rows_.respond(factor_, loops_, wedging_);
  for (const std::size_t i : wedging_) {
    StepContact& it = step_contacts_[i];
    const std::size_t only[] = {i};
    rows_.inertia(only, problem_);
    const auto& D = std::get<Eigen::MatrixXd>(problem_.inertia);
    const double slip = slip_speed(it.velocity);
    const double mu = std::min(contact_friction(model_, contacts_[i]).kinetic_coefficient, widest_friction);
    double A = D(0, 0) - mu * D(0, 1) * it.velocity.t1 / slip;
    if (D.rows() == 3) A -= mu * D(0, 2) * it.velocity.t2 / slip;
    if (A > (implicit_ ? tolerances::wedge_looked_at * D(0, 0) : 0)) continue;
    const bool closed = contacts_[i].gap <= allowed && !(it.velocity.n < 0);
    it.wedged = closed || implicit_ ? jams(i, closed, force, state) : true;
  }
}

// A ≤ 0 with M itself and, where the contact is closed, f_n < 0: what acts now presses, the centrifugal forces of its
// surfaces included.
bool MoreauStep::jams(std::size_t contact, bool closed, const Eigen::VectorXd& force, const State& state) {
  if (builder_.prepare_forces(model_, state, *workspace_) >= 0) return false;
  const AccelerationProblem problem = builder_.force_problem(model_, *workspace_, contacts_[contact]);
  ContactVector free = problem.free_acceleration;
  if (force.size() > 0) {
    Eigen::MatrixXd response(model_.velocities, contact_rows(model_));
    builder_.response(response);
    free.n += response.col(0).dot(force);
  }
  const double mu = std::min(contact_friction(model_, contacts_[contact]).kinetic_coefficient, widest_friction);
  const SlipVerdict verdict =
      judge_slip(problem.contact.inertia, mu, slip_of(step_contacts_[contact].velocity).direction, free);
  return closed ? verdict.mode == SlipMode::inconsistent : verdict.A <= 0;
}

// Of the contacts that close within the part and rebound for longer than a step, when the first does; −1: none. A
// bounce of speed e s under the pull a lasts 2 e s / a.
double MoreauStep::find_first_strike(double length, const StepMemory& memory) {
  double first = -1;
  striking_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    it.strikes_at = -1;
    if (it.wedged && contacts_[i].gap <= tolerances::overlap_left_relative * scales_.length) {
      it.strikes_at = first = 0;
      continue;
    }
    // What carried load is closed: where its surfaces roll and slide into each other they do not strike.
    if (known_force(memory, contacts_[i].id)) continue;
    const double a = (it.free_velocity.n - it.velocity.n) / length;
    const double t = closing_time(contacts_[i].gap, it.velocity.n, a, length);
    if (t < 0) continue;
    const double speed = -(it.velocity.n + a * t);
    if (!(speed > 0)) continue;
    const double rebound = speed * restitution_at(contact_restitution(model_, contacts_[i]), speed).coefficient;
    const bool outlasts =
        2 * rebound > step_ * std::max(0.0, -a) && rebound * step_ > tolerances::rebound_seen_relative * scales_.length;
    if (!outlasts && !it.wedged) continue;
    it.strikes_at = t;
    if (first < 0 || t < first) first = t;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    double& at = step_contacts_[i].strikes_at;
    if (at < 0) continue;
    if (at <= first + tolerances::same_strike_share * step_)
      striking_.push_back(contacts_[i].id);
    else
      at = -1;
  }
  return first;
}

// Contacts that take part: those that would be closed at the end of the part.
void MoreauStep::choose(double length) {
  chosen_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    it.chosen = it.strikes_at < 0 && contacts_[i].gap + length * it.free_velocity.n <= 0;
    if (!it.chosen) continue;
    chosen_.push_back(i);
    set_friction(i);
  }
  if (chosen_.size() > tolerances::newton_contacts_most) choose_near(length);
}

// Static where it sticks: after a step in which it slipped, friction was just kinetic.
void MoreauStep::set_friction(std::size_t contact) {
  StepContact& it = step_contacts_[contact];
  const Friction friction = contact_friction(model_, contacts_[contact]);
  bool sticks = slip_speed(it.velocity) <= tolerances::stick_speed_relative * scales_.speed();
  if (const ContactVector* const known = sticks ? nullptr : known_force(*memory_, contacts_[contact].id))
    sticks = std::abs(slip_speed(*known) - friction.kinetic_coefficient * known->n) >
             tolerances::stick_force_relative * slip_speed(*known);
  it.friction = sticks ? friction.static_coefficient : friction.kinetic_coefficient;
}

// At the end of the part: with all its friction, for less holds it, whatever slip the residual left.
bool MoreauStep::slides(const StepContact& it) const {
  return it.impulse.n > 0 && slip_speed(it.after) > tolerances::stick_speed_relative * scales_.speed() &&
         slip_speed(it.impulse) >= (1 - tolerances::stick_force_relative) * it.friction * it.impulse.n;
}

// In a crowd impulses press contacts together that would not close by themselves: those take part from the start that
// would close if all their speed turned upon them.
void MoreauStep::choose_near(double length) {
  chosen_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    const double speed = std::abs(it.free_velocity.n) + slip_speed(it.free_velocity);
    if (!it.chosen && it.strikes_at < 0 && contacts_[i].gap <= length * speed) {
      it.chosen = true;
      set_friction(i);
    }
    if (it.chosen) chosen_.push_back(i);
  }
}

void MoreauStep::solve(double length, const StepMemory& memory) {
  const double allowed = tolerances::overlap_left_relative * scales_.length;
  for (int round = 0;; ++round) {
    double residual = 0;
    half_.setZero();
    if (!chosen_.empty()) {
      rows_.respond(factor_, loops_, chosen_);
      const int sweeps = round == 0 ? tolerances::step_sweeps : tolerances::joining_sweeps;
      for (const std::vector<std::size_t>& island : rows_.islands(chosen_))
        residual = std::max(residual, solve_island(length, island, memory, sweeps));
    }
    velocity_ = half_;
    factor_.finish_solve(velocity_);
    velocity_ += free_;
    bool joined = false;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      StepContact& it = step_contacts_[i];
      it.after = relative(i, velocity_);
      if (it.chosen || it.strikes_at >= 0 || contacts_[i].gap + length * it.after.n >= -allowed) continue;
      it.chosen = joined = true;
      set_friction(i);
    }
    joined = join_far(length) || joined;
    // Contacts at static friction that slip all the same have their kinetic friction.
    for (const std::size_t i : chosen_) {
      StepContact& it = step_contacts_[i];
      const double kinetic = contact_friction(model_, contacts_[i]).kinetic_coefficient;
      if (it.friction == kinetic || !slides(it)) continue;
      it.friction = kinetic;
      joined = true;
    }
    if (!joined || round >= tolerances::joining_rounds) {
      residual_ = std::max(residual_, residual);
      return keep_at_rest(length);
    }
    chosen_.clear();
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (step_contacts_[i].chosen) chosen_.push_back(i);
    if (chosen_.size() > tolerances::newton_contacts_most) choose_near(length);
  }
}

// Contacts that touched and were at rest stay so where static friction can hold them all, though the problem has
// another motion, too: a drawer that squeezes itself in its guides. The rule of the event engine.
void MoreauStep::keep_at_rest(double length) {
  const double allowed = tolerances::overlap_left_relative * scales_.length;
  choices_.clear();
  resting_.clear();
  std::fill(closed_on_.begin(), closed_on_.end(), 0);
  // Of machines that move elsewhere contacts are not asked: the search would cost limp robots more than their steps.
  for (std::size_t k = 0; k < touched_.size(); ++k)
    if (std::abs(looked_.v[static_cast<Eigen::Index>(k)]) > tolerances::stick_speed_relative * scales_.speed())
      closed_on_[static_cast<std::size_t>(rows_.tree_of(static_cast<int>(k)))] = 1;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const StepContact& it = step_contacts_[i];
    const double speed = std::abs(it.velocity.n) + slip_speed(it.velocity);
    const bool rests =
        it.strikes_at < 0 && contacts_[i].gap <= allowed && speed <= tolerances::stick_speed_relative * scales_.speed();
    if (rests)
      resting_.push_back(i);
    else if (it.chosen)
      rows_.visit_trees(i, [&](std::size_t tree) { closed_on_[tree] = 1; });
  }
  if (std::none_of(resting_.begin(), resting_.end(), [&](std::size_t i) { return leaves_rest(i, length); })) return;
  // What is pushed by what is not at rest has no choice.
  std::vector<std::size_t> all = chosen_;
  all.insert(all.end(), resting_.begin(), resting_.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  bool responded = false;
  const std::vector<std::vector<std::size_t>> islands = rows_.islands(resting_);
  for (const std::vector<std::size_t>& island : islands) {
    if (island.size() < 2 || island.size() > tolerances::rest_contacts_most) continue;
    bool alone = true, moves = false;
    for (const std::size_t i : island) {
      moves = moves || leaves_rest(i, length);
      rows_.visit_trees(i, [&](std::size_t tree) { alone = alone && closed_on_[tree] == 0; });
    }
    if (!alone || !moves) continue;
    if (!responded) rows_.respond(factor_, loops_, all);
    responded = true;
    keep_island(length, island);
  }
}

// Of those in the problem; others may come nearer within what overlap is allowed. Closing its gap is no motion.
bool MoreauStep::leaves_rest(std::size_t contact, double length) const {
  const StepContact& it = step_contacts_[contact];
  return it.chosen && std::abs(it.after.n + std::max(0.0, contacts_[contact].gap) / length) + slip_speed(it.after) >
                          tolerances::rest_left * (std::abs(it.free_velocity.n) + slip_speed(it.free_velocity));
}

void MoreauStep::keep_island(double length, const std::vector<std::size_t>& island) {
  const Eigen::Index d = contact_rows(model_), size = static_cast<Eigen::Index>(island.size());
  rows_.inertia(island, problem_);
  problem_.friction.clear();
  problem_.velocity.resize(d * size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t k = island[static_cast<std::size_t>(i)];
    const ContactVector& free = step_contacts_[k].free_velocity;
    const double entries[3] = {free.n + std::max(0.0, contacts_[k].gap) / length, free.t1, free.t2};
    for (Eigen::Index r = 0; r < d; ++r) problem_.velocity[d * i + r] = entries[r];
    problem_.friction.push_back(std::min(contact_friction(model_, contacts_[k]).static_coefficient, widest_friction));
  }
  if (!rest_.find(problem_, island_impulse_)) return;
  const double greatest = island_impulse_.cwiseAbs().maxCoeff();
  Event event;
  event.kind = EventKind::stick;
  event.time = looked_.time;
  event.position = looked_.q;
  event.velocity_before = event.velocity_after = looked_.v;
  event.warn(Warning::motion_not_unique);
  bool begins = false;
  for (std::size_t i = 0; i < island.size(); ++i) {
    StepContact& it = step_contacts_[island[i]];
    const ContactVector old = it.impulse;
    it.impulse = contact_entries(island_impulse_, i, d);
    it.friction = problem_.friction[i];
    if (it.chosen) rows_.add_response(island[i], {-old.n, -old.t1, -old.t2}, half_);
    if (!it.chosen) chosen_.insert(std::lower_bound(chosen_.begin(), chosen_.end(), island[i]), island[i]);
    it.chosen = true;
    rows_.add_response(island[i], it.impulse, half_);
    begins = begins || (it.impulse.n > tolerances::rest_share_least * greatest &&
                        !known_force(*memory_, contacts_[island[i]].id));
    event.contacts.push_back({.id = contacts_[island[i]].id,
                              .name = contact_name(model_, contacts_[island[i]]),
                              .velocity_before = it.velocity,
                              .velocity_after = {},
                              .impulse = {},
                              .friction = it.friction});
  }
  velocity_ = half_;
  factor_.finish_solve(velocity_);
  velocity_ += free_;
  for (std::size_t i = 0; i < contacts_.size(); ++i) step_contacts_[i].after = relative(i, velocity_);
  // Told once, when contacts begin to rest.
  if (begins) choices_.push_back(std::move(event));
}

// From the impulses of the step before; of a crowd, from those of the round before. Returns the residual.
double MoreauStep::solve_island(double length, std::span<const std::size_t> island, const StepMemory& memory,
                                int sweeps) {
  const Eigen::Index d = contact_rows(model_), size = static_cast<Eigen::Index>(island.size());
  problem_.friction.resize(island.size());
  problem_.velocity.resize(d * size);
  start_.assign(static_cast<std::size_t>(d * size), 0.0);
  bool warm = false;
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t k = island[static_cast<std::size_t>(i)];
    const StepContact& it = step_contacts_[k];
    problem_.friction[static_cast<std::size_t>(i)] = it.friction;
    problem_.velocity[d * i] = it.free_velocity.n + std::max(0.0, contacts_[k].gap) / length;
    problem_.velocity[d * i + 1] = it.free_velocity.t1;
    if (d == 3) problem_.velocity[d * i + 2] = it.free_velocity.t2;
    const bool again = it.solved && island.size() > tolerances::newton_contacts_most;
    const ContactVector* const known = again ? &it.impulse : known_force(memory, contacts_[k].id);
    if (!known) continue;
    warm = true;
    const double entries[3] = {known->n, known->t1, known->t2}, unit = again ? 1 : length;
    for (Eigen::Index r = 0; r < d; ++r) start_[static_cast<std::size_t>(d * i + r)] = unit * entries[r];
  }
  const double residual = solve_problem(island, options_.residual,
                                        warm ? std::span<const double>(start_) : std::span<const double>(), sweeps);
  for (Eigen::Index i = 0; i < size; ++i) {
    StepContact& it = step_contacts_[island[static_cast<std::size_t>(i)]];
    it.impulse = contact_entries(island_impulse_, static_cast<std::size_t>(i), d);
    it.solved = true;
  }
  return residual;
}

// Whether the contact problem has numbers: positions may be so large that their squares have none.
bool MoreauStep::problem_is_finite() const {
  if (!problem_.velocity.allFinite()) return false;
  if (const auto* const dense = std::get_if<Eigen::MatrixXd>(&problem_.inertia)) return dense->allFinite();
  const auto* const blocks = std::get_if<BlockMatrix>(&problem_.inertia);
  return !blocks ||
         std::all_of(blocks->values.begin(), blocks->values.end(), [](double v) { return std::isfinite(v); });
}

// The contact problem of an island, with the velocities and frictions of `problem_`: its impulses, which `half_` feels.
// Returns its residual.
double MoreauStep::solve_problem(std::span<const std::size_t> island, double residual, std::span<const double> start,
                                 int sweeps) {
  const bool crowd = island.size() > tolerances::newton_contacts_most;
  if (crowd) {
    island_impulse_.setZero(problem_.velocity.size());
    if (!start.empty()) island_impulse_ = Eigen::Map<const Eigen::VectorXd>(start.data(), island_impulse_.size());
    const double reached = sweep(island, residual, sweeps);
    if (reached <= residual || island.size() > tolerances::newton_instead_most) return reached;
    respond(island, -1);
  }
  rows_.inertia(island, problem_);
  if (!problem_is_finite()) {
    island_impulse_.setZero(problem_.velocity.size());
    status_ = SimulationStatus::non_finite;
    trouble_ = "what contacts feel within a step";
    return 0;
  }
  const double enough = crowd ? residual : tolerances::step_residual_enough;
  const ContactsSolution& solution =
      solver_.solve(problem_, contact_options(std::min(residual, tolerances::step_residual), enough), start);
  island_impulse_ = solution.impulse;
  if (solution.residual > enough) {  // the better of the two is taken
    const double reached = sweep(island, enough, tolerances::step_sweeps);
    if (reached <= solution.residual) return reached;
    respond(island, -1);
    island_impulse_ = solution.impulse;
  }
  respond(island, 1);
  return solution.residual;
}

// From the impulses that the island has.
double MoreauStep::sweep(std::span<const std::size_t> island, double residual, int sweeps) {
  rows_.response(island, columns_);
  respond(island, 1);
  return sweeps_.solve(columns_, problem_.velocity, problem_.friction, residual, sweeps, island_impulse_, half_)
      .residual;
}

// half_ += sign · Y p of an island.
void MoreauStep::respond(std::span<const std::size_t> island, double sign) {
  for (std::size_t i = 0; i < island.size(); ++i) {
    const ContactVector p = contact_entries(island_impulse_, i, contact_rows(model_));
    rows_.add_response(island[i], {sign * p.n, sign * p.t1, sign * p.t2}, half_);
  }
}

void MoreauStep::move(double length, const Eigen::VectorXd& force, State& state) {
  if (faults_) faults_->at(FaultPlace::step, velocity_);
  find_touched();
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
  half_ = (velocity_ - state.v) / length;
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
  memory.acceleration = half_;
  remember_forces(length, memory);
  active_.clear();
  for (const std::size_t i : chosen_) {
    const StepContact& it = step_contacts_[i];
    if (!(it.impulse.n > 0)) continue;
    ActiveContact shown;
    shown.contact = contacts_[i];
    shown.force = {it.impulse.n / length, it.impulse.t1 / length, it.impulse.t2 / length};
    if (slides(it)) {
      const double slip = slip_speed(it.after);
      shown.mode = ContactMode::slip;
      shown.direction = {it.after.t1 / slip, it.after.t2 / slip};
    }
    active_.push_back(std::move(shown));
  }
  keep_shares(length);
}

// Islands whose contacts may share their load in other ways: `least_forces` finds the least, where somebody looks.
void MoreauStep::keep_shares(double length) {
  shares_.clear();
  least_.clear();
  const double allowed = tolerances::overlap_left_relative * scales_.length;
  for (const std::vector<std::size_t>& island : rows_.islands(chosen_)) {
    Share share;
    std::vector<std::size_t> closed;
    for (const std::size_t i : island)
      if (contacts_[i].gap + length * step_contacts_[i].after.n <= allowed) closed.push_back(i);
    if (closed.size() < 2 || closed.size() > tolerances::rest_contacts_most) continue;
    rows_.inertia(closed, share.problem);
    if (!std::holds_alternative<Eigen::MatrixXd>(share.problem.inertia)) continue;  // chains, which share little
    const Eigen::Index d = contact_rows(model_);
    share.problem.dimension = model_.dimension;
    share.problem.velocity.setZero(d * static_cast<Eigen::Index>(closed.size()));
    share.force.resize(share.problem.velocity.size());
    for (const std::size_t i : closed) {
      const StepContact& it = step_contacts_[i];
      const double p[3] = {it.impulse.n / length, it.impulse.t1 / length, it.impulse.t2 / length};
      for (Eigen::Index r = 0; r < d; ++r) share.force[d * static_cast<Eigen::Index>(share.contacts.size()) + r] = p[r];
      const double slip = slides(it) ? slip_speed(it.after) : 0;
      share.problem.friction.push_back(it.friction);
      share.problem.slip.push_back(slip > 0 ? Eigen::Vector2d(it.after.t1 / slip, it.after.t2 / slip)
                                            : Eigen::Vector2d(0, 0));
      ActiveContact shown;
      shown.contact = contacts_[i];
      if (slip > 0) shown.mode = ContactMode::slip, shown.direction = {it.after.t1 / slip, it.after.t2 / slip};
      share.contacts.push_back(std::move(shown));
    }
    shares_.push_back(std::move(share));
  }
}

const std::vector<ActiveContact>& MoreauStep::least_forces() {
  if (!least_.empty() || active_.empty()) return least_;
  least_ = active_;
  for (Share& share : shares_) {
    rest_.lessen(share.problem, share.force);
    for (std::size_t k = 0; k < share.contacts.size(); ++k) {
      ActiveContact& shown = share.contacts[k];
      shown.force = contact_entries(share.force, k, contact_rows(model_));
      const auto at = std::find_if(least_.begin(), least_.end(),
                                   [&](const ActiveContact& each) { return !(each.contact.id < shown.contact.id); });
      if (at != least_.end() && at->contact.id == shown.contact.id)
        at->force = shown.force;
      else if (shown.force.n > 0)
        least_.insert(at, std::move(shown));
    }
  }
  return least_;
}

void MoreauStep::remember_forces(double length, StepMemory& memory) {
  memory.forces.clear();
  for (const std::size_t i : chosen_) {
    const ContactVector& p = step_contacts_[i].impulse;
    if (p.n > 0) memory.forces.push_back({contacts_[i].id, {p.n / length, p.t1 / length, p.t2 / length}});
  }
  // Those that joined late stand last.
  std::sort(memory.forces.begin(), memory.forces.end(),
            [](const StepMemory::Known& a, const StepMemory::Known& b) { return a.id < b.id; });
}

// The impacts of the contacts in `striking_`, each with what touches and acts on it. False when there are none.
bool MoreauStep::strike(State& state) {
  if (!factorise(state.q, 0)) return true;
  const double allowed = tolerances::overlap_left_relative * scales_.length;
  chosen_.clear();
  bool any = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    const double approach = std::max(0.0, -it.velocity.n);
    const bool closes = contacts_[i].gap <= allowed + tolerances::strike_slack_share * step_ * approach;
    const bool strikes = (approach > 0 || it.wedged) && closes &&
                         std::find(striking_.begin(), striking_.end(), contacts_[i].id) != striking_.end();
    it.strikes_at = strikes ? 0 : -1;
    any = any || strikes;
    if (strikes || contacts_[i].gap <= allowed) chosen_.push_back(i);
  }
  if (!any) return false;
  const std::size_t before = events_.size();
  rows_.respond(factor_, loops_, chosen_);
  for (const std::vector<std::size_t>& island : rows_.islands(chosen_))
    if (std::any_of(island.begin(), island.end(), [&](std::size_t i) { return step_contacts_[i].strikes_at == 0; }))
      strike_island(island, state);
  return events_.size() > before;
}

void MoreauStep::strike_island(const std::vector<std::size_t>& island, State& state) {
  Event event;
  event.time = state.time;
  event.position = state.q;
  event.velocity_before = state.v;
  bool limits = true;
  for (const std::size_t i : island) {
    event.contacts.push_back({.id = contacts_[i].id,
                              .name = contact_name(model_, contacts_[i]),
                              .velocity_before = step_contacts_[i].velocity,
                              .velocity_after = {},
                              .impulse = {},
                              .friction = contact_friction(model_, contacts_[i]).kinetic_coefficient});
    if (step_contacts_[i].velocity.n < 0) limits = limits && contacts_[i].kind == ContactKind::limit;
  }
  event.kind = limits ? EventKind::limit : EventKind::impact;
  const bool jam = island.size() == 1 && !(step_contacts_[island.front()].velocity.n < 0);
  if (jam) {
    event.kind = EventKind::tangential_impact;
    if (!strike_one(island.front(), state, event)) return;
  } else if (island.size() > 1 || !strike_one(island.front(), state, event)) {
    strike_several(island, state, event);
  }
  if (faults_) faults_->at(FaultPlace::impact, state.v);
  event.velocity_after = state.v;
  for (std::size_t k = 0; k < island.size(); ++k) event.contacts[k].velocity_after = relative(island[k], state.v);
  if (!event.energy.consistent) event.warn(Warning::energy_gain);
  events_.push_back(std::move(event));
}

bool MoreauStep::strike_one(std::size_t index, State& state, Event& event) {
  if (builder_.prepare(model_, state, *workspace_) >= 0) return false;
  ImpactProblem problem = builder_.impact_problem(model_, *workspace_, contacts_[index]);
  const Law asked = options_.law.value_or(contact_law(model_, contacts_[index]));
  event.law = asked;
  if (event.kind == EventKind::tangential_impact) {
    problem.load = Load::pressed;
    problem.velocity.n = 0;
    if (!has_tangential_impact(asked)) event.law = Law::energetic;
  }
  ImpactResult result = solve_impact(problem, event.law);
  if (!usable(result.status) || (result.status == ImpactStatus::no_impact && problem.load == Load::pressed))
    return false;
  builder_.apply(result);
  state.v = builder_.velocity_after();
  describe_single_impact(problem, result, event);
  if (event.law != asked) event.warn(Warning::law_replaced);
  return true;
}

// A few contacts advance together, by the compliant march. Its cost grows with the cube of their number, and crowds are
// there to be stepped through: more of them, and what has no end by the march, by Newton's rule (strike_crowd).
void MoreauStep::strike_several(const std::vector<std::size_t>& island, State& state, Event& event) {
  const Eigen::Index d = contact_rows(model_), size = d * static_cast<Eigen::Index>(island.size());
  rows_.inertia(island, problem_);
  problem_.friction.clear();
  problem_.velocity.resize(size);
  belt_.resize(size);
  for (std::size_t k = 0; k < island.size(); ++k) {
    const StepContact& it = step_contacts_[island[k]];
    const double speeds[3] = {it.velocity.n, it.velocity.t1, it.velocity.t2};
    const double belt[3] = {it.surface_velocity.n, it.surface_velocity.t1, it.surface_velocity.t2};
    for (Eigen::Index r = 0; r < d; ++r) {
      problem_.velocity[d * static_cast<Eigen::Index>(k) + r] = speeds[r];
      belt_[d * static_cast<Eigen::Index>(k) + r] = belt[r];
    }
    problem_.friction.push_back(contact_friction(model_, contacts_[island[k]]).kinetic_coefficient);
  }
  if (size > tolerances::march_rows_max || !march(island, event)) strike_crowd(island, event);
  half_.setZero();
  for (std::size_t k = 0; k < island.size(); ++k) {
    event.contacts[k].impulse = contact_entries(impulse_, k, d);
    rows_.add_response(island[k], event.contacts[k].impulse, half_);
  }
  factor_.finish_solve(half_);
  state.v += half_;
}

bool MoreauStep::march(const std::vector<std::size_t>& island, Event& event) {
  const auto* const dense = std::get_if<Eigen::MatrixXd>(&problem_.inertia);
  if (!dense) return false;
  TogetherProblem problem;
  problem.dimension = model_.dimension;
  problem.inertia = *dense;
  problem.velocity = problem_.velocity;
  problem.surface_velocity = belt_;
  problem.steps = tolerances::strike_march_steps_max;
  for (const std::size_t i : island) {
    const Law law = options_.law.value_or(contact_law(model_, contacts_[i]));
    problem.contacts.push_back(
        {contact_friction(model_, contacts_[i]), contact_restitution(model_, contacts_[i]), law, Load::unknown});
    if (!marches(law)) event.warn(Warning::law_replaced);
  }
  const TogetherResult result = solve_together(problem);
  if (!usable(result.status) || result.has(Warning::plastic_end)) return false;  // a crowd has its rebound
  event.rule = ImpactRule::together;
  event.energy = result.energy;
  event.warnings |= result.warnings;
  impulse_ = result.impulse;
  for (std::size_t k = 0; k < island.size(); ++k) {
    event.contacts[k].restitution = result.contacts[k].restitution;
    event.contacts[k].friction = result.contacts[k].friction;
  }
  return true;
}

// Newton's rule on the true cone, as far as energy allows. Let p₀ be the impulse without rebound and p₁ the one with
// v_n⁺ ≥ e |v_n⁻| at what strikes. On the way p = p₀ + s (p₁ − p₀) impulses stay in their cones and nothing approaches;
// the change of T is a parabola in s. The largest s ≤ 1 is taken at which at least 1 − e² of what p₀ loses is lost, as
// much as one contact without friction loses: nothing gains, whatever the restitutions.
void MoreauStep::strike_crowd(const std::vector<std::size_t>& island, Event& event) {
  const Eigen::Index d = contact_rows(model_), size = problem_.velocity.size();
  const ContactsOptions options = contact_options(tolerances::step_residual);
  const Eigen::VectorXd before = problem_.velocity;
  const ContactsSolution& solution = solver_.solve(problem_, options);
  impulse_ = solution.impulse;
  const Eigen::VectorXd plastic = solution.velocity;
  const double lost = 0.5 * impulse_.dot(before + plastic);
  double greatest = 0;
  for (std::size_t k = 0; k < island.size(); ++k) {
    const StepContact& it = step_contacts_[island[k]];
    if (it.strikes_at != 0) continue;
    const double e = restitution_at(contact_restitution(model_, contacts_[island[k]]), -it.velocity.n).coefficient;
    event.contacts[k].restitution = e;
    greatest = std::max(greatest, e);
    problem_.velocity[d * static_cast<Eigen::Index>(k)] += e * it.velocity.n;
  }
  Eigen::VectorXd after = plastic;
  if (greatest > 0) {
    const std::vector<double> start(impulse_.data(), impulse_.data() + size);
    solver_.solve(problem_, options, start);
    const Eigen::VectorXd more = solution.impulse - impulse_,
                          faster = solution.velocity + before - problem_.velocity - plastic;
    // ΔT(s) = lost + s p'·v₀⁺ + ½ s² p'·D p', with D p' = `faster`; it is to be (1 − e²) lost at most.
    const double a = 0.5 * more.dot(faster), b = more.dot(plastic), c = greatest * greatest * lost;
    double share = 1;
    if (a + b + c > 0) share = a > 0 ? (-b + std::sqrt(std::max(0.0, b * b - 4 * a * c))) / (2 * a) : 0;
    share = std::clamp(share, 0.0, 1.0);
    impulse_ += share * more;
    after += share * faster;
  }
  event.rule = ImpactRule::simultaneous;
  for (Eigen::Index row = 0; row < size; ++row)
    (row % d == 0 ? event.energy.normal_work : event.energy.tangential_work) +=
        0.5 * impulse_[row] * (before[row] + after[row]);
  event.energy.supplied = impulse_.dot(belt_);
  event.energy.change = event.energy.normal_work + event.energy.tangential_work + event.energy.supplied;
}

}  // namespace routh::internal
