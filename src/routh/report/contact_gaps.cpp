#include "routh/report/contact_gaps.h"

#include <limits>

#include "routh/base/error.h"
#include "routh/report/machine.h"

namespace routh::internal {

std::vector<double> contact_gaps(const RunData& run) try {
  RunMachine machine(run);
  std::vector<double> gaps;
  gaps.reserve(run.samples.size() * run.contacts.size());
  for (const Sample& sample : run.samples) {
    const bool placed = machine.place(sample.state);
    for (const RunContact& each : run.contacts) {
      const std::optional<Contact> contact = placed ? machine.contact(sample.state, each.id) : std::nullopt;
      gaps.push_back(contact ? contact->gap : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return gaps;
} catch (const InputError&) {
  return {};
}

}  // namespace routh::internal
