// Exact derivatives of impacts as Python sees them: arrays whose leading axes are the batch's, none for one impact.
#pragma once

#include <vector>

#include "arguments.h"
#include "routh/impact/impact_derivatives.h"

namespace routh::python {

struct DerivativeArrays {
  DerivativeArrays(std::vector<py::ssize_t> batch, int coordinate_count);

  // Those of problem k; `machine` is null for a contact alone. May be called from several threads, without the GIL.
  void store(py::ssize_t k, const ImpactDerivatives& derivatives, const MachineState* machine);
  // The part that a key for the leading axes picks, of shape `part`.
  DerivativeArrays pick(const py::tuple& leading, std::vector<py::ssize_t> part) const;

  std::vector<py::ssize_t> shape;
  int coordinates;
  py::array_t<double> jacobian, validity, compression_speed, table_share;
  py::array_t<std::int64_t> table_point;
  py::array_t<std::uint8_t> status, border;
  py::object velocity;  // an array, or None for a contact alone

 private:
  double *jacobian_, *validity_, *compression_speed_, *table_share_, *velocity_ = nullptr;
  std::int64_t* table_point_;
  std::uint8_t *status_, *border_;
};

void bind_impact_derivatives(py::module_& module);

}  // namespace routh::python
