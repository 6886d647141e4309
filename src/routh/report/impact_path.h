// The way of the contact velocity through an impact: solved again from what the run recorded, or from a problem.
#pragma once

#include <optional>
#include <vector>

#include "routh/contact/strike.h"
#include "routh/impact/solve.h"
#include "routh/report/json_writer.h"
#include "routh/report/machine.h"

namespace routh::internal {

struct ImpactPath {
  ImpactResult result;
  std::vector<PathPoint> points;
};

class PathFinder {
 public:
  explicit PathFinder(RunMachine& machine) : machine_(machine), striker_(machine.model()) {}

  // Whether the event is an impact of one contact, which has a path.
  static bool has_path(const Event& event);
  // After `machine.place` at the event. Nothing where the impact cannot be solved again or where its impulse differs
  // from the recorded one by more than 1e-6 of it: the scene or the program may have changed since.
  std::optional<ImpactPath> find(const Event& event, const State& before, const Contact& contact);

 private:
  RunMachine& machine_;
  StrikeSolver striker_;
};

// At most `most` points, the first and the last and each end of a stage among them.
std::vector<PathPoint> thinned(const std::vector<PathPoint>& points, std::size_t most);

// "velocity": [[n, t1, t2], …], "impulse": […]
void write_path_points(const std::vector<PathPoint>& points, JsonWriter& json);

}  // namespace routh::internal
