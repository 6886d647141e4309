#include "routh/contact/contact.h"

#include <algorithm>
#include <cmath>

#include "routh/contact/tolerances.h"
#include "routh/dynamics/point_columns.h"

namespace routh {

namespace {

// The rate of the gap by the motion of the machine, and Σ |J_k v_k|: its terms before they cancel.
struct GapRate {
  double rate = 0, terms = 0;
};

// By the degrees of freedom that move the contact alone: crowds have many more.
GapRate gap_rate(const Model& model, const Workspace& workspace, const Contact& contact, const Eigen::VectorXd& v) {
  std::vector<std::pair<int, double>> row;  // of J: degree of freedom, entry
  const auto add = [&](int body, double sign) {
    visit_point_jacobian(model, workspace, body, contact.point, [&](int dof, const Vector3& velocity) {
      row.emplace_back(dof, sign * dot(contact.normal, velocity));
    });
  };
  if (contact.kind == ContactKind::limit) {
    row.emplace_back(contact.dof, contact.direction);
  } else {
    add(contact.body_a, 1);
    add(contact.body_b, -1);
  }
  std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  GapRate sum;
  for (std::size_t k = 0; k < row.size();) {
    const int dof = row[k].first;
    double entry = 0;
    for (; k < row.size() && row[k].first == dof; ++k) entry += row[k].second;
    sum.rate += entry * v[dof];
    sum.terms += std::abs(entry) * std::abs(v[dof]);
  }
  return sum;
}

}  // namespace

TouchReport find_touches(const Model& model, const State& state, const TouchOptions& options, Workspace& workspace) {
  TouchReport report;
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, options.tolerance, contacts);
  for (const Contact& contact : contacts) {
    if (contact.gap < -options.tolerance) {
      report.overlaps.push_back(contact);
      continue;
    }
    const double surface = surface_velocity(model, workspace, contact, state.time).n;
    const GapRate motion = gap_rate(model, workspace, contact, state.v);
    const double speed = motion.rate - surface;
    const double rounding = tolerances::resting_speed_relative * (motion.terms + std::abs(surface));
    const TouchKind kind = speed < -rounding  ? TouchKind::approaching
                           : speed > rounding ? TouchKind::separating
                                              : TouchKind::resting;
    report.touches.push_back({contact, kind, speed});
  }
  if (contacts.empty()) {
    // Near ones first: in a crowd all pairs are within the horizon.
    for (double horizon = tolerances::nearest_contact_first; contacts.empty(); horizon *= 10) {
      const double within = std::min(horizon, tolerances::nearest_contact_horizon);
      find_contacts(model, workspace, state.q, within, contacts);
      if (within == tolerances::nearest_contact_horizon) break;
    }
    const auto nearest = std::min_element(contacts.begin(), contacts.end(),
                                          [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
    if (nearest != contacts.end()) report.nearest = *nearest;
  }
  return report;
}

}  // namespace routh
