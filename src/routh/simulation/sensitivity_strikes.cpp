#include "routh/simulation/sensitivity_follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/contact/contact_rows.h"
#include "routh/dynamics/dynamics.h"

namespace routh::internal {

// The time of such an impact is given, and its gap stays closed.
void SensitivityFollower::strike_at_start(const State& start, const std::vector<Event>& happened) {
  std::vector<Event> hits;
  std::vector<ModeContact> touching;
  for (const Event& event : happened) {
    if (!strikes(event)) continue;
    hits.push_back(event);
    for (const EventContact& each : event.contacts) touching.push_back({each.id, ContactMode::slip, {1, 0}});
  }
  next_ = state_;
  after_.hold(before_.held());
  state_ = start;
  before_.hold(touching);
  Tangents kept{x_.topRows(n_), x_.bottomRows(n_)};
  if (!before_.compute(state_) || !before_.differentiate(state_) || !after_.compute(next_))
    return lose(SensitivityDoubt::not_followed, state_.time, "the run begins with an impact");
  before_.project(state_, kept.q, kept.v);
  x_.topRows(n_) = kept.q;
  note(SensitivityDoubt::start_in_contact, state_.time,
       "the run begins with an impact: the start varies along its contacts, its time is given");
  before_.hold({});
  changes_ = Eigen::RowVectorXd::Zero(columns_);
  if (!before_.compute(state_)) return lose(SensitivityDoubt::not_followed, state_.time, "the start");
  apply(hits, {});
  for (const Event& event : happened) out_.events.push_back({event.time, event.kind, changes_, true});
  state_ = next_;
  before_.hold(after_.held());
}

bool SensitivityFollower::was_held(ContactId id) const {
  return std::any_of(before_.held().begin(), before_.held().end(), [&](const auto& each) { return each.id == id; });
}

SensitivityFollower::Guard SensitivityFollower::gap_guard(ContactId id) {
  compute_velocities(model_, state_.q, state_.v, workspace_);
  const auto contact = find_contact(model_, workspace_, state_.q, id);
  Guard guard;
  if (!contact) return guard;
  Eigen::MatrixXd J(contact_rows(model_), n_);
  contact_jacobian(model_, workspace_, *contact, J);
  guard.rate = J.row(0).dot(state_.v);
  guard.change = J.row(0) * x_.topRows(n_);
  for (std::size_t k = 0; k < families_.size(); ++k)
    if (families_[k].changes_model())
      guard.change[start_columns_ + static_cast<Eigen::Index>(k)] +=
          families_[k].derivative([&](const Model& model, Workspace& workspace, const State&) {
            compute_kinematics(model, state_.q, workspace);
            const auto other = find_contact(model, workspace, state_.q, id);
            return other ? other->gap : 0.0;
          });
  const double bend = contact_acceleration(model_, workspace_, *contact, J, state_, before_.acceleration()).n;
  const double depth = guard.rate * guard.rate / (2 * std::abs(bend));
  const double size = std::max(1.0, state_.q.cwiseAbs().maxCoeff());
  const auto last = strikes_of_.find(id);
  const bool bounces =
      last != strikes_of_.end() && (state_.time - last->second) * std::abs(bend) < 10 * std::abs(guard.rate);
  if (!bounces && depth < tolerances::grazing_depth_relative * size)
    note(SensitivityDoubt::grazing, state_.time,
         fmt::format("{} hardly strikes: derivatives grow like the inverse root of {:.3g}",
                     contact_name(model_, *contact), depth));
  strikes_of_[id] = state_.time;
  return guard;
}

void SensitivityFollower::strike(const std::vector<Event>& strikes) {
  std::vector<ContactId> closing;
  std::vector<ContactId> ending;
  for (const Event& event : strikes)
    for (const EventContact& each : event.contacts) {
      const bool known = std::find(closing.begin(), closing.end(), each.id) != closing.end();
      if (each.velocity_before.n < 0 && !was_held(each.id) && !known) closing.push_back(each.id);
      const bool stays = std::any_of(after_.held().begin(), after_.held().end(),
                                     [&](const ModeContact& it) { return it.id == each.id; });
      if (stays && each.velocity_after.n > 0 && event.rule == ImpactRule::single) ending.push_back(each.id);
    }
  if (closing.empty()) return lose(SensitivityDoubt::not_followed, state_.time, "an impact without a closing gap");
  if (closing.size() > 1)
    note(SensitivityDoubt::simultaneous, state_.time,
         fmt::format("{} contacts close at once: the derivative is that of the first", closing.size()));
  const Guard guard = gap_guard(closing.front());
  if (!(guard.rate < 0)) return lose(SensitivityDoubt::not_followed, state_.time, "a gap that does not close");
  changes_ = times(guard);
  apply(strikes, ending);
}

// Along (δq, δq̇), in the rows of ResetMap: exactly where contacts strike one by one. None where they do so together, or
// where one of them is on a border of its courses.
std::optional<Eigen::MatrixXd> SensitivityFollower::exact_jump(const std::vector<Event>& strikes,
                                                               const std::vector<ContactId>& ending,
                                                               const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dv) {
  Eigen::MatrixXd jump = Eigen::MatrixXd::Zero(n_ + 2 * std::ssize(ending), columns_);
  ResetDerivative reset(model_, state_, dq, dv);
  for (const Event& event : strikes) {
    if (event.rule != ImpactRule::single) return std::nullopt;
    const auto watched = std::find(ending.begin(), ending.end(), event.contacts.front().id);
    const Eigen::Index row = n_ + 2 * (watched - ending.begin());
    const auto watch = [&](Eigen::Index at) {
      if (watched == ending.end()) return true;
      const auto found = reset.normal_change(*watched);
      if (found) jump.row(at) = *found;
      return found.has_value();
    };
    if (!watch(row) || !reset.strike(event) || !watch(row + 1)) return std::nullopt;
  }
  if (!reset.close(after_)) return std::nullopt;
  jump.topRows(n_) = reset.change();
  return jump;
}

// The derivative of the reset, and what the shift of its time does.
void SensitivityFollower::apply(const std::vector<Event>& strikes, const std::vector<ContactId>& ending) {
  ResetMap map(options_, strikes, before_, after_);
  for (const ContactId id : ending) map.watch(id);
  const Eigen::VectorXd base = map(model_, workspace_, state_);
  if (base.size() == 0) return lose(SensitivityDoubt::not_followed, state_.time, "an impact could not be repeated");
  const double speed = std::max(state_.v.cwiseAbs().maxCoeff(), next_.v.cwiseAbs().maxCoeff());
  if ((base.head(n_) - next_.v).cwiseAbs().maxCoeff() > tolerances::sensitivity_repeated * std::max(1.0, speed))
    note(SensitivityDoubt::not_followed, state_.time, "an impact repeated beside the run came out otherwise");
  const Eigen::MatrixXd dq = x_.topRows(n_) + state_.v * changes_;
  const Eigen::MatrixXd dv = x_.bottomRows(n_) + before_.acceleration() * changes_;
  const auto exact = exact_jump(strikes, ending, dq, dv);
  Eigen::MatrixXd jump = exact ? *exact : Eigen::MatrixXd(base.size(), columns_);
  for (Eigen::Index c = 0; c < columns_; ++c) {
    if (!exact) {
      const std::optional<Eigen::VectorXd> found = along(map, base, dq.col(c), dv.col(c));
      if (!found) return lose(SensitivityDoubt::not_followed, state_.time, "an impact has no neighbours");
      jump.col(c) = *found;
    }
    if (c < start_columns_ || !families_[static_cast<std::size_t>(c - start_columns_)].changes_model()) continue;
    jump.col(c) += families_[static_cast<std::size_t>(c - start_columns_)].derivative(
        [&](const Model& model, Workspace& workspace, const State&) -> Eigen::VectorXd {
          const Eigen::VectorXd value = map(model, workspace, state_);
          return value.size() == base.size() ? value : Eigen::VectorXd(base);
        });
  }
  if (!jump.allFinite()) return lose(SensitivityDoubt::not_followed, state_.time, "an impact");
  for (std::size_t k = 0; k < ending.size(); ++k)
    end_bounces(ending[k], base, jump, n_ + 2 * static_cast<Eigen::Index>(k));
  x_.topRows(n_) += (state_.v - next_.v) * changes_;
  x_.bottomRows(n_) = jump.topRows(n_) - after_.acceleration() * changes_;
}

// f(s) = map(q + s δq, v + s δv), at steps that are small beside positions and velocities.
std::optional<Eigen::VectorXd> SensitivityFollower::along(const ResetMap& map, const Eigen::VectorXd& base,
                                                          const Eigen::VectorXd& dq, const Eigen::VectorXd& dv) {
  const double speed = std::max(state_.v.cwiseAbs().maxCoeff(), tolerances::slip_without_direction);
  const double size = std::max(dq.cwiseAbs().maxCoeff(), dv.cwiseAbs().maxCoeff() / speed);
  if (!(size > 0)) return Eigen::VectorXd(Eigen::VectorXd::Zero(base.size()));
  const Eigen::VectorXd weight = scale_of(base);
  bool whole = true;
  double h = tolerances::sensitivity_impact_step;
  const auto at = [&](double s) -> Eigen::VectorXd {
    State moved = state_;
    integrate(model_, state_.q, dq, s / size, moved.q);
    moved.v += s / size * dv;
    const Eigen::VectorXd value = map(model_, workspace_, moved);
    whole = whole && value.size() == base.size();
    return whole ? Eigen::VectorXd(value.cwiseQuotient(weight)) : Eigen::VectorXd(base.cwiseQuotient(weight));
  };
  const Eigen::VectorXd change = smooth_difference(at, h), middle = base.cwiseQuotient(weight);
  // Slopes of the two sides that differ by a bend do so less and less on shorter steps; by a kink they do not.
  const auto bend = [&](double step) {
    const Eigen::VectorXd right = (at(step) - middle) / step, left = (middle - at(-step)) / step;
    return (right - left).cwiseAbs().maxCoeff() / std::max(1.0, change.cwiseAbs().maxCoeff());
  };
  const bool kinks =
      bend(h) > tolerances::kink_relative && bend(h / tolerances::sensitivity_refinement) > tolerances::kink_relative;
  if (!whole) return std::nullopt;
  if (kinks)
    note(SensitivityDoubt::mode_border, state_.time,
         "an impact at the border of two courses: the slopes of its sides differ");
  return Eigen::VectorXd(size * change.cwiseProduct(weight));
}

// Velocities count in proportion to the fastest.
Eigen::VectorXd SensitivityFollower::scale_of(const Eigen::VectorXd& base) const {
  const double speed = std::max(state_.v.cwiseAbs().maxCoeff(), tolerances::slip_without_direction);
  return Eigen::VectorXd::Constant(base.size(), speed);
}

// t_∞ = t + 2 u⁺/(g (1 − r)) with r = u⁺/|u⁻| from bounce to bounce, so short a time that nothing else changes.
void SensitivityFollower::end_bounces(ContactId id, const Eigen::VectorXd& base, const Eigen::MatrixXd& jump,
                                      Eigen::Index at) {
  compute_velocities(model_, state_.q, state_.v, workspace_);
  const auto contact = find_contact(model_, workspace_, state_.q, id);
  if (!contact) return;
  Eigen::MatrixXd J(contact_rows(model_), n_);
  contact_jacobian(model_, workspace_, *contact, J);
  const double pull = -contact_acceleration(model_, workspace_, *contact, J, state_, before_.acceleration()).n;
  const double down = base[at], up = base[at + 1], ratio = -up / down;
  if (!(pull > 0) || !(ratio < 1)) return;
  const Eigen::RowVectorXd dup = jump.row(at + 1), ddown = jump.row(at);
  const Eigen::RowVectorXd dratio = ratio * (dup / up - ddown / down);
  ends_[id] = changes_ + 2 / (pull * (1 - ratio)) * (dup + up / (1 - ratio) * dratio);
}

}  // namespace routh::internal
