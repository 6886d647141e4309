// The contacts of `solve_together` on their way, in scaled units: the greatest speed and the greatest entry of D
// near 1.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "routh/march/together.h"
#include "routh/march/tolerances.h"

namespace routh::internal::together {

enum class Normal { free, compression, restitution, held };

enum class Tangent {
  none,      // frictionless, or not pressed
  slip,      // against its own velocity
  straight,  // slip along a fixed direction: beginning, or about to halt
  stick,
};

struct Contact {
  const TogetherContact* surface = nullptr;
  double mu_static = 0, mu_kinetic = 0;  // kinetic: finite
  bool frictional = false;               // has friction and can move tangentially
  Normal normal = Normal::free;
  double x = 0;                       // deflection
  double k = 1;                       // stiffness; that of `surface` until restitution
  double e = 0;                       // restitution in use
  double greatest_approach = 0;       // since it was struck
  double put_in = 0, given_back = 0;  // energy of the spring: totals of finished stretches
  double stretch_energy = 0;          // when the present stretch began
  int compressions = 0;
  double compression_impulse = 0, restitution_impulse = 0;  // totals of finished stretches (Poisson)
  double stretch_impulse = 0;                               // impulse when the present stretch began
  double target_impulse = 0;
  double normal_work = 0, tangential_work = 0;
  // r_t = ratio ρ, plus for stick what its share of the linear problem adds; slip of Tangent::slip turns from there on.
  Tangent tangent = Tangent::none;
  Eigen::Vector2d ratio = Eigen::Vector2d::Zero();
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // σ of slip and straight slip
  double weight = 0;      // of the stick share: how much friction is to spare; zero: others hold it at rest
  bool starting = false;  // straight slip that begins from v_t = 0
  bool gains = false;     // straight slip that gains speed along its direction
  bool follows = false;   // reached the limit of its friction at rest: it gives no more than in proportion to its load

  bool sprung() const { return normal == Normal::compression || normal == Normal::restitution; }
  double energy() const { return 0.5 * k * x * x; }
};

// The linear part of the rates: unknown normal rates of held contacts and tangential rates of sticking ones, such that
// the accelerations of the same rows vanish: z = solve · (D r_known)(rows), r = r_known + columns z.
struct LinearRates {
  std::vector<Eigen::Index> rows;
  Eigen::MatrixXd columns;
  Eigen::MatrixXd solve;
};

struct System {
  int tangents = 1;  // per contact
  Eigen::MatrixXd d;
  Eigen::VectorXd v, impulse;
  std::vector<Contact> contacts;
  LinearRates linear;
  double speed_unit = 1;                                 // of v [m/s]
  double rest_speed = tolerances::march_rest_speed_min;  // speeds below this count as zero
  double faint() const {
    return 10 * std::max(rest_speed, tolerances::march_seed_deflection);
  }  // approach that may be a seed's, or rounding
  bool out_of_range = false;
  bool at_limit = false;  // friction of a sticking contact has just reached its limit

  int count() const { return static_cast<int>(contacts.size()); }
  Eigen::Index row(int i) const { return static_cast<Eigen::Index>(i) * (tangents + 1); }
  Eigen::Vector2d slip(int i) const { return tangent_of(v, i); }
  Eigen::Vector2d tangent_of(const Eigen::VectorXd& vector, int i) const {
    return {vector[row(i) + 1], tangents == 2 ? vector[row(i) + 2] : 0.0};
  }
  void set_tangent(Eigen::VectorXd& vector, int i, const Eigen::Vector2d& t) const {
    vector[row(i) + 1] = t[0];
    if (tangents == 2) vector[row(i) + 2] = t[1];
  }
};

// Chooses the tangential states at this instant, opens held contacts, and prepares the linear rates.
void choose_modes(System& system);

// Builds system.linear for the present states.
void build_linear(System& system);
// r for normal rates ρ (those of held contacts are found), with the present states.
Eigen::VectorXd linear_rates(const System& system, const Eigen::VectorXd& rho);

// Friction at rest, and held contacts, beyond the linear answer: relaxation of the convex problem. False: no answer.
bool relax(System& system, const Eigen::VectorXd& rho, const Eigen::VectorXd& start);

// One step of a Taylor series between events.
class Series {
 public:
  static constexpr int order = 18;
  explicit Series(const System& system);
  void build(const System& system);
  double step() const { return step_; }
  double pace() const { return pace_; }  // time in which springs change; 1 but for slow ones, as at the edge of a jam
  double value(const Eigen::MatrixXd& m, Eigen::Index row, double t) const;
  double v(Eigen::Index row, double t) const { return value(v_, row, t); }
  double x(int i, double t) const { return value(x_, i, t); }
  double r(Eigen::Index row, double t) const { return value(r_, row, t); }
  double impulse(Eigen::Index row, double t) const;            // gained since the beginning of the step
  double greatest_approach(Eigen::Index row, double t) const;  // greatest −v within the step, not below 0
  void advance(System& system, double t) const;

 private:
  void turn(const System& system, int i, int k);
  void choose_step(const System& system);
  Eigen::MatrixXd v_, x_, r_;  // rows: as in the system; column k: coefficient of tᵏ
  Eigen::MatrixXd sigma_, speed_;
  Eigen::VectorXd known_, acceleration_, z_;
  double step_ = 0, pace_ = 1;
};

enum class MarchEventKind {
  none,
  compression_ends,
  recompression,
  spring_relaxed,
  impulse_reached,
  struck,
  halt,
  check,
  limit
};
struct MarchEvent {
  MarchEventKind kind = MarchEventKind::none;
  int contact = -1;
  double time = 0;
};
// The first event within the step; kind none and the whole step otherwise.
MarchEvent next_event(const System& system, const Series& series);
// Called when the step has been taken up to the event.
void pass(System& system, const Series& series, const MarchEvent& event);
// Held contacts take up their springs again. False when there are none.
bool give_springs_back(System& system);
// A contact is struck: its compression begins.
void engage(System& system, int i);

}  // namespace routh::internal::together
