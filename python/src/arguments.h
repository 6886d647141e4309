// What Python hands in, as numbers with a shape, and what goes back as arrays. Errors name the argument.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>

#include "routh/base/error.h"
#include "routh/dynamics/state.h"

namespace routh::python {

namespace py = pybind11;

// Raises routh.InputError without a place.
[[noreturn]] void refuse(const std::string& message, const std::string& remedy = {});

// Real numbers, C-ordered. A float64 array that is so already is looked at where it lies, everything else is converted.
class Numbers {
 public:
  // Throws TypeError when it is no array of real numbers.
  Numbers(py::handle value, const char* name);

  const double* data() const { return data_; }
  int dimensions() const { return dimensions_; }
  py::ssize_t extent(int axis) const { return shape_[axis]; }
  // From the end: extent_back(0) is the last.
  py::ssize_t extent_back(int axis) const { return shape_[dimensions_ - 1 - axis]; }
  std::span<const py::ssize_t> shape() const { return {shape_, static_cast<std::size_t>(dimensions_)}; }
  py::ssize_t size() const;
  const char* name() const { return name_; }
  const py::object& object() const { return keep_; }

 private:
  py::object keep_;  // of a conversion, or of the argument itself
  const double* data_ = nullptr;
  const py::ssize_t* shape_ = nullptr;
  int dimensions_ = 0;
  const char* name_;
};

// A matrix as NumPy keeps it, one row after the other.
using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// `(2, 3)`, as Python writes a shape.
std::string shape_text(std::span<const py::ssize_t> shape);

// A vector argument: finite, of this length.
class VectorArgument {
 public:
  VectorArgument(py::handle value, const char* name, Eigen::Index size);
  Eigen::Map<const Eigen::VectorXd> map() const { return {numbers_.data(), numbers_.extent(0)}; }

 private:
  Numbers numbers_;
};

// 3 numbers, or 2 in the plane.
Vector3 read_point(py::handle value, const char* name);

// One number; bool and text are refused.
double read_double(py::handle value, const char* name);
// The number itself; refused when it is infinite or NaN.
double finite(double value, const char* name);
// Whatever has __index__, as NumPy's integers have; none for anything else, a bool included. Too large ones become the
// largest there is.
std::optional<long> whole_number(py::handle value);
// True or False, of Python or of NumPy: a text would count as true.
bool read_flag(py::handle value, const char* name);
// A text of Python's; what has no UTF-8, as lone surrogates have none, is written as \udcNN.
std::string word_of(py::handle value);
// Whether it is this text.
bool is_word(py::handle value, const char* word);
// A path as the system has it: names of files need not be UTF-8. Refused when it holds a NUL, where the system would
// see its end.
std::string path_of(py::handle value);

// A text for Python; bytes that are no UTF-8 become U+FFFD, since a message must not fail.
py::str readable(const std::string& text);

Law read_law(py::handle value);

// New arrays.
py::array_t<double> to_array(const Eigen::VectorXd& vector);
py::array_t<double> to_array(const Vector3& vector);
py::array_t<double> to_array(const Matrix3& matrix);
py::array_t<double> to_array(const ContactVector& vector, Dimension dimension);
// A 4×4 matrix that takes the frame's coordinates to the outer ones.
py::array_t<double> to_array(const Pose& pose);

// Read-only views of memory that `owner` keeps.
py::array view(const Eigen::VectorXd& vector, py::handle owner);
py::array view(const Eigen::MatrixXd& matrix, py::handle owner);

// Raises what a signal handler of Python raises, such as KeyboardInterrupt. With the GIL held.
void check_signals();

}  // namespace routh::python
