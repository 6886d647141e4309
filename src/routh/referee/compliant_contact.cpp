#include "routh/referee/compliant_contact.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/inertia.h"
#include "routh/math/dormand_prince.h"
#include "routh/referee/tolerances.h"

namespace routh::internal {

namespace {

enum class Tangential { slip, stick };

// The state: δ, v_n, v_t, the impulse and the normal work.
enum Entry : Eigen::Index { depth, vn, vt1, vt2, in, it1, it2, work, entries };

class Rates : public OdeRates {
 public:
  Rates(const AccelerationProblem& problem, const CompliantContact& contact)
      : d_(problem.contact.inertia),
        f_(problem.free_acceleration),
        friction_(problem.contact.friction),
        contact_(contact) {}

  Tangential mode = Tangential::slip;
  Tangent direction;  // of slip in the plane, where it keeps its sign until it halts

  double normal_force(const Eigen::VectorXd& y) const {
    return contact_.stiffness * y[depth] - contact_.damping * y[vn];
  }

  // What the tangents would accelerate by without friction.
  Tangent load(double force) const { return {d_.c1 * force + f_.t1, d_.c2 * force + f_.t2}; }

  Tangent holding(double force) const {
    const Tangent x = solve_tangential(d_, load(force));
    return {-x.t1, -x.t2};
  }

  double kinetic() const { return friction_.kinetic_coefficient; }
  // Positive while a stick can be held.
  double grip(double force) const { return friction_.static_coefficient * force - norm(holding(force)); }

  ContactVector force(const Eigen::VectorXd& y) const {
    const double n = normal_force(y);
    if (mode == Tangential::stick) {
      const Tangent t = holding(n);
      return {n, t.t1, t.t2};
    }
    Tangent s = direction;
    if (d_.dimension == Dimension::spatial) {
      const double speed = norm(Tangent{y[vt1], y[vt2]});
      s = speed > 0 ? Tangent{y[vt1] / speed, y[vt2] / speed} : Tangent{};
    }
    return {n, -kinetic() * n * s.t1, -kinetic() * n * s.t2};
  }

  bool operator()(double, const Eigen::VectorXd& y, Eigen::VectorXd& dy) override {
    const ContactVector p = force(y);
    ContactVector rate = plus(apply(d_, p), f_);
    if (mode == Tangential::stick) rate.t1 = rate.t2 = 0;
    dy << -y[vn], rate.n, rate.t1, rate.t2, p.n, p.t1, p.t2, p.n * y[vn];
    return true;
  }

 private:
  ContactInertia d_;
  ContactVector f_;
  Friction friction_;
  CompliantContact contact_;
};

// Slip that begins from rest: v̇_t = g + b T runs along −T with ‖T‖ = μF, so (b + α) T = −g for one α ≥ 0, and ‖T‖ falls
// as α grows.
Tangent begun_direction(const ContactInertia& d, Tangent g, double limit) {
  const auto friction = [&](double alpha) {
    const double p = d.b11 + alpha, q = d.b22 + alpha, det = p * q - d.b12 * d.b12;
    return Tangent{-(q * g.t1 - d.b12 * g.t2) / det, -(p * g.t2 - d.b12 * g.t1) / det};
  };
  const double size = norm(g);
  if (size == 0) return {};
  if (d.dimension == Dimension::planar || limit == 0) return {g.t1 / size, g.t2 / size};
  double low = 0, high = size / limit;
  for (int k = 0; k < tolerances::referee_bisections; ++k) {
    const double middle = 0.5 * (low + high);
    (norm(friction(middle)) > limit ? low : high) = middle;
  }
  const Tangent t = friction(high);
  return {-t.t1 / norm(t), -t.t2 / norm(t)};
}

class Course {
 public:
  Course(const AccelerationProblem& problem, const CompliantContact& contact)
      : d_(problem.contact.inertia),
        load_(problem.free_acceleration),
        rates_(problem, contact),
        stepper_(entries),
        unit_(contact, problem),
        y_(entries) {
    const ContactVector v = minus(problem.contact.velocity, problem.contact.surface_velocity);
    y_ << 0, v.n, v.t1, v.t2, 0, 0, 0, 0;
    tolerance_.relative = tolerances::referee_integration;
    tolerance_.floor.resize(entries);
    const double speed = unit_.speed, impulse = speed / d_.a;
    tolerance_.floor << speed * unit_.time, speed, speed, speed, impulse, impulse, impulse, speed * impulse;
  }

  CompliantCourse run() {
    choose_mode();
    keep();
    out_.fastest_approach = -y_[vn];
    double h = tolerances::referee_first_step * unit_.time;
    for (int k = 0; k < tolerances::referee_steps_max; ++k) {
      const OdeStepResult step = stepper_.step(rates_, time_, y_, h, tolerance_);
      if (step.status != OdeStepStatus::good) {
        h = step.next;
        if (!(h > 0)) break;
        continue;
      }
      if (!happens(stepper_.result())) {
        keep_between(h, 1);
        time_ += h;
        move(stepper_.result());
        h = step.next;
        if (time_ > deadline_ || rests()) return finish(CourseEnd::stays);
        continue;
      }
      const double share = locate();
      keep_between(h, share);
      time_ += share * h;
      move(at_event_);
      if (ends()) return finish(CourseEnd::separates);
      if (rests()) return finish(CourseEnd::stays);
      pass();
      stepper_.reset();
      h = std::min(step.next, tolerances::referee_first_step * unit_.time);
    }
    return finish(CourseEnd::failed);
  }

 private:
  struct Unit {
    Unit(const CompliantContact& contact, const AccelerationProblem& problem)
        : time(1 / std::sqrt(problem.contact.inertia.a * contact.stiffness)),
          speed(std::max(largest(minus(problem.contact.velocity, problem.contact.surface_velocity)),
                         largest(problem.free_acceleration) * time)) {}
    double time, speed;
  };

  bool stage_ends(const Eigen::VectorXd& y) const { return stage_ == Stage::compression ? y[vn] >= 0 : y[vn] < 0; }
  bool lets_go(const Eigen::VectorXd& y) const {
    return stage_ == Stage::restitution && rates_.normal_force(y) <= 0 && y[vn] > 0;
  }
  bool tangent_ends(const Eigen::VectorXd& y) const {
    if (rates_.mode == Tangential::stick) return rates_.grip(rates_.normal_force(y)) < 0;
    const Tangent v{y[vt1], y[vt2]};
    return d_.dimension == Dimension::planar ? dot(v, rates_.direction) < 0
                                             : norm(v) <= tolerances::referee_halted_slip * unit_.speed;
  }
  bool happens(const Eigen::VectorXd& y) const { return stage_ends(y) || lets_go(y) || tangent_ends(y); }

  // The first instant of the last step at which something has happened, as a share of it.
  double locate() {
    double low = 0, high = 1;
    at_event_ = stepper_.result();
    Eigen::VectorXd y = at_event_;
    for (int k = 0; k < tolerances::referee_bisections; ++k) {
      const double middle = 0.5 * (low + high);
      stepper_.interpolate(rates_, middle, y);
      if (happens(y))
        high = middle, at_event_ = y;
      else
        low = middle;
    }
    return high;
  }

  bool ends() const { return lets_go(y_); }
  // The spring carries what presses, as far as that can be told.
  bool rests() {
    const double pressing = -tolerances::referee_rest * load_.n;
    if (!(pressing > 0)) return false;
    Eigen::VectorXd rate(entries);
    rates_(time_, y_, rate);
    return std::abs(rate[vn]) <= pressing && std::abs(y_[vn]) <= pressing * unit_.time;
  }

  void pass() {
    if (stage_ends(y_)) {
      book();
      stage_ = stage_ == Stage::compression ? Stage::restitution : Stage::compression;
      if (!compressed_) deadline_ = time_ + tolerances::referee_restitution_max * unit_.time;
      compressed_ = true;
      y_[vn] = 0;
    }
    if (tangent_ends(y_)) {
      if (rates_.mode == Tangential::slip) y_[vt1] = y_[vt2] = 0;
      choose_mode();
    }
  }

  // Of a contact at rest along its tangents, stick where friction can; of one that slips its direction.
  void choose_mode() {
    const Tangent v{y_[vt1], y_[vt2]};
    const double force = std::max(rates_.normal_force(y_), 0.0);
    if (norm(v) > 0) {
      rates_.mode = Tangential::slip;
      rates_.direction = {v.t1 / norm(v), v.t2 / norm(v)};
      return;
    }
    // Without force yet, whether it will hold is a matter of what the force does first.
    const double probe = force > 0 ? force : largest_force();
    rates_.mode = rates_.grip(probe) >= 0 ? Tangential::stick : Tangential::slip;
    if (rates_.mode == Tangential::stick) return;
    rates_.direction = begun_direction(d_, rates_.load(probe), rates_.kinetic() * probe);
    if (d_.dimension == Dimension::planar) return;
    const double speed = tolerances::referee_begun_slip * unit_.speed;
    y_[vt1] = speed * rates_.direction.t1, y_[vt2] = speed * rates_.direction.t2;
  }
  double largest_force() const { return unit_.speed / (d_.a * unit_.time); }

  void move(const Eigen::VectorXd& y) {
    out_.jams |= stage_ == Stage::compression && y[vn] < y_[vn] && rates_.normal_force(y) > 0 &&
                 y[vn] < -1.01 * out_.fastest_approach;
    y_ = y;
    out_.fastest_approach = std::max(out_.fastest_approach, -y_[vn]);
    keep();
  }

  void keep() { keep(time_, y_); }
  void keep(double time, const Eigen::VectorXd& y) {
    const ContactVector force = rates_.force(y);
    out_.peak_force = std::max(out_.peak_force, force.n);
    if (out_.points.size() < static_cast<std::size_t>(tolerances::referee_points_max))
      out_.points.push_back({time, y[depth], {y[vn], y[vt1], y[vt2]}, force});
  }
  // Steps are long beside what a picture needs.
  void keep_between(double h, double share) {
    Eigen::VectorXd y = y_;
    for (int k = 1; k < tolerances::referee_points_of_step; ++k) {
      const double theta = share * k / tolerances::referee_points_of_step;
      if (stepper_.interpolate(rates_, theta, y)) keep(time_ + theta * h, y);
    }
  }

  void book() {
    const double impulse = y_[in] - stage_impulse_, done = y_[work] - stage_work_;
    (stage_ == Stage::compression ? out_.compression_impulse : out_.restitution_impulse) += impulse;
    (stage_ == Stage::compression ? out_.compression_work : out_.restitution_work) += done;
    stage_impulse_ = y_[in], stage_work_ = y_[work];
  }

  CompliantCourse finish(CourseEnd end) {
    book();
    out_.end = end;
    out_.velocity = {y_[vn], y_[vt1], y_[vt2]};
    out_.impulse = {y_[in], y_[it1], y_[it2]};
    out_.duration = time_;
    return std::move(out_);
  }

  ContactInertia d_;
  ContactVector load_;
  Rates rates_;
  DormandPrince8 stepper_;
  Unit unit_;
  OdeTolerance tolerance_;
  Eigen::VectorXd y_, at_event_;
  Stage stage_ = Stage::compression;
  double time_ = 0, deadline_ = tolerances::referee_compression_max * unit_.time;
  bool compressed_ = false;
  double stage_impulse_ = 0, stage_work_ = 0;
  CompliantCourse out_;
};

}  // namespace

CompliantCourse integrate_rigid_tangents(const AccelerationProblem& problem, const CompliantContact& contact) {
  return Course(problem, contact).run();
}

CompliantCourse integrate_contact(const AccelerationProblem& problem, const CompliantContact& contact) {
  const ContactVector v = minus(problem.contact.velocity, problem.contact.surface_velocity);
  CompliantCourse none;
  none.velocity = v;
  none.end = v.n == 0 && problem.free_acceleration.n > 0 ? CourseEnd::detaches : CourseEnd::no_impact;
  if (v.n > 0 || (v.n == 0 && problem.free_acceleration.n >= 0)) return none;
  return contact.tangential_ratio > 0 ? integrate_tangential_spring(problem, contact)
                                      : integrate_rigid_tangents(problem, contact);
}

}  // namespace routh::internal
