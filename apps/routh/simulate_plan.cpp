#include "simulate_plan.h"

#include <fmt/format.h>

#include <ctime>

#include "assignments.h"
#include "routh/base/error.h"
#include "routh/file/sha256.h"
#include "routh/record/check_checkpoint.h"
#include "routh/record/run_info.h"
#include "routh/version.h"
#include "scene_source.h"

namespace routh {

namespace {

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc));
}

void load_new(const SimulateOptions& options, SimulationPlan& plan) {
  OpenedFile file = open_file(options.file);
  require_scene(file, "put `routh: 1` at the top of a scene; an impact from a problem file: `routh impact`");
  plan.info.scene_path = options.file.path;
  plan.info.scene_text = scene_source(file);
  const bool changed = file.scene->draft.origin == SceneOrigin::changed;
  plan.scene = take_checked_scene(file, options.verbosity);
  warn_of_free_fall(plan.scene, options.verbosity);
  // As it will be read when the run is resumed: angles in the plane may lose their last digit on the way.
  if (changed) plan.scene = read_scene_text(plan.info.scene_text, options.file.path);
  plan.info.seed = plan.scene.simulation.seed.value_or(0);
  describe_coordinates(plan.scene.model, plan.info);
  plan.settings = plan.scene.simulation;
}

[[noreturn]] void refuse_run(const std::string& path, const std::string& why, const std::string& remedy = {}) {
  throw InputError({path}, why, remedy);
}

// How the run was computed, so that it goes on in the same way.
SimulationSettings settings_of(const std::string& path, const RunData& run, const SimulationSettings& scene) {
  std::optional<SimulationSettings> settings = read_options_json(run.info.options_json);
  if (!settings || !(run.info.tolerance > 0)) refuse_run(path, "the run does not say how it was computed");
  settings->tolerance = run.info.tolerance;
  settings->engine = run.info.engine;
  if (!settings->until) settings->until = run.outcome.time;
  settings->sample_interval = run.info.sample_interval > 0 ? run.info.sample_interval : scene.sample_interval;
  return *settings;
}

// Keeps what came before the checkpoint: the rest is computed anew, to the same bits.
void cut_at_checkpoint(RunData& run) {
  const Checkpoint& checkpoint = run.outcome.checkpoint;
  run.events.resize(static_cast<std::size_t>(checkpoint.events));
  std::erase_if(run.samples, [&](const Sample& sample) { return sample.state.time > checkpoint.state.time; });
}

void load_resumed(const SimulateOptions& options, SimulationPlan& plan) {
  if (options.file.path.empty()) refuse_assignments(options.file.set, "a run that is resumed keeps its scene");
  RunData run = read_run(options.resume);
  const std::string& path = options.resume;
  if (!options.file.path.empty() && sha256_hex(scene_source(open_file(options.file))) != run.info.input_hash)
    throw InputError({options.file.path}, fmt::format("this is not the scene of '{}'", printable(path, 200)),
                     "leave the scene out: the run file holds it");
  plan.scene = read_scene_text(run.info.scene_text, run.info.scene_path.empty() ? path : run.info.scene_path);
  const State& from = run.outcome.checkpoint.state;
  if (from.q.size() != plan.scene.model.coordinates || from.v.size() != plan.scene.model.velocities)
    refuse_run(path, "the run has no checkpoint to go on from", "start anew");
  if (const std::string fault = checkpoint_fault(plan.scene.model, run); !fault.empty())
    refuse_run(path, "its checkpoint cannot be used: " + fault, "start anew");
  plan.settings = settings_of(path, run, plan.scene.simulation);
  cut_at_checkpoint(run);
  plan.info = run.info;
  const double reached = run.outcome.time;
  const double until = overlay(options.settings, plan.settings).until.value_or(reached);
  if (!(until > reached))
    throw UsageError(fmt::format("error: '{}' has reached t = {} s; say how much further with --until",
                                 printable(path, 200), reached));
  plan.before = std::move(run);
}

}  // namespace

SimulationPlan make_plan(const SimulateOptions& options) {
  if (options.file.path.empty() && options.resume.empty())
    throw UsageError("error: FILE is missing: give a scene, or a run with --resume");
  if (options.settings.sample_interval && options.output.empty() && !options.page.wanted() &&
      options.margins == MarginLog::none)
    throw UsageError("error: --samples needs a run file or a page: -o run.h5, --report run.html");
  SimulationPlan plan;
  if (options.resume.empty()) {
    load_new(options, plan);
  } else {
    load_resumed(options, plan);
  }
  plan.settings = overlay(options.settings, plan.settings);
  plan.options = simulation_options(plan.settings, plan.scene.touch);
  if (plan.options.engine == EngineKind::stepping && options.settings.tolerance)
    throw UsageError("error: --tolerance is that of events; the engine stepping has the accuracy of its --step");
  if (plan.options.engine == EngineKind::automatic && !plan.options.resolution)
    plan.options.resolution = usual_resolution(plan.scene.model, plan.options.tolerance);
  plan.until = plan.settings.until.value_or(plan.start() + usual_duration);
  if (!(plan.until > plan.start()))
    throw UsageError(
        fmt::format("error: --until {} must exceed the time of the scene's state, {}", plan.until, plan.start()));
  plan.sample_interval = plan.settings.sample_interval.value_or(usual_interval(plan.until - plan.start()));
  if (!((plan.until - plan.start()) / plan.sample_interval <= most_samples))
    throw UsageError(fmt::format("error: a sample every {} s up to t = {} s would be more than {:g} samples",
                                 plan.sample_interval, plan.until, most_samples));
  plan.info.program_version = ROUTH_VERSION;
  plan.info.created = now();
  plan.info.engine = plan.options.engine;
  plan.info.tolerance = plan.options.tolerance;
  plan.info.sample_interval = plan.sample_interval;
  plan.info.options_json = options_json(plan.options, plan.until);
  return plan;
}

}  // namespace routh
