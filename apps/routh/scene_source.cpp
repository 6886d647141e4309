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

std::string robot_text(const std::string& path, const RobotOptions& options, const std::string& folder,
                       Verbosity verbosity) {
  return written(scene_of_robot(read_robot_file(path, options), path), folder, verbosity);
}

std::string folder_of(const std::string& output) {
  if (output.empty() || output == "-") return {};
  const std::string folder = std::filesystem::path(output).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Document open_document(const std::string& path, Verbosity verbosity) {
  return is_robot_file(path) ? Document::from_text(robot_text(path, {}, {}, verbosity), path)
                             : Document::from_file(path);
}

std::string scene_source(const std::string& path, Verbosity verbosity) {
  if (is_robot_file(path)) return robot_text(path, {}, {}, verbosity);
  std::string text = read_text_file(path, TextLimits{}.max_bytes);
  const Document document = Document::from_text(text, path);
  return is_scene(document) && document.root().find("robot") ? written(without_robot(document), {}, verbosity) : text;
}

ExitCode run_convert(const ConvertOptions& options) {
  std::string text;
  if (is_robot_file(options.file)) {
    text = robot_text(options.file, options.robot, folder_of(options.output), options.verbosity);
  } else {
    if (options.robot.base || !options.robot.packages.empty())
      throw UsageError("error: --base and --package are for robot files; a scene says them in its section `robot`");
    const Document document = Document::from_file(options.file);
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
