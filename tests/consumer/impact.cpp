// One planar impact, worked by hand: the contact slips forward to the end, so v and the impulse are linear in I_n.
//
//   dv_n/dI_n = a − μc = 2 − 0.6·0.5 = 1.7      dv_t/dI_n = c − μb = 0.5 − 0.6·1 = −0.1
//   v_n⁻ = −1.7: compression ends at I_n = 1, the impact at I_n = 1 + e = 1.5, where v = (0.85, 0.85)
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <string>

#include "routh/impact/reduction.h"
#include "routh/impact/solve.h"
#include "routh/version.h"

namespace {

bool near(double found, double expected) { return std::abs(found - expected) <= 1e-12; }

}  // namespace

int main() {
  // M and J with J M⁻¹ Jᵀ = [2 0.5; 0.5 1].
  const Eigen::MatrixXd mass = Eigen::MatrixXd::Identity(2, 2);
  Eigen::MatrixXd jacobian(2, 2);
  jacobian << std::sqrt(1.75), 0.5, 0, 1;
  Eigen::VectorXd velocity(2);
  velocity << (-1.7 - 0.5) / std::sqrt(1.75), 1;
  const Eigen::MatrixXd no_rows(0, 2);
  const Eigen::VectorXd no_impulse(0);

  routh::Reduction reduction(2, 0);
  const routh::MachineState machine{mass, jacobian, velocity, no_rows, no_impulse};
  if (reduction.compute(machine) != routh::ReductionStatus::ok) return 1;

  routh::ImpactProblem problem;
  problem.inertia = reduction.inertia();
  problem.velocity = reduction.contact_velocity();
  problem.friction = {0.6, 0.6};
  problem.restitution.normal = 0.5;
  const routh::ImpactResult result = routh::solve_impact(problem);

  std::printf("routh %s: %s, v = (%.15g, %.15g), i = (%.15g, %.15g)\n", ROUTH_VERSION, routh::name(result.status),
              result.velocity.n, result.velocity.t1, result.impulse.n, result.impulse.t1);
  const bool right = result.status == routh::Status::ok && near(result.velocity.n, 0.85) &&
                     near(result.velocity.t1, 0.85) && near(result.impulse.n, 1.5) && near(result.impulse.t1, -0.9);
  return right ? 0 : 1;
}
