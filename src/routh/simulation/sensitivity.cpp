#include "routh/simulation/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "routh/contact/contact_rows.h"
#include "routh/dynamics/dynamics.h"
#include "routh/math/dormand_prince.h"
#include "routh/math/elementary.h"
#include "routh/simulation/mode_flow.h"
#include "routh/simulation/parameter_family.h"
#include "routh/simulation/reset_map.h"

namespace routh {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

class Follower : public OdeRates {
 public:
  Follower(const Model& model, double until, const SimulationOptions& options,
           const std::vector<RunParameter>& parameters, StartTangents tangents)
      : model_(model),
        until_(until),
        options_(options),
        workspace_(model),
        before_(model),
        after_(model),
        start_columns_(tangents == StartTangents::all ? 2 * model.velocities : 0),
        n_(model.velocities) {
    for (const RunParameter& each : parameters) families_.emplace_back(each);
    columns_ = start_columns_ + static_cast<Eigen::Index>(families_.size());
  }

  RunSensitivity run(const State& start, const std::function<bool()>& interrupt) {
    std::vector<Event> happened;
    Simulator simulator(model_, start, options_);
    simulator.on_event([&](const Event& event) { happened.push_back(event); });
    bool asked_to_stop = false;
    simulator.interrupt_by([&] {
      asked_to_stop = interrupt && interrupt();
      return asked_to_stop || !happened.empty();
    });
    begin(start, simulator, happened);
    happened.clear();
    for (;;) {
      const SimulationStatus status = simulator.advance(until_);
      if (!happened.empty() && out_.exists) {
        carry(happened.front().time);
        cross(happened, simulator);
      }
      happened.clear();
      if (status == SimulationStatus::stopped && !asked_to_stop) continue;
      out_.status = status;
      break;
    }
    out_.state = simulator.state();
    if (out_.status != SimulationStatus::ready) {
      out_.message = simulator.message();
      lose(SensitivityDoubt::not_followed, out_.state.time, "the run did not reach its end");
    }
    if (out_.exists) carry(until_);
    finish();
    return std::move(out_);
  }

  // Motion, then the columns.
  bool operator()(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dy) override {
    State state;
    state.q = y.head(model_.coordinates);
    normalise(model_, state.q);
    state.v = y.segment(model_.coordinates, n_);
    state.time = t;
    if (!before_.compute(state)) return false;
    coordinate_rates(model_, y.head(model_.coordinates), state.v, dy.head(model_.coordinates));
    dy.segment(model_.coordinates, n_) = before_.acceleration();
    if (columns_ == 0) return true;
    if (!before_.differentiate(state)) return false;
    const Eigen::Index first = model_.coordinates + n_;
    const Eigen::Map<const Eigen::MatrixXd> x(y.data() + first, 2 * n_, columns_);
    Eigen::Map<Eigen::MatrixXd> dx(dy.data() + first, 2 * n_, columns_);
    dx.topRows(n_) = x.bottomRows(n_);
    turn(state.v, x, dx);
    dx.bottomRows(n_) =
        before_.acceleration_by_position() * x.topRows(n_) + before_.acceleration_by_velocity() * x.bottomRows(n_);
    for (std::size_t k = 0; k < families_.size(); ++k)
      dx.col(start_columns_ + static_cast<Eigen::Index>(k)).tail(n_) +=
          before_.respond(change_with(k, before_, state)).acceleration;
    return true;
  }

 private:
  // Of a turning with the angular velocity ω in the body's axes, δω = δ̇ + ω × δ.
  template <class X, class D>
  void turn(const Eigen::VectorXd& v, const X& x, D& dx) const {
    for (const Link& link : model_.links) {
      if (link.kind != LinkKind::ball && link.kind != LinkKind::floating) continue;
      const int i = link.kind == LinkKind::ball ? link.v : link.v + 3;
      const Eigen::Vector3d w = v.segment<3>(i);
      for (Eigen::Index c = 0; c < x.cols(); ++c) {
        const Eigen::Vector3d d = x.col(c).template segment<3>(i);
        dx(i, c) -= w[1] * d[2] - w[2] * d[1];
        dx(i + 1, c) -= w[2] * d[0] - w[0] * d[2];
        dx(i + 2, c) -= w[0] * d[1] - w[1] * d[0];
      }
    }
  }

  ModeFlow::Residual change_with(std::size_t family, const ModeFlow& flow, const State& state) {
    return families_[family].derivative(
        [&](const Model& model, Workspace& workspace, const State&) { return flow.residual(model, workspace, state); });
  }

  void note(SensitivityDoubt doubt, double time, std::string text) {
    const auto same = [&](const SensitivityNote& each) { return each.doubt == doubt && each.text == text; };
    if (std::none_of(out_.notes.begin(), out_.notes.end(), same)) out_.notes.push_back({doubt, time, std::move(text)});
  }
  void lose(SensitivityDoubt doubt, double time, std::string text) {
    note(doubt, time, std::move(text));
    if (!out_.exists) return;
    out_.exists = false;
    out_.lost = time;
  }

  static bool strikes(const Event& event) { return is_strike(event.kind) && event.rule != ImpactRule::none; }

  static std::vector<ModeContact> held_by(const Simulator& simulator) {
    std::vector<ModeContact> held;
    for (const ActiveContact& each : simulator.active()) held.push_back({each.contact.id, each.mode, each.direction});
    return held;
  }

  void begin(const State& start, const Simulator& simulator, const std::vector<Event>& happened) {
    state_ = simulator.state();
    x_.setZero(2 * n_, columns_);
    if (start_columns_ > 0) x_.leftCols(start_columns_).setIdentity();
    for (std::size_t k = 0; k < families_.size(); ++k)
      x_.col(start_columns_ + static_cast<Eigen::Index>(k)) =
          families_[k].derivative([&](const Model&, Workspace&, const State& other) {
            Eigen::VectorXd column(2 * n_);
            Eigen::VectorXd moved(n_);
            difference(model_, start.q, other.q, moved);
            column << moved, other.v - start.v;
            return column;
          });
    last_change_.setZero(columns_);
    last_time_ = state_.time;
    out_.validity.setConstant(columns_, never);
    before_.hold(held_by(simulator));
    if (simulator.status() != SimulationStatus::ready) return;
    if (std::any_of(happened.begin(), happened.end(), strikes)) return strike_at_start(start, happened);
    if (before_.held().empty() && model_.loop_rows == 0) return;
    if (!before_.held().empty())
      note(SensitivityDoubt::start_in_contact, state_.time,
           "the run begins with closed contacts: the start varies along them");
    keep_closed();
  }

  // The time of such an impact is given, and its gap stays closed.
  void strike_at_start(const State& start, const std::vector<Event>& happened) {
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
    apply(ResetMap(options_, hits, after_), {});
    for (const Event& event : happened) out_.events.push_back({event.time, event.kind, changes_, true});
    state_ = next_;
    before_.hold(after_.held());
  }

  // Variations of a state on its constraints: least changes of q and q̇ that leave gaps and loops closed.
  void keep_closed() {
    if (!before_.compute(state_) || !before_.differentiate(state_)) return;
    before_.project(state_, x_.topRows(n_), x_.bottomRows(n_));
  }

  void carry(double to) {
    double t = state_.time;
    if (!(to > t) || n_ == 0) return;
    // In space friction turns ever faster as a slip comes to its halt.
    const bool turns = model_.dimension == Dimension::spatial &&
                       std::any_of(before_.held().begin(), before_.held().end(),
                                   [](const ModeContact& each) { return each.mode == ContactMode::slip; });
    const double end = turns ? std::max(t, to - tolerances::before_halt) : to;
    const Eigen::Index first = model_.coordinates + n_;
    Eigen::VectorXd y(first + 2 * n_ * columns_);
    y.head(model_.coordinates) = state_.q;
    y.segment(model_.coordinates, n_) = state_.v;
    Eigen::Map<Eigen::MatrixXd>(y.data() + first, 2 * n_, columns_) = x_;
    DormandPrince8 stepper(y.size());
    OdeTolerance tolerance;
    tolerance.relative = tolerances::sensitivity_tolerance_relative;
    tolerance.floor = Eigen::VectorXd::Ones(y.size());
    for (Eigen::Index c = 0; c < columns_; ++c)
      tolerance.floor.segment(first + 2 * n_ * c, 2 * n_).setConstant(std::max(1.0, x_.col(c).cwiseAbs().maxCoeff()));
    double h = std::min(end - t, tolerances::sensitivity_first_step);
    while (t < end) {
      h = std::min(h, end - t);
      if (end - t < 1.01 * h) h = end - t;
      const OdeStepResult result = stepper.step(*this, t, y, h, tolerance);
      if (++steps_ > tolerances::sensitivity_steps_max ||
          (result.status != OdeStepStatus::good && result.next < tolerances::sensitivity_step_least)) {
        return lose(SensitivityDoubt::not_followed, t, "the variational equations could not be integrated");
      }
      if (result.status == OdeStepStatus::good) {
        t = t + h == end || end - t <= h ? end : t + h;
        y = stepper.result();
        Eigen::VectorXd q = y.head(model_.coordinates);
        normalise(model_, q);
        y.head(model_.coordinates) = q;
        stepper.reset();
      }
      h = result.next;
    }
    state_.q = y.head(model_.coordinates);
    state_.v = y.segment(model_.coordinates, n_);
    state_.time = to;
    x_ = Eigen::Map<Eigen::MatrixXd>(y.data() + first, 2 * n_, columns_);
  }

  // A condition g = 0 that ends a piece of the motion: its rate along the motion, and δg by columns.
  struct Guard {
    double rate = 0;
    Eigen::RowVectorXd change;
  };

  // δt = −δg/ġ
  static Eigen::RowVectorXd times(const Guard& guard) { return -guard.change / guard.rate; }

  void cross(const std::vector<Event>& events, const Simulator& simulator) {
    const double time = events.front().time;
    for (const Event& event : events) {
      if (event.kind == EventKind::crowd)
        return lose(SensitivityDoubt::crowd, event.time - event.duration,
                    "events came in a crowd that was stepped through");
      if (event.kind == EventKind::tangential_impact)
        return lose(SensitivityDoubt::paradox, event.time, "a tangential impact");
    }
    if (!before_.compute(state_) || !before_.differentiate(state_))
      return lose(SensitivityDoubt::not_followed, time, "the forces before an event");
    after_.hold(held_by(simulator));
    next_ = simulator.state();
    if (!after_.compute(next_)) return lose(SensitivityDoubt::not_followed, time, "the forces after an event");
    std::vector<Event> hits;
    for (const Event& event : events)
      if (strikes(event)) hits.push_back(event);
    changes_ = Eigen::RowVectorXd::Zero(columns_);
    known_ = true;
    if (hits.empty())
      switch_modes(events);
    else
      strike(hits);
    if (!out_.exists) return;
    for (const Event& event : events) keep(event);
    state_ = next_;
    before_.hold(after_.held());
  }

  void keep(const Event& event) {
    RunSensitivity::EventTime it{event.time, event.kind, changes_, known_};
    if (event.kind == EventKind::profile) it.change.setZero(), it.known = true;
    if (event.kind == EventKind::user) it.change.setZero(), it.known = false;
    if (event.kind == EventKind::zeno && !event.contacts.empty()) {
      const auto found = ends_.find(event.contacts.front().id);
      it.known = found != ends_.end();
      if (it.known) it.change = found->second;
    }
    if (it.known && event.kind != EventKind::zeno) narrow(it.time, it.change);
    out_.events.push_back(std::move(it));
  }

  // How far each column goes until this event meets the one before.
  void narrow(double time, const Eigen::RowVectorXd& change) {
    for (Eigen::Index c = 0; c < columns_; ++c) {
      const double closing = std::abs(change[c] - last_change_[c]);
      const double reach = (time - last_time_) / closing;
      if (reach > 0 && reach < tolerances::validity_most) out_.validity[c] = std::min(out_.validity[c], reach);
    }
    last_change_ = change;
    last_time_ = time;
  }

  bool was_held(ContactId id) const {
    return std::any_of(before_.held().begin(), before_.held().end(), [&](const auto& each) { return each.id == id; });
  }

  Guard gap_guard(ContactId id) {
    compute_velocities(model_, state_.q, state_.v, workspace_);
    const auto contact = find_contact(model_, workspace_, state_.q, id);
    Guard guard;
    if (!contact) return guard;
    Eigen::MatrixXd J(contact_rows(model_), n_);
    contact_jacobian(model_, workspace_, *contact, J);
    guard.rate = J.row(0).dot(state_.v);
    guard.change = J.row(0) * x_.topRows(n_);
    for (std::size_t k = 0; k < families_.size(); ++k)
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

  void strike(const std::vector<Event>& strikes) {
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
    ResetMap map(options_, strikes, after_);
    for (const ContactId id : ending) map.watch(id);
    apply(map, ending);
  }

  // Directional derivatives of the reset, and what the shift of its time does.
  void apply(const ResetMap& map, const std::vector<ContactId>& ending) {
    const Eigen::VectorXd base = map(model_, workspace_, state_);
    if (base.size() == 0) return lose(SensitivityDoubt::not_followed, state_.time, "an impact could not be repeated");
    const double speed = std::max(state_.v.cwiseAbs().maxCoeff(), next_.v.cwiseAbs().maxCoeff());
    if ((base.head(n_) - next_.v).cwiseAbs().maxCoeff() > tolerances::sensitivity_repeated * std::max(1.0, speed))
      note(SensitivityDoubt::not_followed, state_.time, "an impact repeated beside the run came out otherwise");
    Eigen::MatrixXd jump(base.size(), columns_);
    for (Eigen::Index c = 0; c < columns_; ++c) {
      const Eigen::VectorXd dq = x_.col(c).head(n_) + state_.v * changes_[c];
      const Eigen::VectorXd dv = x_.col(c).tail(n_) + before_.acceleration() * changes_[c];
      const std::optional<Eigen::VectorXd> found = along(map, base, dq, dv);
      if (!found) return lose(SensitivityDoubt::not_followed, state_.time, "an impact has no neighbours");
      jump.col(c) = *found;
      if (c < start_columns_) continue;
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
  std::optional<Eigen::VectorXd> along(const ResetMap& map, const Eigen::VectorXd& base, const Eigen::VectorXd& dq,
                                       const Eigen::VectorXd& dv) {
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
  Eigen::VectorXd scale_of(const Eigen::VectorXd& base) const {
    const double speed = std::max(state_.v.cwiseAbs().maxCoeff(), tolerances::slip_without_direction);
    return Eigen::VectorXd::Constant(base.size(), speed);
  }

  // t_∞ = t + 2 u⁺/(g (1 − r)) with r = u⁺/|u⁻| from bounce to bounce, so short a time that nothing else changes.
  void end_bounces(ContactId id, const Eigen::VectorXd& base, const Eigen::MatrixXd& jump, Eigen::Index at) {
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

  // What decides that a contact leaves its mode.
  struct Trigger {
    enum class Kind { none, halt, grip, load } kind = Kind::none;
    std::size_t contact = 0;
    double value = never;  // of the guard, relative to what it is made of
  };

  std::vector<Trigger> find_triggers() const {
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

  double static_friction(std::size_t k) const {
    return contact_friction(model_, before_.contact(k)).static_coefficient;
  }

  // δg of a guard from the changes of forces and slip.
  double guard_of(const Trigger& trigger, const ModeFlow::Response& change) const {
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

  Guard guard_with(const Trigger& trigger) {
    Guard guard;
    guard.change.setZero(columns_);
    for (Eigen::Index c = 0; c < columns_; ++c) {
      guard.change[c] = guard_of(trigger, before_.respond(x_.col(c).head(n_), x_.col(c).tail(n_)));
      if (c < start_columns_) continue;
      const auto k = static_cast<std::size_t>(c - start_columns_);
      guard.change[c] += guard_of(trigger, before_.respond(change_with(k, before_, state_)));
      if (trigger.kind == Trigger::Kind::grip)  // μ_s itself
        guard.change[c] -= before_.force(trigger.contact).n *
                           families_[k].derivative([&](const Model& model, Workspace&, const State&) {
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

  void switch_modes(const std::vector<Event>& events) {
    const std::vector<Trigger> triggers = find_triggers();
    const Eigen::VectorXd jump = after_.acceleration() - before_.acceleration();
    const double scale = std::max(1.0, before_.acceleration().cwiseAbs().maxCoeff());
    const bool jumps = jump.size() > 0 && jump.cwiseAbs().maxCoeff() > tolerances::sensitivity_repeated * scale;
    if (triggers.empty()) {
      known_ = !std::any_of(events.begin(), events.end(),
                            [](const Event& each) { return is_of_closed_contacts(each.kind); });
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
    ResetMap map(options_, {}, after_);
    const Eigen::VectorXd base = map(model_, workspace_, next_);
    const State kept = std::exchange(state_, next_);
    for (Eigen::Index c = 0; c < columns_ && base.size() > 0; ++c)
      if (const auto found = along(map, base, x_.col(c).head(n_), x_.col(c).tail(n_))) x_.col(c).tail(n_) = *found;
    state_ = kept;
  }

  void finish() {
    out_.events.shrink_to_fit();
    narrow(until_, Eigen::RowVectorXd::Zero(columns_));
    for (Eigen::Index c = start_columns_; c < columns_; ++c) {
      const double size = families_[static_cast<std::size_t>(c - start_columns_)].size();
      x_.col(c) /= size;
      out_.validity[c] *= size;
      for (auto& each : out_.events) each.change[c] /= size;
    }
    if (out_.exists && !x_.allFinite())
      lose(SensitivityDoubt::not_followed, until_, "a derivative beyond the range of numbers");
    if (!out_.exists) return;
    out_.position = x_.topRows(n_);
    out_.velocity = x_.bottomRows(n_);
  }

  const Model& model_;
  double until_;
  SimulationOptions options_;
  Workspace workspace_;
  ModeFlow before_, after_;
  Eigen::Index start_columns_, columns_ = 0, n_;
  std::vector<ParameterFamily> families_;
  State state_, next_;
  Eigen::MatrixXd x_;  // parameters by p/size
  Eigen::RowVectorXd changes_, last_change_;
  double last_time_ = 0;
  bool known_ = true;
  double steps_ = 0;
  std::map<ContactId, Eigen::RowVectorXd> ends_;  // of sequences of bounces
  std::map<ContactId, double> strikes_of_;        // when each contact struck last
  RunSensitivity out_;
};

}  // namespace

RunSensitivity run_sensitivity(const Model& model, const State& start, double until, const SimulationOptions& options,
                               const std::vector<RunParameter>& parameters, StartTangents tangents,
                               const std::function<bool()>& interrupt) {
  return Follower(model, until, options, parameters, tangents).run(start, interrupt);
}

}  // namespace routh
