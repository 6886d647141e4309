#include "scene_source.h"

#include <filesystem>

#include "commands.h"
#include "output.h"
#include "routh/scene/overlap_refusal.h"
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

}  // namespace

OpenedFile open_file(const SourceFile& file) {
  OpenedFile opened;
  opened.path = file.path;
  if (is_robot_file(file.path)) {
    opened.scene = scene_of_robot(read_robot_file(file.path, file.robot));
    return opened;
  }
  if (file.robot.chosen())
    throw UsageError(
        "error: --base, --keyframe and --package are for robot files; a scene says them in its section `robot`");
  opened.text = read_text_file(file.path, TextLimits{}.max_bytes);
  opened.document = Document::from_text(opened.text, file.path);
  if (is_scene(*opened.document)) opened.scene = read_scene(*opened.document);
  return opened;
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

std::string scene_source(const OpenedFile& file) {
  return file.scene ? kept_text(*file.scene, file.text, file.path) : file.text;
}

ExitCode run_convert(const ConvertOptions& options) {
  refuse_overwriting({{"the file that is read", options.file.path}}, {{"-o", options.output}});
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
