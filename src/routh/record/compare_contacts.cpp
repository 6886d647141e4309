#include "routh/record/compare_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "routh/base/error.h"

namespace routh::internal {

namespace {

struct Number {
  const char* what;
  double value, scale;
};
// Forces by the largest of all, lengths by the largest distance from the origin, directions by one.
using Numbers = std::array<Number, 18>;

Numbers numbers_of(const ActiveContact& active, double force, double length) {
  const Contact& c = active.contact;
  const bool slips = active.mode != ContactMode::stick;  // a contact that sticks has no direction
  return {{{"normal force", active.force.n, force},
           {"first tangential force", active.force.t1, force},
           {"second tangential force", active.force.t2, force},
           {"gap", c.gap, length},
           {"slip direction (first)", slips ? active.direction.t1 : 0, 1},
           {"slip direction (second)", slips ? active.direction.t2 : 0, 1},
           {"point (x)", c.point.x, length},
           {"point (y)", c.point.y, length},
           {"point (z)", c.point.z, length},
           {"normal (x)", c.normal.x, 1},
           {"normal (y)", c.normal.y, 1},
           {"normal (z)", c.normal.z, 1},
           {"tangent1 (x)", c.tangent1.x, 1},
           {"tangent1 (y)", c.tangent1.y, 1},
           {"tangent1 (z)", c.tangent1.z, 1},
           {"tangent2 (x)", c.tangent2.x, 1},
           {"tangent2 (y)", c.tangent2.y, 1},
           {"tangent2 (z)", c.tangent2.z, 1}}};
}

void enlarge(double& scale, double value) {
  if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
}

std::map<ContactId, std::string> names_of(const RunData& run) {
  std::map<ContactId, std::string> names;
  for (const RunContact& contact : run.contacts) names[contact.id] = "'" + printable(contact.name) + "'";
  return names;
}

std::string list_of(const std::map<ContactId, std::string>& names, const Sample& sample) {
  std::string list;
  for (const ActiveContact& active : sample.active) {
    const auto found = names.find(active.contact.id);
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", found == names.end() ? "?" : found->second,
                        name(active.mode));
  }
  return list.empty() ? "none" : list;
}

}  // namespace

SampleContacts::SampleContacts(const RunData& a, const RunData& b)
    : a_(a), b_(b), names_a_(names_of(a)), names_b_(names_of(b)) {
  for (const RunData* run : {&a, &b})
    for (const Sample& sample : run->samples)
      for (const ActiveContact& active : sample.active) {
        for (const double value : {active.force.n, active.force.t1, active.force.t2}) enlarge(force_, value);
        const Vector3& p = active.contact.point;
        for (const double value : {p.x, p.y, p.z, active.contact.gap}) enlarge(length_, value);
      }
}

void SampleContacts::compare(const Judge& judge) const {
  for (std::size_t k = 0; k < std::min(a_.samples.size(), b_.samples.size()); ++k) compare_sample(k, judge);
}

void SampleContacts::compare_sample(std::size_t k, const Judge& judge) const {
  const Sample &x = a_.samples[k], &y = b_.samples[k];
  const double time = x.state.time;
  const auto same = [&](const ActiveContact& i, const ActiveContact& j) {
    const auto in_a = names_a_.find(i.contact.id), in_b = names_b_.find(j.contact.id);
    const bool named = in_a != names_a_.end() && in_b != names_b_.end();
    return i.contact.id == j.contact.id && i.mode == j.mode && (!named || in_a->second == in_b->second);
  };
  if (!std::equal(x.active.begin(), x.active.end(), y.active.begin(), y.active.end(), same))
    return judge(time, 0, std::numeric_limits<double>::infinity(), 0, [&] {
      return fmt::format("closed contacts at t = {} s (sample {}): {} against {}", time, k, list_of(names_a_, x),
                         list_of(names_b_, y));
    });
  for (std::size_t c = 0; c < x.active.size(); ++c) {
    const Numbers of_x = numbers_of(x.active[c], force_, length_), of_y = numbers_of(y.active[c], force_, length_);
    for (std::size_t n = 0; n < of_x.size(); ++n)
      judge(time, of_x[n].value, of_y[n].value, of_x[n].scale, [&] {
        return fmt::format("{} of {} at t = {} s (sample {}): {} against {}", of_x[n].what,
                           names_a_.count(x.active[c].contact.id) > 0 ? names_a_.at(x.active[c].contact.id) : "?", time,
                           k, of_x[n].value, of_y[n].value);
      });
  }
}

}  // namespace routh::internal
