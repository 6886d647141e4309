#include "impact_result.h"

#include <fmt/format.h>

#include <cmath>

#include "enumerations.h"

namespace routh::python {

namespace {

py::object optional_array(const SingleImpact& impact, Eigen::VectorXd MachinePart::*part) {
  if (!impact.machine || (*impact.machine.*part).size() == 0) return py::none();
  return to_array(*impact.machine.*part);
}

std::string text_of(const ContactVector& v, Dimension dimension) {
  return dimension == Dimension::planar ? fmt::format("[{:.6g}, {:.6g}]", v.n, v.t1)
                                        : fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.n, v.t1, v.t2);
}

std::string text_of(const SingleImpact& i) {
  const ImpactResult& r = i.result;
  return fmt::format("<ImpactResult {}: {}, {}; contact_velocity {} m/s, impulse {} N s, energy {:+.6g} J>",
                     name(r.law), name(r.status), name(r.mode), text_of(r.velocity, i.dimension),
                     text_of(r.impulse, i.dimension), r.energy.change);
}

py::object finite(double value) { return std::isfinite(value) ? py::object(py::float_(value)) : py::none(); }

py::dict stretch_dict(const ImpactQuestion& question, const IncrementStretch& stretch) {
  py::dict out;
  out["kind"] = name(stretch.kind);
  out["zeta"] = finite(stretch.zeta);
  out["epsilon"] = finite(stretch.epsilon);
  out["ratio"] = to_array(stretch.ratio, question.problem.inertia.dimension);
  if (question.mass_matrix.size() == 0) return out;
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(question.mass_matrix.rows()), external;
  out["L"] = to_array(
      velocity_per_impulse({question.mass_matrix, question.jacobian, rest, question.bilateral, external}, stretch));
  return out;
}

// As in the JSON of an impact.
py::object increment_dict(const SingleImpact& impact) {
  if (!impact.question) return py::none();
  const ImpactQuestion& question = *impact.question;
  const std::optional<IncrementNumbers> n = compute_increment_numbers(question.problem, impact.result);
  if (!n) return py::none();
  py::dict out;
  out["first"] = stretch_dict(question, n->first);
  out["last"] = stretch_dict(question, n->last);
  out["I_nh"] = finite(n->halt_impulse);
  out["I_np"] = finite(n->slip_compression_impulse);
  out["I_nf"] = finite(n->slip_end_impulse);
  out["I_nc"] = finite(n->compression_impulse);
  out["W_nc"] = finite(n->compression_work);
  out["W_nR"] = finite(n->restitution_work);
  return out;
}

void bind_single(py::module_& module) {
  using S = SingleImpact;
  const auto vector = [](ContactVector ImpactResult::*member) {
    return [member](const S& i) { return to_array(i.result.*member, i.dimension); };
  };
  const auto energy = [](auto EnergyLedger::*member) {
    return [member](const S& i) { return i.result.energy.*member; };
  };
  const auto of_machine = [](Eigen::VectorXd MachinePart::*part) {
    return [part](const S& i) { return optional_array(i, part); };
  };
  py::class_<S>(module, "ImpactResult", "One impact: what `routh.impact` gives for a single problem.")
      .def_property_readonly(
          "law", [](const S& i) { return name(i.result.law); }, "Name of the law.")
      .def_property_readonly(
          "status", [](const S& i) { return status_member(i.result.status); },
          "A member of `routh.Status`; `ok`, `no_impact` and `locked` are answers.")
      .def_property_readonly(
          "mode", [](const S& i) { return mode_member(i.result.mode); },
          "A member of `routh.Mode`: whether it slides, sticks, reverses.")
      .def_property_readonly(
          "ok", [](const S& i) { return usable(i.result.status); }, "Whether the result is an answer.")
      .def_property_readonly(
          "explanation", [](const S& i) { return explain(i.result.status); }, "The status as a sentence.")
      .def_property_readonly("contact_velocity", vector(&ImpactResult::velocity),
                             "After the impact, normal first [m/s].")
      .def_property_readonly("relative_velocity", vector(&ImpactResult::relative_velocity),
                             "The same relative to the surface [m/s].")
      .def_property_readonly("impulse", vector(&ImpactResult::impulse), "Of the contact, normal first [N s].")
      .def_property_readonly("velocity", of_machine(&MachinePart::velocity),
                             "Of a machine: q̇⁺ [m/s, rad/s]; None for a contact alone.")
      .def_property_readonly("loop_impulse", of_machine(&MachinePart::loop_impulse),
                             "Generalised impulse of the bilateral rows; None without them [N s, N m s].")
      .def_property_readonly("multipliers", of_machine(&MachinePart::multipliers),
                             "Impulse of each bilateral row, of least norm; None without them.")
      .def_property_readonly(
          "restitution", [](const S& i) { return i.result.restitution; }, "The coefficient used.")
      .def_property_readonly("normal_work", energy(&EnergyLedger::normal_work), "Along the normal [J].")
      .def_property_readonly("tangential_work", energy(&EnergyLedger::tangential_work), "Of friction [J].")
      .def_property_readonly("supplied", energy(&EnergyLedger::supplied),
                             "By a moving surface and an external impulse [J].")
      .def_property_readonly("energy_change", energy(&EnergyLedger::change), "Of the kinetic energy [J].")
      .def_property_readonly("consistent", energy(&EnergyLedger::consistent),
                             "The certificate: normal_work + tangential_work is not positive.")
      .def_property_readonly(
          "warnings", [](const S& i) { return warning_names(i.result.warnings); }, "Names of warnings.")
      .def_property_readonly(
          "phases",
          [](const S& s) {
            return phase_list({s.result.begin(), s.result.end()}, s.dimension);
          },
          "Stretches of slip and stick, each described at its end.")
      .def_property_readonly(
          "increment", &increment_dict,
          "The letters of Elkaranshawy 2025, as in JSON: of `first` and `last` phase zeta, epsilon, "
          "ratio and, of a machine, L; I_nh, I_np, I_nf, I_nc, W_nc, W_nR. None without an increment.")
      .def_property_readonly(
          "derivatives", [](const S& i) { return i.derivatives ? py::cast(*i.derivatives) : py::none(); },
          "`ImpactDerivatives`; None without derivatives=True.")
      .def("__repr__", [](const S& i) { return text_of(i); });
}

py::ssize_t length_of(const ImpactBatch& batch) {
  if (batch.shape.empty()) throw py::type_error("this is a single impact: it has no length");
  return batch.shape[0];
}

void bind_batch(py::module_& module) {
  using B = ImpactBatch;
  const auto column = [](int k) { return [k](const B& b) { return b.work[py::make_tuple(py::ellipsis(), k)]; }; };
  py::class_<B>(module, "ImpactBatch",
                "Many impacts: what `routh.impact` gives for a batch. The leading axes of every array are the batch's.")
      .def_property_readonly(
          "law", [](const B& b) { return name(b.law); }, "Name of the law.")
      .def_property_readonly(
          "shape", [](const B& b) { return b.status.attr("shape"); }, "Of the batch.")
      .def("__len__", &length_of)
      .def("__getitem__", &B::pick, py::arg("key"),
           "Those that a key of NumPy's picks, as a batch; one index for each axis picks a single impact.")
      .def("__iter__",
           [](const py::object& self) {
             length_of(self.cast<const B&>());
             return py::reinterpret_steal<py::object>(PySeqIter_New(self.ptr()));
           })
      .def_readonly("status", &B::status, "Values of `routh.Status`.")
      .def_readonly("mode", &B::mode, "Values of `routh.Mode`.")
      .def_readonly("contact_velocity", &B::contact_velocity, "After the impact, normal first [m/s].")
      .def_readonly("impulse", &B::impulse, "Of the contact, normal first [N s].")
      .def_readonly("velocity", &B::velocity, "Of a machine: q̇⁺; None for contacts alone.")
      .def_readonly("restitution", &B::restitution, "The coefficient used.")
      .def_property_readonly(
          "derivatives", [](const B& b) { return b.derivatives ? py::cast(*b.derivatives) : py::none(); },
          "`ImpactDerivatives`; None without derivatives=True.")
      .def_readonly("warnings", &B::warnings, "Bits: 1 << k for the kth of `routh.warning_names`.")
      .def_property_readonly("normal_work", column(0), "Along the normal [J].")
      .def_property_readonly("tangential_work", column(1), "Of friction [J].")
      .def_property_readonly("supplied", column(2), "By moving surfaces and external impulses [J].")
      .def_property_readonly("energy_change", column(3), "Of the kinetic energy [J].")
      .def_property_readonly(
          "ok",
          [](const B& b) {
            py::array_t<bool> ok(b.shape);
            for (py::ssize_t k = 0; k < ok.size(); ++k)
              ok.mutable_data()[k] = usable(static_cast<ImpactStatus>(b.status.data()[k]));
            return ok;
          },
          "Where the result is an answer.")
      .def_property_readonly(
          "consistent",
          [](const B& b) {
            py::array_t<bool> consistent(b.shape);
            for (py::ssize_t k = 0; k < consistent.size(); ++k)
              consistent.mutable_data()[k] =
                  (b.warnings.data()[k] & static_cast<std::uint32_t>(Warning::energy_gain)) == 0;
            return consistent;
          },
          "The certificate: where normal_work + tangential_work is not positive.")
      .def("__repr__", [](const B& b) {
        return fmt::format("<ImpactBatch {}: {} impacts of shape {}>", name(b.law), b.status.size(),
                           shape_text(b.shape));
      });
}

std::vector<py::ssize_t> with(std::vector<py::ssize_t> shape, int extent) {
  shape.push_back(extent);
  return shape;
}

}  // namespace

py::tuple warning_names(std::uint32_t bits) {
  py::list names;
  for (int k = 0; k < warning_count; ++k)
    if ((bits >> k & 1u) != 0) names.append(name(static_cast<Warning>(1u << k)));
  return py::tuple(names);
}

py::list phase_list(std::span<const Phase> phases, Dimension dimension) {
  py::list list;
  for (const Phase& phase : phases) {
    py::dict each;
    each["kind"] = name(phase.kind);
    each["stage"] = name(phase.stage);
    each["normal_impulse"] = phase.normal_impulse;
    each["contact_velocity"] = to_array(phase.velocity, dimension);
    list.append(each);
  }
  return list;
}

py::object mode_member(ImpactMode mode) { return members<ImpactMode>()[static_cast<std::size_t>(mode)]; }
py::object status_member(ImpactStatus status) { return members<ImpactStatus>()[static_cast<std::size_t>(status)]; }

ImpactBatch::ImpactBatch(std::vector<py::ssize_t> batch, int row_count, int coordinate_count, Law law_used)
    : law(law_used),
      rows(row_count),
      coordinates(coordinate_count),
      shape(std::move(batch)),
      contact_velocity(with(shape, rows)),
      impulse(with(shape, rows)),
      work(with(shape, 4)),
      restitution(shape),
      velocity(py::none()),
      mode(shape),
      status(shape),
      warnings(shape),
      contact_velocity_(contact_velocity.mutable_data()),
      impulse_(impulse.mutable_data()),
      work_(work.mutable_data()),
      restitution_(restitution.mutable_data()),
      mode_(mode.mutable_data()),
      status_(status.mutable_data()),
      warnings_(warnings.mutable_data()) {
  if (coordinates == 0) return;
  py::array_t<double> after(with(shape, coordinates));
  velocity_ = after.mutable_data();
  velocity = after;
}

ImpactBatch ImpactBatch::pick(const py::object& key) const {
  const py::tuple leading = py::isinstance<py::tuple>(key) ? py::tuple(key) : py::make_tuple(key);
  const bool open = std::any_of(leading.begin(), leading.end(), [](py::handle k) { return k.is(py::ellipsis()); });
  // `...` would take in the axis of a vector's entries too, unless that has a key of its own.
  const py::tuple all = py::make_tuple(py::slice(std::nullopt, std::nullopt, std::nullopt));
  const py::object vectors = open ? py::object(leading + all) : py::object(leading);
  const py::module_ numpy = py::module_::import("numpy");
  const py::array picked = numpy.attr("asarray")(status[leading]);  // refuses a key for more axes than the batch has
  ImpactBatch part(std::vector<py::ssize_t>(picked.shape(), picked.shape() + picked.ndim()), rows, coordinates, law);
  const auto copy = [&](const py::object& to, const py::object& from, const py::object& where) {
    numpy.attr("copyto")(to, from[where]);
  };
  copy(part.status, status, leading);
  copy(part.mode, mode, leading);
  copy(part.warnings, warnings, leading);
  copy(part.restitution, restitution, leading);
  copy(part.contact_velocity, contact_velocity, vectors);
  copy(part.impulse, impulse, vectors);
  copy(part.work, work, vectors);
  if (coordinates > 0) copy(part.velocity, velocity, vectors);
  if (derivatives) part.derivatives.emplace(derivatives->pick(leading, part.shape));
  return part;
}

void ImpactBatch::store(py::ssize_t k, const ImpactResult& r, const double* velocity_after) {
  const auto put = [&](double* out, const ContactVector& v) {
    out[0] = v.n;
    out[1] = v.t1;
    if (rows == 3) out[2] = v.t2;
  };
  put(contact_velocity_ + k * rows, r.velocity);
  put(impulse_ + k * rows, r.impulse);
  double* w = work_ + 4 * k;
  w[0] = r.energy.normal_work;
  w[1] = r.energy.tangential_work;
  w[2] = r.energy.supplied;
  w[3] = r.energy.change;
  restitution_[k] = r.restitution;
  mode_[k] = static_cast<std::uint8_t>(r.mode);
  status_[k] = static_cast<std::uint8_t>(r.status);
  warnings_[k] = r.warnings;
  for (int i = 0; i < coordinates; ++i) velocity_[k * coordinates + i] = velocity_after[i];
}

void bind_impact_results(py::module_& module) {
  bind_enumeration<ImpactMode>(module, "Mode", "How an impact went.");
  bind_enumeration<ImpactStatus>(module, "Status", "Whether there is an answer, and why not.");
  bind_impact_derivatives(module);
  bind_single(module);
  bind_batch(module);
  module.attr("warning_names") = names_tuple(all_values<Warning>);
  module.attr("laws") = names_tuple(all_laws);
}

}  // namespace routh::python
