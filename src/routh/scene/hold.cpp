#include "routh/scene/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/base/error.h"
#include "routh/base/nearest_word.h"
#include "routh/contact/contact_problem.h"
#include "routh/model/scales.h"
#include "routh/scene/rest_problem.h"
#include "routh/scene/tolerances.h"
#include "routh/solvability/effort_words.h"

namespace routh {

namespace {

// One effort by its name: a degree of freedom, or a force of the scene.
struct Effort {
  std::string name;
  int dof = -1, force = -1;
};

bool floats(const Model& model, const Dof& dof) {
  const Joint& joint = model.joints[static_cast<std::size_t>(dof.joint)];
  return joint.parent == 0 && (joint.kind == JointKind::free || joint.kind == JointKind::planar);
}

std::vector<Effort> all_efforts(const Model& model) {
  std::vector<Effort> all;
  for (int dof = 0; dof < model.velocities; ++dof) all.push_back({dof_name(model, dof), dof, -1});
  for (std::size_t k = 0; k < model.forces.size(); ++k) all.push_back({model.forces[k].name, -1, static_cast<int>(k)});
  return all;
}

std::vector<Effort> usual_efforts(const Model& model) {
  std::vector<Effort> driven, jointed;
  for (int k = 0; k < model.velocities; ++k) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(k)];
    if (dof.properties.drive || dof.properties.effort) driven.push_back({dof_name(model, k), k, -1});
    if (!floats(model, dof)) jointed.push_back({dof_name(model, k), k, -1});
  }
  return driven.empty() ? jointed : driven;
}

const Effort& effort_named(const std::vector<Effort>& all, const std::string& name, const char* among) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Effort& each) { return each.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  for (const Effort& each : all) names.push_back(each.name);
  const std::string near = nearest_hint(name, names);
  throw InputError(Location{}, fmt::format("unknown effort '{}'", printable(name)),
                   near.empty() ? fmt::format("{}: {}", among, fmt::join(names, ", ")) : near);
}

std::vector<Effort> chosen_efforts(const Model& model, const HoldOptions& options) {
  if (options.efforts.empty()) {
    std::vector<Effort> usual = usual_efforts(model);
    if (usual.empty())
      throw InputError(Location{}, "this machine has no joint that could take an effort",
                       "name degrees of freedom or forces of the scene as efforts");
    return usual;
  }
  const std::vector<Effort> all = all_efforts(model);
  std::vector<Effort> chosen;
  for (const std::string& name : options.efforts) {
    const Effort& effort = effort_named(all, name, "degrees of freedom and forces");
    const bool twice = std::any_of(chosen.begin(), chosen.end(), [&](const Effort& e) { return e.name == name; });
    if (twice) throw InputError(Location{}, fmt::format("effort '{}' is named twice", printable(name)), "name it once");
    chosen.push_back(effort);
  }
  return chosen;
}

// Generalised force of a force of the scene at its full strength.
Eigen::VectorXd generalised(const Model& model, const Workspace& workspace, const Force& force) {
  const Pose pose = body_pose(model, workspace, force.body);
  const bool world = force.frame == ForceFrame::world;
  const Vector3 pull = world ? force.force : pose.rotation * force.force;
  const Vector3 turn = world ? force.torque : pose.rotation * force.torque;
  Jacobian3 linear = Jacobian3::Zero(3, model.velocities), angular = Jacobian3::Zero(3, model.velocities);
  point_jacobian(model, workspace, force.body, pose * force.at, linear);
  angular_jacobian(model, workspace, force.body, angular);
  return linear.transpose() * Eigen::Vector3d(pull.x, pull.y, pull.z) +
         angular.transpose() * Eigen::Vector3d(turn.x, turn.y, turn.z);
}

// J M_o⁺ of all contacts: accelerations per generalised force.
Eigen::MatrixXd responses(const Model& model, const std::vector<Contact>& contacts, ContactProblemBuilder& builder,
                          const Workspace& workspace) {
  const Eigen::Index rows = contact_rows(model);
  Eigen::MatrixXd all(rows * static_cast<Eigen::Index>(contacts.size()), model.velocities);
  Eigen::MatrixXd response(model.velocities, rows);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    builder.impact_problem(model, workspace, contacts[c]);
    builder.response(response);
    all.middleRows(static_cast<Eigen::Index>(c) * rows, rows) = response.transpose();
  }
  return all;
}

void take_terms(const HoldOptions& options, const std::vector<Effort>& efforts, EffortProblem& problem) {
  const auto count = static_cast<Eigen::Index>(efforts.size());
  problem.lower.setConstant(count, -std::numeric_limits<double>::infinity());
  problem.upper.setConstant(count, std::numeric_limits<double>::infinity());
  problem.price.setOnes(count);
  for (const EffortTerms& terms : options.terms) {
    const Effort& effort = effort_named(efforts, terms.name, "efforts");
    const Eigen::Index k = &effort - efforts.data();
    if (!(terms.lower <= terms.upper))
      throw InputError(
          Location{},
          fmt::format("limits {:g} to {:g} of effort '{}'", terms.lower, terms.upper, printable(terms.name)),
          "the lower must not exceed the upper");
    if (!(terms.price > 0) || !std::isfinite(terms.price))
      throw InputError(Location{}, fmt::format("price {:g} of effort '{}'", terms.price, printable(terms.name)),
                       "prices are greater than 0 and finite");
    problem.lower[k] = terms.lower;
    problem.upper[k] = terms.upper;
    problem.price[k] = terms.price;
  }
}

}  // namespace

SceneHold hold_scene(const Model& model, const State& state, const TouchOptions& touch, const HoldOptions& options,
                     Workspace& workspace) {
  SceneHold out;
  out.state = state;
  const std::vector<Effort> efforts = chosen_efforts(model, options);
  take_terms(options, efforts, out.problem);
  for (const Touch& each : find_touches(model, state, touch, workspace).touches) {
    if (each.kind == TouchKind::approaching) ++out.striking;
    if (each.kind != TouchKind::resting) continue;
    out.contacts.push_back(each.contact);
    out.names.push_back(contact_name(model, each.contact));
  }
  for (const Effort& effort : efforts) {
    out.efforts.push_back(effort.name);
    out.units.emplace_back(effort.dof < 0 ? "" : is_angular(model, effort.dof) ? "N m" : "N");
  }
  if (out.contacts.empty()) return out;
  ContactProblemBuilder builder(model);
  builder.prepare_forces(model, state, workspace);
  out.problem.contacts = rest_problem(model, out.contacts, builder, workspace);
  const Eigen::MatrixXd response = responses(model, out.contacts, builder, workspace);
  out.problem.response.resize(response.rows(), static_cast<Eigen::Index>(efforts.size()));
  for (std::size_t k = 0; k < efforts.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    if (efforts[k].dof >= 0)
      out.problem.response.col(column) = response.col(efforts[k].dof);
    else
      out.problem.response.col(column) =
          response * generalised(model, workspace, model.forces[static_cast<std::size_t>(efforts[k].force)]);
  }
  out.problem.normal_force =
      options.normal_force.value_or(tolerances::hold_normal_force_share * compute_scales(model).force());
  out.problem.reserve = options.reserve;
  out.report = examine_efforts(out.problem);
  return out;
}

std::vector<std::string> hold_words(const SceneHold& hold) {
  if (hold.contacts.empty())
    return {hold.striking > 0 ? "Contacts strike: an impact decides, see `routh impact`. Nothing rests."
                              : "Nothing rests: there is nothing to hold."};
  std::vector<std::string> words = effort_sentences(hold.report, {hold.names, hold.efforts, hold.units});
  if (hold.striking > 0)
    words.push_back(fmt::format(
        "{}: an impact changes the velocities first, see `routh impact`.",
        hold.striking == 1 ? "Another contact strikes" : fmt::format("{} other contacts strike", hold.striking)));
  return words;
}

}  // namespace routh
