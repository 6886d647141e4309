// The throws run again: from their fitted starts, with given parameters of the scene, beside what was measured.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "routh/recording/flight.h"
#include "routh/scene/scene.h"
#include "routh/study/path.h"
#include "routh/study/scene_parameter.h"

namespace routh::internal {

// A parameter that is sought or set: numbers of the scene, all of which get the same value.
struct ThrowParameter {
  std::string text;              // as written
  std::vector<StudyPath> paths;  // `a.b+a.c` are two that go together
};
// Throws InputError at `where`.
ThrowParameter parse_parameter(const std::string& text, const Location& where);

// The scene with numbers of its own, as if its file said them. Throws InputError.
Scene with_values(Scene scene, const std::vector<std::pair<ThrowParameter, double>>& values);

// How far a run is from what was measured.
struct ThrowError {
  double mean = 0;      // of ‖Δp‖²/length + θ² over the samples [m and rad²]
  double position = 0;  // mean of ‖Δp‖ [m]
  double rotation = 0;  // mean of θ [rad]
  bool failed = false;  // the run ended before its time: its last pose was held
};

// How a run went.
struct ThrowRun {
  bool sound = false;    // it reached its time; else the last pose stands for the others
  std::size_t jams = 0;  // tangential impacts
};

// The scene with some parameters; shared by threads.
class ThrowScene {
 public:
  // Throws InputError at a parameter that names nothing.
  ThrowScene(const Scene& scene, std::vector<ThrowParameter> parameters, std::optional<Law> law);

  const Model& model() const { return *model_; }
  std::size_t parameters() const { return parameters_.size(); }
  double length() const { return length_; }
  // The machine at these values. Throws InputError where there is none.
  std::shared_ptr<const Model> at(const std::vector<double>& values) const;
  // The poses of a run at the times of the throw.
  ThrowRun run(const Model& model, const State& start, const std::vector<double>& times,
               std::vector<Eigen::VectorXd>& poses) const;
  ThrowError error(const std::vector<Eigen::VectorXd>& poses, const std::vector<Eigen::VectorXd>& measured) const;

 private:
  std::vector<std::vector<SceneParameter>> parameters_;
  SceneDraft draft_;
  SimulationOptions options_;
  std::shared_ptr<const Model> model_;
  double length_ = 0;
};

}  // namespace routh::internal
