// The simulator, with Python looking on: Ctrl-C, events and functions of Python in the loop.
#include "routh/simulation/simulator.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <map>

#include "bindings.h"
#include "routh/record/run_info.h"
#include "routh/version.h"
#include "simulation_parts.h"
#include "trajectory.h"

namespace routh::python {

namespace {

using Clock = std::chrono::steady_clock;

class PythonSimulator {
 public:
  PythonSimulator(MachinePointer machine, const State& start, const SimulationOptions& options, double sample_interval)
      : machine_(std::move(machine)), options_(options), start_(start), sample_interval_(sample_interval) {
    if (options_.engine == EngineKind::automatic && !options_.resolution)
      options_.resolution = usual_resolution(machine_->model(), options_.tolerance);
    simulator_.emplace(machine_->model(), start, options_);
    if (simulator_->status() == SimulationStatus::overlapping) refuse_overlaps(*machine_, start);
    simulator_->on_event([this](const Event& event) { events_.push_back(event); });
    if (sample_interval > 0)
      simulator_->on_sample(sample_interval, start.time, [this](const Sample& sample) { samples_.push_back(sample); });
    simulator_->interrupt_by([this] { return interrupted(); });
  }
  PythonSimulator(const PythonSimulator&) = delete;
  PythonSimulator& operator=(const PythonSimulator&) = delete;

  const char* advance(double until) {
    expect_idle();
    if (!std::isfinite(until)) refuse(fmt::format("until: {} must be finite", until));
    if (until < state().time)
      refuse(fmt::format("until: {} s lies before the present time, {} s", until, state().time));
    until_ = until;
    const SimulationStatus status = advance_released(until);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    if (failed(status)) fail();
    return name(status);
  }

  void set_force(const py::object& force) {
    expect_idle();
    force_ = VectorArgument(force, "force", machine_->model().velocities).map();
    simulator_->set_force(force_);
    if (failed(simulator_->status())) fail();
  }
  py::array force() const {
    return force_.size() > 0 ? to_array(force_) : to_array(Eigen::VectorXd::Zero(machine_->model().velocities).eval());
  }

  void add_event(std::string label, py::function function, const std::string& direction, bool stop) {
    expect_idle();
    UserEvent event;
    event.name = std::move(label);
    const auto named = value_named<UserEvent::Direction>(direction);
    if (!named)
      refuse(fmt::format("direction: '{}' is unknown", printable(direction)),
             fmt::format("use {}", fmt::join(all_names<UserEvent::Direction>, ", ")));
    event.direction = *named;
    event.action = stop ? UserEvent::Action::stop : UserEvent::Action::note;
    event.value = [this, k = functions_.size()](const State& state) { return call(functions_[k], state); };
    functions_.push_back(std::move(function));
    simulator_->add_user_event(std::move(event));
  }

  // For Python's collector: a function may refer to the simulator that keeps it, and then only the collector frees
  // both.
  int visit_functions(visitproc visit, void* argument) const {
    for (const py::object& function : functions_)
      if (const int stop = visit(function.ptr(), argument); stop != 0) return stop;
    return 0;
  }
  // Swapped out first: freeing one may run code that looks at this simulator.
  void drop_functions() {
    std::vector<py::object> dropped(functions_.size(), py::none());
    functions_.swap(dropped);
  }

  std::shared_ptr<Trajectory> trajectory() {
    expect_idle();
    RunData run;
    describe_coordinates(machine_->model(), run.info);
    run.info.program_version = ROUTH_VERSION;
    run.info.scene_path = machine_->path;
    run.info.scene_text = machine_->path.empty() ? machine_->complete : machine_->text;
    run.info.engine = options_.engine;
    run.info.tolerance = options_.tolerance;
    run.info.sample_interval = sample_interval_;
    run.info.options_json = options_json(options_, until_);
    run.outcome.status = simulator_->status();
    run.outcome.message = simulator_->message();
    run.outcome.time = state().time;
    run.outcome.state = state();
    run.outcome.energy = simulator_->energy();
    run.outcome.statistics = simulator_->statistics();
    run.outcome.checkpoint = simulator_->checkpoint();
    run.samples = samples_;
    run.events = events_;
    name_contacts(run);
    return std::make_shared<Trajectory>(std::move(run), machine_);
  }

  const State& state() const {
    expect_idle();
    return simulator_->state();
  }
  Simulator& simulator() {
    expect_idle();
    return *simulator_;
  }
  const Machine& machine() const { return *machine_; }
  std::vector<RunEvent> events() const {
    expect_idle();
    std::vector<RunEvent> list;
    for (const Event& event : events_) list.push_back({event, machine_->model().dimension});
    return list;
  }
  std::vector<ClosedContact> contacts() const {
    expect_idle();
    std::vector<ClosedContact> list;
    for (const ActiveContact& each : simulator_->active())
      list.push_back({contact_name(machine_->model(), each.contact), each, machine_->model().dimension});
    return list;
  }

 private:
  // What changes while it runs is not to be looked at meanwhile.
  void expect_idle() const {
    if (busy_)
      throw std::runtime_error(
          "this simulator is at work, in another thread or in one of its events; events get the state as their "
          "argument");
  }

  SimulationStatus advance_released(double until) {
    struct Busy {
      explicit Busy(bool& value) : flag(value) { flag = true; }
      ~Busy() { flag = false; }
      bool& flag;
    };
    const Busy busy(busy_);
    const py::gil_scoped_release released;
    next_look_ = Clock::now() + look_interval;
    return simulator_->advance(until);
  }

  // After every step, without the GIL.
  bool interrupted() {
    if (error_) return true;
    const Clock::time_point now = Clock::now();
    if (now < next_look_) return false;
    next_look_ = now + look_interval;
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() == 0) return false;
    error_ = std::make_exception_ptr(py::error_already_set());
    return true;
  }

  // The first exception ends the run; until then the function counts as zero.
  double call(const py::object& function, const State& state) {
    if (error_) return 0;
    const py::gil_scoped_acquire held;
    try {
      const double value = read_double(function(state), "the value of an event");
      if (std::isfinite(value)) return value;
      throw InputError({}, fmt::format("the value of an event is {} at t = {} s", value, state.time));
    } catch (...) {
      error_ = std::current_exception();
      return 0;
    }
  }

  [[noreturn]] void fail() {
    const py::object type = py::module_::import("routh._errors").attr("SimulationError");
    const py::object error = type(simulator_->message(), trajectory());
    PyErr_SetObject(type.ptr(), error.ptr());
    throw py::error_already_set();
  }

  void name_contacts(RunData& run) const {
    std::map<ContactId, std::string> names;
    for (const Sample& sample : run.samples)
      for (const ActiveContact& active : sample.active)
        if (!names.contains(active.contact.id))
          names[active.contact.id] = contact_name(machine_->model(), active.contact);
    for (const Event& event : run.events)
      for (const EventContact& contact : event.contacts) names.emplace(contact.id, contact.name);
    for (auto& [id, each] : names) run.contacts.push_back({id, each});
  }

  MachinePointer machine_;
  SimulationOptions options_;
  State start_;
  double sample_interval_;
  double until_ = 0;
  std::vector<Event> events_;
  std::vector<Sample> samples_;
  Eigen::VectorXd force_;
  std::exception_ptr error_;
  Clock::time_point next_look_;
  bool busy_ = false;
  std::vector<py::object> functions_;   // of the user's events
  std::optional<Simulator> simulator_;  // last: its callbacks use the others
};

// None while the object is being made: the collector may look at it before its constructor ran.
PythonSimulator* simulator_in(PyObject* self) {
  const auto held = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
  return held.holder_constructed() ? held.value_ptr<PythonSimulator>() : nullptr;
}

void enable_collection(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    const PythonSimulator* simulator = simulator_in(self);
    return simulator ? simulator->visit_functions(visit, arg) : 0;
  };
  type.tp_clear = [](PyObject* self) {
    if (PythonSimulator* simulator = simulator_in(self)) simulator->drop_functions();
    return 0;
  };
}

std::unique_ptr<PythonSimulator> make_simulator(const std::shared_ptr<Machine>& machine, const py::object& state,
                                                const py::kwargs& keywords) {
  const State start = read_state(*machine, state);
  py::kwargs given = keywords;
  if (given.contains("sample_interval") && py::object(given["sample_interval"]).equal(py::int_(0)))
    given["sample_interval"] = py::none();  // no samples are kept
  if (given.contains("until")) throw py::type_error("until: a simulator is told by `advance`");
  const SimulationSettings said = read_settings(given);
  const double interval = finite(said.sample_interval.value_or(0), "sample_interval");
  return std::make_unique<PythonSimulator>(
      machine, start, simulation_options(overlay(said, machine->scene.simulation), machine->scene.touch), interval);
}

}  // namespace

void bind_simulator(py::module_& module) {
  bind_simulation_parts(module);
  bind_trajectory(module);
  using S = PythonSimulator;
  const py::arg_v none_state("state", py::none());
  py::class_<S>(module, "Simulator",
                "A machine in motion, event by event, under the caller's eyes: advance, look, push, go on.",
                py::custom_type_setup(&enable_collection))
      .def(py::init([](const std::shared_ptr<Machine>& machine, const py::object& state, const py::kwargs& settings) {
             return make_simulator(machine, state, settings);
           }),
           py::arg("model").none(false), none_state,
           "`tolerance` of a step, relative; `law` in place of those of the surfaces; `max_step` [s]; with a "
           "`sample_interval` [s] samples are kept for `trajectory`.")
      .def(
          "advance", &S::advance, py::arg("until"),
          "Goes on to a time [s]. 'ready', or 'user_stop' when an event asked to stop. Raises SimulationError when the "
          "run cannot go on.")
      .def(
          "step", [](S& s, double duration) { return s.advance(s.state().time + duration); }, py::arg("duration"),
          "Goes on for a time [s].")
      .def("add_event", &S::add_event, py::arg("name"), py::arg("function"), py::arg("direction") = "both",
           py::arg("stop") = false,
           "Notes, or stops at, every change of sign of function(state); `direction` is 'both', 'rising' or 'falling'.")
      .def_property("force", &S::force, &S::set_force,
                    "A generalised force that acts from now on, besides all others [N, N m].")
      .def_property_readonly(
          "time", [](const S& s) { return s.state().time; }, "[s]")
      .def_property_readonly(
          "q", [](const S& s) { return to_array(s.state().q); }, "A copy of the coordinates [m, rad].")
      .def_property_readonly(
          "v", [](const S& s) { return to_array(s.state().v); }, "A copy of the velocities [m/s, rad/s].")
      .def_property_readonly(
          "state", [](const S& s) { return State(s.state()); }, "A copy.")
      .def_property_readonly(
          "acceleration", [](S& s) { return to_array(s.simulator().acceleration()); }, "[m/s², rad/s²]")
      .def_property_readonly(
          "energy", [](S& s) { return s.simulator().energy(); }, "The account so far.")
      .def_property_readonly("contacts", &S::contacts, "Those that are closed, with their forces.")
      .def_property_readonly("events", &S::events, "What happened so far.")
      .def_property_readonly(
          "status", [](S& s) { return name(s.simulator().status()); }, "'ready' while it can go on.")
      .def_property_readonly(
          "message", [](S& s) { return s.simulator().message(); }, "Why it cannot go on; else empty.")
      .def_property_readonly(
          "statistics", [](S& s) { return statistics_of(s.simulator().statistics()); }, "What it took so far.")
      .def("trajectory", &S::trajectory, "The run so far.")
      .def("__repr__", [](S& s) {
        return fmt::format("<Simulator '{}' at t = {:g} s>", printable(s.machine().model().name), s.state().time);
      });
  module.attr("_setting_keywords") = setting_keywords();
  module.def("_usual_run", &usual_run, py::arg("model").none(false), none_state, py::arg("until") = py::none(),
             py::arg("sample_interval") = py::none());
}

}  // namespace routh::python
