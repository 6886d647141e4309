// What a study computes in each sample: an impact of a problem, the strike of a scene, a run. A subject is compiled
// once (paths to setters, quantities to accessors); each thread then works with a runner of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "routh/base/names.h"
#include "routh/impact/problem.h"
#include "routh/study/expression.h"
#include "routh/study/path.h"

namespace routh::internal {

// Why a sample has no values.
enum class Fault : std::uint8_t {
  none,
  refused,  // the parameters break a rule
  ill_conditioned,
  overflow,
  not_converged,
  no_strike,  // nothing strikes in this scene
  overlapping,
  step_underflow,
  non_finite,
  singular,
  unsolved_modes,
  unsolved_impact,
  event_limit,
  step_limit,
};
constexpr auto names_of(Fault) {
  return name_table<Fault>({
      {Fault::none, "none"},
      {Fault::refused, "refused"},
      {Fault::ill_conditioned, "ill_conditioned"},
      {Fault::overflow, "overflow"},
      {Fault::not_converged, "not_converged"},
      {Fault::no_strike, "no_strike"},
      {Fault::overlapping, "overlapping"},
      {Fault::step_underflow, "step_underflow"},
      {Fault::non_finite, "non_finite"},
      {Fault::singular, "singular"},
      {Fault::unsolved_modes, "unsolved_modes"},
      {Fault::unsolved_impact, "unsolved_impact"},
      {Fault::event_limit, "event_limit"},
      {Fault::step_limit, "step_limit"},
  });
}
inline constexpr std::size_t fault_count = count_of<Fault>;

// Computes samples, one after the other. Not shared between threads.
class SampleRunner {
 public:
  virtual ~SampleRunner() = default;

  // Fills the quantities that were asked for, NaN where one is missing. `reason` says what a fault is about.
  virtual Fault run(std::span<const double> parameters, std::span<double> quantities, std::string& reason) = 0;

  // A sample may end early once this flag is raised; whoever raises it drops what comes of it.
  void stop_by(const std::atomic<bool>* stop) { stop_ = stop; }

 protected:
  const std::atomic<bool>* stop() const { return stop_; }  // null: never

 private:
  const std::atomic<bool>* stop_ = nullptr;
};

// Where the quantity stands in the list; it is added when it does not.
template <class Quantity>
int place_of(const Quantity& quantity, std::vector<Quantity>& all) {
  const auto place = static_cast<std::size_t>(std::find(all.begin(), all.end(), quantity) - all.begin());
  if (place == all.size()) all.push_back(quantity);
  return static_cast<int>(place);
}

// A parameter with a value of its own.
struct GivenValue {
  StudyPath path;
  double value = 0;
  Location where;  // of the value
};
// Why there is no problem or scene with some values.
struct Refusal {
  std::string message, remedy;
};

class StudySubject {
 public:
  virtual ~StudySubject() = default;

  // A parameter that varies; they are numbered as they come. Throws InputError.
  virtual void add_parameter(const StudyPath& path) = 0;
  // What speaks against these values in place of the present ones, if anything does; nothing is changed. Throws
  // InputError at a path that names nothing.
  virtual std::optional<Refusal> try_values(std::span<const GivenValue> values) const = 0;
  // Parameters that have other values than in the file, which `try_values` has nothing against together with some of
  // those that vary. Throws InputError.
  virtual void set_parameters(std::span<const GivenValue> values) = 0;
  // A quantity to be measured, at an entry of `quantities`; the same for the same path. Throws InputError.
  virtual QuantityRef find_quantity(const StudyPath& path) = 0;
  // For one thread; the subject must outlive it and is not changed any more.
  virtual std::unique_ptr<SampleRunner> make_runner() const = 0;
  virtual std::size_t quantity_count() const = 0;
  // Samples that are computed as one piece of work. The order of reductions hangs on it: it depends on the kind of
  // subject alone.
  virtual std::uint64_t block_size() const = 0;
};

}  // namespace routh::internal
