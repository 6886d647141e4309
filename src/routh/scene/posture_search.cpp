#include "routh/scene/posture_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "routh/contact/touching.h"
#include "routh/math/bracket.h"
#include "routh/scene/tolerances.h"

namespace routh::internal {

namespace {

class PostureSearch {
 public:
  PostureSearch(const Model& model, const State& state, const TouchDiagnosis& contact, Workspace& workspace)
      : model_(model), state_(state), contact_(contact), workspace_(workspace), builder_(model) {}

  // The friction at which slip jams when `dof` has this value; nothing where there is no such posture.
  std::optional<double> threshold(int dof, double value) {
    State moved = state_;
    moved.q[model_.dofs[static_cast<std::size_t>(dof)].coordinate] = value;
    TouchingRequest request{contact_.contact.id};
    if (contact_.kind != TouchKind::resting) request.velocity = TouchingVelocity::kept;
    request.given_position.assign(static_cast<std::size_t>(model_.velocities), false);
    request.given_position[static_cast<std::size_t>(dof)] = true;
    if (move_touching(model_, request, state_, moved, workspace_) == TouchingStatus::out_of_reach) return std::nullopt;
    if (builder_.prepare_forces(model_, moved, workspace_) >= 0) return std::nullopt;
    const std::optional<Contact> there = find_contact(model_, workspace_, moved.q, contact_.contact.id);
    if (!there) return std::nullopt;
    const AccelerationProblem problem = builder_.force_problem(model_, workspace_, *there);
    const ContactDiagnosis diagnosis = diagnose(problem, FreeAcceleration::unknown);
    return contact_.diagnosis.slip.speed > 0 ? diagnosis.sliding.direction_friction : diagnosis.bounds.jamming_friction;
  }

  double friction() const { return contact_.diagnosis.problem.contact.friction.kinetic_coefficient; }
  std::optional<bool> jams(int dof, double value) {
    const std::optional<double> at = threshold(dof, value);
    return at ? std::optional(friction() > *at) : std::nullopt;
  }

 private:
  const Model& model_;
  const State& state_;
  const TouchDiagnosis& contact_;
  Workspace& workspace_;
  ContactProblemBuilder builder_;
};

std::optional<double> nearest_change(int dof, double start, double end,
                                     const std::function<std::optional<bool>(int, double)>& holds) {
  const std::optional<bool> here = holds(dof, start);
  double before = start;
  for (int k = 1; here && k <= tolerances::posture_search_steps; ++k) {
    const double after = start + (end - start) * k / tolerances::posture_search_steps;
    const std::optional<bool> there = holds(dof, after);
    if (!there) return std::nullopt;
    const auto as_here = [&](double at) { return holds(dof, at).value_or(*here) == *here; };
    if (*there != *here) return bisect({before, after}, tolerances::posture_bisections, as_here).high;
    before = after;
  }
  return std::nullopt;
}

}  // namespace

double search_reach(const Model& model, int dof) { return is_angular(model, dof) ? std::numbers::pi / 2 : 1.0; }

double coordinate_of(const Model& model, const State& state, int dof) {
  return state.q[model.dofs[static_cast<std::size_t>(dof)].coordinate];
}

std::vector<RestPosture> search_coordinates(const Model& model, const State& state,
                                            const std::function<bool(int dof)>& moves,
                                            const std::function<std::optional<bool>(int dof, double value)>& holds) {
  std::vector<RestPosture> found;
  for (int dof = 0; dof < model.velocities; ++dof) {
    const Dof& it = model.dofs[static_cast<std::size_t>(dof)];
    if (it.coordinate < 0 || !moves(dof)) continue;
    const double start = state.q[it.coordinate], reach = search_reach(model, dof);
    for (const double end :
         {std::max(start - reach, it.properties.lower), std::min(start + reach, it.properties.upper)})
      if (end != start)
        if (const auto value = nearest_change(dof, start, end, holds)) found.push_back({dof, *value});
  }
  return found;
}

std::vector<PostureChange> search_postures(const Model& model, const State& state, const TouchDiagnosis& contact,
                                           Workspace& workspace) {
  std::vector<PostureChange> changes;
  if (contact.contact.kind == ContactKind::limit) return changes;
  PostureSearch search(model, state, contact, workspace);
  compute_kinematics(model, state.q, workspace);
  Eigen::MatrixXd J(contact_rows(model), model.velocities);
  contact_jacobian(model, workspace, contact.contact, J);
  const auto moves = [&](int dof) { return !J.col(dof).isZero(0); };
  const auto jams = [&](int dof, double value) { return search.jams(dof, value); };
  for (const auto& [dof, value] : search_coordinates(model, state, moves, jams))
    changes.push_back({dof, value, search.threshold(dof, value).value_or(search.friction())});
  const auto distance = [&](const PostureChange& change) {
    return std::abs(change.value - coordinate_of(model, state, change.dof));
  };
  std::stable_sort(changes.begin(), changes.end(),
                   [&](const PostureChange& a, const PostureChange& b) { return distance(a) < distance(b); });
  return changes;
}

}  // namespace routh::internal
