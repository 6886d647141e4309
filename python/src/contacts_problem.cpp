// `routh.contacts`: any number of contacts at once, from arrays or from a file. Python makes an object of the answer.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "contacts_members.h"
#include "data.h"
#include "routh/contacts/contacts_derivatives.h"

namespace routh::python {

namespace {

Eigen::VectorXd finite_vector(py::handle value, const char* name, Eigen::Index size) {
  return VectorArgument(value, name, size).map();
}

Eigen::MatrixXd square_matrix(py::handle value, Eigen::Index size) {
  const Numbers numbers(value, "inertia");
  if (numbers.dimensions() != 2 || numbers.extent(0) != size || numbers.extent(1) != size)
    refuse(fmt::format("inertia: expected {0}×{0} numbers, found an array of shape {1}", size,
                       shape_text(numbers.shape())),
           "velocity has as many entries as inertia has rows");
  const Rows D(numbers.data(), size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j)
      if (!std::isfinite(D(i, j))) refuse(fmt::format("inertia[{}, {}] is {}: it must be finite", i, j, D(i, j)));
  return D;
}

// (row starts, columns, values) of a BSR matrix, whose own checks Python has made.
BlockMatrix block_matrix(const py::tuple& parts) {
  BlockMatrix D{parts[0].cast<std::vector<int>>(), parts[1].cast<std::vector<int>>(),
                parts[2].cast<std::vector<double>>()};
  for (const double value : D.values)
    if (!std::isfinite(value)) refuse(fmt::format("inertia holds {}: its entries must be finite", value));
  return D;
}

void read_friction(py::handle value, int contacts, std::vector<double>& friction) {
  const Numbers numbers(value, "friction");
  if (numbers.dimensions() > 1 || (numbers.dimensions() == 1 && numbers.extent(0) != contacts))
    refuse(fmt::format("friction: expected one number, or one for each of {} contacts, found an array of shape {}",
                       contacts, shape_text(numbers.shape())));
  for (int k = 0; k < contacts; ++k) {
    const double mu = numbers.data()[numbers.dimensions() == 0 ? 0 : k];
    if (!(mu >= 0)) refuse(fmt::format("friction[{}] is {}: it must be zero or positive", k, mu));
    friction.push_back(mu);
  }
}

void read_slip(py::handle value, FrictionContactProblem& problem) {
  const Numbers numbers(value, "slip");
  const int tangents = problem.rows_per_contact() - 1, contacts = problem.contacts();
  const bool flat = tangents == 1 && numbers.dimensions() == 1 && numbers.extent(0) == contacts;
  const bool table = numbers.dimensions() == 2 && numbers.extent(0) == contacts && numbers.extent(1) == tangents;
  if (!flat && !table)
    refuse(fmt::format("slip: expected an array of shape ({}, {}), found {}", contacts, tangents,
                       shape_text(numbers.shape())),
           "zeros stand where no slip is given");
  for (int k = 0; k < contacts; ++k) {
    Eigen::Vector2d direction(0, 0);
    for (int i = 0; i < tangents; ++i) direction[i] = finite(numbers.data()[k * tangents + i], "slip");
    problem.slip.push_back(direction);
  }
}

// A vector for the rows of the contacts, or for all rows.
Eigen::VectorXd by_rows(py::handle value, const char* name, const FrictionContactProblem& problem) {
  const Eigen::Index rows = problem.velocity.size(), given = problem.contacts() * problem.rows_per_contact();
  const Numbers numbers(value, name);
  const bool all = numbers.dimensions() == 1 && numbers.extent(0) == rows;
  Eigen::VectorXd values = Eigen::VectorXd::Zero(rows);
  values.head(all ? rows : given) = finite_vector(value, name, all ? rows : given);
  return values;
}

ContactsOverrides read_overrides(const py::dict& options) {
  ContactsOverrides overrides;
  const auto count = [](py::handle value, const char* name, long low, long high) {
    const std::optional<long> number = whole_number(value);
    if (!number) throw py::type_error(fmt::format("{}: expected an integer", name));
    if (*number < low || *number > high) refuse(fmt::format("{} = {}: {} to {} are allowed", name, *number, low, high));
    return static_cast<int>(*number);
  };
  if (const py::object value = options["tolerance"]; !value.is_none()) {
    overrides.tolerance = finite(read_double(value, "tolerance"), "tolerance");
    if (!(*overrides.tolerance > 0)) refuse(fmt::format("tolerance = {}: it must be positive", *overrides.tolerance));
  }
  if (const py::object value = options["iterations"]; !value.is_none())
    overrides.iterations = count(value, "iterations", 1, 1000000000);
  if (const py::object value = options["other_starts"]; !value.is_none())
    overrides.other_starts = count(value, "other_starts", 0, most_other_starts);
  overrides.least_norm = read_flag(options["least_norm"], "least_norm");
  return overrides;
}

py::dict derivatives_members(const ContactsDerivatives& d) {
  py::dict out;
  out["status"] = name(d.status);
  out["border"] = d.border;
  out["impulse_unique"] = d.impulse_unique;
  out["impulse_by_velocity"] = from_columns(d.impulse_by_velocity);
  out["velocity_by_velocity"] = from_columns(d.velocity_by_velocity);
  out["impulse_by_friction"] = from_columns(d.impulse_by_friction);
  out["velocity_by_friction"] = from_columns(d.velocity_by_friction);
  return out;
}

py::dict solved(ContactsFile& file, const py::dict& options) {
  const bool derivatives = read_flag(options["derivatives"], "derivatives");
  read_overrides(options).apply(file.options);
  if (const py::object start = options["start"]; !start.is_none()) {
    const Eigen::VectorXd impulse = by_rows(start, "start", file.problem);
    file.start.assign(impulse.begin(), impulse.end());
  }
  ContactsAnswer answer;
  {
    const py::gil_scoped_release released;
    FrictionContactSolver solver;
    answer = solve_contacts(file, solver);
  }
  py::dict out = contacts_members(file, answer);
  out["derivatives"] = py::none();
  if (derivatives) out["derivatives"] = derivatives_members(differentiate_contacts(file.problem, answer.solution));
  return out;
}

py::dict contacts_of_arrays(const py::object& inertia, const py::object& velocity, const py::object& friction,
                            int dimension, int bilateral, const py::dict& options) {
  ContactsFile file;
  FrictionContactProblem& problem = file.problem;
  problem.dimension = dimension == 2 ? Dimension::planar : Dimension::spatial;
  const Numbers v(velocity, "velocity");
  const py::ssize_t rows = v.dimensions() == 1 ? v.extent(0) : 0, of_contacts = rows - bilateral;
  if (of_contacts < 0 || of_contacts % dimension != 0 || rows == 0)
    refuse(fmt::format("velocity: expected {} numbers for each contact{}, found an array of shape {}", dimension,
                       bilateral == 0 ? std::string() : fmt::format(" and {} for bilateral rows", bilateral),
                       shape_text(v.shape())),
           "`dimension` is 3 in space and 2 in the plane");
  problem.velocity = finite_vector(velocity, "velocity", rows);
  if (py::isinstance<py::tuple>(inertia))
    problem.inertia = block_matrix(inertia);
  else
    problem.inertia = square_matrix(inertia, rows);
  read_friction(friction, static_cast<int>(of_contacts / dimension), problem.friction);
  if (const py::object value = options["surface_velocity"]; !value.is_none())
    problem.surface_velocity = by_rows(value, "surface_velocity", problem);
  if (const py::object value = options["slip"]; !value.is_none()) read_slip(value, problem);
  return solved(file, options);
}

py::dict contacts_of_file(const py::object& text, const py::object& source, const py::dict& options) {
  ContactsFile file;
  if (text.is_none())
    file = read_contacts_file(path_of(source));
  else
    file = read_contacts_text(word_of(text), word_of(source));
  return solved(file, options);
}

}  // namespace

py::dict contacts_members(const ContactsFile& file, const ContactsAnswer& answer) {
  const auto array_or_none = [](const Eigen::VectorXd& values) {
    return values.size() == 0 ? py::object(py::none()) : py::object(to_array(values));
  };
  const ContactsSolution& s = answer.solution;
  std::vector<std::string> states;
  for (const ContactState state : answer.states) states.emplace_back(name(state));
  py::list sentences;
  for (const std::string& sentence : contacts_sentences(file, answer)) sentences.append(readable(sentence));
  py::dict out;
  out["dimension"] = file.problem.rows_per_contact();
  out["contacts"] = file.problem.contacts();
  out["status"] = name(s.status);
  out["residual"] = s.residual;
  out["tolerance"] = file.options.tolerance;
  out["impulse"] = to_array(s.impulse);
  out["velocity"] = to_array(s.velocity);
  out["iterations"] = s.iterations;
  out["states"] = states;
  out["energy_change"] = s.energy_change;
  out["supplied"] = s.supplied;
  const auto judged = [](const std::optional<bool>& value) {
    return value ? py::object(py::bool_(*value)) : py::object(py::none());
  };
  out["impulse_unique"] = judged(s.impulse_unique);
  out["velocity_unique"] = judged(s.velocity_unique);
  out["other_velocity"] = array_or_none(s.other_velocity);
  out["certificate"] = array_or_none(s.certificate);
  py::list cases;
  for (const ContactsCase& found : s.cases) {
    py::dict entry;
    std::vector<std::string> modes;
    for (const CaseMode mode : found.modes) modes.emplace_back(name(mode));
    entry["modes"] = modes;
    if (!found.sectors.empty()) {
      py::list sectors;
      for (std::size_t i = 0; i < found.sectors.size(); ++i) {
        const SlipSector& sector = found.sectors[i];
        if (found.modes[i] == CaseMode::slips)
          sectors.append(py::make_tuple(py::make_tuple(sector.from[0], sector.from[1]),
                                        py::make_tuple(sector.to[0], sector.to[1])));
        else
          sectors.append(py::none());
      }
      entry["sectors"] = sectors;
    }
    entry["y"] = to_array(found.y);
    cases.append(entry);
  }
  out["cases"] = cases;
  out["tried"] = s.tried;
  out["machine_velocity"] = array_or_none(answer.machine_velocity);
  out["sentences"] = sentences;
  return out;
}

void bind_contacts_problem(py::module_& module) {
  module.def("_contacts_of_arrays", &contacts_of_arrays, py::arg("inertia"), py::arg("velocity"), py::arg("friction"),
             py::arg("dimension"), py::arg("bilateral"), py::arg("options"));
  module.def("_contacts_of_file", &contacts_of_file, py::arg("text"), py::arg("source"), py::arg("options"));
}

}  // namespace routh::python
