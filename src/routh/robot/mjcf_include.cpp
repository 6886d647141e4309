#include "routh/robot/mjcf_include.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace routh::internal {

namespace {

class Includer {
 public:
  Includer(const std::string& main_file, const RobotOptions& options, MjcfSize& size)
      : main_file_(main_file), options_(options), size_(size) {
    open_.push_back(resolved(main_file));
  }

  // A copy of `element` without includes.
  XmlElement expand(const XmlElement& element, int depth) {
    size_.add(element);
    XmlElement out;
    out.name = element.name;
    out.attributes = element.attributes;
    out.text = element.text;
    out.line = element.line;
    out.column = element.column;
    out.file = element.file;
    add_children(element, out.children, depth);
    return out;
  }

 private:
  void add_children(const XmlElement& element, std::vector<XmlElement>& out, int depth) {
    for (const XmlElement& child : element.children)
      if (child.name == "include")
        include(child, out, depth);
      else
        out.push_back(expand(child, depth));
  }

  static std::string resolved(const std::string& path) {
    std::error_code error;
    const std::filesystem::path full = std::filesystem::weakly_canonical(path, error);
    return error ? path : full.string();
  }

  // Beside the outermost file, as MuJoCo looks for it, or beside the one that includes.
  std::string find(const XmlElement& element, const XmlAttribute& name) const {
    std::string path = find_file(name.value, main_file_, options_);
    if (path.empty()) path = find_file(name.value, *element.file, options_);
    if (path.empty())
      throw InputError(element.where_value(name), fmt::format("there is no file '{}'", printable(name.value, 200)),
                       "put it beside the file that includes it, or correct its name");
    return path;
  }

  void include(const XmlElement& element, std::vector<XmlElement>& out, int depth) {
    const XmlAttribute* name = element.attribute("file");
    if (!name) throw InputError(element.where(), "<include> has no attribute 'file'", "add file=\"…\"");
    const std::string path = find(element, *name);
    if (std::find(open_.begin(), open_.end(), resolved(path)) != open_.end())
      throw InputError(element.where_value(*name),
                       fmt::format("'{}' is included already, or includes itself", printable(name->value, 200)),
                       "a file may be included once; use another copy of it");
    if (depth >= max_mjcf_include_depth)
      throw InputError(element.where(), fmt::format("files include each other {} deep", depth), "join some of them");
    open_.push_back(resolved(path));
    const XmlElement root = read_xml_file(path);
    if (root.name != "mujoco" && root.name != "mujocoinclude")
      throw InputError(root.where(), fmt::format("the outermost element is <{}>", printable(root.name)),
                       "that of an included file is <mujocoinclude> or <mujoco>");
    add_children(root, out, depth + 1);
  }

  const std::string& main_file_;
  const RobotOptions& options_;
  MjcfSize& size_;
  std::vector<std::string> open_;  // and those that were read before
};

}  // namespace

void MjcfSize::add(const XmlElement& element) {
  if (++elements_ > max_mjcf_elements)
    throw InputError(element.where(), fmt::format("the model has more than {} elements", max_mjcf_elements),
                     "make its files smaller, or replicate less");
  bytes_ += element.name.size() + element.text.size();
  for (const XmlAttribute& attribute : element.attributes) bytes_ += attribute.name.size() + attribute.value.size();
  if (bytes_ > max_mjcf_bytes)
    throw InputError(element.where(), fmt::format("the model has more than {} MiB of text", max_mjcf_bytes >> 20),
                     "make its files smaller, or replicate less");
}

void MjcfSize::add_all(const XmlElement& element) {
  add(element);
  for (const XmlElement& child : element.children) add_all(child);
}

XmlElement expand_mjcf_includes(const XmlElement& root, const RobotOptions& options, MjcfSize& size) {
  return Includer(*root.file, options, size).expand(root, 0);
}

}  // namespace routh::internal
