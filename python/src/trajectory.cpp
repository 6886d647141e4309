#include "trajectory.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "impact_result.h"
#include "routh/file/temporary_file.h"
#include "routh/record/run_file.h"
#include "routh/record/run_warnings.h"
#include "routh/report/contact_gaps.h"
#include "routh/report/page.h"
#include "routh/report/run_document.h"
#include "routh/simulation/margins.h"
#include "simulation_parts.h"

namespace routh::python {

Trajectory::Trajectory(RunData run, MachinePointer machine) : run_(std::move(run)), machine_(std::move(machine)) {
  const auto count = static_cast<Eigen::Index>(run_.samples.size());
  for (Eigen::VectorXd* column : {&time, &kinetic, &potential, &dissipated, &supplied, &corrected})
    column->resize(count);
  q.resize(count, static_cast<Eigen::Index>(run_.info.coordinate_names.size()));
  v.resize(count, static_cast<Eigen::Index>(run_.info.velocity_names.size()));
  for (Eigen::Index k = 0; k < count; ++k) {
    const Sample& sample = run_.samples[static_cast<std::size_t>(k)];
    time[k] = sample.state.time;
    kinetic[k] = sample.energy.kinetic;
    potential[k] = sample.energy.potential;
    dissipated[k] = sample.energy.dissipated;
    supplied[k] = sample.energy.supplied;
    corrected[k] = sample.energy.corrected;
    q.row(k) = sample.state.q;
    v.row(k) = sample.state.v;
  }
}

const MachinePointer& Trajectory::machine() const {
  if (machine_) return machine_;
  auto machine = std::make_shared<Machine>();
  machine->text = run_.info.scene_text;
  machine->path = run_.info.scene_path;
  const std::string name = machine->path.empty() ? "<run>" : machine->path;
  machine->scene = read_scene_text(machine->text, name);
  complete_text(*machine, name);
  machine_ = machine;
  return machine_;
}

void Trajectory::measure_margins() {
  if (has_margins(run_)) return;
  internal::MarginRecorder recorder(machine()->scene.model);
  for (Sample& sample : run_.samples) recorder.add(sample);
}

namespace {

py::array row_view(const RowMatrix& matrix, py::handle owner) {
  const auto step = static_cast<py::ssize_t>(sizeof(double));
  py::array array =
      py::array_t<double>({matrix.rows(), matrix.cols()}, {step * matrix.cols(), step}, matrix.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

auto column(Eigen::VectorXd Trajectory::*member) {
  return [member](const py::object& self) { return view(self.cast<const Trajectory&>().*member, self); };
}

auto names_in(std::vector<std::string> RunInfo::*list) {
  return [list](const Trajectory& trajectory) { return py::tuple(py::cast(trajectory.run().info.*list)); };
}

py::list events_of(const Trajectory& trajectory) {
  py::list events;
  for (const Event& event : trajectory.run().events) events.append(RunEvent{event, trajectory.run().info.dimension});
  return events;
}

py::tuple contact_names(const Trajectory& trajectory) {
  py::list names;
  for (const RunContact& contact : trajectory.run().contacts) names.append(contact.name);
  return py::tuple(names);
}

py::tuple warnings_of_run(const Trajectory& trajectory) {
  py::list sentences;
  for (const std::string& sentence : run_warnings(trajectory.run(), EventWarnings::shortcuts))
    sentences.append(sentence);
  return py::tuple(sentences);
}

ContactId find_contact_id(const Trajectory& trajectory, const std::string& name) {
  for (const RunContact& contact : trajectory.run().contacts)
    if (contact.name == name) return contact.id;
  std::vector<std::string> names;
  for (const RunContact& contact : trajectory.run().contacts) names.push_back(contact.name);
  refuse(fmt::format("contact '{}' does not occur in this run", printable(name)),
         fmt::format("those that do: {}", fmt::join(names, ", ")));
}

// Zero where it is open.
py::array contact_force(const Trajectory& trajectory, const std::string& name) {
  const ContactId id = find_contact_id(trajectory, name);
  const py::ssize_t rows = trajectory.run().info.dimension == Dimension::planar ? 2 : 3;
  py::array_t<double> force({static_cast<py::ssize_t>(trajectory.run().samples.size()), rows});
  double* out = force.mutable_data();
  std::fill(out, out + force.size(), 0.0);
  for (const Sample& sample : trajectory.run().samples) {
    for (const ActiveContact& active : sample.active)
      if (active.contact.id == id) {
        out[0] = active.force.n;
        out[1] = active.force.t1;
        if (rows == 3) out[2] = active.force.t2;
      }
    out += rows;
  }
  return force;
}

// By name: NaN where the contact is open, or has none.
py::dict margins_of(Trajectory& trajectory, const std::string& name) {
  const ContactId id = find_contact_id(trajectory, name);
  trajectory.measure_margins();
  const auto& samples = trajectory.run().samples;
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  Eigen::VectorXd slip = Eigen::VectorXd::Constant(std::ssize(samples), nothing), normal = slip, jam = slip;
  for (std::size_t k = 0; k < samples.size(); ++k)
    for (const ActiveContact& active : samples[k].active) {
      if (active.contact.id != id) continue;
      const auto row = static_cast<Eigen::Index>(k);
      slip[row] = active.slip_margin.value_or(nothing);
      normal[row] = active.force.n;
      jam[row] = active.jam_margin.value_or(nothing);
    }
  py::dict out;
  out["slip"] = to_array(slip);
  out["normal_force"] = to_array(normal);
  out["jam"] = to_array(jam);
  return out;
}

// None: a run file.
std::optional<ExportFormat> format_of(const std::string& path) {
  if (path.ends_with(".h5") || path.ends_with(".hdf5")) return std::nullopt;
  for (const ExportFormat format : all_values<ExportFormat>)
    if (path.ends_with(std::string(".") + name(format))) return format;
  refuse(fmt::format("'{}': the format is not known by its ending", printable(path, 200)),
         "use .h5, .csv, .json or .npz; to_html makes a page");
}

void save(const Trajectory& trajectory, const py::object& file) {
  const std::string path = path_of(file);
  if (const std::optional<ExportFormat> format = format_of(path)) {
    const RunData& run = trajectory.run();
    return export_run(run, *format, path, contact_gaps(run));
  }
  write_run(path, trajectory.run());
}

// Before a long run: whether its file has a format and can be written.
void check_place(const py::object& file) {
  const std::string path = path_of(file);
  format_of(path);
  if (!is_special_file(path)) const TemporaryFile probe(path);
}

py::tuple compare(const Trajectory& a, const Trajectory& b, double rtol, double atol) {
  const CompareReport report = compare_runs(a.run(), b.run(), {rtol, atol});
  return py::make_tuple(report.equal, report.first_difference);
}

std::string text_of(const Trajectory& t) {
  const RunOutcome& outcome = t.run().outcome;
  return fmt::format("<Trajectory '{}': {} samples up to t = {:g} s, {} events, {}>",
                     printable(t.run().info.scene_name), t.run().samples.size(), outcome.time, t.run().events.size(),
                     name(outcome.status));
}

}  // namespace

void bind_trajectory(py::module_& module) {
  using T = Trajectory;
  const py::arg path("path");
  py::class_<T, std::shared_ptr<T>>(
      module, "Trajectory", "A run: what `routh.simulate` and `routh.load` give. Arrays are views, one row a sample.")
      .def_property_readonly("time", column(&T::time), "[s]; impacts have two samples, before and after.")
      .def_property_readonly(
          "q", [](const py::object& self) { return row_view(self.cast<const T&>().q, self); },
          "(samples, coordinates) [m, rad].")
      .def_property_readonly(
          "v", [](const py::object& self) { return row_view(self.cast<const T&>().v, self); },
          "(samples, velocities) [m/s, rad/s].")
      .def_readwrite(
          "sensitivity", &T::sensitivity,
          "The derivatives of its end that `routh.simulate(…, sensitivities=[…])` found; else None. Files do "
          "not keep them.")
      .def_property_readonly("kinetic", column(&T::kinetic), "Energy [J].")
      .def_property_readonly("potential", column(&T::potential), "Energy [J].")
      .def_property_readonly("dissipated", column(&T::dissipated),
                             "By friction, dampers and impacts since the start [J].")
      .def_property_readonly("supplied", column(&T::supplied),
                             "By belts, drives, forces and the user since the start [J].")
      .def_property_readonly("corrected", column(&T::corrected), "By what no force did, since the start [J].")
      .def_property_readonly(
          "energy", [](const T& t) { return t.run().outcome.energy; }, "The account at the end.")
      .def_property_readonly("events", &events_of, "What happened, in order.")
      .def_property_readonly(
          "status", [](const T& t) { return name(t.run().outcome.status); }, "'ready' when it went to its end.")
      .def_property_readonly(
          "message", [](const T& t) { return t.run().outcome.message; }, "Why it ended early; else empty.")
      .def_property_readonly("warnings", &warnings_of_run,
                             "What the run says against itself: its account of energy, and the shortcuts it took.")
      .def_property_readonly(
          "state", [](const T& t) { return final_state(t.run()); }, "Where the run ended.")
      .def_property_readonly(
          "statistics", [](const T& t) { return statistics_of(t.run().outcome.statistics); }, "What it took.")
      .def_property_readonly("coordinate_names", names_in(&RunInfo::coordinate_names), "Of the columns of q.")
      .def_property_readonly("coordinate_units", names_in(&RunInfo::coordinate_units), "Of the columns of q.")
      .def_property_readonly("velocity_names", names_in(&RunInfo::velocity_names), "Of the columns of v.")
      .def_property_readonly("velocity_units", names_in(&RunInfo::velocity_units), "Of the columns of v.")
      .def_property_readonly("contacts", &contact_names, "Names of all contacts that occurred.")
      .def_property_readonly(
          "name", [](const T& t) { return t.run().info.scene_name; }, "Of the machine.")
      .def_property_readonly(
          "model", [](const T& t) { return std::const_pointer_cast<Machine>(t.machine()); }, "The machine.")
      .def("contact_force", &contact_force, py::arg("contact"),
           "(samples, 2 or 3): force of a contact by its name, normal first, zero where it is open [N].")
      .def("margins", &margins_of, py::arg("contact"),
           "How far a contact is from slip (share of friction left), loss (normal force [N]) and a jam (A/a) at each\n"
           "sample: {'slip', 'normal_force', 'jam'}, NaN where it is open, or slips. `save` keeps them from then on.")
      .def("_measure_margins", &T::measure_margins)
      .def("save", &save, path, "Writes .h5 (read by `routh.load` and the program), .csv, .json or .npz.")
      .def("compare", &compare, py::arg("other"), py::arg("rtol") = CompareOptions{}.rtol,
           py::arg("atol") = CompareOptions{}.atol, "(equal, the earliest difference as a sentence).")
      .def("__len__", [](const T& t) { return t.run().samples.size(); })
      .def("_document", [](const T& t) { return run_document(t.run()); })
      .def("_summary", [](const T& t) { return run_json(t.run()); })
      .def("__repr__", &text_of);
  module.def(
      "load", [](const py::object& file) { return std::make_shared<T>(read_run(path_of(file)), nullptr); }, path,
      "Reads a run file (.h5).");
  module.def("_check_place", &check_place, path);
  module.def(
      "_write_file", [](const py::object& file, const std::string& text) { write_whole_file(path_of(file), text); },
      path, py::arg("text"));
  module.def("_make_page",
             [](const std::string& page, const std::string& document) { return make_page(page, document); });
}

}  // namespace routh::python
