#include "routh/simulation/bounce_history.h"

#include <algorithm>
#include <cmath>

namespace routh::internal {

namespace {

constexpr std::size_t kept = 4;

auto place(std::vector<Checkpoint::Bounce>& list, ContactId id) {
  return std::lower_bound(list.begin(), list.end(), id,
                          [](const Checkpoint::Bounce& each, ContactId other) { return each.id < other; });
}

}  // namespace

void BounceHistory::add(ContactId id, double time, double speed) {
  auto it = place(bounces_, id);
  if (it == bounces_.end() || it->id != id) it = bounces_.insert(it, {id, {}, {}});
  it->times.push_back(time);
  it->speeds.push_back(speed);
  if (it->times.size() > kept) {
    it->times.erase(it->times.begin());
    it->speeds.erase(it->speeds.begin());
  }
}

void BounceHistory::forget(ContactId id) {
  const auto it = place(bounces_, id);
  if (it != bounces_.end() && it->id == id) bounces_.erase(it);
}

// Null when there are too few yet.
const Checkpoint::Bounce* BounceHistory::find(ContactId id) const {
  const auto it = std::find_if(bounces_.begin(), bounces_.end(), [&](const auto& each) { return each.id == id; });
  return it == bounces_.end() || it->speeds.size() < kept ? nullptr : &*it;
}

std::optional<double> BounceHistory::ratio(ContactId id) const {
  const Checkpoint::Bounce* const it = find(id);
  if (!it) return std::nullopt;
  double last = 0;
  for (std::size_t k = 1; k < kept; ++k) {
    const double now = it->speeds[k] / it->speeds[k - 1];
    if (!(now < 1) || (k > 1 && std::abs(now - last) > 0.1 * last)) return std::nullopt;
    last = now;
  }
  return last;
}

std::optional<double> BounceHistory::mean_ratio(ContactId id) const {
  const Checkpoint::Bounce* const it = find(id);
  if (!it || !(it->speeds.back() < 0.9 * it->speeds.front())) return std::nullopt;
  return std::pow(it->speeds.back() / it->speeds.front(), 1.0 / (kept - 1));
}

}  // namespace routh::internal
