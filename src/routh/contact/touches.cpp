#include "routh/contact/touches.h"

#include <algorithm>
#include <cmath>

#include "routh/contact/tolerances.h"

namespace routh {

const char* name(TouchKind kind) {
  switch (kind) {
    case TouchKind::approaching:
      return "approaching";
    case TouchKind::resting:
      return "resting";
    case TouchKind::separating:
      return "separating";
  }
  return "";
}

TouchReport find_touches(const Model& model, const State& state, const TouchOptions& options, Workspace& workspace) {
  TouchReport report;
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, options.tolerance, contacts);
  Eigen::MatrixXd J(contact_rows(model), model.velocities);
  for (const Contact& contact : contacts) {
    if (contact.gap < -options.tolerance) {
      report.overlaps.push_back(contact);
      continue;
    }
    contact_jacobian(model, workspace, contact, J);
    const double surface = surface_velocity(model, workspace, contact, state.time).n;
    const double speed = J.row(0).dot(state.v) - surface;
    const double rounding =
        tolerances::resting_speed_relative * (J.row(0).cwiseAbs().dot(state.v.cwiseAbs()) + std::abs(surface));
    const TouchKind kind = speed < -rounding  ? TouchKind::approaching
                           : speed > rounding ? TouchKind::separating
                                              : TouchKind::resting;
    report.touches.push_back({contact, kind, speed});
  }
  if (contacts.empty()) {
    find_contacts(model, workspace, state.q, tolerances::nearest_contact_horizon, contacts);
    const auto nearest = std::min_element(contacts.begin(), contacts.end(),
                                          [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
    if (nearest != contacts.end()) report.nearest = *nearest;
  }
  return report;
}

}  // namespace routh
