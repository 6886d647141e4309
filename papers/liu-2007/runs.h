// The simulated cases of [Liu 2007, section 6]: what happens in which order, and where the tip goes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "papers/evaluator.h"
#include "papers/scene.h"
#include "routh/simulation/simulator.h"

namespace routh {

// Between two events the tip is in the air, slips or sticks; at an impact the velocity jumps.
enum class LiuStretch { air, slip, stick, jump };

struct LiuPoint {
  double time = 0;
  double theta1 = 0, rate1 = 0;         // [rad], [rad/s]
  double tangential = 0, normal = 0;    // of the tip against the ground [m/s]
  LiuStretch before = LiuStretch::air;  // how the motion came here
};

struct LiuRun {
  std::string file;
  Scene scene;
  double belt = 0;  // its speed [m/s]
  std::vector<Event> events;
  std::vector<LiuPoint> points;
  SimulationStatus status = SimulationStatus::ready;
  double largest_demand = 0, demand_time = 0;  // friction over normal force while the tip sticks, and when [s]
};

// A case up to the time that its scene names, or until the simulation fails.
LiuRun run_liu_case(const PaperFiles& files, const std::string& name);

// The kinds of the events up to a time: "slip, stick, slip, detach, impact, stays". A slip after a slip is a "reverse";
// impacts without end are "bounces", and "stays" replaces what follows the last impact. After a failure, its name.
std::string liu_sequence(const LiuRun& run, double until);

// Whether the arm of a scene is on the belt through the last second of a run, with other gains of spring and dampers.
enum class LiuHold {
  bounces,          // in the air at some time of that second
  stays,            // on the belt, θ1 within 0.3 rad of its start
  stays_elsewhere,  // on the belt, in another posture than the one it was to hold
  failed,           // the simulation gave up
};
LiuHold liu_hold(const Scene& scene, double stiffness, double damping);

// The five runs, each made when it is first asked for.
class LiuRuns {
 public:
  explicit LiuRuns(const PaperFiles& files) : files_(files) {}

  // "case-5"
  const LiuRun& of(const std::string& name);

  // By the names of expected.yaml: what happens ("c5_events"), when the k-th event does ("c5_t4"), and whether the arm
  // stays on the belt with a stiffness and each of several dampings ("pd5_K100"). Nothing for other names.
  std::optional<OurValue> value(const std::string& quantity);
  // Figures 7 to 16.
  std::vector<PaperFigure> figures();

 private:
  std::optional<OurValue> first_jump(const std::string& quantity);
  std::optional<OurValue> gains(const std::string& quantity);

  PaperFiles files_;
  std::vector<std::pair<std::string, std::unique_ptr<LiuRun>>> runs_;
};

}  // namespace routh
