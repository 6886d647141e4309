#include "contact.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "data.h"
#include "routh/contact/contact.h"

namespace routh::python {

namespace {

std::vector<MachineContact> contacts_at(const std::shared_ptr<Machine>& machine, Data& data, const py::object& q,
                                        double margin) {
  data.place(*machine, q);
  if (!(margin >= 0) || !std::isfinite(margin)) refuse(fmt::format("margin: {} must be zero or positive", margin));
  std::vector<Contact> found;
  const VectorArgument coordinates = read_coordinates(machine->model(), q);
  find_contacts(machine->model(), data.workspace(), coordinates.map(), margin, found);
  std::vector<MachineContact> contacts;
  for (const Contact& each : found) contacts.push_back({machine, each, {}});
  return contacts;
}

std::vector<MachineContact> touches_at(const std::shared_ptr<Machine>& machine, const py::object& state) {
  Workspace workspace(machine->model());
  const TouchReport report =
      find_touches(machine->model(), read_state(*machine, state), machine->scene.touch, workspace);
  std::vector<MachineContact> contacts;
  for (const Touch& touch : report.touches) contacts.push_back({machine, touch.contact, name(touch.kind)});
  return contacts;
}

py::array jacobian_of(const Machine& machine, Data& data, const py::object& q, const MachineContact& contact) {
  data.place(machine, q);
  if (contact.machine.get() != &machine) refuse("contact: it is one of another model");
  Eigen::MatrixXd J(contact_rows(machine.model()), machine.model().velocities);
  contact_jacobian(machine.model(), data.workspace(), contact.contact, J);
  return from_columns(J);
}

std::string body_name(const MachineContact& c, int body) {
  return c.machine->model().bodies[static_cast<std::size_t>(body)].name;
}

py::object shape_name(const MachineContact& c, int shape) {
  if (shape < 0) return py::none();
  return py::str(c.machine->model().shapes[static_cast<std::size_t>(shape)].name);
}

void bind_contact(py::module_& module) {
  using C = MachineContact;
  const auto vector = [](Vector3 Contact::*part) { return [part](const C& c) { return to_array(c.contact.*part); }; };
  py::class_<C>(module, "Contact", "Where two shapes face each other, or a joint is at the end of its range.")
      .def_property_readonly("name", &C::name, "Such as 'tip on floor'.")
      .def_property_readonly(
          "gap", [](const C& c) { return c.contact.gap; }, "[m], or [rad] at a joint's limit; negative: overlap.")
      .def_property_readonly("point", vector(&Contact::point), "Where the impulse acts, in the world [m].")
      .def_property_readonly("normal", vector(&Contact::normal), "Unit vector from body b to body a.")
      .def_property_readonly("tangent1", vector(&Contact::tangent1),
                             "Unit vector; in the plane the normal turned by −90°.")
      .def_property_readonly("tangent2", vector(&Contact::tangent2),
                             "Unit vector; normal, tangent1 and tangent2 are right-handed.")
      .def_property_readonly(
          "body_a", [](const C& c) { return body_name(c, c.contact.body_a); }, "Its name.")
      .def_property_readonly(
          "body_b", [](const C& c) { return body_name(c, c.contact.body_b); }, "Its name; the world may be it.")
      .def_property_readonly(
          "shape_a", [](const C& c) { return shape_name(c, c.contact.shape_a); }, "None at a joint's limit.")
      .def_property_readonly(
          "shape_b", [](const C& c) { return shape_name(c, c.contact.shape_b); }, "None at a joint's limit.")
      .def_property_readonly(
          "is_limit", [](const C& c) { return c.contact.kind == ContactKind::limit; },
          "Whether it is the end of a joint's range.")
      .def_property_readonly(
          "kind", [](const C& c) { return c.kind.empty() ? py::object(py::none()) : py::str(c.kind); },
          "'approaching', 'resting' or 'separating'; None where velocities were not asked for.")
      .def_property_readonly(
          "friction",
          [](const C& c) {
            const Friction f = contact_friction(c.machine->model(), c.contact);
            return py::make_tuple(f.static_coefficient, f.kinetic_coefficient);
          },
          "(static, kinetic)")
      .def_property_readonly(
          "law", [](const C& c) { return name(contact_law(c.machine->model(), c.contact)); },
          "Of impact, as the surfaces say it.")
      .def("__repr__", [](const C& c) { return fmt::format("<Contact {}: gap {:.6g}>", c.name(), c.contact.gap); });
}

}  // namespace

void bind_contacts(py::module_& module) {
  bind_contact(module);
  module.def("find_contacts", &contacts_at, py::arg("model").none(false), py::arg("data"), py::arg("q"),
             py::arg("margin") = 0.0, "All contacts at q with a gap of at most `margin` [m], overlaps included.");
  module.def("find_touches", &touches_at, py::arg("model").none(false), py::arg("state") = py::none(),
             "What touches at a state, and whether it approaches, rests or separates.");
  module.def("contact_jacobian", &jacobian_of, py::arg("model").none(false), py::arg("data"), py::arg("q"),
             py::arg("contact"), "2×n in the plane, 3×n in space: normal row first, then the tangents.");
}

}  // namespace routh::python
