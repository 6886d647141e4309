// What is mapped: a contact of a machine or a bare contact, with what was chosen and set about it.
#pragma once

#include "routh/contact/contact.h"
#include "routh/scene/map_source.h"

namespace routh::internal {

class MapSubject {
 public:
  // A machine at this state; a contact is to be chosen. The model must outlive the subject and its sources.
  MapSubject(const Model& model, const State& state, const TouchOptions& touch);
  // A contact alone. Absent: the energetic law.
  MapSubject(const AccelerationProblem& problem, FreeAcceleration known, std::optional<Law> law);

  // Contacts that strike together, by name: nothing but their restitutions.
  MapSubject(const RestitutionQuestion& question, const std::vector<std::string>& names);
  // A machine's, besides: `restitution.NAME` of each.
  void add_strikes(const RestitutionQuestion& question, const std::vector<std::string>& names);

  bool is_machine() const { return base_.model != nullptr; }
  const std::vector<MapVariable>& variables() const { return variables_; }

  // Of a machine: what touches, and the names of all contacts within `farthest_contact`.
  static constexpr double farthest_contact = 10;  // [m]
  const TouchReport& touches() const { return touches_; }
  std::vector<std::string> contact_names() const;
  // The first that touches where the name is empty; false when there is none such.
  bool choose_contact(const std::string& name);
  const std::string& contact() const { return contact_name_; }  // empty for a bare contact
  // Which degrees of freedom give way so that the contact keeps touching; all unless chosen.
  void choose_adjusted(std::vector<bool> adjust) { base_.adjust = std::move(adjust); }
  // What is set before the two variables of the map.
  void set(std::vector<FixedSetting> fixed) { base_.fixed = std::move(fixed); }
  void set_law(Law law) { law_ = law; }

  FreeAcceleration known() const { return known_; }
  MapQuantity usual_quantity(const MapVariable& x, const MapVariable& y) const;
  MapSource source(const MapVariable& x, const MapVariable& y, MapQuantity quantity) const;
  // Where the subject itself lies on an axis; nothing when it lies off the plane.
  std::optional<double> value(const MapVariable& variable) const;
  // Whether what was set is what it is.
  bool is_in_plane() const;

 private:
  std::optional<AccelerationProblem> at_start() const;

  SceneMapBase base_;  // of a machine; `fixed` of both
  std::vector<MapVariable> variables_;
  std::string contact_name_;
  std::optional<Law> law_;
  TouchReport touches_;
  std::vector<Contact> near_;
  bool in_touch_ = true;
  std::optional<RestitutionQuestion> strikes_;
  AccelerationProblem problem_;  // of a machine's contact friction and restitution only
  FreeAcceleration known_ = FreeAcceleration::given;
};

}  // namespace routh::internal
