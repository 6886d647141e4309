#include "routh/simulation/margins.h"

#include <algorithm>

#include "routh/math/elementary.h"
#include "routh/solvability/single_contact.h"

namespace routh::internal {

namespace {

ContactMargin margin_of(const ActiveContact& active, const ContactInertia& d, const Friction& friction, double time) {
  ContactMargin margin{time, {}, active.force.n, 1};
  const double kinetic = std::min(friction.kinetic_coefficient, widest_friction);
  if (active.mode == ContactMode::slip) {
    margin.jam = 1 - kinetic * (d.c1 * active.direction.t1 + d.c2 * active.direction.t2) / d.a;
    return margin;
  }
  margin.jam = 1 - kinetic * elementary::hypot(d.c1, d.c2) / d.a;
  const double limit = friction.static_coefficient * active.force.n;
  const double tangential = elementary::hypot(active.force.t1, active.force.t2);
  // Infinite friction leaves all of itself.
  if (limit > 0) margin.slip = 1 - tangential / limit;
  return margin;
}

// The least of what `value` picks.
template <class Value>
ContactMargins::Least least_of(const std::vector<ContactMargin>& samples, const Value& value) {
  const auto at = std::min_element(samples.begin(), samples.end(),
                                   [&](const ContactMargin& x, const ContactMargin& y) { return value(x) < value(y); });
  return {value(*at), at->time};
}

}  // namespace

std::optional<ContactMargins::Least> ContactMargins::slip() const {
  std::vector<ContactMargin> sticking;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(sticking),
               [](const ContactMargin& margin) { return margin.slip.has_value(); });
  if (sticking.empty()) return std::nullopt;
  return least_of(sticking, [](const ContactMargin& margin) { return *margin.slip; });
}

ContactMargins::Least ContactMargins::normal_force() const {
  return least_of(samples, [](const ContactMargin& margin) { return margin.normal_force; });
}

ContactMargins::Least ContactMargins::jam() const {
  return least_of(samples, [](const ContactMargin& margin) { return margin.jam; });
}

MarginRecorder::MarginRecorder(const Model& model) : model_(model), builder_(model), workspace_(model) {}

void MarginRecorder::add(Sample& sample) {
  if (sample.active.empty() || builder_.prepare(model_, sample.state, workspace_) >= 0) return;
  compute_velocities(model_, sample.state.q, sample.state.v, workspace_);
  for (ActiveContact& active : sample.active) {
    const ContactId id = active.contact.id;
    const auto contact = find_contact(model_, workspace_, sample.state.q, id);  // a run that was read has less of it
    if (!contact) continue;
    const ImpactProblem alone = builder_.impact_problem(model_, workspace_, *contact);
    auto known = std::find_if(contacts_.begin(), contacts_.end(), [&](const ContactMargins& c) { return c.id == id; });
    if (known == contacts_.end()) {
      contacts_.push_back({id, contact_name(model_, *contact), {}});
      known = contacts_.end() - 1;
    }
    const ContactMargin margin = margin_of(active, alone.inertia, alone.friction, sample.state.time);
    active.slip_margin = margin.slip;
    active.jam_margin = margin.jam;
    known->samples.push_back(margin);
  }
}

}  // namespace routh::internal
