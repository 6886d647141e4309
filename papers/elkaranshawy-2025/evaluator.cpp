// The numbers of [Elkaranshawy 2025, section 3]: Kane's double pendulum strikes the ground.
#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "papers/evaluator.h"
#include "papers/two_rods.h"
#include "routh/base/error.h"
#include "routh/impact/bounds.h"
#include "routh/impact/reduction.h"
#include "routh/impact/solve.h"
#include "routh/problem/surface_reader.h"
#include "routh/text/document.h"

namespace routh {

namespace {

// Two identical uniform rods in a vertical plane; the free end strikes the ground.
struct DoublePendulum {
  double mass = 0;                   // of each rod [kg]
  double length = 0;                 // of each rod [m]
  std::array<double, 2> angle{};     // from the vertical [rad]
  std::array<double, 2> velocity{};  // absolute angular velocities of the rods [rad/s]
  Friction friction;
};

double positive(const Node& node) {
  const double value = node.number();
  if (value <= 0) node.fail(fmt::format("{} = {} must be positive", node.path(), value));
  return value;
}

std::array<double, 2> pair(const Node& node) {
  node.expect_sequence();
  if (node.size() != 2) node.fail(fmt::format("{} holds {} numbers, two are needed", node.path(), node.size()));
  return {node.child(0).number(), node.child(1).number()};
}

DoublePendulum read_pendulum(const PaperFile& file) {
  const Document document = Document::from_text(file.text, file.path);
  const Node root = document.root();
  root.allow_keys({"mass", "length", "angles", "angular_velocity", "friction"});
  DoublePendulum pendulum;
  pendulum.mass = positive(root.require("mass"));
  pendulum.length = positive(root.require("length"));
  pendulum.angle = pair(root.require("angles"));
  for (double& angle : pendulum.angle) angle *= std::numbers::pi / 180;
  pendulum.velocity = pair(root.require("angular_velocity"));
  pendulum.friction = read_friction(root.require("friction"));
  return pendulum;
}

struct Machine : TwoRods {
  explicit Machine(const DoublePendulum& p)
      : TwoRods(p.mass, p.length, p.angle[0], p.angle[1]), qdot(p.velocity[0], p.velocity[1]) {}

  Eigen::Vector2d qdot;
};

struct Solution {
  ImpactProblem problem;
  ImpactResult result;
  Eigen::Vector2d qdot_after;
};

Solution solve(const Machine& machine, const Friction& friction, Law law, double restitution) {
  const Eigen::MatrixXd no_rows(0, 2);
  const Eigen::VectorXd no_impulse(0);
  const MachineState state{machine.M, machine.J, machine.qdot, no_rows, no_impulse};
  Reduction reduction(2, 0);
  if (reduction.compute(state) != ReductionStatus::ok) throw RuntimeFailure("the pendulum's mass matrix is singular");
  Solution out;
  out.problem.inertia = reduction.inertia();
  out.problem.velocity = reduction.contact_velocity();
  out.problem.friction = friction;
  out.problem.restitution.normal = restitution;
  out.result = solve_impact(out.problem, law);
  reduction.expand(state, out.result);
  out.qdot_after = reduction.velocity_after();
  return out;
}

using Values = std::map<std::string, double>;

void add_machine(Values& values, const Machine& machine, const Solution& solution) {
  const ContactInertia& D = solution.problem.inertia;
  const ContactVector& v = solution.problem.velocity;
  values.insert({{"qdot_i1", machine.qdot(0)}, {"qdot_i2", machine.qdot(1)}});
  values.insert({{"M_11", machine.M(0, 0)}, {"M_12", machine.M(0, 1)}});
  values.insert({{"M_21", machine.M(1, 0)}, {"M_22", machine.M(1, 1)}});
  values.insert({{"J_n1", machine.J(0, 0)}, {"J_n2", machine.J(0, 1)}});
  values.insert({{"J_t1", machine.J(1, 0)}, {"J_t2", machine.J(1, 1)}});
  values.insert({{"D_nn", D.a}, {"D_nt", D.c1}, {"D_tn", D.c1}, {"D_tt", D.b11}});
  values.insert({{"v_in", v.n}, {"v_it", v.t1}, {"mu_c", compute_bounds(solution.problem).stick_friction}});
}

// I_nh, v_nh where the slip halts and I_np where compression ends, read off the phases; ζ, L and I_nf by eqs. 41,
// 53, 55.
void add_course(Values& values, const Machine& machine, const Solution& solution) {
  const ContactInertia& D = solution.problem.inertia;
  const double mu = solution.problem.friction.kinetic_coefficient;
  const double sigma_i = solution.problem.velocity.t1 < 0 ? -1 : 1;
  const double sigma_f = -sigma_i;
  for (const Phase& phase : solution.result) {
    if (phase.stage == Stage::compression) values["I_np"] = phase.normal_impulse;
    if (phase.kind != PhaseKind::slip) continue;
    values["I_nh"] = phase.normal_impulse;
    values["v_nh"] = phase.velocity.n;
  }
  const auto zeta = [&](double sigma) { return 1 / (D.a - mu * D.c1 * sigma); };
  const auto L = [&](double sigma) -> Eigen::Vector2d {
    const Eigen::Vector2d direction(1, -mu * sigma);
    return machine.M.inverse() * machine.J.transpose() * direction;
  };
  const double vn = solution.problem.velocity.n;
  const double vnf = -solution.problem.restitution.normal * vn;
  values.insert({{"zeta_i", zeta(sigma_i)}, {"zeta_f", zeta(sigma_f)}, {"I_nf", zeta(sigma_i) * (vnf - vn)}});
  values.insert({{"L_i1", L(sigma_i)(0)}, {"L_i2", L(sigma_i)(1)}, {"L_f1", L(sigma_f)(0)}, {"L_f2", L(sigma_f)(1)}});

  // Eq. 52 as printed, whose second term has the wrong sign.
  const auto epsilon = [&](double sigma) { return 1 / (D.c1 - mu * D.b11 * sigma); };
  const double vti = solution.problem.velocity.t1;
  const double vte = solution.result.velocity.t1;
  values["W_te_eq52"] = mu / 2 * (sigma_i * epsilon(sigma_i) * vti * vti + sigma_f * epsilon(sigma_f) * vte * vte);
}

void add_answer(Values& values, const Machine& machine, const Solution& solution) {
  const ImpactResult& r = solution.result;
  const Eigen::Vector2d change = solution.qdot_after - machine.qdot;
  values.insert({{"v_ne", r.velocity.n}, {"v_te", r.velocity.t1}, {"I_ne", r.impulse.n}, {"I_te", r.impulse.t1}});
  values.insert({{"dqdot_1", change(0)}, {"dqdot_2", change(1)}});
  values.insert({{"qdot_e1", solution.qdot_after(0)}, {"qdot_e2", solution.qdot_after(1)}});
  values.insert({{"W_ne", r.energy.normal_work}, {"W_te", r.energy.tangential_work}, {"dT", r.energy.change}});
}

class Elkaranshawy : public PaperEvaluator {
 public:
  explicit Elkaranshawy(const PaperFiles& files) : pendulum_(read_pendulum(files.file("pendulum.yaml"))) {}

  std::optional<OurValue> value(const PrintedGroup& group, const std::string& quantity) override {
    const Machine machine(pendulum_);
    const Solution solution =
        solve(machine, pendulum_.friction, group.law.value_or(Law::energetic), group.restitution.value_or(0));
    if (quantity == "mode") {
      std::string word = name(solution.result.mode);
      std::replace(word.begin(), word.end(), '_', ' ');
      return OurValue{0, word, {}};
    }
    Values values;
    add_machine(values, machine, solution);
    add_course(values, machine, solution);
    add_answer(values, machine, solution);
    const auto found = values.find(quantity);
    if (found == values.end()) return std::nullopt;
    return OurValue{found->second, {}, {}};
  }

 private:
  DoublePendulum pendulum_;
};

}  // namespace

std::unique_ptr<PaperEvaluator> elkaranshawy_evaluator(const PaperFiles& files) {
  return std::make_unique<Elkaranshawy>(files);
}

}  // namespace routh
