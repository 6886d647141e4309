// One impact as Python sees it, and a batch of them as columns.
#pragma once

#include <optional>
#include <span>

#include "arguments.h"
#include "impact_derivatives.h"
#include "routh/impact/bounds.h"
#include "routh/impact/result.h"

namespace routh::python {

struct MachinePart {
  Eigen::VectorXd velocity;      // q̇⁺
  Eigen::VectorXd loop_impulse;  // A_bᵀλ
  Eigen::VectorXd multipliers;   // λ
};

// What a single impact was asked with: its numbers of the increment are computed when they are read.
struct ImpactQuestion {
  ImpactProblem problem;                             // its table is not kept: e stands in the result
  Eigen::MatrixXd mass_matrix, jacobian, bilateral;  // of a machine, else empty
};

struct SingleImpact {
  ImpactResult result;
  Dimension dimension = Dimension::planar;
  std::optional<MachinePart> machine;
  std::optional<ImpactQuestion> question;  // none of a strike of a scene
  std::optional<DerivativeArrays> derivatives;
};

// Arrays whose leading axes are the batch's.
struct ImpactBatch {
  ImpactBatch(std::vector<py::ssize_t> batch, int rows, int coordinates, Law law_used);

  // Those that a key of NumPy's picks from the batch's axes; a copy. An index for each axis leaves the shape ().
  ImpactBatch pick(const py::object& key) const;

  // Takes the result of problem k. May be called from several threads, without the GIL.
  void store(py::ssize_t k, const ImpactResult& result, const double* velocity_after);

  Law law;
  int rows, coordinates;
  std::vector<py::ssize_t> shape;
  py::array_t<double> contact_velocity, impulse, work, restitution;
  py::object velocity;  // an array, or None for a contact alone
  py::array_t<std::uint8_t> mode, status;
  py::array_t<std::uint32_t> warnings;
  std::optional<DerivativeArrays> derivatives;

 private:
  double *contact_velocity_, *impulse_, *work_, *restitution_, *velocity_ = nullptr;
  std::uint8_t *mode_, *status_;
  std::uint32_t* warnings_;
};

// Members of the enumerations `Mode` and `Status` of the module.
py::object mode_member(ImpactMode mode);
py::object status_member(ImpactStatus status);

py::tuple warning_names(std::uint32_t bits);
// A dictionary for each phase, as in the JSON of an impact.
py::list phase_list(std::span<const Phase> phases, Dimension dimension);

void bind_impact_results(py::module_& module);

}  // namespace routh::python
