#include "routh/scene/rest_problem.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "routh/contact/contact_rows.h"
#include "routh/contact/touching.h"
#include "routh/scene/posture_search.h"
#include "routh/scene/tolerances.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

ModesProblem rest_problem(const Model& model, const std::vector<Contact>& resting, ContactProblemBuilder& builder,
                          const Workspace& workspace) {
  ModesProblem problem;
  problem.dimension = model.dimension;
  for (const Contact& contact : resting) {
    Friction friction = contact_friction(model, contact);
    friction.static_coefficient = std::min(friction.static_coefficient, widest_friction);
    friction.kinetic_coefficient = std::min(friction.kinetic_coefficient, widest_friction);
    problem.friction.push_back(friction);
  }
  const ContactRows& system = builder.force_rows(model, workspace, resting);
  problem.inertia = system.inertia;
  problem.velocity = system.velocity - system.surface_velocity;
  problem.free_acceleration = system.free_acceleration;
  const double rounding = tolerances::zero_speed_relative * problem.velocity.cwiseAbs().maxCoeff();
  const Eigen::Index rows = contact_rows(model);
  for (Eigen::Index first = 0; first < problem.velocity.size(); first += rows) {
    auto slip = problem.velocity.segment(first + 1, rows - 1);
    if (slip.norm() <= rounding) slip.setZero();
    problem.velocity[first] = 0;
  }
  return problem;
}

namespace {

class RestSearch {
 public:
  RestSearch(const Model& model, const SceneDiagnosis& diagnosis, Workspace& workspace)
      : model_(model), state_(diagnosis.state), workspace_(workspace), builder_(model), here_(diagnosis.hold->rest) {
    for (const int k : diagnosis.together_contacts)
      contacts_.push_back(diagnosis.contacts[static_cast<std::size_t>(k)].contact);
  }

  // Nothing where the contacts cannot all touch with this value, or one of them ceases to be between these features.
  std::optional<bool> rests(int dof, double value) {
    if (value == coordinate_of(model_, state_, dof)) return here_;
    State moved = state_;
    moved.q[model_.dofs[static_cast<std::size_t>(dof)].coordinate] = value;
    TouchingRequest request{contacts_.front().id};
    for (std::size_t c = 1; c < contacts_.size(); ++c) request.others.push_back(contacts_[c].id);
    request.given_position.assign(static_cast<std::size_t>(model_.velocities), false);
    request.given_position[static_cast<std::size_t>(dof)] = true;
    if (move_touching(model_, request, state_, moved, workspace_) == TouchingStatus::out_of_reach) return std::nullopt;
    if (builder_.prepare_forces(model_, moved, workspace_) >= 0) return std::nullopt;
    std::vector<Contact> there;
    for (const Contact& contact : contacts_) {
      const std::optional<Contact> found = find_contact(model_, workspace_, moved.q, contact.id);
      if (!found) return std::nullopt;
      there.push_back(*found);
    }
    return can_rest(rest_problem(model_, there, builder_, workspace_));
  }

  // Whether a coordinate moves any of the contacts.
  bool moves(int dof) {
    compute_kinematics(model_, state_.q, workspace_);
    Eigen::MatrixXd J(contact_rows(model_), model_.velocities);
    return std::any_of(contacts_.begin(), contacts_.end(), [&](const Contact& contact) {
      contact_jacobian(model_, workspace_, contact, J);
      return !J.col(dof).isZero(0);
    });
  }

 private:
  const Model& model_;
  const State& state_;
  Workspace& workspace_;
  ContactProblemBuilder builder_;
  std::vector<Contact> contacts_;
  bool here_;
};

}  // namespace

std::vector<RestPosture> search_rest(const Model& model, const SceneDiagnosis& diagnosis, Workspace& workspace) {
  if (!diagnosis.hold || diagnosis.hold->slipping || !diagnosis.state.v.isZero(0)) return {};
  if (model.velocities > tolerances::hold_loads_max) return {};
  RestSearch search(model, diagnosis, workspace);
  std::vector<RestPosture> found = search_coordinates(
      model, diagnosis.state, [&](int dof) { return search.moves(dof); },
      [&](int dof, double value) { return search.rests(dof, value); });
  // In shares of what is searched, so that turns and shifts compare.
  const auto distance = [&](const RestPosture& posture) {
    return std::abs(posture.value - coordinate_of(model, diagnosis.state, posture.dof)) /
           search_reach(model, posture.dof);
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const RestPosture& a, const RestPosture& b) { return distance(a) < distance(b); });
  return found;
}

}  // namespace routh::internal
