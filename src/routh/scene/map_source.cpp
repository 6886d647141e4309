#include "routh/scene/map_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "routh/impact/surface_check.h"
#include "routh/math/elementary.h"
#include "routh/solvability/restitution_growth.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

void add_surface_variables(std::vector<MapVariable>& out) {
  out.push_back({VariableKind::friction, -1, "friction", "μ", ""});
  out.push_back({VariableKind::static_friction, -1, "static-friction", "μ_{s}", ""});
  out.push_back({VariableKind::kinetic_friction, -1, "kinetic-friction", "μ_{k}", ""});
  out.push_back({VariableKind::restitution, -1, "restitution", "e", ""});
}

double* entry(ContactVector& v, int index) { return index == 0 ? &v.n : index == 1 ? &v.t1 : &v.t2; }

bool is_allowed(const ImpactProblem& contact) {
  return !check_friction(contact.friction).rule && !check_restitution(contact.restitution).rule;
}

}  // namespace

void apply_setting(const MapSetting& setting, AccelerationProblem& problem) {
  Friction& friction = problem.contact.friction;
  switch (setting.variable->kind) {
    case VariableKind::position:
    case VariableKind::velocity:
    case VariableKind::row_restitution:
      break;
    case VariableKind::contact_velocity:
      *entry(problem.contact.velocity, setting.variable->index) = setting.value;
      break;
    case VariableKind::acceleration:
      *entry(problem.free_acceleration, setting.variable->index) = setting.value;
      break;
    case VariableKind::friction:
      friction.static_coefficient = friction.kinetic_coefficient = setting.value;
      break;
    case VariableKind::static_friction:
      friction.static_coefficient = setting.value;
      break;
    case VariableKind::kinetic_friction:
      friction.kinetic_coefficient = setting.value;
      break;
    case VariableKind::restitution:
      problem.contact.restitution.kind = RestitutionKind::constant;
      problem.contact.restitution.normal = setting.value;
      break;
  }
}

std::vector<MapVariable> map_variables(const Model& model) {
  std::vector<MapVariable> out;
  for (int dof = 0; dof < model.velocities; ++dof) {
    const std::string name = dof_name(model, dof);
    const bool angle = is_angular(model, dof);
    if (model.dofs[static_cast<std::size_t>(dof)].coordinate >= 0)
      out.push_back({VariableKind::position, dof, "position." + name, name, angle ? "rad" : "m"});
    out.push_back({VariableKind::velocity, dof, "velocity." + name, "rate of " + name, angle ? "rad/s" : "m/s"});
  }
  add_surface_variables(out);
  return out;
}

std::vector<MapVariable> map_variables(Dimension dimension) {
  std::vector<MapVariable> out;
  const char* const parts[] = {"n", "t1", "t2"};
  for (int k = 0; k < (dimension == Dimension::planar ? 2 : 3); ++k) {
    out.push_back({VariableKind::contact_velocity, k, fmt::format("contact-velocity.{}", parts[k]),
                   fmt::format("v_{{{}}}", parts[k]), "m/s"});
    out.push_back({VariableKind::acceleration, k, fmt::format("free-acceleration.{}", parts[k]),
                   fmt::format("f_{{{}}}", parts[k]), "m/s²"});
  }
  add_surface_variables(out);
  return out;
}

SceneContact::SceneContact(const SceneMapBase& base)
    : base_(base),
      workspace_(*base.model),
      builder_(*base.model),
      jacobian_(contact_rows(*base.model), base.model->velocities) {}

// Where rates cancel, what is left of the slip is rounding and would point anywhere.
void SceneContact::round_slip(const Contact& contact, double speed, ImpactProblem& problem) {
  contact_jacobian(*base_.model, workspace_, contact, jacobian_);
  ContactVector& v = problem.velocity;
  const ContactVector& belt = problem.surface_velocity;
  const double scale = jacobian_.cwiseAbs().maxCoeff() * speed + elementary::hypot(belt.t1, belt.t2);
  if (elementary::hypot(v.t1 - belt.t1, v.t2 - belt.t2) > tolerances::zero_speed_relative * scale) return;
  v.t1 = belt.t1;
  v.t2 = belt.t2;
}

std::optional<AccelerationProblem> SceneContact::at(std::span<const MapSetting> settings) {
  const Model& model = *base_.model;
  State state = base_.state;
  TouchingRequest request{base_.contact};
  request.given_position.resize(base_.adjust.size());
  std::transform(base_.adjust.begin(), base_.adjust.end(), request.given_position.begin(),
                 [](bool may_move) { return !may_move; });
  request.given_velocity = request.given_position;
  if (base_.kind != TouchKind::resting) request.velocity = TouchingVelocity::kept;
  const auto give = [&](const MapVariable& variable, double value) {
    const auto dof = static_cast<std::size_t>(variable.index);
    if (variable.kind == VariableKind::position) {
      state.q[model.dofs[dof].coordinate] = value;
      request.given_position[dof] = true;
    }
    if (variable.kind == VariableKind::velocity) {
      state.v[variable.index] = value;
      request.given_velocity[dof] = true;
    }
  };
  for (const FixedSetting& setting : base_.fixed) give(setting.variable, setting.value);
  for (const MapSetting& setting : settings) give(*setting.variable, setting.value);
  const double speed = state.v.cwiseAbs().maxCoeff();  // before what is not given gives way
  if (move_touching(model, request, base_.state, state, workspace_) == TouchingStatus::out_of_reach)
    return std::nullopt;
  if (builder_.prepare_forces(model, state, workspace_) >= 0) return std::nullopt;
  const std::optional<Contact> contact = find_contact(model, workspace_, state.q, base_.contact);
  if (!contact) return std::nullopt;
  AccelerationProblem problem = builder_.force_problem(model, workspace_, *contact);
  if (base_.kind == TouchKind::resting) problem.contact.velocity.n = problem.contact.surface_velocity.n;
  round_slip(*contact, std::max(speed, state.v.cwiseAbs().maxCoeff()), problem.contact);
  for (const FixedSetting& setting : base_.fixed) apply_setting({&setting.variable, setting.value}, problem);
  for (const MapSetting& setting : settings) apply_setting(setting, problem);
  return is_allowed(problem.contact) ? std::optional(problem) : std::nullopt;
}

std::optional<SlipFlowValue> SceneContact::flow(int dof, const AccelerationProblem& problem) const {
  const ImpactProblem& contact = problem.contact;
  const SlipState slip = slip_of(
      {0, contact.velocity.t1 - contact.surface_velocity.t1, contact.velocity.t2 - contact.surface_velocity.t2});
  if (slip.speed == 0) return std::nullopt;
  const double mu = std::min(contact.friction.kinetic_coefficient, widest_friction);
  const SlipVerdict verdict = judge_slip(contact.inertia, mu, slip.direction, problem.free_acceleration);
  Eigen::MatrixXd response(base_.model->velocities, contact_rows(*base_.model));
  builder_.response(response);
  double gain = response(dof, 0) - mu * slip.direction.t1 * response(dof, 1);
  if (response.cols() == 3) gain -= mu * slip.direction.t2 * response(dof, 2);
  // In the plane the sign tells when slip comes to a halt.
  const double signed_slip = response.cols() == 2 ? slip.speed * slip.direction.t1 : slip.speed;
  return SlipFlowValue{verdict.A, verdict.B, gain, builder_.free_motion()[dof], signed_slip};
}

MapSource scene_map(const SceneMapBase& base, const MapVariable& x, const MapVariable& y, MapQuantity quantity) {
  return [=]() -> MapFunction {
    auto contact = std::make_shared<SceneContact>(base);
    return [=, law = base.law](double at_x, double at_y) -> MapValue {
      const MapSetting settings[] = {{&x, at_x}, {&y, at_y}};
      const std::optional<AccelerationProblem> problem = contact->at(settings);
      return problem ? read_quantity(quantity, *problem, FreeAcceleration::given, law) : MapValue{-1, 0};
    };
  };
}

MapSource contact_map(const AccelerationProblem& problem, FreeAcceleration known, const MapVariable& x,
                      const MapVariable& y, MapQuantity quantity, Law law) {
  return [=]() -> MapFunction {
    return [=](double at_x, double at_y) -> MapValue {
      AccelerationProblem at = problem;
      apply_setting({&x, at_x}, at);
      apply_setting({&y, at_y}, at);
      return is_allowed(at.contact) ? read_quantity(quantity, at, known, law) : MapValue{-1, 0};
    };
  };
}

SlipFlow scene_slip_flow(const SceneMapBase& base, int dof) {
  auto contact = std::make_shared<SceneContact>(base);
  MapVariable position{VariableKind::position, dof, {}, {}, {}}, velocity{VariableKind::velocity, dof, {}, {}, {}};
  return [=](double x, double rate) -> std::optional<SlipFlowValue> {
    const MapSetting settings[] = {{&position, x}, {&velocity, rate}};
    const std::optional<AccelerationProblem> problem = contact->at(settings);
    return problem ? contact->flow(dof, *problem) : std::nullopt;
  };
}

MapSource restitution_set_map(const RestitutionQuestion& question, const std::vector<FixedSetting>& fixed,
                              const MapVariable& x, const MapVariable& y, MapQuantity quantity) {
  RestitutionQuestion base = question;
  for (const FixedSetting& setting : fixed) base.restitution[setting.variable.index] = setting.value;
  const bool known = quantity == MapQuantity::restitution_set;
  return [base, known, column = x.index, row = y.index]() -> MapFunction {
    return [base, known, column, row](double e_x, double e_y) mutable -> MapValue {
      if (!known) return {};
      base.restitution[column] = e_x;
      base.restitution[row] = e_y;
      const std::optional<double> growth = restitution_growth(base);
      return growth ? MapValue{*growth > 0 ? 1 : 0, *growth} : MapValue{};
    };
  };
}

}  // namespace routh::internal
