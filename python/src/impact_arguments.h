// The arguments of `routh.impact` and `routh.diagnose`: bare matrices, each possibly with leading axes of a batch.
#pragma once

#include <array>
#include <memory>

#include "arguments.h"
#include "routh/impact/problem.h"
#include "routh/solvability/diagnosis.h"

namespace routh::python {

// The keyword arguments, in the order in which the first five may be given without their names.
enum class Argument {
  delassus,
  contact_velocity,
  friction,
  restitution,
  law,
  mass_matrix,
  jacobian,
  velocity,
  bilateral,
  external_impulse,
  surface_velocity,
  pressed,
  invalid,
  threads,
  rule,
  derivatives,
  stiffness,
};
inline constexpr int argument_count = 17;
inline constexpr int positional_count = 5;
inline constexpr std::array<const char*, argument_count> argument_names = {
    "delassus", "contact_velocity", "friction",         "restitution",      "law",     "mass_matrix", "jacobian",
    "velocity", "bilateral",        "external_impulse", "surface_velocity", "pressed", "invalid",     "threads",
    "rule",     "derivatives",      "stiffness"};

// Borrowed values; null where an argument was not given, or is None.
struct RawArguments {
  std::array<PyObject*, argument_count> values{};

  py::handle operator[](Argument argument) const { return values[static_cast<std::size_t>(argument)]; }
  bool has(Argument argument) const { return (*this)[argument].ptr() != nullptr; }
  void set(Argument argument, py::handle value) {
    values[static_cast<std::size_t>(argument)] = value.is_none() ? nullptr : value.ptr();
  }
};

// One quantity over the batch: problem k has its numbers at data + k · step.
struct Operand {
  const double* data = nullptr;
  py::ssize_t step = 0;

  const double* at(py::ssize_t k) const { return data + k * step; }
  explicit operator bool() const { return data != nullptr; }
};

// Checks presence and shapes; numbers are checked when problems are made of them.
class ImpactArguments {
 public:
  explicit ImpactArguments(const RawArguments& raw);
  ImpactArguments(const ImpactArguments&) = delete;
  ImpactArguments& operator=(const ImpactArguments&) = delete;

  bool machine = false;
  Dimension dimension = Dimension::planar;
  int coordinates = 0, bilateral_rows = 0;
  std::vector<py::ssize_t> batch;  // leading axes; empty: one problem
  py::ssize_t count = 1;
  Law law = Law::energetic;
  Load load = Load::unknown;
  bool derivatives = false;  // wanted, too

  Operand delassus, contact_velocity, mass_matrix, jacobian, velocity, bilateral, external_impulse, surface_velocity;
  Operand static_friction, kinetic_friction, normal, tangential, alpha;
  RestitutionKind kind = RestitutionKind::constant;
  std::vector<RestitutionPoint> table;

  int rows() const { return dimension == Dimension::planar ? 2 : 3; }

 private:
  struct Pending {
    Numbers numbers;
    int core;  // trailing axes that belong to one problem
    Operand* operand;
  };

  void read_contact(const RawArguments& raw);
  void read_machine(const RawArguments& raw);
  void read_friction(py::handle value);
  void read_restitution(py::handle value);
  void read_table(py::handle value);
  void read_number(py::handle value, const char* name, Operand& operand);
  const Numbers& take(py::handle value, Argument argument, int core, Operand& operand);
  void expect(const Numbers& numbers, int from_back, py::ssize_t extent, const char* why) const;
  void broadcast();

  std::vector<Pending> pending_;
  std::array<double, 5> scalars_{};
  int scalar_count_ = 0;
  std::vector<py::object> kept_;
};

// A contact given by bare matrices, for `routh.diagnose` and `routh.map`.
struct BareContact {
  std::unique_ptr<ImpactArguments> arguments;  // holds the restitution's table, of which the problem is a view
  AccelerationProblem problem;
  FreeAcceleration known = FreeAcceleration::unknown;
  Law law = Law::energetic;
};

// Keywords as for `routh.impact`, and `free_acceleration`.
BareContact read_bare_contact(const py::dict& arguments);

}  // namespace routh::python
