#include "arguments.h"

#include <fmt/format.h>

#include <climits>
#include <cmath>

#include "routh/problem/problem_file.h"

namespace routh::python {

namespace {

using Api = py::detail::npy_api;

bool is_plain(PyObject* object, const Api& api) {
  if (Py_TYPE(object) != api.PyArray_Type_) return false;
  const auto* array = py::detail::array_proxy(object);
  static PyObject* const double_type = api.PyArray_DescrFromType_(Api::NPY_DOUBLE_);  // never freed by NumPy either
  constexpr int wanted = Api::NPY_ARRAY_C_CONTIGUOUS_ | Api::NPY_ARRAY_ALIGNED_;
  return array->descr == double_type && (array->flags & wanted) == wanted;
}

std::string type_name(py::handle value) { return Py_TYPE(value.ptr())->tp_name; }

py::object converted(py::handle value, const char* name) {
  const py::module_ numpy = py::module_::import("numpy");
  if (numpy.attr("ma").attr("is_masked")(value).cast<bool>())
    refuse(fmt::format("{}: some entries are masked", name), "fill them, or leave their rows out");
  py::object array;
  try {
    array = numpy.attr("asarray")(value);
  } catch (py::error_already_set&) {
    throw py::type_error(fmt::format("{}: expected an array of numbers, found {}", name, type_name(value)));
  }
  const auto kind = array.attr("dtype").attr("kind").cast<std::string>();
  if (kind != "f" && kind != "i" && kind != "u")
    throw py::type_error(fmt::format("{}: expected real numbers, found {} of dtype {}", name, type_name(value),
                                     py::str(array.attr("dtype")).cast<std::string>()));
  return py::array_t<double, py::array::c_style | py::array::forcecast>(array);
}

}  // namespace

void refuse(const std::string& message, const std::string& remedy) { throw InputError({}, message, remedy); }

Numbers::Numbers(py::handle value, const char* name) : name_(name) {
  const Api& api = Api::get();
  keep_ = is_plain(value.ptr(), api) ? py::reinterpret_borrow<py::object>(value) : converted(value, name);
  const auto* array = py::detail::array_proxy(keep_.ptr());
  data_ = reinterpret_cast<const double*>(array->data);
  shape_ = array->dimensions;
  dimensions_ = array->nd;
}

py::ssize_t Numbers::size() const {
  py::ssize_t product = 1;
  for (const py::ssize_t extent : shape()) product *= extent;
  return product;
}

std::string shape_text(std::span<const py::ssize_t> shape) {
  return fmt::format("({}{})", fmt::join(shape.begin(), shape.end(), ", "), shape.size() == 1 ? "," : "");
}

VectorArgument::VectorArgument(py::handle value, const char* name, Eigen::Index size) : numbers_(value, name) {
  if (numbers_.dimensions() != 1 || numbers_.extent(0) != size)
    refuse(
        fmt::format("{}: expected {} numbers, found an array of shape {}", name, size, shape_text(numbers_.shape())));
  for (Eigen::Index k = 0; k < size; ++k)
    if (!std::isfinite(numbers_.data()[k]))
      refuse(fmt::format("{}[{}] is {}: it must be finite", name, k, numbers_.data()[k]));
}

Vector3 read_point(py::handle value, const char* name) {
  const Numbers numbers(value, name);
  if (numbers.dimensions() != 1 || numbers.extent(0) < 2 || numbers.extent(0) > 3)
    refuse(fmt::format("{}: expected 3 numbers, or 2 in the plane, found an array of shape {}", name,
                       shape_text(numbers.shape())));
  const double* p = numbers.data();
  const Vector3 point{p[0], p[1], numbers.extent(0) == 3 ? p[2] : 0.0};
  if (!std::isfinite(point.x + point.y + point.z)) refuse(fmt::format("{}: the numbers must be finite", name));
  return point;
}

double read_double(py::handle value, const char* name) {
  if (PyFloat_CheckExact(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
  if (PyBool_Check(value.ptr()) || PyUnicode_Check(value.ptr()))
    throw py::type_error(fmt::format("{}: expected a number, found {}", name, type_name(value)));
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    throw py::type_error(fmt::format("{}: expected a number, found {}", name, type_name(value)));
  }
  return number;
}

double finite(double value, const char* name) {
  if (!std::isfinite(value)) refuse(fmt::format("{} is {}: it must be finite", name, value));
  return value;
}

std::optional<long> whole_number(py::handle value) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) return std::nullopt;
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) {  // an array of several numbers has __index__ and refuses
    PyErr_Clear();
    return std::nullopt;
  }
  int overflow = 0;
  const long result = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  return overflow == 0 ? result : overflow > 0 ? LONG_MAX : LONG_MIN;
}

bool read_flag(py::handle value, const char* name) {
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
  if (!type_name(value).starts_with("numpy.bool"))
    throw py::type_error(fmt::format("{}: expected True or False, found {}", name, type_name(value)));
  return PyObject_IsTrue(value.ptr()) == 1;
}

bool is_word(py::handle value, const char* word) {
  return PyUnicode_Check(value.ptr()) && PyUnicode_CompareWithASCIIString(value.ptr(), word) == 0;
}

std::string word_of(py::handle value) {
  const auto bytes =
      py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(py::str(value).ptr(), "utf-8", "backslashreplace"));
  if (!bytes) throw py::error_already_set();
  return bytes;
}

std::string path_of(py::handle value) {
  std::string path = py::bytes(py::module_::import("os").attr("fsencode")(value));
  if (path.find('\0') != std::string::npos)
    refuse(fmt::format("the path '{}' holds a NUL character", printable(path, 200)));
  return path;
}

py::str readable(const std::string& text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

Law read_law(py::handle value) {
  if (!PyUnicode_Check(value.ptr()))
    throw py::type_error(fmt::format("law: expected a name, found {}", type_name(value)));
  const std::string word = word_of(value);
  if (const std::optional<Law> law = value_named<Law>(word)) return *law;
  refuse(fmt::format("law: '{}' is unknown", printable(word)),
         fmt::format("the laws are {}", fmt::join(all_names<Law>, ", ")));
}

py::array_t<double> to_array(const Eigen::VectorXd& vector) {
  return py::array_t<double>(vector.size(), vector.data());
}

py::array_t<double> to_array(const Vector3& vector) {
  const double numbers[3] = {vector.x, vector.y, vector.z};
  return py::array_t<double>(3, numbers);
}

py::array_t<double> to_array(const Matrix3& m) {
  const double numbers[9] = {m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z};
  return py::array_t<double>({3, 3}, numbers);
}

py::array_t<double> to_array(const ContactVector& vector, Dimension dimension) {
  const double numbers[3] = {vector.n, vector.t1, vector.t2};
  return py::array_t<double>(dimension == Dimension::planar ? 2 : 3, numbers);
}

py::array_t<double> to_array(const Pose& pose) {
  const Matrix3& m = pose.rotation;
  const Vector3& p = pose.position;
  const double numbers[16] = {m.r0.x, m.r0.y, m.r0.z, p.x, m.r1.x, m.r1.y, m.r1.z, p.y,
                              m.r2.x, m.r2.y, m.r2.z, p.z, 0,      0,      0,      1};
  return py::array_t<double>({4, 4}, numbers);
}

namespace {

py::array read_only(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~Api::NPY_ARRAY_WRITEABLE_;
  return array;
}

}  // namespace

py::array view(const Eigen::VectorXd& vector, py::handle owner) {
  return read_only(py::array_t<double>({vector.size()}, {py::ssize_t{sizeof(double)}}, vector.data(), owner));
}

py::array view(const Eigen::MatrixXd& matrix, py::handle owner) {
  const auto step = static_cast<py::ssize_t>(sizeof(double));
  return read_only(
      py::array_t<double>({matrix.rows(), matrix.cols()}, {step, step * matrix.rows()}, matrix.data(), owner));
}

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace routh::python
