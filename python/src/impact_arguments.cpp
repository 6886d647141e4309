#include "impact_arguments.h"

#include <fmt/format.h>

#include "routh/problem/compliance_reader.h"
#include "routh/text/document.h"

namespace routh::python {

namespace {

const char* name_of(Argument argument) { return argument_names[static_cast<std::size_t>(argument)]; }

constexpr const char* forms =
    "give delassus and contact_velocity (a contact alone), or mass_matrix, jacobian and velocity (a machine)";

bool is_plain_number(py::handle value) { return PyFloat_CheckExact(value.ptr()) || PyLong_CheckExact(value.ptr()); }

}  // namespace

ImpactArguments::ImpactArguments(const RawArguments& raw) {
  pending_.reserve(static_cast<std::size_t>(argument_count));
  machine = raw.has(Argument::mass_matrix) || raw.has(Argument::jacobian);
  machine ? read_machine(raw) : read_contact(raw);
  if (raw.has(Argument::surface_velocity)) {
    const Numbers& v = take(raw[Argument::surface_velocity], Argument::surface_velocity, 1, surface_velocity);
    expect(v, 0, rows(), "one for each row of the contact");
  }
  for (const Argument needed : {Argument::friction, Argument::restitution})
    if (!raw.has(needed))
      throw py::type_error(fmt::format("{} is missing: give a coefficient, 0 for none", name_of(needed)));
  read_friction(raw[Argument::friction]);
  read_restitution(raw[Argument::restitution]);
  if (raw.has(Argument::law)) law = read_law(raw[Argument::law]);
  if (raw.has(Argument::pressed)) load = read_flag(raw[Argument::pressed], "pressed") ? Load::pressed : Load::unknown;
  if (raw.has(Argument::derivatives)) derivatives = read_flag(raw[Argument::derivatives], "derivatives");
  broadcast();
}

const Numbers& ImpactArguments::take(py::handle value, Argument argument, int core, Operand& operand) {
  const Numbers& numbers = pending_.emplace_back(Pending{Numbers(value, name_of(argument)), core, &operand}).numbers;
  if (numbers.dimensions() < core)
    refuse(fmt::format("{}: expected at least {} {}, found an array of shape {}", numbers.name(), core,
                       core == 1 ? "axis" : "axes", shape_text(numbers.shape())));
  return numbers;
}

void ImpactArguments::expect(const Numbers& numbers, int from_back, py::ssize_t extent, const char* why) const {
  if (numbers.extent_back(from_back) == extent) return;
  refuse(fmt::format("{}: found an array of shape {}, expected {} along axis {}: {}", numbers.name(),
                     shape_text(numbers.shape()), extent, -1 - from_back, why));
}

void ImpactArguments::read_contact(const RawArguments& raw) {
  for (const Argument other : {Argument::velocity, Argument::bilateral, Argument::external_impulse})
    if (raw.has(other)) throw py::type_error(fmt::format("{} is for a machine; {}", name_of(other), forms));
  for (const Argument needed : {Argument::delassus, Argument::contact_velocity})
    if (!raw.has(needed)) throw py::type_error(fmt::format("{} is missing; {}", name_of(needed), forms));
  const Numbers& d = take(raw[Argument::delassus], Argument::delassus, 2, delassus);
  const py::ssize_t size = d.extent_back(0);
  if (size != d.extent_back(1) || (size != 2 && size != 3))
    refuse(fmt::format("delassus: found an array of shape {}", shape_text(d.shape())),
           "the last two axes are 2×2 in the plane, 3×3 in space, the normal first");
  dimension = size == 2 ? Dimension::planar : Dimension::spatial;
  const Numbers& v = take(raw[Argument::contact_velocity], Argument::contact_velocity, 1, contact_velocity);
  expect(v, 0, size, "one for each row of delassus");
}

void ImpactArguments::read_machine(const RawArguments& raw) {
  for (const Argument other : {Argument::delassus, Argument::contact_velocity})
    if (raw.has(other))
      throw py::type_error(fmt::format("{} and a machine exclude each other; {}", name_of(other), forms));
  for (const Argument needed : {Argument::mass_matrix, Argument::jacobian, Argument::velocity})
    if (!raw.has(needed)) throw py::type_error(fmt::format("{} is missing; {}", name_of(needed), forms));
  const Numbers& J = take(raw[Argument::jacobian], Argument::jacobian, 2, jacobian);
  if (J.extent_back(1) != 2 && J.extent_back(1) != 3)
    refuse(fmt::format("jacobian: found an array of shape {}", shape_text(J.shape())),
           "give 2 rows in the plane (normal, tangent) or 3 in space (normal, two tangents)");
  dimension = J.extent_back(1) == 2 ? Dimension::planar : Dimension::spatial;
  const py::ssize_t n = J.extent_back(0);
  if (n < 1 || n > 1000) refuse(fmt::format("jacobian has {} columns", n), "1 to 1000 are allowed");
  coordinates = static_cast<int>(n);
  constexpr const char* why = "one for each column of jacobian";
  const Numbers& M = take(raw[Argument::mass_matrix], Argument::mass_matrix, 2, mass_matrix);
  expect(M, 0, n, why);
  expect(M, 1, n, why);
  expect(take(raw[Argument::velocity], Argument::velocity, 1, velocity), 0, n, why);
  if (raw.has(Argument::external_impulse))
    expect(take(raw[Argument::external_impulse], Argument::external_impulse, 1, external_impulse), 0, n, why);
  if (!raw.has(Argument::bilateral)) return;
  const Numbers& A = take(raw[Argument::bilateral], Argument::bilateral, 2, bilateral);
  expect(A, 0, n, why);
  if (A.extent_back(1) > 1000)
    refuse(fmt::format("bilateral has {} rows", A.extent_back(1)), "at most 1000 are allowed");
  bilateral_rows = static_cast<int>(A.extent_back(1));
}

void ImpactArguments::read_number(py::handle value, const char* name, Operand& operand) {
  if (is_plain_number(value)) {
    double& scalar = scalars_[static_cast<std::size_t>(scalar_count_++)];
    scalar = read_double(value, name);
    operand = {&scalar, 0};
    return;
  }
  pending_.push_back({Numbers(value, name), 0, &operand});
}

void ImpactArguments::read_friction(py::handle value) {
  constexpr const char* form = "give one coefficient, or (static, kinetic), or {'static': …, 'kinetic': …}";
  if (PyTuple_Check(value.ptr())) {
    const auto pair = py::reinterpret_borrow<py::tuple>(value);
    if (pair.size() != 2) refuse(fmt::format("friction: a tuple of {}", pair.size()), form);
    read_number(pair[0], "friction.static", static_friction);
    read_number(pair[1], "friction.kinetic", kinetic_friction);
  } else if (PyDict_Check(value.ptr())) {
    const auto map = py::reinterpret_borrow<py::dict>(value);
    if (map.size() != 2 || !map.contains("static") || !map.contains("kinetic")) refuse("friction: other keys", form);
    read_number(map["static"], "friction.static", static_friction);
    read_number(map["kinetic"], "friction.kinetic", kinetic_friction);
  } else {
    read_number(value, "friction", static_friction);
  }
}

void ImpactArguments::read_restitution(py::handle value) {
  if (!PyDict_Check(value.ptr())) return read_number(value, "restitution", normal);
  constexpr const char* form =
      "give a coefficient, or one of {'normal': …}, {'alpha': …}, {'table': [[speed, e], …]}, {'thornton': {…}} or "
      "another law of contact force, each with 'tangential'";
  int kinds = 0;
  for (const auto& [key, each] : py::reinterpret_borrow<py::dict>(value)) {
    const std::string word = PyUnicode_Check(key.ptr()) ? word_of(key) : std::string();
    if (word == "tangential") {
      read_number(each, "restitution.tangential", tangential);
      continue;
    }
    if (value_named<ComplianceKind>(word)) {
      if (++kinds > 1) break;
      // By the reader of files, so that both mean the same.
      const std::string text = py::module_::import("routh._text").attr("compliance_text")(value).cast<std::string>();
      const Document document = Document::from_text(text, "<restitution>");
      const Restitution made = to_restitution(read_compliance(*find_compliance(document.root())), table);
      kind = made.kind;
      double& scalar = scalars_[static_cast<std::size_t>(scalar_count_++)];
      scalar = made.normal;
      normal = {&scalar, 0};
      continue;
    }
    const auto named = value_named<RestitutionKind>(word);
    if (!named) refuse(fmt::format("restitution: '{}' is unknown", printable(word_of(key))), form);
    ++kinds;
    kind = *named;
    switch (kind) {
      case RestitutionKind::constant:
        read_number(each, "restitution.normal", normal);
        break;
      case RestitutionKind::linear:
        read_number(each, "restitution.alpha", alpha);
        break;
      case RestitutionKind::table:
        read_table(each);
        break;
    }
  }
  if (kinds != 1) refuse("restitution: one coefficient is needed", form);
}

void ImpactArguments::read_table(py::handle value) {
  const Numbers numbers(value, "restitution.table");
  if (numbers.dimensions() != 2 || numbers.extent(1) != 2 || numbers.extent(0) < 1)
    refuse(fmt::format("restitution.table: found an array of shape {}", shape_text(numbers.shape())),
           "rows of speed and coefficient are needed");
  for (py::ssize_t k = 0; k < numbers.extent(0); ++k)
    table.push_back({numbers.data()[2 * k], numbers.data()[2 * k + 1]});
}

// NumPy's rule for the leading axes: aligned at their ends, extents equal or 1.
void ImpactArguments::broadcast() {
  for (const Pending& each : pending_) {
    const auto axes = static_cast<std::size_t>(each.numbers.dimensions() - each.core);
    if (batch.size() < axes) batch.insert(batch.begin(), axes - batch.size(), 1);
    for (std::size_t k = 0; k < axes; ++k) {
      py::ssize_t& whole = batch[batch.size() - axes + k];
      const py::ssize_t extent = each.numbers.extent(static_cast<int>(k));
      if (extent == whole || extent == 1) continue;
      if (whole != 1)
        refuse(fmt::format("{}: an array of shape {} does not fit the batch of the others, {}", each.numbers.name(),
                           shape_text(each.numbers.shape()), shape_text(batch)));
      whole = extent;
    }
  }
  for (const py::ssize_t extent : batch) count *= extent;
  for (const Pending& each : pending_) {
    py::ssize_t size = 1;
    for (int k = 0; k < each.core; ++k) size *= each.numbers.extent_back(k);
    const py::ssize_t own = size == 0 ? (count == 0 ? 0 : 1) : each.numbers.size() / size;
    *each.operand = {each.numbers.data(), own == count && count != 1 ? size : 0};
    if (own == count || own == 1 || size == 0) continue;
    // Some axes are repeated and others not: laid out in full.
    std::vector<py::ssize_t> full = batch;
    for (int k = each.core; k-- > 0;) full.push_back(each.numbers.extent_back(k));
    const py::module_ numpy = py::module_::import("numpy");
    py::tuple shape(full.size());
    for (std::size_t k = 0; k < full.size(); ++k) shape[k] = full[k];
    kept_.push_back(numpy.attr("ascontiguousarray")(numpy.attr("broadcast_to")(each.numbers.object(), shape)));
    *each.operand = {static_cast<const double*>(py::array(kept_.back()).data()), size};
  }
  if (!kinetic_friction) kinetic_friction = static_friction;
}

}  // namespace routh::python
