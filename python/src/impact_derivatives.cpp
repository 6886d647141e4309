#include "impact_derivatives.h"

#include <fmt/format.h>

#include <algorithm>

#include "enumerations.h"

namespace routh::python {

namespace {

constexpr py::ssize_t jacobian_size = py::ssize_t{impact_output_count} * impact_input_count;

std::vector<py::ssize_t> extended(std::vector<py::ssize_t> shape, std::initializer_list<py::ssize_t> core) {
  shape.insert(shape.end(), core);
  return shape;
}

template <class E>
int index_of(const py::handle& value, const char* what) {
  const std::string word = word_of(value);
  if (const auto found = value_named<E>(word)) return static_cast<int>(*found);
  refuse(fmt::format("'{}' is no {} of an impact", printable(word), what),
         fmt::format("use one of {}", fmt::join(all_names<E>, ", ")));
}

// d["impulse_n", "v_n"]
py::object entry(const DerivativeArrays& d, const py::tuple& key) {
  if (key.size() != 2) throw py::type_error("give the names of an output and of an input");
  const int row = index_of<ImpactOutput>(key[0], "output"), column = index_of<ImpactInput>(key[1], "input");
  return d.jacobian[py::make_tuple(py::ellipsis(), row, column)];
}

// An array of the batch; of one impact its only entry.
template <class T>
py::object of_batch(const DerivativeArrays& d, const py::array_t<T>& values) {
  return d.shape.empty() ? py::object(values.attr("item")()) : py::object(values);
}

template <class E>
py::object word_of_batch(const DerivativeArrays& d, const py::array_t<std::uint8_t>& values) {
  return d.shape.empty() ? members<E>()[*values.data()] : py::object(values);
}

}  // namespace

DerivativeArrays::DerivativeArrays(std::vector<py::ssize_t> batch, int coordinate_count)
    : shape(std::move(batch)),
      coordinates(coordinate_count),
      jacobian(extended(shape, {impact_output_count, impact_input_count})),
      validity(shape),
      compression_speed(shape),
      table_share(shape),
      table_point(shape),
      status(shape),
      border(shape),
      velocity(py::none()),
      jacobian_(jacobian.mutable_data()),
      validity_(validity.mutable_data()),
      compression_speed_(compression_speed.mutable_data()),
      table_share_(table_share.mutable_data()),
      table_point_(table_point.mutable_data()),
      status_(status.mutable_data()),
      border_(border.mutable_data()) {
  if (coordinates == 0) return;
  py::array_t<double> by_velocity(extended(shape, {coordinates, coordinates}));
  velocity_ = by_velocity.mutable_data();
  velocity = by_velocity;
}

void DerivativeArrays::store(py::ssize_t k, const ImpactDerivatives& d, const MachineState* machine) {
  double* out = jacobian_ + k * jacobian_size;
  for (const ImpactDerivatives::Row& row : d.rows) out = std::copy(row.begin(), row.end(), out);
  validity_[k] = d.validity;
  compression_speed_[k] = d.compression_speed;
  table_share_[k] = d.table_share;
  table_point_[k] = d.table_point;
  status_[k] = static_cast<std::uint8_t>(d.status);
  border_[k] = static_cast<std::uint8_t>(d.border);
  if (coordinates == 0) return;
  const py::ssize_t n = coordinates;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<RowMajor> by_velocity(velocity_ + k * n * n, n, n);
  if (machine == nullptr)
    by_velocity.setZero();
  else
    by_velocity = differentiate_velocity_after(*machine, d);
}

DerivativeArrays DerivativeArrays::pick(const py::tuple& leading, std::vector<py::ssize_t> part) const {
  DerivativeArrays picked(std::move(part), coordinates);
  const py::module_ numpy = py::module_::import("numpy");
  // `...` would take in the axes of a matrix, too, unless they have keys of their own.
  const py::slice all(std::nullopt, std::nullopt, std::nullopt);
  const bool open = std::any_of(leading.begin(), leading.end(), [](py::handle k) { return k.is(py::ellipsis()); });
  const py::object matrices = open ? py::object(leading + py::make_tuple(all, all)) : py::object(leading);
  const auto copy = [&](const py::object& to, const py::object& from, const py::object& where) {
    numpy.attr("copyto")(to, from[where]);
  };
  copy(picked.jacobian, jacobian, matrices);
  if (coordinates > 0) copy(picked.velocity, velocity, matrices);
  copy(picked.validity, validity, leading);
  copy(picked.compression_speed, compression_speed, leading);
  copy(picked.table_share, table_share, leading);
  copy(picked.table_point, table_point, leading);
  copy(picked.status, status, leading);
  copy(picked.border, border, leading);
  return picked;
}

void bind_impact_derivatives(py::module_& module) {
  using D = DerivativeArrays;
  bind_enumeration<DerivativeStatus>(module, "DerivativeStatus", "Whether an impact has derivatives.");
  bind_enumeration<DerivativeBorder>(module, "DerivativeBorder", "Why it has none, or only to one side.");
  py::class_<D> type(
      module, "ImpactDerivatives",
      "Exact derivatives: of one impact or, with the batch's leading axes, of many. d['impulse_n', 'v_n'] is one of "
      "them; b12, c1 and c2 stand for both of their places in D.");
  type.attr("outputs") = names_tuple(all_values<ImpactOutput>);
  type.attr("inputs") = names_tuple(all_values<ImpactInput>);
  type.def_readonly("jacobian", &D::jacobian, "A row for each of `outputs`, a column for each of `inputs`.")
      .def_readonly("velocity", &D::velocity,
                    "Of a machine: ∂q̇⁺/∂q̇⁻, for changes that the bilateral rows allow; None for a contact alone.")
      .def_property_readonly(
          "status", [](const D& d) { return word_of_batch<DerivativeStatus>(d, d.status); },
          "`routh.DerivativeStatus`: exact, one_sided, none (all zeros).")
      .def_property_readonly(
          "border", [](const D& d) { return word_of_batch<DerivativeBorder>(d, d.border); },
          "`routh.DerivativeBorder`: why not exact.")
      .def_property_readonly(
          "validity", [](const D& d) { return of_batch(d, d.validity); },
          "Every input may change by this part of itself before the impact goes through other phases.")
      .def_property_readonly(
          "compression_speed", [](const D& d) { return of_batch(d, d.compression_speed); },
          "w [m/s], where restitution depends on it: ∂/∂alpha = −w ∂/∂restitution.")
      .def_property_readonly(
          "table_point", [](const D& d) { return of_batch(d, d.table_point); },
          "Of a table: its point below w, whose coefficient has the share 1 − `table_share` of ∂/∂restitution.")
      .def_property_readonly(
          "table_share", [](const D& d) { return of_batch(d, d.table_share); },
          "Of a table: the share of the point after `table_point`.")
      .def("__getitem__", &entry, py::arg("key"))
      .def("__repr__", [](const D& d) {
        if (!d.shape.empty()) return fmt::format("<ImpactDerivatives of shape {}>", shape_text(d.shape));
        return fmt::format("<ImpactDerivatives: {}, {}, validity {:.3g}>",
                           name(static_cast<DerivativeStatus>(*d.status.data())),
                           name(static_cast<DerivativeBorder>(*d.border.data())), *d.validity.data());
      });
}

}  // namespace routh::python
