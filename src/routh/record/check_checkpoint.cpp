#include "routh/record/check_checkpoint.h"

#include <fmt/format.h>

#include <cmath>

#include "routh/dynamics/state.h"
#include "routh/record/run_fields.h"
#include "routh/record/tolerances.h"

namespace routh::internal {

namespace {

// No run counts so far; beyond, adding to it could overflow.
constexpr long long count_max = 1LL << 62;

// Keeps the first fault.
class Check {
 public:
  explicit Check(const Model& model) : model_(model) {}

  void require(bool condition, const std::string& what) {
    if (!condition && fault_.empty()) fault_ = what;
  }
  // Flags and counts of any type, and reals.
  template <class T>
  void number(const std::string& name, const T& value) {
    if constexpr (std::is_floating_point_v<T>)
      require(std::isfinite(value), fmt::format("'{}' is {}", name, value));
    else if constexpr (!std::is_same_v<T, bool>)
      require(value >= 0 && static_cast<long long>(value) < count_max, fmt::format("'{}' is {}", name, value));
  }
  void vector(const char* name, const Eigen::VectorXd& values, Eigen::Index size) {
    require(values.size() == size, fmt::format("'{}' has {} numbers, not {}", name, values.size(), size));
    for (const double value : values) number(name, value);
  }
  void vector(const std::string& name, const ContactVector& v) {
    for (const double value : {v.n, v.t1, v.t2}) number(name, value);
  }
  void contact(const char* list, ContactId id) {
    const bool limit = id.pair < 0;
    const bool there = limit ? id.pair >= -model_.velocities && (id.feature == 0 || id.feature == 1)
                             : id.pair < static_cast<int>(model_.pairs.size()) && id.feature >= 0;
    require(there, fmt::format("'{}' names a contact that the scene does not have (pair {}, feature {})", list, id.pair,
                               id.feature));
  }
  void warnings(std::uint32_t bits) { require(bits >> warning_count == 0, "'pending' has an unknown warning"); }

  const std::string& fault() const { return fault_; }

 private:
  const Model& model_;
  std::string fault_;
};

// A member that is added to one of these does not compile here until it is looked at.
void check_lists(Check& check, const Checkpoint& checkpoint) {
  for (const auto& [id, mode, t1, t2, beginning, force] : checkpoint.closed) {
    check.contact("closed", id);
    check.vector("direction of 'closed'", {0, t1, t2});
    check.vector("force of 'closed'", force);
  }
  for (const ContactId id : checkpoint.released) check.contact("released", id);
  for (const auto& [id, times, speeds] : checkpoint.bounces) {
    check.contact("bounces", id);
    for (const double time : times) check.number("time of 'bounces'", time);
    for (const double speed : speeds) check.number("speed of 'bounces'", speed);
  }
  for (const auto& [time, id, error_bound, warnings] : checkpoint.pending) {
    check.contact("pending", id);
    check.number("time of 'pending'", time);
    check.number("error_bound of 'pending'", error_bound);
    check.warnings(warnings);
  }
}

void check_crowd(Check& check, const Model& model, const Checkpoint::Crowd& crowd) {
  for_each_crowd_number(crowd, [&](const char* name, const auto& value) { check.number(name, value); });
  if (crowd.velocity.size() != 0 || crowd.under_way)
    check.vector("velocity of 'crowd'", crowd.velocity, model.velocities);
  for (const auto& [id, impulse] : crowd.shares) {
    check.contact("shares", id);
    check.vector("impulse of 'shares'", impulse);
  }
  for (const auto& [time, id] : crowd.recent) {
    check.contact("recent", id);
    check.number("time of 'recent'", time);
  }
}

void check_state(Check& check, const Model& model, const State& state) {
  check.vector("position", state.q, model.coordinates);
  check.vector("velocity", state.v, model.velocities);
  check.number("time", state.time);
  if (!check.fault().empty()) return;
  Eigen::VectorXd unit = state.q;
  normalise(model, unit);
  check.require((unit - state.q).cwiseAbs().sum() <= tolerances::checkpoint_quaternion_error,
                "'position' holds no unit quaternion");
}

}  // namespace

std::string checkpoint_fault(const Model& model, const RunData& run) {
  const Checkpoint& checkpoint = run.outcome.checkpoint;
  Check check(model);
  check_state(check, model, checkpoint.state);
  for (const double account : checkpoint.accounts) check.number("accounts", account);
  if (checkpoint.acceleration.size() != 0) check.vector("acceleration", checkpoint.acceleration, model.velocities);
  for_each_number(checkpoint, [&](const char* name, const auto& value, int) { check.number(name, value); });
  check.require(checkpoint.step >= 0, "'step' is negative");
  check_lists(check, checkpoint);
  check_crowd(check, model, checkpoint.crowd);
  check.require(checkpoint.state.time <= run.outcome.time, "'time' is later than the end of the run");
  check.require(static_cast<std::size_t>(checkpoint.events) <= run.events.size(),
                fmt::format("'events' is {}, but the run has {}", checkpoint.events, run.events.size()));
  if (!run.samples.empty())
    check.require(checkpoint.state.time >= run.samples.front().state.time,
                  "'time' is earlier than the begin of the run");
  return check.fault();
}

}  // namespace routh::internal
