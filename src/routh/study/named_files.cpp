#include "routh/study/named_files.h"

#include <algorithm>
#include <filesystem>

#include "routh/record/hdf5_file.h"
#include "routh/robot/mjcf_include.h"
#include "routh/scene/draft.h"
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
  add_files_of(root.name.starts_with("mujoco") ? expand_mjcf_includes(root, {}) : root, files);
  add_meshes(read_robot_file(path, {}).description, files);
}

void add_scene(const Document& document, Files& files) {
  if (!is_scene(document)) return;
  if (const auto robot = document.root().find("robot"))
    if (const auto file = robot->find("file"))
      add_robot(find_file(std::string(file->text()), document.name(), {}), files);
  add_meshes(read_draft(document).description, files);
}

void add_run(const std::string& path, Files& files) {
  const hdf::Session session;
  const hdf::Node root = hdf::open_file(path);
  add_scene(Document::from_text(root.read_text("scene"), root.text("scene_path")), files);
}

}  // namespace

std::vector<std::string> files_named_by(const std::string& path) {
  Files files;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return files;  // a pipe can be read once only
  try {
    if (hdf::has_signature(path))
      add_run(path, files);
    else if (is_robot_file(path))
      add_robot(path, files);
    else
      add_scene(Document::from_file(path), files);
  } catch (const std::exception&) {
    // What was found before stays.
  }
  std::erase(files, path);
  return files;
}

}  // namespace routh::internal
