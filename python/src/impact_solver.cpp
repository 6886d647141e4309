#include "impact_solver.h"

#include <fmt/format.h>

#include <cmath>

#include "routh/impact/tolerances.h"

namespace routh::python {

namespace {

ContactVector contact_vector(const double* v, int rows) { return {v[0], v[1], rows == 3 ? v[2] : 0.0}; }

// Mirrored entries that differ by rounding, on the scale that positive definiteness gives them; as in problem files.
bool nearly_equal(double lower, double upper, double first, double second) {
  return std::abs(lower - upper) <=
         tolerances::symmetry_relative * std::sqrt(std::abs(first)) * std::sqrt(std::abs(second));
}

}  // namespace

ImpactSolver::ImpactSolver(const ImpactArguments& arguments) : arguments_(arguments) {
  problem_.load = arguments.load;
  problem_.restitution.kind = arguments.kind;
  problem_.restitution.table = arguments.table;
  if (!arguments.machine) return;
  reduction_.emplace(arguments.coordinates, arguments.bilateral_rows);
  bilateral_.resize(arguments.bilateral_rows, arguments.coordinates);
}

bool ImpactSolver::load_inertia(const double* d) {
  if (arguments_.dimension == Dimension::planar) {
    const bool same = d[1] == d[2] || nearly_equal(d[1], d[2], d[0], d[3]);
    problem_.inertia = planar_inertia(d[0], d[1] == d[2] ? d[1] : 0.5 * (d[1] + d[2]), d[3]);
    return same;
  }
  const bool same = (d[1] == d[3] || nearly_equal(d[1], d[3], d[0], d[4])) &&
                    (d[2] == d[6] || nearly_equal(d[2], d[6], d[0], d[8])) &&
                    (d[5] == d[7] || nearly_equal(d[5], d[7], d[4], d[8]));
  const auto mean = [](double p, double q) { return p == q ? p : 0.5 * (p + q); };
  problem_.inertia = spatial_inertia(d[0], mean(d[1], d[3]), mean(d[2], d[6]), d[4], mean(d[5], d[7]), d[8]);
  return same;
}

bool ImpactSolver::load_machine(py::ssize_t k) {
  const int n = arguments_.coordinates;
  mass_matrix_ = Rows(arguments_.mass_matrix.at(k), n, n);
  jacobian_ = Rows(arguments_.jacobian.at(k), arguments_.rows(), n);
  velocity_ = Eigen::Map<const Eigen::VectorXd>(arguments_.velocity.at(k), n);
  if (arguments_.bilateral) bilateral_ = Rows(arguments_.bilateral.at(k), arguments_.bilateral_rows, n);
  if (arguments_.external_impulse)
    external_impulse_ = Eigen::Map<const Eigen::VectorXd>(arguments_.external_impulse.at(k), n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < r; ++c) {
      if (mass_matrix_(r, c) == mass_matrix_(c, r)) continue;
      if (!nearly_equal(mass_matrix_(r, c), mass_matrix_(c, r), mass_matrix_(r, r), mass_matrix_(c, c))) return false;
      mass_matrix_(r, c) = mass_matrix_(c, r) = 0.5 * (mass_matrix_(r, c) + mass_matrix_(c, r));
    }
  reduced_ = reduction_->compute(machine());
  problem_.inertia = reduction_->inertia();
  problem_.velocity = reduction_->contact_velocity();
  problem_.push = reduction_->contact_push();
  return true;
}

bool ImpactSolver::load(py::ssize_t k) {
  const ImpactArguments& a = arguments_;
  if (a.machine) {
    symmetric_ = load_machine(k);
    if (!symmetric_ || reduced_ != ReductionStatus::ok) return false;
  } else {
    symmetric_ = load_inertia(a.delassus.at(k));
    problem_.velocity = contact_vector(a.contact_velocity.at(k), a.rows());
  }
  if (a.surface_velocity) problem_.surface_velocity = contact_vector(a.surface_velocity.at(k), a.rows());
  problem_.friction = {*a.static_friction.at(k), *a.kinetic_friction.at(k)};
  switch (a.kind) {
    case RestitutionKind::constant:
      problem_.restitution.normal = *a.normal.at(k);
      break;
    case RestitutionKind::linear:
      problem_.restitution.alpha = *a.alpha.at(k);
      break;
    case RestitutionKind::table:  // one for all
      break;
  }
  if (a.tangential) problem_.restitution.tangential = *a.tangential.at(k);
  return symmetric_;
}

std::string ImpactSolver::why(py::ssize_t k) {
  const char* matrix = arguments_.machine ? "mass_matrix" : "delassus";
  load(k);
  if (!symmetric_) {
    const int n = arguments_.machine ? arguments_.coordinates : arguments_.rows();
    const double* d = arguments_.machine ? arguments_.mass_matrix.at(k) : arguments_.delassus.at(k);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < r; ++c)
        if (!nearly_equal(d[r * n + c], d[c * n + r], d[r * n + r], d[c * n + c]))
          return std::isfinite(d[r * n + c] + d[c * n + r])
                     ? fmt::format("{} is not symmetric: [{}][{}] = {} but [{}][{}] = {}", matrix, r, c, d[r * n + c],
                                   c, r, d[c * n + r])
                     : fmt::format("{}[{}][{}]: the numbers must be finite", matrix, r, c);
  }
  switch (reduced_) {
    case ReductionStatus::ok:
      break;
    case ReductionStatus::mass_matrix_indefinite:
      return "mass_matrix is not positive definite; every motion of the machine needs inertia";
    case ReductionStatus::non_finite:
      return "mass_matrix, jacobian, velocity, bilateral or external_impulse: the numbers must be finite";
    case ReductionStatus::bad_shape:
      return "the numbers of the machine do not fit together";
  }
  const Violation violation = check(problem_);
  if (!violation.rule) return {};
  return fmt::format("{}: {} {}", violation.quantity, violation.value, violation.rule);
}

ImpactQuestion ImpactSolver::question() const {
  ImpactQuestion question{problem_, mass_matrix_, jacobian_, bilateral_};
  question.problem.restitution = {};
  return question;
}

void ImpactSolver::differentiate(py::ssize_t k, const ImpactResult& result, DerivativeArrays& out) const {
  const ImpactDerivatives contact = differentiate_impact(problem_, result);
  if (!arguments_.machine) return out.store(k, contact, nullptr);
  const MachineState state = machine();
  out.store(k, contact, &state);
}

ImpactResult ImpactSolver::solve() {
  ImpactResult result = solve_impact(problem_, arguments_.law);
  if (arguments_.machine) reduction_->expand(machine(), problem_, result);
  return result;
}

}  // namespace routh::python
