// A scene as the subject of a study: what strikes at its state, or a run.
#pragma once

#include "routh/march/simultaneous_rule.h"
#include "routh/scene/scene.h"
#include "routh/simulation/simulator.h"
#include "routh/study/subject.h"

namespace routh::internal {

// At which moment a scene is asked what strikes.
enum class StrikeMoment { state, first_strike };
constexpr auto names_of(StrikeMoment) {
  return name_table<StrikeMoment>({{StrikeMoment::state, "state"}, {StrikeMoment::first_strike, "first_strike"}});
}

struct StrikeRequest {
  StrikeMoment moment = StrikeMoment::state;
  double within = 10;      // [s] to look ahead for the first strike
  std::string contact;     // name of the contact; empty: the first that strikes
  std::optional<Law> law;  // in place of the laws of the pairs of surfaces
  // All contacts that touch strike at once; empty: the contact as if it were alone.
  std::optional<SimultaneousRule> rule;
};
std::unique_ptr<StudySubject> strike_subject(Scene scene, const StrikeRequest& request);

struct RunRequest {
  double until = 0;     // [s]
  double interval = 0;  // [s] between the samples that extremes are looked for in; 0: only at events
  SimulationOptions options;
};
std::unique_ptr<StudySubject> run_subject(Scene scene, const RunRequest& request);

// That a run ends with.
Fault fault_of(SimulationStatus status);

// The scene with these numbers in place of its own. Throws InputError at a path that names nothing, or where the values
// make no scene.
void set_values(Scene& scene, std::span<const GivenValue> values);

// What both have in common: the draft of a scene whose parameters are set, and model and state built from it.
class SceneMaker {
 public:
  explicit SceneMaker(Scene scene);

  void add_parameter(const StudyPath& path);
  std::optional<Refusal> try_values(std::span<const GivenValue> values) const;
  void set_parameters(std::span<const GivenValue> values);
  const Model& model() const { return *model_; }
  const SceneDraft& draft() const { return draft_; }

  // One scene after the other, for one thread.
  class Builder {
   public:
    explicit Builder(const SceneMaker& maker);
    // False, with the reason, when these values make no scene.
    bool build(std::span<const double> parameters, std::string& reason);
    const Model& model() const { return *model_; }
    const State& state() const { return state_; }
    const TouchOptions& touch() const { return maker_.touch_; }

   private:
    const SceneMaker& maker_;
    SceneDraft draft_;
    std::shared_ptr<const Model> model_;
    State state_;
  };

 private:
  struct Parameter;
  void set(SceneDraft& draft, std::span<const GivenValue> values) const;

  SceneDraft draft_;
  TouchOptions touch_;
  std::shared_ptr<const Model> model_;
  std::vector<std::shared_ptr<const Parameter>> parameters_;
  bool changes_model_ = false;
};

}  // namespace routh::internal
