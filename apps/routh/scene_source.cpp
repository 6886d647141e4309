#include "scene_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "assignments.h"
#include "commands.h"
#include "output.h"
#include "routh/problem/reader.h"
#include "routh/record/run_file.h"
#include "routh/record/sample_state.h"
#include "routh/scene/draft.h"
#include "routh/scene/overlap_refusal.h"
#include "routh/scene/robot_floor.h"
#include "routh/scene/scene_text.h"

namespace routh {

namespace {

std::string folder_of(const std::string& output) {
  if (output.empty() || output == "-") return {};
  const std::string folder = std::filesystem::path(output).parent_path().string();
  return folder.empty() ? "." : folder;
}

void say(const std::vector<std::string>& warnings, Verbosity verbosity) {
  if (verbosity == Verbosity::normal)
    for (const std::string& warning : warnings) write_complaint(warning);
}

bool is_named_as_run(const std::string& path) { return path.ends_with(".h5") || path.ends_with(".hdf5"); }

// The scene that a run file holds, in the state of its last sample up to the time asked for.
Scene scene_of_run(const std::string& path, std::optional<double> at) {
  const RunData run = read_run(path);
  Scene scene = read_scene_text(run.info.scene_text, run.info.scene_path.empty() ? path : run.info.scene_path);
  const auto later = std::find_if(run.samples.begin(), run.samples.end(),
                                  [&](const Sample& sample) { return at && sample.state.time > *at; });
  if (later == run.samples.begin() || (at && *at > run.outcome.time))
    throw UsageError(fmt::format("error: --at {:g}: '{}' runs from {:g} s to {:g} s", at.value_or(0),
                                 printable(path, 200), run.samples.empty() ? 0 : run.samples.front().state.time,
                                 run.outcome.time));
  const State state = state_of(scene.model, *std::prev(later));
  if (at && state.time < *at)
    scene.warnings.push_back(
        fmt::format("{}: warning: this is t = {:.9g} s, the last sample up to {:.9g} s; "
                    "`simulate --samples` records more",
                    printable(path, 200), state.time, *at));
  internal::begin_in(scene, state);
  return scene;
}

void refuse_study(const Node& root, const std::string& path) {
  if (root.is_map() && root.find("study"))
    throw InputError(root.where(), "this is a study, not a scene",
                     fmt::format("run it by `routh sweep {}`", shell_word(path)));
}

}  // namespace

OpenedFile open_file(const SourceFile& file) {
  OpenedFile opened;
  opened.path = file.path;
  if (file.at && !is_named_as_run(file.path))
    throw UsageError("error: --at is for run files (.h5); a scene says its state itself");
  if (is_named_as_run(file.path)) {
    if (file.robot.chosen() || file.ground.wanted())
      throw UsageError("error: --base, --keyframe, --package, --floor and --drop are for robot files, not for runs");
    opened.scene = scene_of_run(file.path, file.at);
    assign(file.set, *opened.scene);
    return opened;
  }
  if (is_robot_file(file.path)) {
    opened.scene = scene_of_robot(read_robot_file(file.path, file.robot), file.ground);
    assign(file.set, *opened.scene);
    return opened;
  }
  if (file.robot.chosen())
    throw UsageError(
        "error: --base, --keyframe and --package are for robot files; a scene says them in its section `robot`");
  if (file.ground.wanted())
    throw UsageError("error: --floor and --drop are for robot files; a scene has a floor among its `shapes`");
  opened.text = read_text_file(file.path, TextLimits{}.max_bytes);
  opened.document = Document::from_text(opened.text, file.path);
  if (is_scene(*opened.document)) {
    opened.scene = read_scene(*opened.document);
    assign(file.set, *opened.scene);
  } else {
    opened.set = file.set;
  }
  return opened;
}

void require_scene(const OpenedFile& file, const char* remedy) {
  if (file.scene) return;
  const Node root = file.document->root();
  refuse_study(root, file.path);
  throw InputError(root.where(), "this is not a scene: the key `routh` is missing", remedy);
}

ProblemFile take_problem(const OpenedFile& file) {
  refuse_study(file.document->root(), file.path);
  ProblemFile problem;
  read_problem(*file.document, problem);
  assign(file.set, problem);
  return problem;
}

Scene take_scene(OpenedFile& file, Verbosity verbosity) {
  say(file.scene->warnings, verbosity);
  return std::move(*file.scene);
}

Scene take_checked_scene(OpenedFile& file, Verbosity verbosity) {
  Scene scene = take_scene(file, verbosity);
  refuse_overlaps(scene, scene.state, file.path);
  return scene;
}

void warn_of_free_fall(const Scene& scene, Verbosity verbosity) {
  if (const std::string warning = free_fall_warning(scene); !warning.empty()) say({warning}, verbosity);
}

std::string scene_source(const OpenedFile& file) {
  return file.scene ? kept_text(*file.scene, file.text, file.path) : file.text;
}

ExitCode run_convert(const ConvertOptions& options) {
  check_outputs({{"the file that is read", options.file.path}}, {{"-o", options.output}});
  const OpenedFile file = open_file(options.file);
  if (!file.scene)
    throw InputError(file.document->root().where(), "this is neither a robot nor a scene",
                     "a robot's file ends with .urdf, .xml or .mjcf; a scene has the key `routh`");
  say(file.scene->draft.warnings, options.verbosity);
  const std::string text = scene_text(*file.scene, {options.file.path, folder_of(options.output)});
  if (options.output.empty() || options.output == "-")
    write_stdout(text);
  else
    write_file(options.output, text);
  return ExitCode::ok;
}

}  // namespace routh
