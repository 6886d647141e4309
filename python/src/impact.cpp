// `routh.impact`: called by CPython directly, without pybind11's dispatch, since one small impact takes less time than
// that.
#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "bindings.h"
#include "impact_result.h"
#include "impact_several.h"
#include "impact_solver.h"
#include "routh/map/shared_work.h"
#include "routh/map/tolerances.h"
#include "routh/problem/compliance_reader.h"
#include "routh/text/document.h"

namespace routh::python {

namespace {

enum class WhenInvalid { raise, keep };

constexpr py::ssize_t chunk = 1 << 15;  // problems between two looks at signals

SingleImpact solve_one(const ImpactArguments& arguments) {
  ImpactSolver solver(arguments);
  SingleImpact impact;
  impact.dimension = arguments.dimension;
  const bool loaded = solver.load(0);
  if (loaded) impact.result = solver.solve();
  if (!loaded || impact.result.status == ImpactStatus::invalid) refuse(solver.why(0));
  impact.question = solver.question();
  if (arguments.derivatives) {
    impact.derivatives.emplace(std::vector<py::ssize_t>{}, arguments.coordinates);
    solver.differentiate(0, impact.result, *impact.derivatives);
  }
  if (!arguments.machine) return impact;
  impact.machine.emplace(MachinePart{solver.velocity(), {}, {}});
  if (arguments.bilateral_rows == 0) return impact;
  impact.machine->loop_impulse = solver.loop_impulse();
  impact.machine->multipliers = solver.multipliers();
  return impact;
}

void lower(std::atomic<py::ssize_t>& least, py::ssize_t value) {
  py::ssize_t seen = least.load();
  while (value < seen && !least.compare_exchange_weak(seen, value)) {
  }
}

class BatchRun {
 public:
  BatchRun(const ImpactArguments& arguments, ImpactBatch& batch, int threads)
      : arguments_(arguments), batch_(batch), solvers_(static_cast<std::size_t>(threads)) {}

  // `look` is called by the calling thread between chunks and may throw.
  template <class Look>
  void run(Look look) {
    share_items(
        {static_cast<std::size_t>(arguments_.count), chunk, solvers_.size()},
        [&](std::size_t worker, std::size_t first, std::size_t last) {
          std::unique_ptr<ImpactSolver>& solver = solvers_[worker];
          if (!solver) solver = std::make_unique<ImpactSolver>(arguments_);
          for (std::size_t k = first; k < last; ++k) solve(static_cast<py::ssize_t>(k), *solver);
        },
        [&](std::size_t worker, std::size_t) {
          if (worker == 0) look();
          return true;
        });
  }
  py::ssize_t first_invalid() const { return invalid_; }

 private:
  void solve(py::ssize_t k, ImpactSolver& solver) {
    if (solver.load(k)) {
      if (arguments_.machine) {
        const ImpactResult result = solver.solve();
        return keep(k, result, solver);
      }
      // Straight from the library: a copy of the result would cost as much as a planar solve.
      return keep(k, solve_impact(solver.problem(), arguments_.law), solver);
    }
    ImpactResult none;
    none.law = arguments_.law;
    none.status = ImpactStatus::invalid;
    batch_.store(k, none, arguments_.machine ? arguments_.velocity.at(k) : nullptr);
    if (batch_.derivatives) batch_.derivatives->store(k, {}, nullptr);
    lower(invalid_, k);
  }

  void keep(py::ssize_t k, const ImpactResult& result, const ImpactSolver& solver) {
    batch_.store(k, result, arguments_.machine ? solver.velocity().data() : nullptr);
    if (batch_.derivatives) solver.differentiate(k, result, *batch_.derivatives);
    if (result.status == ImpactStatus::invalid) lower(invalid_, k);
  }

  const ImpactArguments& arguments_;
  ImpactBatch& batch_;
  std::vector<std::unique_ptr<ImpactSolver>> solvers_;  // by worker
  std::atomic<py::ssize_t> invalid_{PY_SSIZE_T_MAX};
};

std::string index_text(py::ssize_t k, std::span<const py::ssize_t> shape) {
  std::vector<py::ssize_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = k % shape[axis];
    k /= shape[axis];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

int read_threads(const RawArguments& raw) {
  if (!raw.has(Argument::threads)) return 1;
  const py::handle value = raw[Argument::threads];
  const std::optional<long> count = whole_number(value);
  if (!count) throw py::type_error("threads: expected a whole number, 0 for as many as the machine has");
  if (*count < 0 || *count > tolerances::threads_max)
    refuse(fmt::format("threads: expected a number from 0 to {}", tolerances::threads_max),
           "0: as many as the machine has");
  return *count == 0 ? std::max(1, static_cast<int>(std::thread::hardware_concurrency())) : static_cast<int>(*count);
}

WhenInvalid read_invalid(const RawArguments& raw) {
  if (!raw.has(Argument::invalid)) return WhenInvalid::raise;
  const std::string word = word_of(raw[Argument::invalid]);
  if (word == "raise") return WhenInvalid::raise;
  if (word == "keep") return WhenInvalid::keep;
  refuse(fmt::format("invalid: '{}' is unknown", printable(word)), "use 'raise' or 'keep'");
}

py::object solve_many(const RawArguments& raw, const ImpactArguments& arguments) {
  const WhenInvalid when_invalid = read_invalid(raw);
  const int threads = read_threads(raw);
  auto batch = std::make_unique<ImpactBatch>(arguments.batch, arguments.rows(), arguments.coordinates, arguments.law);
  if (arguments.derivatives) batch->derivatives.emplace(arguments.batch, arguments.coordinates);
  BatchRun work(arguments, *batch, static_cast<int>(std::min<py::ssize_t>(threads, 1 + arguments.count / chunk)));
  {
    const py::gil_scoped_release released;
    work.run([] {
      const py::gil_scoped_acquire held;
      check_signals();
    });
  }
  if (const py::ssize_t k = work.first_invalid(); k != PY_SSIZE_T_MAX && when_invalid == WhenInvalid::raise)
    refuse(fmt::format("problem {}: {}", index_text(k, arguments.batch), ImpactSolver(arguments).why(k)),
           "with invalid='keep' such problems get the status `invalid` and the others are solved");
  return py::cast(std::move(batch));
}

py::object impact_of_matrices(const RawArguments& raw);

// One answer for each law, by its name.
py::object impact_by_laws(const RawArguments& raw) {
  py::object laws = py::module_::import("routh._laws").attr("Laws")();
  for (const Law law : all_laws) {
    const py::str word(name(law));
    RawArguments own = raw;
    own.set(Argument::law, word);
    laws[word] = impact_of_matrices(own);
  }
  return laws;
}

py::object impact_of_matrices(const RawArguments& raw) {
  if (raw.has(Argument::rule)) return impact_of_several(raw);
  if (raw.has(Argument::stiffness)) throw py::type_error("stiffness is of several contacts: name a rule");
  if (raw.has(Argument::law) && is_word(raw[Argument::law], "all")) return impact_by_laws(raw);
  const ImpactArguments arguments(raw);
  if (!arguments.batch.empty()) return solve_many(raw, arguments);
  return py::cast(solve_one(arguments));
}

// The names of the arguments as Python's interned strings, which most callers hand back.
const std::array<PyObject*, argument_count>& interned_names() {
  static const auto names = [] {
    std::array<PyObject*, argument_count> list{};
    for (std::size_t k = 0; k < list.size(); ++k) list[k] = PyUnicode_InternFromString(argument_names[k]);
    return list;
  }();
  return names;
}

Argument find_argument(PyObject* keyword) {
  const auto& names = interned_names();
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == keyword) return static_cast<Argument>(k);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (PyUnicode_Compare(names[k], keyword) == 0) return static_cast<Argument>(k);
  throw py::type_error(fmt::format("impact() got an unexpected keyword argument '{}'", word_of(keyword)));
}

py::object call(PyObject* const* values, Py_ssize_t positional, PyObject* keywords) {
  if (positional > 0 && is_model(values[0])) return impact_of_model(values, positional, keywords);
  if (positional > positional_count)
    throw py::type_error(
        fmt::format("impact() takes {} positional arguments but {} were given", positional_count, positional));
  RawArguments raw;
  for (Py_ssize_t k = 0; k < positional; ++k) raw.set(static_cast<Argument>(k), values[k]);
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t k = 0; k < named; ++k) {
    const Argument argument = find_argument(PyTuple_GET_ITEM(keywords, k));
    if (static_cast<int>(argument) < positional)
      throw py::type_error(fmt::format("impact() got multiple values for argument '{}'",
                                       argument_names[static_cast<std::size_t>(argument)]));
    raw.set(argument, values[positional + k]);
  }
  return impact_of_matrices(raw);
}

extern "C" PyObject* routh_python_impact(PyObject*, PyObject* const* values, Py_ssize_t positional,
                                         PyObject* keywords) {
  try {
    return call(values, positional, keywords).release().ptr();
  } catch (...) {
    raise_current();
    return nullptr;
  }
}

constexpr const char* impact_doc =
    R"(impact(delassus, contact_velocity, friction, restitution, law='energetic', *, surface_velocity=None,
       pressed=False, derivatives=False, invalid='raise', threads=1)
impact(*, mass_matrix, jacobian, velocity, friction, restitution, law='energetic', bilateral=None,
       external_impulse=None, surface_velocity=None, pressed=False, derivatives=False, invalid='raise', threads=1)
impact(*, mass_matrix, jacobian, velocity, friction, restitution, rule, law=None, ...)
impact(model, state=None, law=None)
impact(model, state=None, law=None, *, rule, stiffness=None)
impact(model, *, q, v, contact=None, law=None)

One frictional impact, or many, or several contacts at once.

Contact vectors have the normal first; a negative normal velocity approaches. SI units.

delassus           (..., 2, 2) or (..., 3, 3) D = J M⁻¹ Jᵀ [1/kg]
contact_velocity   (..., 2) or (..., 3) before the impact [m/s]
mass_matrix        (..., n, n) of a machine, jacobian (..., 2 or 3, n), velocity (..., n) q̇ before the impact
bilateral          (..., m, n) rows that hold, such as loops
external_impulse   (..., n) acts at the same instant; restitution refers to the velocity before it
friction           a coefficient, or (static, kinetic); each may have the batch's shape
restitution        a coefficient in [0, 1], {'normal': e}, {'alpha': a} or {'table': [[speed, e], ...]}; such a dictionary
                   may have 'tangential', too, for `unified`; or a law of contact force as of `ContactLaw`
law                'energetic', 'poisson', 'newton', 'unified' or 'classical'; 'all': a dictionary of the answers of
                   every law, shown as a table
surface_velocity   (..., 2) or (..., 3) of a moving surface [m/s]
pressed            other forces press the bodies together: a jammed contact then suffers a tangential impact
derivatives        True: exact derivatives, too, as `derivatives` of the answer
invalid            'raise', or 'keep': problems of a batch that break a rule get the status `invalid`
threads            that share a batch; 0: as many as the machine has
rule               several contacts of one machine strike at once: 'simultaneous' (Newton's rule and projection),
                   'together' (all advance through slip and stick, under 'energetic' or 'poisson') or 'run' (whichever
                   of them a run takes; `laws` of the answer has each law beside it). jacobian is then
                   (contacts, 2 or 3, n); friction, restitution and surface_velocity may have an entry for each contact
stiffness          with a rule: of each contact's spring in the march beside those of the others; all equal without it. Of a
                   model a dictionary from names of contacts, or of pairs of shapes, to ratios; 1 for the rest

Leading axes are a batch, broadcast as NumPy does. Without them the answer is an `ImpactResult`, with them an
`ImpactBatch`. With a rule it is a `SimultaneousImpact`, of a model that of all contacts that touch; with velocities
(count, n) a list of them. With a model and a
state it is a list of `Strike`, one for each contact that approaches. With a model
and many states, q (..., coordinates) and v (..., velocities), it is an `ImpactBatch` for one contact, by name or the
nearest at the first state, whatever its gap.)";

Compliance law_of(const std::string& text) {
  const Document document = Document::from_text(text, "<law>");
  document.root().allow_keys(all_names<ComplianceKind>);
  const auto node = find_compliance(document.root());
  if (!node || has_several_compliances(document.root()))
    document.root().fail("one law of contact force is needed",
                         fmt::format("give one of {}", fmt::join(all_names<ComplianceKind>, ", ")));
  return read_compliance(*node);
}

py::tuple describe_law(const std::string& text) {
  const Compliance law = law_of(text);
  const SpeedRange range = valid_speeds(law);
  return py::make_tuple(name(law.kind), range.low, range.high, yield_speed(law));
}

// e, duration, peak force and indentation (None where not known) and whether in range, at speeds in a row.
py::tuple strike_law(const std::string& text, const py::array_t<double, py::array::c_style>& speeds) {
  const Compliance law = law_of(text);
  const auto size = speeds.size();
  py::array_t<double> e(size), duration(size), force(size), depth(size);
  py::array_t<bool> in_range(size);
  bool known = true;
  for (py::ssize_t k = 0; k < size; ++k) {
    const double speed = speeds.data()[k];
    if (!(speed > 0) || !std::isfinite(speed)) refuse(fmt::format("speed: {} must be positive and finite", speed));
    const CompliantImpact impact = impact_at(law, speed);
    known = impact.duration.has_value();
    e.mutable_data()[k] = impact.restitution;
    duration.mutable_data()[k] = impact.duration.value_or(0);
    force.mutable_data()[k] = impact.peak_force.value_or(0);
    depth.mutable_data()[k] = impact.indentation.value_or(0);
    in_range.mutable_data()[k] = impact.in_range;
  }
  if (!known) return py::make_tuple(e, py::none(), py::none(), py::none(), in_range);
  return py::make_tuple(e, duration, force, depth, in_range);
}

}  // namespace

void bind_impact(py::module_& module) {
  module.def("_describe_law", &describe_law);
  module.def("_strike_law", &strike_law);
  interned_names();
  static PyMethodDef method = {"impact",
                               reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(routh_python_impact)),
                               METH_FASTCALL | METH_KEYWORDS, impact_doc};
  module.attr("impact") =
      py::reinterpret_steal<py::object>(PyCFunction_NewEx(&method, nullptr, py::str("routh").release().ptr()));
}

}  // namespace routh::python
