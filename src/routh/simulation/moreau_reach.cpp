// Which contacts a step looks at: those that its shapes reach by their own speeds, those that impulses bring near, and
// where they are in the middle of the step.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "routh/contact/machine_contacts.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/simulation/moreau_parts.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

// Its normal turns with its surfaces: no plane is fixed in space.
bool MoreauStep::turns(const Contact& contact) const {
  if (contact.kind == ContactKind::limit) return false;
  const auto fixed = [&](int shape) {
    const Shape& it = model_.shapes[static_cast<std::size_t>(shape)];
    return it.link < 0 && it.kind == ShapeKind::half_space;
  };
  return !fixed(contact.shape_a) && !fixed(contact.shape_b);
}

// Contacts that carried load have their points and normals where the other forces have theirs, in the middle of the
// part, and the gap that leads to the one there. With those of its beginning, half a step late, what is stretched over
// a curved surface, as a chain over a pulley, swings ever more. Contacts with fixed planes have one normal, and crowds
// a residual that is greater than what normals turn.
void MoreauStep::centre(double length, const State& state) {
  if (centred_.empty() || contacts_.size() > tolerances::newton_contacts_most) return;
  compute_velocities(model_, middle_, path_, *workspace_);
  for (const auto& [i, given] : centred_) {
    const std::optional<Contact> there = find_contact(model_, *workspace_, middle_, given.id);
    if (!there) continue;
    contacts_[i] = *there;
    rows_.replace_contact(model_, *workspace_, i, *there);
    contacts_[i].gap -= 0.5 * length * rows_.velocity(i, path_).n;
    take_up(i, state.v);
    step_contacts_[i].free_velocity = relative(i, free_);
  }
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
  centred_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    take_up(i, state.v);
    depth_ = std::max(depth_, -contacts_[i].gap);
    if (turns(contacts_[i]) && moreau::known_force(*memory_, contacts_[i].id)) centred_.emplace_back(i, contacts_[i]);
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

// Contacts that only impulses bring within reach. True where some of them join.
bool MoreauStep::join_far(double length) {
  if (all_reached_ && far_.empty()) return false;
  compute_velocities(model_, looked_.q, velocity_, *workspace_);
  find_speeds();
  if (!all_reached_) find_far(length);
  const auto near = [&](const Contact& contact) { return contact.gap <= length * speed_of(contact); };
  const std::size_t before = contacts_.size();
  std::copy_if(far_.begin(), far_.end(), std::back_inserter(contacts_), near);
  if (contacts_.size() == before) return false;
  far_.erase(std::remove_if(far_.begin(), far_.end(), near), far_.end());
  rows_.add_contacts(model_, *workspace_, std::span(contacts_).subspan(before));
  step_contacts_.resize(contacts_.size());
  bool joined = false;
  for (std::size_t i = before; i < contacts_.size(); ++i) {
    take_up(i, looked_.v);
    step_contacts_[i].free_velocity = relative(i, free_);
    joined = joins(i, length) || joined;
  }
  return joined;
}

// A contact that was left out and would overlap takes part from now on.
bool MoreauStep::joins(std::size_t contact, double length) {
  StepContact& it = step_contacts_[contact];
  it.after = relative(contact, velocity_);
  if (it.chosen || it.strikes_at >= 0 || contacts_[contact].gap + length * it.after.n >= -overlap_left()) return false;
  it.chosen = true;
  set_friction(contact);
  return true;
}

// Overlap that is left to the next steps; of a crowd what the residual leaves, too.
double MoreauStep::overlap_left() const {
  const bool crowd = contacts_.size() > tolerances::newton_contacts_most;
  return std::max(tolerances::overlap_left_relative, crowd ? tolerances::overlap_of_residual * options_.residual : 0) *
         scales_.length;
}

ContactVector MoreauStep::relative(std::size_t contact, const Eigen::VectorXd& v) const {
  const ContactVector own = rows_.velocity(contact, v), surface = step_contacts_[contact].surface_velocity;
  return {own.n - surface.n, own.t1 - surface.t1, own.t2 - surface.t2};
}

}  // namespace routh::internal
