#include "routh/scene/named_files.h"

#include <algorithm>
#include <filesystem>

#include "routh/robot/mjcf_assembly.h"
#include "routh/robot/robot_reading.h"
#include "routh/scene/scene.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

using Files = std::vector<std::string>;

void add(const std::string& file, Files& files) {
  if (!file.empty() && std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
}

void add_meshes(const ModelDescription& description, Files& files) {
  for (const ShapeDescription& shape : description.shapes) add(shape.mesh.file, files);
}

// Every element knows the file that it stands in.
void add_files_of(const XmlElement& element, Files& files) {
  add(*element.file, files);
  for (const XmlElement& child : element.children) add_files_of(child, files);
}

void add_robot(const std::string& path, Files& files) {
  const XmlElement root = read_xml_file(path);
  add_files_of(root.name.starts_with("mujoco") ? assemble_mjcf(root, {}).root : root, files);
  add_meshes(read_robot_file(path, {}).description, files);
}

void add_scene(const Document& document, Files& files) {
  if (!is_scene(document)) return;
  if (const auto robot = document.root().find("robot"))
    if (const auto file = robot->find("file"))
      add_robot(find_file(std::string(file->text()), document.name(), {}), files);
  add_meshes(read_scene(document).draft.description, files);
}

// What was found before something cannot be read stays; a file does not name itself.
template <class Find>
Files found_by(const std::string& path, Find&& find) {
  Files files;
  try {
    find(files);
  } catch (const std::exception&) {
  }
  std::erase(files, path);
  return files;
}

}  // namespace

std::vector<std::string> files_named_by(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};  // a pipe can be read once only
  return found_by(path, [&](Files& files) {
    if (is_robot_file(path))
      add_robot(path, files);
    else
      add_scene(Document::from_file(path), files);
  });
}

std::vector<std::string> files_named_by_scene(const std::string& text, const std::string& name) {
  return found_by(name, [&](Files& files) { add_scene(Document::from_text(text, name), files); });
}

}  // namespace routh::internal
