// The contacts of samples as rows of a table: those that are closed, and the open ones whose gap is known.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "routh/record/run_file.h"

namespace routh::internal {

struct ContactRow {
  std::size_t sample = 0, contact = 0;    // into RunData::samples and ::contacts
  const ActiveContact* active = nullptr;  // none: the contact is open
  double gap = 0;                         // [m], of an angle at its limit [rad]

  ContactMode mode() const { return active ? active->mode : ContactMode::free; }
};

// `open_gaps` as of `export_run`. Calls `take(row)` in the order of samples, then of contacts.
template <class Take>
void for_each_contact_row(const RunData& run, std::span<const double> open_gaps, Take take) {
  const std::size_t contacts = run.contacts.size();
  std::map<ContactId, std::size_t> index;
  for (std::size_t c = 0; c < contacts; ++c) index.emplace(run.contacts[c].id, c);
  std::vector<const ActiveContact*> active(contacts, nullptr);
  for (std::size_t s = 0; s < run.samples.size(); ++s) {
    for (const ActiveContact& each : run.samples[s].active)
      if (const auto at = index.find(each.contact.id); at != index.end()) active[at->second] = &each;
    for (std::size_t c = 0; c < contacts; ++c) {
      const double open = open_gaps.empty() ? std::numeric_limits<double>::quiet_NaN() : open_gaps[s * contacts + c];
      if (active[c])
        take(ContactRow{s, c, active[c], active[c]->contact.gap});
      else if (std::isfinite(open))
        take(ContactRow{s, c, nullptr, open});
    }
    std::fill(active.begin(), active.end(), nullptr);
  }
}

}  // namespace routh::internal
