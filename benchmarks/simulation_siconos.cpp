#include "simulation.h"

#ifdef ROUTH_HAVE_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>
#include <cstdlib>

namespace bench {

namespace {

using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
using Rows = Eigen::Matrix<double, 2, Eigen::Dynamic, 0, 2, 3>;  // normal, tangent

// The machines by hand, so that the engine does not pay for anyone's general dynamics.
struct Machine {
  StrikeScene scene;

  int contacts() const { return scene == StrikeScene::rod ? 2 : 1; }

  // M and the force h in M v̇ = h.
  void dynamics(const Vector& q, const Vector& v, Square& mass, Vector& force) const {
    if (scene == StrikeScene::rod) {
      mass = Eigen::Vector3d(1, 1, rod_inertia).asDiagonal();
      force = Eigen::Vector3d(0, -gravity, 0);
      return;
    }
    const double own = link * link / 4 + link_inertia, half = link * link / 2;
    const double both = half * std::cos(q[1]), turn = half * std::sin(q[1]);
    mass.resize(2, 2);
    mass << 2 * own + link * link + 2 * both, own + both, own + both, own;
    const double lower = -gravity * link / 2 * std::sin(q[0] + q[1]);
    force.resize(2);
    force << turn * (2 * v[0] * v[1] + v[1] * v[1]) - 1.5 * gravity * link * std::sin(q[0]) + lower,
        -turn * v[0] * v[0] + lower;
  }

  double gap(const Vector& q, int contact) const {
    if (scene == StrikeScene::rod) return q[1] + sign(contact) * rod_half * std::sin(q[2]) - rod_radius;
    return pivot_height - link * (std::cos(q[0]) + std::cos(q[0] + q[1])) - tip_radius;
  }

  Rows rows(const Vector& q, int contact) const {
    Rows J(2, q.size());
    if (scene == StrikeScene::rod) {
      const double x = sign(contact) * rod_half * std::cos(q[2]), y = sign(contact) * rod_half * std::sin(q[2]);
      J << 0, 1, x, 1, 0, rod_radius - y;
      return J;
    }
    const double upper = q[0], lower = q[0] + q[1];
    J << link * (std::sin(upper) + std::sin(lower)), link * std::sin(lower),
        link * (std::cos(upper) + std::cos(lower)) + tip_radius, link * std::cos(lower) + tip_radius;
    return J;
  }

  static double sign(int contact) { return contact == 0 ? 1 : -1; }
};

// Lemke's algorithm, which alone of the planar solvers finds every answer here: the tangents of the rod's two contacts
// depend on one another. u = W p + free, 0 ≤ u_n ⟂ p_n ≥ 0, Coulomb's law between u_t and p_t, of one or two contacts.
class FrictionSolver {
 public:
  FrictionSolver() : options_(solver_options_create(SICONOS_FRICTION_2D_LEMKE)) {
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    for (int count = 1; count <= 2; ++count) {
      FrictionContactProblem* problem = frictionContactProblem_new();
      problem->dimension = 2;
      problem->numberOfContacts = count;
      problem->M = NM_create_from_data(NM_DENSE, 2 * count, 2 * count, inertia_);
      problem->q = free_;
      problem->mu = coefficients_;
      problems_[count - 1] = problem;
    }
  }
  // The matrices and vectors of the problems are ours: only the shells are given back.
  ~FrictionSolver() {
    solver_options_delete(options_);
    for (FrictionContactProblem* problem : problems_) {
      std::free(problem->M);
      std::free(problem);
    }
  }
  FrictionSolver(const FrictionSolver&) = delete;
  FrictionSolver& operator=(const FrictionSolver&) = delete;

  Eigen::Vector4d solve(const Eigen::Matrix4d& W, const Eigen::Vector4d& free_velocity, int count) {
    for (int i = 0; i < 2 * count; ++i) {
      free_[i] = free_velocity[i];
      for (int j = 0; j < 2 * count; ++j) inertia_[2 * count * j + i] = W(i, j);
    }
    double impulse[4] = {}, velocity[4] = {};
    options_->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    fc2d_driver(problems_[count - 1], impulse, velocity, options_);
    return Eigen::Map<const Eigen::Vector4d>(impulse);
  }

 private:
  SolverOptions* options_;
  FrictionContactProblem* problems_[2] = {};
  double inertia_[16] = {}, free_[4] = {}, coefficients_[2] = {friction, friction};
};

class SiconosSteps final : public SteppedEngine {
 public:
  SiconosSteps(StrikeScene scene, double step) : machine_{scene}, h_(step) {
    const PlanarState start = start_of(scene);
    q_ = Eigen::Map<const Eigen::VectorXd>(start.q.data(), start.n);
    v_ = Eigen::Map<const Eigen::VectorXd>(start.v.data(), start.n);
  }

  // M (v⁺ − v) = h force + Jᵀ p with everything taken at the middle of the step; q⁺ = q + h (v + v⁺)/2. A contact takes
  // part when its gap would be closed there; its law is that of Newton: u_n⁺ + e u_n⁻ in place of u_n⁺.
  void step() override {
    Square mass;
    Vector force;
    machine_.dynamics(q_, v_, mass, force);
    const Vector middle = q_ + 0.5 * h_ * v_;
    if (machine_.scene == StrikeScene::pendulum) {
      const Vector v = v_ + 0.5 * h_ * (mass.inverse() * force);
      machine_.dynamics(middle, v, mass, force);
    }
    const Square inverse = mass.inverse();
    Vector after = v_ + h_ * (inverse * force);
    Rows closed[2];
    int count = 0;
    for (int c = 0; c < machine_.contacts(); ++c) {
      const Rows J = machine_.rows(middle, c);
      if (machine_.gap(q_, c) + 0.5 * h_ * J.row(0).dot(v_) <= 0) closed[count++] = J;
    }
    if (count > 0) after += inverse * impulses(inverse, after, closed, count);
    q_ += 0.5 * h_ * (v_ + after);
    v_ = after;
  }

  PlanarState state() const override {
    PlanarState state{static_cast<int>(q_.size()), {}, {}};
    for (int i = 0; i < state.n; ++i) {
      state.q[static_cast<std::size_t>(i)] = q_[i];
      state.v[static_cast<std::size_t>(i)] = v_[i];
    }
    return state;
  }

 private:
  // Jᵀ p
  Vector impulses(const Square& inverse, const Vector& free_motion, const Rows* J, int count) {
    Eigen::Matrix4d W = Eigen::Matrix4d::Zero();
    Eigen::Vector4d u = Eigen::Vector4d::Zero();
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) W.block<2, 2>(2 * i, 2 * j) = J[i] * inverse * J[j].transpose();
      u.segment<2>(2 * i) = J[i] * free_motion;
      u[2 * i] += restitution * J[i].row(0).dot(v_);
    }
    const Eigen::Vector4d p = solver_.solve(W, u, count);
    Vector sum = J[0].transpose() * p.head<2>();
    if (count == 2) sum += J[1].transpose() * p.tail<2>();
    return sum;
  }

  Machine machine_;
  double h_;
  Vector q_, v_;
  FrictionSolver solver_;
};

}  // namespace

std::unique_ptr<SteppedEngine> make_siconos_steps(StrikeScene scene, double step) {
  return std::make_unique<SiconosSteps>(scene, step);
}

}  // namespace bench

#else

std::unique_ptr<bench::SteppedEngine> bench::make_siconos_steps(StrikeScene, double) { return nullptr; }

#endif
