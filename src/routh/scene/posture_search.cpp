#include "routh/scene/posture_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "routh/contact/touching.h"

namespace routh::internal {

namespace {

constexpr int search_steps = 48;
constexpr int bisections = 50;

class PostureSearch {
 public:
  PostureSearch(const Model& model, const State& state, const TouchDiagnosis& contact, Workspace& workspace)
      : model_(model), state_(state), contact_(contact), workspace_(workspace), solver_(model) {}

  // The friction at which slip jams when `dof` has this value; nothing where there is no such posture.
  std::optional<double> threshold(int dof, double value) {
    State moved = state_;
    moved.q[model_.dofs[static_cast<std::size_t>(dof)].coordinate] = value;
    TouchingRequest request{contact_.contact.id};
    if (contact_.kind != TouchKind::resting) request.velocity = TouchingVelocity::kept;
    request.given_position.assign(static_cast<std::size_t>(model_.velocities), false);
    request.given_position[static_cast<std::size_t>(dof)] = true;
    if (move_touching(model_, request, state_, moved, workspace_) == TouchingStatus::out_of_reach) return std::nullopt;
    if (solver_.prepare(model_, moved, workspace_) >= 0) return std::nullopt;
    const std::optional<Contact> there = find_contact(model_, workspace_, moved.q, contact_.contact.id);
    if (!there) return std::nullopt;
    const AccelerationProblem problem = solver_.reduce(model_, workspace_, *there);
    const ContactDiagnosis diagnosis = diagnose(problem, FreeAcceleration::unknown);
    return contact_.diagnosis.slip.speed > 0 ? diagnosis.sliding.direction_friction : diagnosis.bounds.jamming_friction;
  }

  std::optional<PostureChange> nearest(int dof, double end) {
    const double friction = contact_.diagnosis.problem.contact.friction.kinetic_coefficient;
    const double start = state_.q[model_.dofs[static_cast<std::size_t>(dof)].coordinate];
    const auto jams = [&](double value) -> std::optional<bool> {
      const std::optional<double> at = threshold(dof, value);
      return at ? std::optional(friction > *at) : std::nullopt;
    };
    const std::optional<bool> here = jams(start);
    if (!here) return std::nullopt;
    double before = start;
    for (int k = 1; k <= search_steps; ++k) {
      double after = start + (end - start) * k / search_steps;
      const std::optional<bool> there = jams(after);
      if (!there) return std::nullopt;
      if (*there == *here) {
        before = after;
        continue;
      }
      for (int i = 0; i < bisections; ++i) {
        const double middle = 0.5 * (before + after);
        (jams(middle).value_or(*here) == *here ? before : after) = middle;
      }
      return PostureChange{dof, after, threshold(dof, after).value_or(friction)};
    }
    return std::nullopt;
  }

 private:
  const Model& model_;
  const State& state_;
  const TouchDiagnosis& contact_;
  Workspace& workspace_;
  HoldSolver solver_;
};

}  // namespace

std::vector<PostureChange> search_postures(const Model& model, const State& state, const TouchDiagnosis& contact,
                                           Workspace& workspace) {
  std::vector<PostureChange> changes;
  if (contact.contact.kind == ContactKind::limit) return changes;
  PostureSearch search(model, state, contact, workspace);
  compute_kinematics(model, state.q, workspace);
  Eigen::MatrixXd J(contact_rows(model), model.velocities);
  contact_jacobian(model, workspace, contact.contact, J);
  for (int dof = 0; dof < model.velocities; ++dof) {
    const Dof& it = model.dofs[static_cast<std::size_t>(dof)];
    if (it.coordinate < 0 || J.col(dof).isZero(0)) continue;
    const double start = state.q[it.coordinate];
    const double reach = is_angular(model, dof) ? std::numbers::pi / 2 : 1.0;
    for (const double end :
         {std::max(start - reach, it.properties.lower), std::min(start + reach, it.properties.upper)})
      if (end != start)
        if (const std::optional<PostureChange> change = search.nearest(dof, end)) changes.push_back(*change);
  }
  const auto distance = [&](const PostureChange& change) {
    return std::abs(change.value - state.q[model.dofs[static_cast<std::size_t>(change.dof)].coordinate]);
  };
  std::stable_sort(changes.begin(), changes.end(),
                   [&](const PostureChange& a, const PostureChange& b) { return distance(a) < distance(b); });
  return changes;
}

}  // namespace routh::internal
