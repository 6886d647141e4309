// The normal motion through an impact, in the normal impulse I: compression until v_n rises to zero, then restitution
// until the law of restitution is satisfied. Shared by the planar and the spatial solution.
//
//   Newton     v_n  = −e v_n⁻       [Elkaranshawy 2025, eq. 30]
//   Poisson    I_r  =  e I_c        [eq. 31]
//   energetic  W_r  = −e² W_c       [eq. 32]
//
// With jam in three dimensions v_n can turn negative again during restitution. That is compression again: I_c, W_c, I_r
// and W_r are totals over all stretches of each kind, and the impact ends in a restitution stretch, or at the end of a
// compression so fast that its e asks for less than was given back before.
//
// e is chosen where compression ends, for the greatest approach speed |v_n| so far.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/impact/problem.h"
#include "routh/impact/restitution.h"
#include "routh/impact/result.h"

namespace routh::internal {

class NormalMotion {
 public:
  enum class Event { none, compression_ends, recompression, impact_ends };

  NormalMotion(Law law, double approach_velocity, const RestitutionRule& rule)
      : law_(law),
        rule_(rule),
        first_velocity_(approach_velocity),
        greatest_approach_(-approach_velocity),
        e_(rule.at(greatest_approach_)),
        velocity_(approach_velocity) {}

  double impulse() const { return impulse_; }
  double velocity() const { return velocity_; }
  double work() const { return work_; }
  Stage stage() const { return stage_; }
  // e of the last compression that ended; before one has, of a strike at the first velocity.
  const RestitutionValue& restitution() const { return e_; }
  double target_velocity() const { return target_velocity_; }
  double target_impulse() const { return target_impulse_; }
  double target_work() const { return target_work_; }

  struct Next {
    double impulse;  // from now
    Event event;
  };

  // Impulse from now to the end of the present stage while dv_n/dI = slope stays constant: negative when it has been
  // passed, infinite when it is not on the way.
  double impulse_to_stage_end(double slope) const {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (stage_ == Stage::compression) return slope > 0 ? -velocity_ / slope : never;
    switch (law_) {
      case Law::newton:
        return slope > 0 ? (target_velocity_ - velocity_) / slope : never;
      case Law::poisson:
        return target_impulse_ - impulse_;
      default: {
        // v_n x + slope x²/2 = W_target − W, in the form that does not cancel.
        const double rest = target_work_ - work_;
        const double square = velocity_ * velocity_ + 2 * slope * rest;
        if (rest > 0 && square < 0) return never;
        const double sum = velocity_ + std::sqrt(std::max(0.0, square));
        if (sum > 0) return 2 * rest / sum;
        return rest > 0 ? never : 0;
      }
    }
  }

  // Impulse to the next event while dv_n/dI = slope stays constant.
  Next next_event(double slope) const {
    const double to_end = impulse_to_stage_end(slope);
    const bool ends = to_end < std::numeric_limits<double>::infinity();
    if (stage_ == Stage::compression) return {to_end, ends ? Event::compression_ends : Event::none};
    if (slope < 0 && -velocity_ / slope < to_end) return {-velocity_ / slope, Event::recompression};
    return {std::max(0.0, to_end), ends ? Event::impact_ends : Event::none};
  }

  struct Values {
    double impulse;
    double velocity;
    double work;
  };

  // The values after a stretch that adds the increment.
  template <class Increment>
  Values plus(const Increment& d) const {
    return {impulse_ + d.impulse, velocity_ + d.normal_velocity, work_ + d.normal_work};
  }

  // Whether the present stage lasts until the point with these values, v_n being monotone on the way.
  bool lasts_until(const Values& end) const {
    if (stage_ == Stage::compression) return end.velocity <= 0;
    if (end.velocity < 0) return false;
    switch (law_) {
      case Law::newton:
        return end.velocity < target_velocity_;
      case Law::poisson:
        return end.impulse < target_impulse_;
      default:
        return end.work < target_work_;
    }
  }

  // In restitution: whether the law is satisfied already.
  bool satisfied() const {
    switch (law_) {
      case Law::newton:
        return target_velocity_ <= velocity_;
      case Law::poisson:
        return target_impulse_ <= impulse_;
      default:
        return target_work_ <= work_;
    }
  }

  // Moves by an impulse over which dv_n/dI = slope.
  void advance(double impulse, double slope) {
    work_ += impulse * (velocity_ + 0.5 * slope * impulse);
    velocity_ += slope * impulse;
    impulse_ += impulse;
    note_approach();
  }

  // Moves to values found by other means, v_n being monotone on the way.
  void move_to(const Values& values) {
    impulse_ = values.impulse;
    velocity_ = values.velocity;
    work_ = values.work;
    note_approach();
  }

  // Sticking where no impulse moves the contact: it stops if all but stopped already, else it cannot. `speed` is the
  // scale.
  Status lock(double speed) {
    if (velocity_ < -1e-10 * speed) return Status::no_solution;
    if (velocity_ <= 1e-10 * speed) velocity_ = 0;
    return Status::locked;
  }

  // Books the event just reached and puts the exactly known value in place of the computed one.
  void pass(Event event) {
    switch (event) {
      case Event::none:
        break;
      case Event::compression_ends:
        e_ = rule_.at(greatest_approach_);
        compression_impulse_ += impulse_ - stretch_impulse_;
        compression_work_ += work_ - stretch_work_;
        target_velocity_ = -e_.coefficient * first_velocity_;
        target_impulse_ = impulse_ + (e_.coefficient * compression_impulse_ - restitution_impulse_);
        target_work_ = work_ + (-e_.coefficient * e_.coefficient * compression_work_ - restitution_work_);
        begin_stretch(Stage::restitution);
        break;
      case Event::recompression:
        restitution_impulse_ += impulse_ - stretch_impulse_;
        restitution_work_ += work_ - stretch_work_;
        begin_stretch(Stage::compression);
        break;
      case Event::impact_ends:
        if (law_ == Law::newton) velocity_ = target_velocity_;
        break;
    }
  }

 private:
  void note_approach() { greatest_approach_ = std::max(greatest_approach_, -velocity_); }

  void begin_stretch(Stage stage) {
    stage_ = stage;
    velocity_ = 0;
    stretch_impulse_ = impulse_;
    stretch_work_ = work_;
  }

  Law law_;
  RestitutionRule rule_;
  double first_velocity_;
  double greatest_approach_;
  RestitutionValue e_;
  double impulse_ = 0;
  double velocity_;
  double work_ = 0;
  double target_velocity_ = 0;
  double target_impulse_ = 0;
  double target_work_ = 0;
  double stretch_impulse_ = 0, stretch_work_ = 0;          // where the present stretch began
  double compression_impulse_ = 0, compression_work_ = 0;  // of finished stretches
  double restitution_impulse_ = 0, restitution_work_ = 0;
  Stage stage_ = Stage::compression;
};

}  // namespace routh::internal
