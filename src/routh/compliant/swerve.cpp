// Slip through springs that swerves, in space, by a march in the normal impulse I. With σ = (cos φ, sin φ) and
// E = ½x² = −W_c − W_r/e² the springs' law u = (μ x/κ) σ, u̇ = v_t − s σ gives
//
//   dφ/dI = κ σ⊥ᵀv_t/(2 μ E)     dI_t/dI = −μ σ     dW_n/dI = v_n     dW_t/dI = −μ σᵀv_t     v = v₀ + D i
//
// Where E → 0 the spring is so short that σ follows v_t at once: stiff, so the stepper is implicit. The first and the
// last stretch, too short to matter, are straight.
#include <utility>

#include "routh/compliant/increment.h"
#include "routh/compliant/tolerances.h"
#include "routh/math/elementary.h"
#include "routh/math/radau.h"

namespace routh::internal {

namespace {

enum Entry : Eigen::Index { impulse_1, impulse_2, angle, normal_work, tangential_work, entries };

class SwerveRates : public OdeRates {
 public:
  SwerveRates(const StrikeInput& in, double compliance, double normal_rate)
      : in_(in), compliance_(compliance), rate_(normal_rate) {}

  // The place from which the entries count.
  void start_at(const ContactVector& velocity, double energy) { velocity_ = velocity, energy_ = energy; }

  Tangent direction(const Eigen::VectorXd& y) const { return {elementary::cos(y[angle]), elementary::sin(y[angle])}; }
  ContactVector velocity(double impulse, const Eigen::VectorXd& y) const {
    return plus(velocity_, apply(in_.inertia, {impulse, y[impulse_1], y[impulse_2]}));
  }
  double energy(const Eigen::VectorXd& y) const { return energy_ - rate_ * y[normal_work]; }

  bool operator()(double impulse, const Eigen::VectorXd& y, Eigen::VectorXd& dy) override {
    const double mu = in_.friction.kinetic_coefficient, e = energy(y);
    if (!(e > 0)) return false;
    const Tangent s = direction(y);
    const ContactVector v = velocity(impulse, y);
    dy[impulse_1] = -mu * s.t1;
    dy[impulse_2] = -mu * s.t2;
    dy[angle] = (s.t1 * v.t2 - s.t2 * v.t1) / (2 * mu * compliance_ * e);
    dy[normal_work] = v.n;
    dy[tangential_work] = -mu * (s.t1 * v.t1 + s.t2 * v.t2);
    return true;
  }

 private:
  const StrikeInput& in_;
  double compliance_, rate_;
  ContactVector velocity_;
  double energy_ = 0;
};

}  // namespace

struct CompliantIncrement::Swerve {
  Swerve(const StrikeInput& in, double compliance, double normal_rate)
      : rates(in, compliance, normal_rate), stepper(entries) {
    y = Eigen::VectorXd::Zero(entries);
    const ContactVector& v = in.velocity;
    speed = std::abs(v.n) + norm(tangent(v));
    size = speed / (in.inertia.a + std::max(in.inertia.b11, in.inertia.b22));
    tolerance.relative = tolerances::compliant_slip_error;
    tolerance.floor.resize(entries);
    tolerance.floor << size, size, 1, size * speed, size * speed;
  }

  SwerveRates rates;
  Radau5 stepper;
  OdeTolerance tolerance;
  Eigen::VectorXd y;
  double impulse = 0;  // since the start of the march
  double step = 0;     // proposed
  double speed, size;  // of velocities and impulses
  Tangent began;       // σ at the start of the phase
};

void CompliantIncrement::begin_swerve(Swerve& swerve) {
  const double step = tolerances::straight_start_relative * swerve.size;
  const bool unloaded = normal_.stage() == Stage::compression && stored_energy() <= 0.5 * step * swerve.speed;
  if (unloaded) advance_slip(direction_, step);
  swerve.began = direction_;
  swerve.y[angle] = elementary::atan2(direction_.t2, direction_.t1);
  swerve.step = step;
  swerve.rates.start_at(velocity(), stored_energy());
}

// Moves everything to the end of a step.
void CompliantIncrement::take(Swerve& swerve, const Eigen::VectorXd& after, double impulse) {
  const Eigen::VectorXd added = after - swerve.y;
  const ContactVector v = swerve.rates.velocity(impulse, after);
  impulse_ = {impulse_.t1 + added[impulse_1], impulse_.t2 + added[impulse_2]};
  tangential_work_ += added[tangential_work];
  slip_velocity_ = tangent(v);
  normal_.move_to({normal_.impulse() + (impulse - swerve.impulse), v.n, normal_.work() + added[normal_work]});
  direction_ = swerve.rates.direction(after);
  swerve.y = after;
  swerve.impulse = impulse;
}

// How far before the end of the stage and of slip a place of the march is, of the speed.
struct CompliantIncrement::Ahead {
  double turn, halt;
  double least() const { return std::min(turn, halt); }
};

CompliantIncrement::Ahead CompliantIncrement::ahead(const Swerve& swerve, const Eigen::VectorXd& y,
                                                    double impulse) const {
  const ContactVector v = swerve.rates.velocity(impulse, y);
  const double slip = dot(swerve.rates.direction(y), tangent(v)) + mu_ * normal_rate() / ratio_ * v.n;
  const double turn = normal_.stage() == Stage::compression ? -v.n : v.n;
  return {turn / swerve.speed, slip / swerve.speed};
}

// A good step, to the next event if there is one on it: by regula falsi [Illinois]. False: none was found.
bool CompliantIncrement::find_step(Swerve& swerve, double& step, Ahead& after) const {
  double low = 0, high = 0;  // high > 0: an event lies between
  const double start = std::max(0.0, ahead(swerve, swerve.y, swerve.impulse).least());
  double at_low = start, at_high = 0;
  for (int trial = 0; trial < tolerances::compliant_event_trials; ++trial) {
    const OdeStepResult tried = swerve.stepper.step(swerve.rates, swerve.impulse, swerve.y, step, swerve.tolerance);
    if (tried.status != OdeStepStatus::good) {
      // A longer step was good by chance, perhaps: it tells no bracket.
      low = high = at_high = 0;
      at_low = start;
      step = tried.status == OdeStepStatus::undefined ? 0.5 * step : tried.next;
      if (!(step > tolerances::compliant_step_min * swerve.size)) return false;
      continue;
    }
    after = ahead(swerve, swerve.stepper.result(), swerve.impulse + step);
    const double now = after.least();
    if (high == 0) swerve.step = tried.next;
    if (std::abs(now) <= tolerances::compliant_event_relative || (now > 0 && high == 0)) return true;
    if (now < 0) {
      if (at_high < 0) at_low *= 0.5;
      high = step, at_high = now;
    } else {
      if (low > 0) at_high *= 0.5;
      low = step, at_low = now;
    }
    const double guess = low + (high - low) * at_low / (at_low - at_high);
    const double next = guess > low && guess < high ? guess : 0.5 * (low + high);
    if (next == step) return true;  // as near as steps can tell
    step = next;
  }
  return false;
}

// Whether slip goes on in this march.
bool CompliantIncrement::step_swerve(Swerve& swerve) {
  const Stage stage = normal_.stage();
  double step = swerve.step;
  if (stage == Stage::restitution) {
    const double left = normal_.impulse_to_stage_end(normal_slope(direction_));
    if (left <= tolerances::straight_end_relative * swerve.size) return end_swerve(swerve, left);
    step = std::min(step, tolerances::share_to_end * left);
  }
  Ahead after{};
  if (!find_step(swerve, step, after)) {
    out_.status = ImpactStatus::not_converged;
    ended_ = true;
    return false;
  }
  const Eigen::VectorXd found = swerve.stepper.result();
  take(swerve, found, swerve.impulse + step);
  if (after.least() > tolerances::compliant_event_relative) {
    record_point(path_, normal_.impulse(), velocity(), stage);
    return true;
  }
  const bool halts = after.halt < after.turn;
  const PhaseKind kind = kind_of_slip(normal_slope(swerve.began));
  if (!halts) pass(stage == Stage::compression ? Event::compression_ends : Event::recompression);
  if (halts) halt(direction_, stage);
  close_phase(kind, stage, swerve.began);
  return false;
}

// What is left of restitution, straight.
bool CompliantIncrement::end_swerve(const Swerve& swerve, double impulse) {
  const PhaseKind kind = kind_of_slip(normal_slope(swerve.began));
  advance_slip(direction_, impulse);
  pass(Event::impact_ends);
  close_phase(kind, Stage::restitution, swerve.began);
  return false;
}

void CompliantIncrement::slip_swerving(Tangent direction) {
  direction_ = direction;
  Swerve swerve(in_, compliance_, normal_rate());
  begin_swerve(swerve);
  for (int step = 0; step < tolerances::compliant_slip_steps_max; ++step)
    if (!step_swerve(swerve)) return;
  out_.status = ImpactStatus::not_converged;
  ended_ = true;
}

}  // namespace routh::internal
