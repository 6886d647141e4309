// A run as Python sees it: columns of numbers, events, and the run itself for files and pages.
#pragma once

#include "machine.h"
#include "routh/record/run_file.h"

namespace routh::python {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Trajectory {
 public:
  // Names of contacts come from the run.
  Trajectory(RunData run, MachinePointer machine);

  const RunData& run() const { return run_; }
  // Read from the scene that the run holds, unless it is known.
  const MachinePointer& machine() const;
  // Margins of all contacts at all samples (simulation/margins.h), where the run does not have them yet.
  void measure_margins();

  Eigen::VectorXd time, kinetic, potential, dissipated, supplied, corrected;
  RowMatrix q, v;
  py::object sensitivity = py::none();  // what routh.simulate was asked for besides

 private:
  RunData run_;
  mutable MachinePointer machine_;
};

}  // namespace routh::python
