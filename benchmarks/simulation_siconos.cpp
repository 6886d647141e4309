#include "planar_machine.h"

#ifdef ROUTH_HAVE_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>

#include <Eigen/LU>
#include <cstdlib>

namespace bench {

namespace {

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
    PlanarSquare mass;
    PlanarVector force;
    machine_.dynamics(q_, v_, mass, force);
    const PlanarVector middle = q_ + 0.5 * h_ * v_;
    if (machine_.scene == StrikeScene::pendulum) {
      const PlanarVector v = v_ + 0.5 * h_ * (mass.inverse() * force);
      machine_.dynamics(middle, v, mass, force);
    }
    const PlanarSquare inverse = mass.inverse();
    PlanarVector after = v_ + h_ * (inverse * force);
    PlanarRows closed[2];
    int count = 0;
    for (int c = 0; c < machine_.contacts(); ++c) {
      const PlanarRows J = machine_.rows(middle, c);
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
  PlanarVector impulses(const PlanarSquare& inverse, const PlanarVector& free_motion, const PlanarRows* J, int count) {
    Eigen::Matrix4d W = Eigen::Matrix4d::Zero();
    Eigen::Vector4d u = Eigen::Vector4d::Zero();
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) W.block<2, 2>(2 * i, 2 * j) = J[i] * inverse * J[j].transpose();
      u.segment<2>(2 * i) = J[i] * free_motion;
      u[2 * i] += restitution * J[i].row(0).dot(v_);
    }
    const Eigen::Vector4d p = solver_.solve(W, u, count);
    PlanarVector sum = J[0].transpose() * p.head<2>();
    if (count == 2) sum += J[1].transpose() * p.tail<2>();
    return sum;
  }

  PlanarMachine machine_;
  double h_;
  PlanarVector q_, v_;
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
