#include "routh/simulation/sensitivity_follower.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "routh/contact/contact_rows.h"
#include "routh/math/elementary.h"

namespace routh::internal {

std::vector<SensitivityFollower::Trigger> SensitivityFollower::find_triggers() const {
  std::vector<Trigger> all;
  for (std::size_t k = 0; k < before_.held().size(); ++k) {
    const ModeContact& was = before_.held()[k];
    const auto now = std::find_if(after_.held().begin(), after_.held().end(),
                                  [&](const ModeContact& each) { return each.id == was.id; });
    const ContactVector f = before_.force(k), u = before_.velocity(k);
    const double load = std::abs(f.n) + elementary::hypot(f.t1, f.t2), speed = elementary::hypot(u.t1, u.t2);
    if (now == after_.held().end()) {
      all.push_back({Trigger::Kind::load, k, load > 0 ? std::abs(f.n) / load : 0});
    } else if (was.mode == ContactMode::slip) {
      const bool turned = was.direction.t1 * now->direction.t1 + was.direction.t2 * now->direction.t2 < 0;
      if (now->mode == ContactMode::stick || turned)
        all.push_back({Trigger::Kind::halt, k, speed / std::max(1.0, state_.v.cwiseAbs().maxCoeff())});
    } else if (now->mode == ContactMode::slip) {
      const double grip = static_friction(k) * f.n;
      all.push_back({Trigger::Kind::grip, k, std::abs(elementary::hypot(f.t1, f.t2) - grip) / std::abs(grip)});
    }
  }
  std::sort(all.begin(), all.end(), [](const Trigger& a, const Trigger& b) { return a.value < b.value; });
  return all;
}

double SensitivityFollower::static_friction(std::size_t k) const {
  return contact_friction(model_, before_.contact(k)).static_coefficient;
}

// δg of a guard from the changes of forces and slip.
double SensitivityFollower::guard_of(const Trigger& trigger, const ModeFlow::Response& change) const {
  const ContactVector df = before_.force_change(trigger.contact, change.unknowns);
  switch (trigger.kind) {
    case Trigger::Kind::load:
      return df.n;
    case Trigger::Kind::grip: {
      const ContactVector f = before_.force(trigger.contact);
      const double size = elementary::hypot(f.t1, f.t2);
      return (f.t1 * df.t1 + f.t2 * df.t2) / size - static_friction(trigger.contact) * df.n;
    }
    case Trigger::Kind::halt: {
      const Eigen::Index at = contact_rows(model_) * static_cast<Eigen::Index>(trigger.contact);
      const ContactVector u = before_.velocity(trigger.contact);
      const SlipDirection& held = before_.held()[trigger.contact].direction;
      const double speed = elementary::hypot(u.t1, u.t2);
      if (model_.dimension == Dimension::planar || !(speed > tolerances::slip_without_direction))
        return held.t1 * change.slip[at + 1] +
               (model_.dimension == Dimension::planar ? 0 : held.t2 * change.slip[at + 2]);
      return (u.t1 * change.slip[at + 1] + u.t2 * change.slip[at + 2]) / speed;
    }
    case Trigger::Kind::none:
      break;
  }
  return 0;
}

SensitivityFollower::Guard SensitivityFollower::guard_with(const Trigger& trigger) {
  Guard guard;
  guard.change.setZero(columns_);
  for (Eigen::Index c = 0; c < columns_; ++c) {
    guard.change[c] = guard_of(trigger, before_.respond(x_.col(c).head(n_), x_.col(c).tail(n_)));
    if (c < start_columns_) continue;
    const auto k = static_cast<std::size_t>(c - start_columns_);
    if (!families_[k].changes_model()) continue;
    guard.change[c] += guard_of(trigger, before_.respond(change_with(k, before_, state_)));
    if (trigger.kind == Trigger::Kind::grip)  // μ_s itself
      guard.change[c] -=
          before_.force(trigger.contact).n * families_[k].derivative([&](const Model& model, Workspace&, const State&) {
            return contact_friction(model, before_.contact(trigger.contact)).static_coefficient;
          });
  }
  // Along the motion, and with the time that forces and belts know.
  guard.rate = guard_of(trigger, before_.respond(state_.v, before_.acceleration()));
  const double h = tolerances::sensitivity_step;
  const auto at = [&](double step) {
    State later = state_;
    later.time -= step;  // before: profiles may bend at the event
    return before_.residual(model_, workspace_, later);
  };
  const ModeFlow::Residual now = at(0), past = at(h * h);
  guard.rate += guard_of(trigger, before_.respond((1 / (h * h)) * (now + -1.0 * past)));
  return guard;
}

void SensitivityFollower::switch_modes(const std::vector<Event>& events) {
  const std::vector<Trigger> triggers = find_triggers();
  const Eigen::VectorXd jump = after_.acceleration() - before_.acceleration();
  const double scale = std::max(1.0, before_.acceleration().cwiseAbs().maxCoeff());
  const bool jumps = jump.size() > 0 && jump.cwiseAbs().maxCoeff() > tolerances::sensitivity_repeated * scale;
  if (triggers.empty()) {
    known_ =
        !std::any_of(events.begin(), events.end(), [](const Event& each) { return is_of_closed_contacts(each.kind); });
    if (jumps && !known_)
      note(SensitivityDoubt::not_followed, state_.time, "modes changed for a reason that was not found");
    return;
  }
  if (triggers.size() > 1 && jumps && triggers[1].value < tolerances::sensitivity_repeated)
    note(SensitivityDoubt::simultaneous, state_.time, "several contacts change their modes at once");
  const Guard guard = guard_with(triggers.front());
  if (!(std::abs(guard.rate) > 0)) {
    known_ = false;
    if (jumps) lose(SensitivityDoubt::mode_border, state_.time, "a change of modes that is only touched");
    return;
  }
  changes_ = times(guard);
  x_.bottomRows(n_) -= jump * changes_;
  if (triggers.front().kind != Trigger::Kind::halt || model_.dimension == Dimension::planar) return;
  // In space all of the slip comes to its halt: its direction settles before, and δu_t = 0 after.
  ResetMap map(options_, {}, before_, after_);
  const Eigen::VectorXd base = map(model_, workspace_, next_);
  const State kept = std::exchange(state_, next_);
  for (Eigen::Index c = 0; c < columns_ && base.size() > 0; ++c)
    if (const auto found = along(map, base, x_.col(c).head(n_), x_.col(c).tail(n_))) x_.col(c).tail(n_) = *found;
  state_ = kept;
}

}  // namespace routh::internal
