// Every combination of modes in turn, most free contacts first.
#include <algorithm>
#include <numbers>

#include "routh/math/elementary.h"
#include "routh/solvability/mode_system.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal::mode_search {

namespace {

// A mode of one contact with, in the plane, the side to which slip begins.
struct Choice {
  ContactMode mode = ContactMode::free;
  Eigen::Vector2d direction = Eigen::Vector2d::UnitX();
};

std::vector<Choice> choices(const ScaledProblem& problem, int contact) {
  if (problem.slips(contact)) return {{ContactMode::free}, {ContactMode::slip}};
  std::vector<Choice> all{{ContactMode::free}, {ContactMode::stick}, {ContactMode::slip}};
  if (problem.dimension == Dimension::planar) all.push_back({ContactMode::slip, -Eigen::Vector2d::UnitX()});
  return all;
}

std::vector<Combination> all_combinations(const ScaledProblem& problem) {
  std::vector<Combination> all{all_free(problem)};
  for (int c = 0; c < problem.count; ++c) {
    std::vector<Combination> longer;
    for (const Combination& combination : all)
      for (const Choice& choice : choices(problem, c)) {
        longer.push_back(combination);
        set_mode(problem, longer.back(), c, choice.mode, choice.direction);
      }
    all = std::move(longer);
  }
  const auto open = [](const Combination& x) { return std::count(x.modes.begin(), x.modes.end(), ContactMode::free); };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Combination& x, const Combination& y) { return open(x) > open(y); });
  return all;
}

class Collector {
 public:
  explicit Collector(const ScaledProblem& problem) : problem_(problem) {}

  // Directions are taken as they stand, then as the solution.
  void take(const Combination& combination) {
    std::optional<Candidate> candidate = allowed_force(problem_, combination);
    if (!candidate || known(*candidate)) return;
    *candidate = settled(problem_, *candidate);
    if (!known(*candidate)) result_.found.push_back(std::move(*candidate));
  }

  void take_from(Combination combination) {
    if (settle_directions(problem_, combination)) take(combination);
  }

  // From every point of a grid of angles.
  void sample(const Combination& combination, const std::vector<int>& unknown) {
    result_.sampled = true;
    const int starts = unknown.size() == 1 ? 24 : unknown.size() == 2 ? 12 : 8;
    int total = 1;
    for (std::size_t i = 0; i < unknown.size(); ++i) total *= starts;
    for (int k = 0; k < total; ++k) {
      Combination start = combination;
      int rest = k;
      for (const int c : unknown) {
        const double angle = 2 * std::numbers::pi * (rest % starts + 0.5) / starts;
        start.direction[static_cast<std::size_t>(c)] = {elementary::cos(angle), elementary::sin(angle)};
        rest /= starts;
      }
      take_from(start);
    }
  }

  void examine(const Combination& combination) {
    const std::vector<int> unknown = unknown_directions(problem_, combination);
    if (unknown.empty()) return take(combination);
    if (unknown.size() > 1) return sample(combination, unknown);
    const std::optional<std::vector<Eigen::Vector2d>> directions = possible_directions(problem_, combination);
    if (!directions) return sample(combination, unknown);
    for (const Eigen::Vector2d& direction : *directions) {
      Combination start = combination;
      start.direction[static_cast<std::size_t>(unknown[0])] = direction;
      take_from(start);
    }
  }

  Enumeration result() {
    const auto open = [](const Candidate& x) {
      return std::count(x.combination.modes.begin(), x.combination.modes.end(), ContactMode::free);
    };
    std::stable_sort(result_.found.begin(), result_.found.end(),
                     [&](const Candidate& x, const Candidate& y) { return open(x) > open(y); });
    return std::move(result_);
  }

 private:
  bool known(const Candidate& candidate) const {
    const double tolerance = tolerances::same_solution_relative * size_of(candidate.force, candidate.acceleration);
    return std::any_of(result_.found.begin(), result_.found.end(), [&](const Candidate& other) {
      return (other.acceleration - candidate.acceleration).lpNorm<Eigen::Infinity>() <= tolerance;
    });
  }

  const ScaledProblem& problem_;
  Enumeration result_;
};

}  // namespace

Enumeration enumerate_modes(const ScaledProblem& problem) {
  Collector collector(problem);
  for (const Combination& combination : all_combinations(problem)) collector.examine(combination);
  return collector.result();
}

}  // namespace routh::internal::mode_search
