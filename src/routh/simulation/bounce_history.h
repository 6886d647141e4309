// How fast each contact left after its last impacts: does it bounce in a geometric sequence?
#pragma once

#include <optional>

#include "routh/simulation/simulator.h"

namespace routh::internal {

class BounceHistory {
 public:
  explicit BounceHistory(std::vector<Checkpoint::Bounce> bounces) : bounces_(std::move(bounces)) {}

  // A contact left with the normal speed `speed` after an impact.
  void add(ContactId id, double time, double speed);
  void forget(ContactId id);

  // v⁺ over the v⁺ before, when the last four grew smaller, by ratios that agree to a tenth; nothing otherwise.
  std::optional<double> ratio(ContactId id) const;
  // The mean of the same, when the last four fell by a tenth or more between them, evenly or not.
  std::optional<double> mean_ratio(ContactId id) const;

  const std::vector<Checkpoint::Bounce>& all() const { return bounces_; }

 private:
  const Checkpoint::Bounce* find(ContactId id) const;

  std::vector<Checkpoint::Bounce> bounces_;  // ordered by id; the last four of each
};

}  // namespace routh::internal
