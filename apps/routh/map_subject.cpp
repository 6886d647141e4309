#include "map_subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "routh/base/error.h"
#include "routh/problem/answer.h"
#include "routh/problem/reader.h"
#include "scene_checks.h"
#include "suggestion.h"

namespace routh {

namespace {

constexpr double farthest_contact = 10;  // [m]

bool is_surface(const MapVariable& v) {
  return v.kind == VariableKind::friction || v.kind == VariableKind::static_friction ||
         v.kind == VariableKind::kinetic_friction || v.kind == VariableKind::restitution;
}
bool is_motion(const MapVariable& v) { return v.kind == VariableKind::position || v.kind == VariableKind::velocity; }

ContactVector relative(const ImpactProblem& contact) {
  const ContactVector &v = contact.velocity, &s = contact.surface_velocity;
  return {v.n - s.n, v.t1 - s.t1, v.t2 - s.t2};
}

}  // namespace

MapSubject::MapSubject(const Document& document, Verbosity verbosity) {
  if (!routh::is_scene(document)) {
    load_problem(document);
    return;
  }
  scene_.emplace(load_scene(document, verbosity));
  name_ = scene_->model.name;
  variables_ = map_variables(scene_->model);
  base_.model = &scene_->model;
  base_.state = scene_->state;
}

void MapSubject::load_problem(const Document& document) {
  read_problem(document, file_);
  ProblemSolver solver;
  problem_.contact = solver.prepare(file_);
  problem_.free_acceleration = solver.free_acceleration(file_);
  known_ = file_.has_acceleration() ? FreeAcceleration::given : FreeAcceleration::unknown;
  name_ = file_.title;
  law_ = file_.law;
  variables_ = map_variables(problem_.contact.inertia.dimension);
}

void MapSubject::choose_contact(const std::string& name) {
  if (!scene_) {
    if (!name.empty()) throw UsageError("error: --contact: a problem file has one contact, without a name");
    return;
  }
  const Model& model = scene_->model;
  Workspace workspace(model);
  const TouchReport report = find_touches(model, scene_->state, scene_->touch, workspace);
  std::vector<Contact> contacts;
  for (const Touch& touch : report.touches) contacts.push_back(touch.contact);
  if (name.empty() && contacts.empty()) {
    const std::string nearest = report.nearest ? fmt::format("; nearest: '{}', {:.6g} m apart",
                                                             contact_name(model, *report.nearest), report.nearest->gap)
                                               : std::string();
    throw NoAnswer(fmt::format("error: nothing touches{}; name a contact with --contact", nearest));
  }
  if (!name.empty()) {
    std::vector<Contact> near;
    find_contacts(model, workspace, scene_->state.q, farthest_contact, near);
    contacts.insert(contacts.end(), near.begin(), near.end());
  }
  std::vector<std::string> names;
  for (const Contact& contact : contacts) {
    names.push_back(contact_name(model, contact));
    if (name.empty() || names.back() == name) return take(contact, report.touches);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  throw UsageError(fmt::format("error: --contact: unknown contact '{}'{}\nContacts at the state of the file: {}",
                               printable(name), did_you_mean(name, names), fmt::join(names, ", ")));
}

void MapSubject::take(const Contact& contact, const std::vector<Touch>& touches) {
  const Model& model = scene_->model;
  const auto touch =
      std::find_if(touches.begin(), touches.end(), [&](const Touch& t) { return t.contact.id == contact.id; });
  touches_ = touch != touches.end();
  base_.contact = contact.id;
  base_.kind = touches_ ? touch->kind : TouchKind::resting;
  base_.law = contact_law(model, contact);
  contact_name_ = contact_name(model, contact);
  problem_.contact.friction = contact_friction(model, contact);
  problem_.contact.restitution = contact_restitution(model, contact);
}

void MapSubject::choose_adjusted(const std::vector<std::string>& names) {
  if (!scene_) {
    if (!names.empty()) throw UsageError("error: --adjust: only a scene has degrees of freedom");
    return;
  }
  const Model& model = scene_->model;
  std::vector<std::string> known;
  for (int dof = 0; dof < model.velocities; ++dof) known.push_back(dof_name(model, dof));
  base_.adjust.assign(known.size(), names.empty());
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw UsageError(fmt::format("error: --adjust: unknown degree of freedom '{}'{}\nDegrees of freedom: {}",
                                   printable(name), did_you_mean(name, known), fmt::join(known, ", ")));
    base_.adjust[static_cast<std::size_t>(found - known.begin())] = true;
  }
}

void MapSubject::set(std::vector<FixedSetting> fixed) { fixed_ = base_.fixed = std::move(fixed); }

void MapSubject::set_law(std::optional<Law> law) {
  if (law) law_ = law;
}

// At the state of the file, with what was set.
std::optional<AccelerationProblem> MapSubject::at_start() const {
  if (scene_) return SceneContact(base_).at({});
  AccelerationProblem problem = problem_;
  for (const FixedSetting& setting : fixed_) apply_setting({&setting.variable, setting.value}, problem);
  return problem;
}

MapQuantity MapSubject::usual_quantity(const MapVariable& x, const MapVariable& y) const {
  const std::optional<AccelerationProblem> start = at_start();
  if (!start) return MapQuantity::verdict;
  const ContactVector v = relative(start->contact);
  if (is_surface(x) && is_surface(y) && v.n < 0) return MapQuantity::admissible;
  const bool slides = v.n == 0 && slip_of(v).speed > 0;
  return scene_ && slides && is_motion(x) && is_motion(y) ? MapQuantity::slip_mode : MapQuantity::verdict;
}

MapSource MapSubject::source(const MapVariable& x, const MapVariable& y, MapQuantity quantity) const {
  Law law = law_.value_or(scene_ ? base_.law : Law::energetic);
  // The verdict asks for an incremental impact with a tangential one: the energetic law speaks for the others.
  if (quantity == MapQuantity::verdict && law != Law::poisson) law = Law::energetic;
  if (scene_) {
    SceneMapBase base = base_;
    base.law = law;
    return scene_map(base, x, y, quantity);
  }
  FreeAcceleration known = known_;
  const auto gives = [](const MapVariable& v) { return v.kind == VariableKind::acceleration; };
  if (gives(x) || gives(y) ||
      std::any_of(fixed_.begin(), fixed_.end(), [&](const FixedSetting& s) { return gives(s.variable); }))
    known = FreeAcceleration::given;
  return contact_map(*at_start(), known, x, y, quantity, law);
}

std::optional<double> MapSubject::value(const MapVariable& variable) const {
  const auto entry = [&](const ContactVector& v) {
    return variable.index == 0 ? v.n : variable.index == 1 ? v.t1 : v.t2;
  };
  const Friction& friction = problem_.contact.friction;
  const Restitution& restitution = problem_.contact.restitution;
  switch (variable.kind) {
    case VariableKind::position:
      return scene_->state.q[scene_->model.dofs[static_cast<std::size_t>(variable.index)].coordinate];
    case VariableKind::velocity:
      return scene_->state.v[variable.index];
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
    case VariableKind::restitution:
      return restitution.kind == RestitutionKind::constant ? std::optional(restitution.normal) : std::nullopt;
  }
  return std::nullopt;
}

bool MapSubject::is_in_plane() const {
  return touches_ &&
         std::all_of(fixed_.begin(), fixed_.end(), [&](const FixedSetting& s) { return value(s.variable) == s.value; });
}

std::string MapSubject::why_nowhere(MapQuantity quantity) const {
  const std::string word(internal::name(quantity));
  if (!scene_ && known_ == FreeAcceleration::unknown)
    return fmt::format(
        "'{}' is not defined anywhere in this plane; the file says no `free_acceleration`, which some "
        "quantities need",
        word);
  if (!scene_) return fmt::format("'{}' is not defined anywhere in this plane", word);
  return fmt::format("'{}' touches nowhere in this plane, or '{}' is not defined where it does", contact_name_, word);
}

}  // namespace routh
