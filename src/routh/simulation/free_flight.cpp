#include "routh/simulation/free_flight.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/dynamics/constrained.h"
#include "routh/simulation/free_motion.h"

namespace routh::internal {

namespace {

constexpr double everywhere = std::numeric_limits<double>::max();

struct Approach {
  ContactId id;
  double gap = 0;
  double rate = 0;  // relative to moving surfaces
};

class Flight {
 public:
  Flight(const Model& model, const State& start, const FlightOptions& options)
      : model_(model), options_(options), motion_(model), next_(start) {
    result_.state = start;
  }

  FlightResult run() {
    if (model_.velocities == 0 || !begin()) return result_;  // what cannot move strikes nothing
    const double end = result_.state.time + options_.duration;
    double h = first_step();
    while (result_.state.time < end) {
      const bool told = options_.stop && *options_.stop;
      if (told || result_.steps + result_.rejected >= options_.max_steps) return finish(FlightStatus::step_limit);
      h = std::min(h, end - result_.state.time);
      const bool good = motion_.step(model_, result_.state, h, next_);
      const double error = good ? motion_.error(result_.state, next_, options_.tolerance) : 1e10;
      const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
      if (!good || error > 1) {
        ++result_.rejected;
        h *= good ? factor : 0.1;
        if (result_.state.time + h == result_.state.time) return finish(FlightStatus::singular);
        continue;
      }
      ++result_.steps;
      if (strikes_within(h)) return finish(FlightStatus::struck);
      assemble(model_, next_, motion_.workspace());
      std::swap(result_.state, next_);
      if (h >= end - next_.time) result_.state.time = end;
      h *= factor;
    }
    return finish(FlightStatus::no_strike);
  }

 private:
  FlightResult finish(FlightStatus status) {
    result_.status = status;
    return result_;
  }

  // Sorts out what touches at the start. False when the flight is over before it began.
  bool begin() {
    const TouchReport report = find_touches(model_, result_.state, {options_.touch}, motion_.workspace());
    const auto stop = [&](FlightStatus status) { result_.status = status; };
    if (!report.overlaps.empty()) {
      result_.contacts = report.overlaps;
      stop(FlightStatus::overlapping);
      return false;
    }
    for (const Touch& touch : report.touches)
      if (touch.kind == TouchKind::approaching) result_.contacts.push_back(touch.contact);
    if (!result_.contacts.empty()) {
      stop(FlightStatus::touching);
      return false;
    }
    for (const Touch& touch : report.touches) {
      if (touch.kind == TouchKind::resting && carries_load(touch.contact)) result_.contacts.push_back(touch.contact);
      released_.push_back(touch.contact.id);
    }
    if (!result_.contacts.empty()) stop(FlightStatus::supported);
    return result_.contacts.empty();
  }

  // Whether the free motion would press the contact together.
  bool carries_load(const Contact& contact) {
    const Eigen::VectorXd* const a = motion_.acceleration(model_, result_.state);
    if (!a) return false;
    Eigen::MatrixXd J(contact_rows(model_), model_.velocities);
    contact_jacobian(model_, motion_.workspace(), contact, J);
    const double drift = contact_drift(model_, motion_.workspace(), result_.state.v, contact).n;
    const double rounding = 1e-12 * (J.row(0).cwiseAbs().dot(a->cwiseAbs()) + std::abs(drift));
    return J.row(0).dot(*a) + drift < -rounding;
  }

  double first_step() {
    const Eigen::VectorXd* const a = motion_.acceleration(model_, result_.state);
    const double push = a ? a->cwiseAbs().maxCoeff() : 0;
    const double speed = result_.state.v.cwiseAbs().maxCoeff();
    return std::min(options_.duration, 0.01 / (1 + speed + std::sqrt(push)));
  }

  // Contacts and their rates in the state after a step of size h from the present one.
  void contacts_after(double h, std::vector<Approach>& approaches) {
    if (h > 0) {
      motion_.step(model_, result_.state, h, probe_);
    } else {
      probe_ = result_.state;
    }
    compute_velocities(model_, probe_.q, probe_.v, motion_.workspace());
    find_contacts(model_, motion_.workspace(), probe_.q, everywhere, contacts_);
    approaches.clear();
    for (const Contact& contact : contacts_) {
      const ContactVector v = contact_velocity(model_, motion_.workspace(), probe_.v, contact);
      const ContactVector s = surface_velocity(model_, motion_.workspace(), contact, probe_.time);
      approaches.push_back({contact.id, contact.gap, v.n - s.n});
    }
  }

  bool released(const ContactId& id) const {
    return std::find(released_.begin(), released_.end(), id) != released_.end();
  }

  double speed_of(const State& state) {
    compute_velocities(model_, state.q, state.v, motion_.workspace());
    return contact_speed_bound(model_, motion_.workspace(), state.v);
  }

  // How long nothing can pass through another shape unseen: until half the least gap is covered, or a thin plate.
  double next_look(double h, double speed) const {
    constexpr double thin = 2e-3;  // [m]
    double least = everywhere;
    for (const Approach& each : before_)
      if (!released(each.id)) least = std::min(least, each.gap);
    const double safe = std::max(0.5 * least, thin) / speed;
    return std::isfinite(speed) ? std::clamp(safe, 1e-5 * h, 0.25 * h) : 0.25 * h;
  }

  // Looks at the gaps at the quarters of the step at least, and between two looks where a gap turns from closing to
  // opening. A contact that was let go counts again once it is clear.
  bool strikes_within(double h) {
    const double speed = std::max(speed_of(result_.state), speed_of(next_));
    contacts_after(0, before_);
    double start = 0;
    while (start < h) {
      const double end = std::min(h, start + next_look(h, speed));
      contacts_after(end, now_);
      bool struck = false;
      for (const Approach& each : now_) {
        if (each.gap > options_.touch) std::erase(released_, each.id);
        struck = struck || (each.gap < 0 && !released(each.id));
      }
      if (struck) {
        locate(start, end);
        return true;
      }
      if (const double low = grazing_overlap(start, end); low > start) {
        locate(start, low);
        return true;
      }
      std::swap(before_, now_);
      start = end;
    }
    return false;
  }

  // A time between `start` and `end` at which a contact overlaps that is clear at both: its gap has a minimum between,
  // found where its rate changes sign. `start` when there is none.
  double grazing_overlap(double start, double end) {
    for (const Approach& from : before_) {
      const auto to = std::find_if(now_.begin(), now_.end(), [&](const Approach& each) { return each.id == from.id; });
      if (to == now_.end() || released(from.id) || !(from.rate < 0 && to->rate > 0)) continue;
      // As if the rate grew evenly, with room for what it does not.
      const double lowest = from.gap - 0.5 * from.rate * from.rate * (end - start) / (to->rate - from.rate);
      if (lowest > 0.1 * std::min(from.gap, to->gap)) continue;
      double low = start, high = end;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        contacts_after(middle, probe_approaches_);
        const auto each = std::find_if(probe_approaches_.begin(), probe_approaches_.end(),
                                       [&](const Approach& other) { return other.id == from.id; });
        if (each == probe_approaches_.end()) break;
        if (each->gap < 0) return middle;
        (each->rate < 0 ? low : high) = middle;
      }
    }
    return start;
  }

  // The smallest gap of those that count, after a step of size h.
  double smallest_gap(double h) {
    contacts_after(h, probe_approaches_);
    double gap = everywhere;
    for (const Approach& each : probe_approaches_)
      if (!released(each.id)) gap = std::min(gap, each.gap);
    return gap;
  }

  // Regula falsi, every third step a bisection, on the smallest gap: from `low`, where it is not negative, to
  // `high`, where it is: to the last digit of time.
  void locate(double low, double high) {
    double gap_low = smallest_gap(low), gap_high = smallest_gap(high);
    for (int k = 0; k < 200 && gap_low > 0; ++k) {
      double middle = k % 3 == 2 ? 0.5 * (low + high) : (low * gap_high - high * gap_low) / (gap_high - gap_low);
      if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      const double gap = smallest_gap(middle);
      if (gap < 0) {
        high = middle;
        gap_high = gap;
      } else {
        low = middle;
        gap_low = gap;
      }
      if (std::abs(gap) <= 1e-15) break;
    }
    contacts_after(std::abs(gap_low) <= std::abs(gap_high) ? low : high, probe_approaches_);
    result_.state = probe_;
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      if (contacts_[k].gap <= std::min(options_.touch, 1e-9) && probe_approaches_[k].rate < 0 &&
          !released(contacts_[k].id))
        result_.contacts.push_back(contacts_[k]);
  }

  const Model& model_;
  FlightOptions options_;
  FreeMotion motion_;
  State next_, probe_;
  std::vector<Contact> contacts_;  // in the state of the last `contacts_after`
  std::vector<Approach> before_, now_, probe_approaches_;
  std::vector<ContactId> released_;
  FlightResult result_;
};

}  // namespace

const char* explain(FlightStatus status) {
  switch (status) {
    case FlightStatus::struck:
      return "the free motion ends in a strike";
    case FlightStatus::no_strike:
      return "nothing is struck within the time looked ahead";
    case FlightStatus::touching:
      return "a contact touches and approaches already";
    case FlightStatus::supported:
      return "a contact at rest carries load: the motion is not free";
    case FlightStatus::overlapping:
      return "shapes overlap at the start";
    case FlightStatus::step_limit:
      return "more steps were needed than allowed";
    case FlightStatus::singular:
      return "the mass matrix became singular, or numbers left their range";
  }
  return "";
}

FlightResult fly_to_strike(const Model& model, const State& start, const FlightOptions& options) {
  return Flight(model, start, options).run();
}

}  // namespace routh::internal
