// The normal motion through an impact, in the normal impulse I: compression until v_n rises to zero, then restitution
// until the law of restitution is satisfied. Shared by the planar and the spatial solution.
//
//   Newton     v_n  = −e v_n⁻       [Elkaranshawy 2025, eq. 30]
//   Poisson    I_r  =  e I_c        [eq. 31]
//   energetic  W_r  = −e² W_c       [eq. 32]
//
// With jam in three dimensions v_n can turn negative again during restitution. That is compression again: I_c, W_c, I_r
// and W_r are totals over all stretches of each kind, and the impact ends in a restitution stretch.
#pragma once

#include <cmath>
#include <limits>

#include "routh/impact/problem.h"
#include "routh/impact/result.h"

namespace routh {

class NormalMotion {
 public:
  enum class Event { none, compression_ends, recompression, impact_ends };

  NormalMotion(Law law, double approach_velocity, double restitution)
      : law_(law), e_(restitution), velocity_(approach_velocity), target_velocity_(-restitution * approach_velocity) {}

  double impulse() const { return impulse_; }
  double velocity() const { return velocity_; }
  double work() const { return work_; }
  Stage stage() const { return stage_; }
  double target_velocity() const { return target_velocity_; }
  double target_impulse() const { return target_impulse_; }
  double target_work() const { return target_work_; }

  struct Next {
    double impulse;  // from now
    Event event;
  };

  // Impulse to the next event while dv_n/dI = slope stays constant.
  Next next_event(double slope) const {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (stage_ == Stage::compression) {
      if (slope > 0) return {-velocity_ / slope, Event::compression_ends};
      return {never, Event::none};
    }
    double to_end = never;
    switch (law_) {
      case Law::newton:
        if (slope > 0) to_end = (target_velocity_ - velocity_) / slope;
        break;
      case Law::poisson:
        to_end = target_impulse_ - impulse_;
        break;
      default: {
        // v_n x + slope x²/2 = W_target − W, in the form that does not cancel.
        const double rest = target_work_ - work_;
        const double square = velocity_ * velocity_ + 2 * slope * rest;
        if (rest <= 0)
          to_end = 0;
        else if (square >= 0 && velocity_ + std::sqrt(square) > 0)
          to_end = 2 * rest / (velocity_ + std::sqrt(square));
        break;
      }
    }
    if (to_end < 0) to_end = 0;
    if (slope < 0 && -velocity_ / slope < to_end) return {-velocity_ / slope, Event::recompression};
    return {to_end, to_end < never ? Event::impact_ends : Event::none};
  }

  // Moves by an impulse over which dv_n/dI = slope.
  void advance(double impulse, double slope) {
    work_ += impulse * (velocity_ + 0.5 * slope * impulse);
    velocity_ += slope * impulse;
    impulse_ += impulse;
  }

  // Moves to values found by other means.
  void move_to(double impulse, double velocity, double work) {
    impulse_ = impulse;
    velocity_ = velocity;
    work_ = work;
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
        compression_impulse_ += impulse_ - stretch_impulse_;
        compression_work_ += work_ - stretch_work_;
        target_impulse_ = impulse_ + (e_ * compression_impulse_ - restitution_impulse_);
        target_work_ = work_ + (-e_ * e_ * compression_work_ - restitution_work_);
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
  void begin_stretch(Stage stage) {
    stage_ = stage;
    velocity_ = 0;
    stretch_impulse_ = impulse_;
    stretch_work_ = work_;
  }

  Law law_;
  double e_;
  double impulse_ = 0;
  double velocity_;
  double work_ = 0;
  double target_velocity_;
  double target_impulse_ = 0;
  double target_work_ = 0;
  double stretch_impulse_ = 0, stretch_work_ = 0;          // where the present stretch began
  double compression_impulse_ = 0, compression_work_ = 0;  // of finished stretches
  double restitution_impulse_ = 0, restitution_work_ = 0;
  Stage stage_ = Stage::compression;
};

}  // namespace routh
