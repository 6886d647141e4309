#include "scene_source.h"

#include <filesystem>

#include "output.h"
#include "routh/scene/scene_text.h"

namespace routh {

namespace {

void say(const SceneText& scene, Verbosity verbosity) {
  if (verbosity == Verbosity::normal)
    for (const std::string& warning : scene.warnings) write_complaint(warning);
}

// `folder`: where the text will stand; empty: anywhere.
std::string written(SceneText scene, const std::string& folder, Verbosity verbosity) {
  say(scene, verbosity);
  place_meshes(scene.description, folder);
  return scene_text(scene);
}

std::string robot_text(const SourceFile& file, const std::string& folder, Verbosity verbosity) {
  return written(scene_of_robot(read_robot_file(file.path, file.robot), file.path), folder, verbosity);
}

std::string folder_of(const std::string& output) {
  if (output.empty() || output == "-") return {};
  const std::string folder = std::filesystem::path(output).parent_path().string();
  return folder.empty() ? "." : folder;
}

void refuse_choices(const SourceFile& file) {
  if (file.robot.chosen())
    throw UsageError(
        "error: --base, --keyframe and --package are for robot files; a scene says them in its section `robot`");
}

}  // namespace

Document open_document(const SourceFile& file, Verbosity verbosity) {
  if (is_robot_file(file.path)) return Document::from_text(robot_text(file, {}, verbosity), file.path);
  refuse_choices(file);
  return Document::from_file(file.path);
}

std::string scene_source(const SourceFile& file, Verbosity verbosity) {
  if (is_robot_file(file.path)) return robot_text(file, {}, verbosity);
  refuse_choices(file);
  std::string text = read_text_file(file.path, TextLimits{}.max_bytes);
  const Document document = Document::from_text(text, file.path);
  return is_scene(document) && document.root().find("robot") ? written(without_robot(document), {}, verbosity) : text;
}

ExitCode run_convert(const ConvertOptions& options) {
  refuse_overwriting({{"the file that is read", options.file.path}}, {{"-o", options.output}});
  std::string text;
  if (is_robot_file(options.file.path)) {
    text = robot_text(options.file, folder_of(options.output), options.verbosity);
  } else {
    refuse_choices(options.file);
    const Document document = Document::from_file(options.file.path);
    if (!is_scene(document))
      throw InputError(document.root().where(), "this is neither a robot nor a scene",
                       "a robot's file ends with .urdf, .xml or .mjcf; a scene has the key `routh`");
    text = written(without_robot(document), folder_of(options.output), options.verbosity);
  }
  if (options.output.empty() || options.output == "-")
    write_stdout(text);
  else
    write_file(options.output, text);
  return ExitCode::ok;
}

}  // namespace routh
