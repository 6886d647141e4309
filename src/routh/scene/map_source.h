// A contact as a function of two variables, for maps: coordinates and rates of the machine, friction, restitution.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/contact/contact.h"
#include "routh/contact/contact_problem.h"
#include "routh/contact/touching.h"
#include "routh/map/map_quantity.h"
#include "routh/solvability/energy_consistency.h"
#include "routh/solvability/slip_flow.h"

namespace routh::internal {

enum class VariableKind {
  position,          // `position.<dof>`
  velocity,          // `velocity.<dof>`
  contact_velocity,  // `contact-velocity.n`, `.t1`, `.t2`, of a bare contact
  acceleration,      // `free-acceleration.n`, …, of a bare contact
  friction,          // static and kinetic alike
  static_friction,
  kinetic_friction,
  restitution,
  row_restitution,  // `restitution.<contact>`, of one of several that strike
};

struct MapVariable {
  VariableKind kind = VariableKind::friction;
  int index = -1;     // degree of freedom, or entry of a contact vector
  std::string name;   // as on the command line
  std::string label;  // for an axis
  std::string unit;
};

// All that can be varied.
std::vector<MapVariable> map_variables(const Model& model);
std::vector<MapVariable> map_variables(Dimension dimension);

struct MapSetting {
  const MapVariable* variable = nullptr;
  double value = 0;
};

// The same, standing by itself.
struct FixedSetting {
  MapVariable variable;
  double value = 0;
};

// Puts friction, restitution or an entry of a bare contact's vectors to a value; positions and rates of a machine are
// not the contact's and change nothing.
void apply_setting(const MapSetting& setting, AccelerationProblem& problem);

// What is held fixed in a map of a machine's contact.
struct SceneMapBase {
  const Model* model = nullptr;
  State state;
  ContactId contact;
  TouchKind kind = TouchKind::resting;  // resting: rates are made such that v_n = 0
  std::vector<bool> adjust;             // by degree of freedom: may give way so that the contact keeps touching
  std::vector<FixedSetting> fixed;      // set before the two variables of the map, each as it comes
  Law law = Law::energetic;
};

// The contact with these settings; nothing where the machine cannot touch. Reusable, one per thread.
class SceneContact {
 public:
  explicit SceneContact(const SceneMapBase& base);

  std::optional<AccelerationProblem> at(std::span<const MapSetting> settings);

  // After `at`: how the coordinate of a degree of freedom accelerates, in the form of a slip flow.
  std::optional<SlipFlowValue> flow(int dof, const AccelerationProblem& problem) const;

 private:
  void round_slip(const Contact& contact, double speed, ImpactProblem& problem);

  SceneMapBase base_;
  Workspace workspace_;
  ContactProblemBuilder builder_;
  Eigen::MatrixXd jacobian_;
};

// Both take copies; the model must outlive the source.
MapSource scene_map(const SceneMapBase& base, const MapVariable& x, const MapVariable& y, MapQuantity quantity);
MapSource contact_map(const AccelerationProblem& problem, FreeAcceleration known, const MapVariable& x,
                      const MapVariable& y, MapQuantity quantity, Law law);

// Restitutions of several contacts, each a variable; `fixed` are set before. Of the quantity `restitution_set`; others
// exist nowhere.
MapSource restitution_set_map(const RestitutionQuestion& question, const std::vector<FixedSetting>& fixed,
                              const MapVariable& x, const MapVariable& y, MapQuantity quantity);

// The slip of a machine with one degree of freedom left, along the coordinate of `dof`.
SlipFlow scene_slip_flow(const SceneMapBase& base, int dof);

}  // namespace routh::internal
