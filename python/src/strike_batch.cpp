// `routh.impact` for a model and many states: one contact, whatever its gap, at each of them.
#include <fmt/format.h>

#include "bindings.h"
#include "contact.h"
#include "impact_result.h"
#include "machine.h"
#include "routh/contact/contact_problem.h"
#include "routh/impact/solve.h"

namespace routh::python {

namespace {

constexpr double farthest = 10;  // [m] at which a contact is looked for by its name

// (…, size) with the batch's axes in front.
Numbers read_rows(py::handle value, const char* name, int size) {
  Numbers numbers(value, name);
  if (numbers.dimensions() < 1 || numbers.extent_back(0) != size)
    refuse(fmt::format("{}: found an array of shape {}, expected {} along axis -1", name, shape_text(numbers.shape()),
                       size));
  return numbers;
}

ContactId choose_contact(const Model& model, const State& state, py::handle wanted, Workspace& workspace) {
  compute_kinematics(model, state.q, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, farthest, contacts);
  if (contacts.empty()) refuse(fmt::format("nothing comes within {} m at the first state", farthest));
  if (!wanted || wanted.is_none())
    return std::min_element(contacts.begin(), contacts.end(),
                            [](const Contact& a, const Contact& b) { return a.gap < b.gap; })
        ->id;
  const auto word = word_of(wanted);
  std::vector<std::string> names;
  for (const Contact& contact : contacts) {
    names.push_back(contact_name(model, contact));
    if (names.back() == word) return contact.id;
  }
  refuse(fmt::format("contact: '{}' is unknown", printable(word)),
         fmt::format("contacts within {} m at the first state: {}", farthest, fmt::join(names, ", ")));
}

// One state after the other.
class StateSolver {
 public:
  StateSolver(const Model& model, ContactId id, Law law)
      : model_(model), id_(id), law_(law), workspace_(model), builder_(model), state_(rest_state(model)) {}

  // The result is `invalid` where the numbers are not finite, or the contact does not exist.
  ImpactResult solve(const double* q, const double* v) {
    state_.q = Eigen::Map<const Eigen::VectorXd>(q, model_.coordinates);
    state_.v = Eigen::Map<const Eigen::VectorXd>(v, model_.velocities);
    ImpactResult result;
    result.law = law_;
    result.status = ImpactStatus::invalid;
    solved_ = false;
    normalise(model_, state_.q);  // a quaternion of no length becomes NaN
    if (!state_.q.allFinite() || !state_.v.allFinite()) return result;
    compute_velocities(model_, state_.q, state_.v, workspace_);
    if (builder_.prepare(model_, state_, workspace_) >= 0) return result;
    const std::optional<Contact> contact = find_contact(model_, workspace_, state_.q, id_);
    if (!contact) return result;
    result = solve_impact(builder_.impact_problem(model_, workspace_, *contact), law_);
    builder_.apply(result);
    solved_ = true;
    return result;
  }
  // After `solve`: q̇⁺, or q̇⁻ where there is no answer.
  const double* velocity() const { return solved_ ? builder_.velocity_after().data() : state_.v.data(); }

 private:
  const Model& model_;
  ContactId id_;
  Law law_;
  Workspace workspace_;
  ContactProblemBuilder builder_;
  State state_;
  bool solved_ = false;
};

}  // namespace

py::object impact_of_states(const Machine& machine, const StateArguments& arguments) {
  const Model& model = machine.model();
  if (!arguments.q || !arguments.v) throw py::type_error("q and v are both needed");
  const Numbers q = read_rows(arguments.q, "q", model.coordinates), v = read_rows(arguments.v, "v", model.velocities);
  const auto batch_q = q.shape().first(q.shape().size() - 1), batch_v = v.shape().first(v.shape().size() - 1);
  if (!std::equal(batch_q.begin(), batch_q.end(), batch_v.begin(), batch_v.end()) || batch_q.empty())
    refuse(fmt::format("q and v have the shapes {} and {}", shape_text(q.shape()), shape_text(v.shape())),
           "their leading axes, the batch, must be there and alike; one state is routh.impact(model, state)");
  const py::ssize_t count = q.size() / std::max(1, model.coordinates);
  State first = rest_state(model);
  if (count > 0) first.q = Eigen::Map<const Eigen::VectorXd>(q.data(), model.coordinates);
  if (!first.q.allFinite()) refuse("q: the first state must be finite");
  check_quaternions(model, first.q, "q of the first state");
  Workspace workspace(model);
  const ContactId id = choose_contact(model, first, arguments.contact, workspace);
  const std::optional<Contact> contact = find_contact(model, workspace, first.q, id);
  const Law law = !arguments.law || arguments.law.is_none() ? contact_law(model, *contact) : read_law(arguments.law);
  auto batch = std::make_unique<ImpactBatch>(std::vector<py::ssize_t>(batch_q.begin(), batch_q.end()),
                                             contact_rows(model), model.velocities, law);
  {
    const py::gil_scoped_release released;
    StateSolver solver(model, id, law);
    for (py::ssize_t k = 0; k < count; ++k) {
      const ImpactResult result = solver.solve(q.data() + k * model.coordinates, v.data() + k * model.velocities);
      batch->store(k, result, solver.velocity());
      if (k % 4096 != 4095) continue;
      const py::gil_scoped_acquire held;
      check_signals();
    }
  }
  return py::cast(std::move(batch));
}

}  // namespace routh::python
