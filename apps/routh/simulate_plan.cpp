#include "simulate_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "routh/base/error.h"
#include "routh/file/sha256.h"
#include "routh/record/run_info.h"
#include "routh/version.h"
#include "scene_source.h"

namespace routh {

namespace {

constexpr double usual_duration = 10;  // [s]
constexpr double most_samples = 1e8;

Integrator integrator_of(std::string_view word) {
  const auto found = std::find(integrator_names.begin(), integrator_names.end(), word);
  return found == integrator_names.end() ? Integrator::automatic
                                         : static_cast<Integrator>(found - integrator_names.begin());
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc));
}

void load_new(const SimulateOptions& options, SimulationPlan& plan) {
  OpenedFile file = open_file(options.file);
  if (!file.scene)
    throw InputError(file.document->root().where(), "this is no scene: the key `routh` is missing",
                     "put `routh: 1` at the top of a scene; an impact from a problem file: `routh impact`");
  plan.info.scene_path = options.file.path;
  plan.info.scene_text = scene_source(file);
  plan.scene = take_checked_scene(file, options.verbosity);
  plan.info.seed = plan.scene.simulation.seed.value_or(0);
  describe_coordinates(plan.scene.model, plan.info);
  const SceneSimulation& wish = plan.scene.simulation;
  if (wish.tolerance) plan.options.tolerance = *wish.tolerance;
  if (wish.max_step) plan.options.max_step = *wish.max_step;
  if (wish.integrator) plan.options.integrator = integrator_of(*wish.integrator);
  plan.options.law = wish.law;
  plan.until = wish.until.value_or(plan.start() + usual_duration);
}

[[noreturn]] void refuse_run(const std::string& path, const std::string& why, const std::string& remedy = {}) {
  throw InputError({path}, why, remedy);
}

// How the run was computed, so that it goes on in the same way.
void take_options(const std::string& path, const RunData& run, SimulationPlan& plan) {
  plan.options.tolerance = run.info.tolerance;
  const nlohmann::json json = nlohmann::json::parse(run.info.options_json, nullptr, false);
  const auto number = [&](const char* key, double otherwise) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>() : otherwise;
  };
  const auto word = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!json.is_object() || !(plan.options.tolerance > 0)) refuse_run(path, "the run does not say how it was computed");
  plan.options.max_step = number("max_step", plan.options.max_step);
  plan.options.integrator = integrator_of(word("integrator"));
  for (const Law law : all_laws)
    if (word("law") == name(law)) plan.options.law = law;
  plan.until = number("until", run.outcome.time);
}

// Keeps what came before the checkpoint: the rest is computed anew, to the same bits.
void cut_at_checkpoint(const std::string& path, RunData& run) {
  const Checkpoint& checkpoint = run.outcome.checkpoint;
  if (checkpoint.events < 0 || static_cast<std::size_t>(checkpoint.events) > run.events.size())
    refuse_run(path, fmt::format("the run has {} events, and its checkpoint speaks of {}", run.events.size(),
                                 checkpoint.events));
  run.events.resize(static_cast<std::size_t>(checkpoint.events));
  std::erase_if(run.samples, [&](const Sample& sample) { return sample.state.time > checkpoint.state.time; });
}

void load_resumed(const SimulateOptions& options, SimulationPlan& plan) {
  RunData run = read_run(options.resume);
  const std::string& path = options.resume;
  if (!options.file.path.empty() && sha256_hex(scene_source(open_file(options.file))) != run.info.input_hash)
    throw InputError({options.file.path}, fmt::format("this is not the scene of '{}'", printable(path, 200)),
                     "leave the scene out: the run file holds it");
  plan.scene = read_scene_text(run.info.scene_text, run.info.scene_path.empty() ? path : run.info.scene_path);
  const State& from = run.outcome.checkpoint.state;
  if (from.q.size() != plan.scene.model.coordinates || from.v.size() != plan.scene.model.velocities)
    refuse_run(path, "the run has no checkpoint to go on from", "start anew");
  take_options(path, run, plan);
  cut_at_checkpoint(path, run);
  plan.info = run.info;
  plan.sample_interval = run.info.sample_interval;
  const double reached = run.outcome.time;
  const double until = options.until.value_or(plan.until);
  if (!(until > reached))
    throw UsageError(fmt::format("error: '{}' has reached t = {} s; say how much further with --until",
                                 printable(path, 200), reached));
  plan.before = std::move(run);
}

}  // namespace

SimulationPlan make_plan(const SimulateOptions& options) {
  if (options.file.path.empty() && options.resume.empty())
    throw UsageError("error: FILE is missing: give a scene, or a run with --resume");
  if (options.samples && options.output.empty()) throw UsageError("error: --samples needs a run file: -o run.h5");
  SimulationPlan plan;
  if (options.resume.empty()) {
    load_new(options, plan);
  } else {
    load_resumed(options, plan);
  }
  if (options.until) plan.until = *options.until;
  if (options.tolerance) plan.options.tolerance = *options.tolerance;
  if (options.max_step) plan.options.max_step = *options.max_step;
  if (options.law) plan.options.law = options.law;
  if (!options.integrator.empty()) plan.options.integrator = integrator_of(options.integrator);
  if (options.max_events) plan.options.max_events = *options.max_events;
  plan.options.touch = plan.scene.touch.tolerance;
  if (!(plan.until > plan.start()))
    throw UsageError(
        fmt::format("error: --until {} must exceed the time of the scene's state, {}", plan.until, plan.start()));
  const double wished =
      plan.sample_interval > 0 ? plan.sample_interval : plan.scene.simulation.sample_interval.value_or(0);
  plan.sample_interval = options.samples ? *options.samples
                         : wished > 0    ? wished
                                         : usual_interval(plan.until - plan.start());
  if (!((plan.until - plan.start()) / plan.sample_interval <= most_samples))
    throw UsageError(fmt::format("error: a sample every {} s up to t = {} s would be more than {:g} samples",
                                 plan.sample_interval, plan.until, most_samples));
  plan.info.program_version = ROUTH_VERSION;
  plan.info.created = now();
  plan.info.tolerance = plan.options.tolerance;
  plan.info.sample_interval = plan.sample_interval;
  plan.info.options_json = options_json(plan.options, plan.until);
  return plan;
}

}  // namespace routh
