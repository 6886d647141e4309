#include "routh/scene/map_subject.h"

#include <algorithm>

namespace routh::internal {

namespace {

bool is_surface(const MapVariable& v) {
  return v.kind == VariableKind::friction || v.kind == VariableKind::static_friction ||
         v.kind == VariableKind::kinetic_friction || v.kind == VariableKind::restitution;
}
bool is_row(const MapVariable& v) { return v.kind == VariableKind::row_restitution; }
bool is_motion(const MapVariable& v) { return v.kind == VariableKind::position || v.kind == VariableKind::velocity; }

ContactVector relative(const ImpactProblem& contact) {
  const ContactVector &v = contact.velocity, &s = contact.surface_velocity;
  return {v.n - s.n, v.t1 - s.t1, v.t2 - s.t2};
}

}  // namespace

MapSubject::MapSubject(const Model& model, const State& state, const TouchOptions& touch)
    : variables_(map_variables(model)) {
  base_.model = &model;
  base_.state = state;
  base_.adjust.assign(static_cast<std::size_t>(model.velocities), true);
  Workspace workspace(model);
  touches_ = find_touches(model, state, touch, workspace);
  find_contacts(model, workspace, state.q, farthest_contact, near_);
}

MapSubject::MapSubject(const AccelerationProblem& problem, FreeAcceleration known, std::optional<Law> law)
    : variables_(map_variables(problem.contact.inertia.dimension)), law_(law), problem_(problem), known_(known) {}

MapSubject::MapSubject(const RestitutionQuestion& question, const std::vector<std::string>& names) {
  add_strikes(question, names);
}

void MapSubject::add_strikes(const RestitutionQuestion& question, const std::vector<std::string>& names) {
  strikes_ = question;
  for (std::size_t k = 0; k < names.size(); ++k)
    variables_.push_back(
        {VariableKind::row_restitution, static_cast<int>(k), "restitution." + names[k], "e of " + names[k], ""});
}

std::vector<std::string> MapSubject::contact_names() const {
  std::vector<std::string> names;
  for (const Contact& contact : near_) names.push_back(contact_name(*base_.model, contact));
  return names;
}

bool MapSubject::choose_contact(const std::string& name) {
  const Model& model = *base_.model;
  std::vector<Contact> contacts;
  for (const Touch& touch : touches_.touches) contacts.push_back(touch.contact);
  if (!name.empty()) contacts.insert(contacts.end(), near_.begin(), near_.end());
  const auto found = std::find_if(contacts.begin(), contacts.end(), [&](const Contact& contact) {
    return name.empty() || contact_name(model, contact) == name;
  });
  if (found == contacts.end()) return false;
  const auto touch = std::find_if(touches_.touches.begin(), touches_.touches.end(),
                                  [&](const Touch& t) { return t.contact.id == found->id; });
  in_touch_ = touch != touches_.touches.end();
  base_.contact = found->id;
  base_.kind = in_touch_ ? touch->kind : TouchKind::resting;
  base_.law = contact_law(model, *found);
  contact_name_ = contact_name(model, *found);
  problem_.contact.friction = contact_friction(model, *found);
  problem_.contact.restitution = contact_restitution(model, *found);
  return true;
}

// At the state of the subject, with what was set.
std::optional<AccelerationProblem> MapSubject::at_start() const {
  if (is_machine()) return SceneContact(base_).at({});
  AccelerationProblem problem = problem_;
  for (const FixedSetting& setting : base_.fixed) apply_setting({&setting.variable, setting.value}, problem);
  return problem;
}

MapQuantity MapSubject::usual_quantity(const MapVariable& x, const MapVariable& y) const {
  if (is_row(x) || is_row(y)) return MapQuantity::restitution_set;
  const std::optional<AccelerationProblem> start = at_start();
  if (!start) return MapQuantity::verdict;
  const ContactVector v = relative(start->contact);
  if (is_surface(x) && is_surface(y) && v.n < 0) return MapQuantity::admissible;
  const bool slides = v.n == 0 && slip_of(v).speed > 0;
  return is_machine() && slides && is_motion(x) && is_motion(y) ? MapQuantity::slip_mode : MapQuantity::verdict;
}

MapSource MapSubject::source(const MapVariable& x, const MapVariable& y, MapQuantity quantity) const {
  if (is_row(x) && is_row(y)) {
    std::vector<FixedSetting> rows;
    std::copy_if(base_.fixed.begin(), base_.fixed.end(), std::back_inserter(rows),
                 [](const FixedSetting& setting) { return is_row(setting.variable); });
    return restitution_set_map(*strikes_, rows, x, y, quantity);
  }
  const Law law = law_.value_or(is_machine() ? base_.law : Law::energetic);
  if (is_machine()) {
    SceneMapBase base = base_;
    base.law = law;
    return scene_map(base, x, y, quantity);
  }
  const auto gives = [](const MapVariable& v) { return v.kind == VariableKind::acceleration; };
  const bool given = gives(x) || gives(y) || std::any_of(base_.fixed.begin(), base_.fixed.end(), [&](const auto& s) {
                       return gives(s.variable);
                     });
  return contact_map(*at_start(), given ? FreeAcceleration::given : known_, x, y, quantity, law);
}

std::optional<double> MapSubject::value(const MapVariable& variable) const {
  const auto entry = [&](const ContactVector& v) {
    return variable.index == 0 ? v.n : variable.index == 1 ? v.t1 : v.t2;
  };
  const Friction& friction = problem_.contact.friction;
  const Restitution& restitution = problem_.contact.restitution;
  switch (variable.kind) {
    case VariableKind::position:
      return base_.state.q[base_.model->dofs[static_cast<std::size_t>(variable.index)].coordinate];
    case VariableKind::velocity:
      return base_.state.v[variable.index];
    case VariableKind::contact_velocity:
      return entry(problem_.contact.velocity);
    case VariableKind::acceleration:
      return known_ == FreeAcceleration::given ? std::optional(entry(problem_.free_acceleration)) : std::nullopt;
    case VariableKind::friction:
      if (friction.static_coefficient != friction.kinetic_coefficient) return std::nullopt;
      return friction.kinetic_coefficient;
    case VariableKind::static_friction:
      return friction.static_coefficient;
    case VariableKind::kinetic_friction:
      return friction.kinetic_coefficient;
    case VariableKind::row_restitution:
      return strikes_->restitution[variable.index];
    case VariableKind::restitution:
      return restitution.kind == RestitutionKind::constant ? std::optional(restitution.normal) : std::nullopt;
  }
  return std::nullopt;
}

bool MapSubject::is_in_plane() const {
  return in_touch_ && std::all_of(base_.fixed.begin(), base_.fixed.end(),
                                  [&](const FixedSetting& s) { return value(s.variable) == s.value; });
}

}  // namespace routh::internal
