#include "routh/robot/mjcf_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "routh/base/nearest_word.h"
#include "routh/robot/mjcf_reading.h"
#include "routh/robot/mjcf_sections.h"

namespace routh::internal {

namespace {

// What all models of one assembly share. Each file is assembled once.
struct Surroundings {
  const RobotOptions& options;
  MjcfSize size;
  std::map<std::string, std::shared_ptr<const MjcfAssembly>> models;  // by path
  std::vector<std::string> open;                                      // paths, each attaching the next
};

XmlElement element_at(const XmlElement& place, const char* name) {
  XmlElement out;
  out.name = name;
  out.line = place.line;
  out.column = place.column;
  out.file = place.file;
  out.part = place.part;
  return out;
}

void set(XmlElement& element, const XmlAttribute& place, const char* name, std::string value) {
  XmlAttribute attribute = place;
  attribute.name = name;
  attribute.value = std::move(value);
  attribute.used = false;
  element.attributes.push_back(std::move(attribute));
}

bool holds(const XmlElement& element, std::string_view name) {
  return std::any_of(element.children.begin(), element.children.end(),
                     [&](const XmlElement& child) { return child.name == name || holds(child, name); });
}

void shift_parts(XmlElement& element, int by) {
  element.part += by;
  for (XmlElement& child : element.children) shift_parts(child, by);
}

std::size_t count_joints(const XmlElement& element) {
  std::size_t count = element.name == "joint" || element.name == "freejoint" ? 1 : 0;
  for (const XmlElement& child : element.children) count += count_joints(child);
  return count;
}

// A body or frame of a name, and the default class that its elements inherit there.
struct Found {
  const XmlElement* element = nullptr;
  std::string child_class;
};

Found find_part(const XmlElement& element, std::string_view kind, const std::string& name,
                const std::string& inherited) {
  for (const XmlElement& child : element.children) {
    const XmlAttribute *own_class = child.attribute("childclass"), *own_name = child.attribute("name");
    if (child.name == kind && own_name && own_name->value == name) return {&child, inherited};
    if (child.name != "body" && child.name != "frame" && child.name != "replicate" && child.name != "worldbody")
      continue;
    if (Found found = find_part(child, kind, name, own_class ? own_class->value : inherited); found.element)
      return found;
  }
  return {};
}

std::shared_ptr<const MjcfAssembly> assemble_file(const XmlElement& element, const XmlAttribute& file,
                                                  const std::string& main_file, Surroundings& surroundings);

class Assembler {
 public:
  Assembler(const XmlElement& written, Surroundings& surroundings)
      : surroundings_(surroundings), sections_(surroundings.size) {
    out_.parts.push_back({-1, *written.file});
    out_.root = expand_mjcf_includes(written, surroundings.options, surroundings.size);
  }

  MjcfAssembly assemble() {
    if (!holds(out_.root, "attach") && !holds(out_.root, "replicate")) return std::move(out_);
    const MjcfAssembly written = out_;  // for <attach> without a model, and for <compiler>
    MjcfReading reading(written, surroundings_.options);
    read_mjcf_compiler(reading);
    written_ = &written.root;
    reading_ = &reading;
    std::vector<XmlElement> worlds;
    for (XmlElement& section : out_.root.children)
      if (section.name == "worldbody")
        worlds.push_back(std::move(section));
      else if (section.name == "asset")
        sections_.add(without_models(std::move(section)));
      else
        sections_.add(std::move(section));
    for (XmlElement& world : worlds) expand(world);
    out_.root.children = sections_.take();
    std::move(worlds.begin(), worlds.end(), std::back_inserter(out_.root.children));
    return std::move(out_);
  }

 private:
  XmlElement without_models(XmlElement assets) {
    const auto models = std::stable_partition(assets.children.begin(), assets.children.end(),
                                              [](const XmlElement& child) { return child.name != "model"; });
    std::move(models, assets.children.end(), std::back_inserter(models_));
    assets.children.erase(models, assets.children.end());
    return assets;
  }

  // What is in the element, its <attach> and <replicate> made out. The depth is bounded by the XML reader and the depth
  // of attaching.
  void expand(XmlElement& element) {
    std::vector<XmlElement> children;
    children.swap(element.children);
    for (XmlElement& child : children) {
      if (child.name == "attach") {
        attach(child, element.children);
      } else if (child.name == "replicate") {
        expand(child);
        replicate(child, element.children);
      } else {
        if (child.name == "body" || child.name == "frame") expand(child);
        element.children.push_back(std::move(child));
      }
    }
  }

  void attach(const XmlElement& element, std::vector<XmlElement>& out) {
    XmlElement frame = element_at(element, "frame");
    const XmlAttribute *model = nullptr, *name = nullptr;
    std::string prefix;
    for (const XmlAttribute& attribute : element.attributes) {
      if (attribute.name == "prefix")
        prefix = attribute.value;
      else if (attribute.name == "model")
        model = &attribute;
      else if (attribute.name == "body" || attribute.name == "frame")
        name = &attribute;
      else
        frame.attributes.push_back(attribute);  // warned of where frames are read
    }
    if (model)
      attach_model(element, *model, name, prefix, frame);
    else
      attach_own(element, name, prefix, frame);
    out.push_back(std::move(frame));
  }

  const XmlElement& model_asset(const XmlElement& element, const XmlAttribute& wanted) const {
    std::map<std::string, const XmlElement*, std::less<>> known;
    for (const XmlElement& model : models_) {
      const XmlAttribute *name = model.attribute("name"), *file = model.attribute("file");
      if (!file) throw InputError(model.where(), "<model> has no attribute 'file'", "add file=\"…\"");
      const std::string stem = std::filesystem::path(file->value).stem().string();
      known.emplace(name && !name->value.empty() ? name->value : stem, &model);
    }
    if (const auto found = known.find(wanted.value); found != known.end()) return *found->second;
    throw InputError(element.where_value(wanted), fmt::format("there is no model '{}'", printable(wanted.value)),
                     nearest_hint(wanted.value, known, "add <model name=\"…\" file=\"…\"/> to <asset>"));
  }

  void attach_model(const XmlElement& element, const XmlAttribute& model, const XmlAttribute* name,
                    const std::string& prefix, XmlElement& frame) {
    const XmlElement& asset = model_asset(element, model);
    const std::shared_ptr<const MjcfAssembly> other =
        assemble_file(asset, *asset.attribute("file"), out_.parts.front().file, surroundings_);
    const XmlElement& root = other->root;
    const bool whole = !name || (name->name == "body" && name->value == world_name);
    Found found;
    if (whole) {
      for (const XmlElement& section : root.children)
        if (section.name == "worldbody") {
          frame.children.insert(frame.children.end(), section.children.begin(), section.children.end());
          if (const XmlAttribute* inherited = section.attribute("childclass")) found.child_class = inherited->value;
        }
    } else {
      found = find_part(root, name->name, name->value, {});
      if (!found.element)
        throw InputError(
            element.where_value(*name),
            fmt::format("the model '{}' has no {} '{}'", printable(model.value), name->name, printable(name->value)),
            "name one that is there, or leave it out for all of its world");
      frame.children.push_back(*found.element);
    }
    const std::vector<XmlElement> sections = sections_of(root, frame, whole);
    const int shift = static_cast<int>(out_.parts.size());
    frame.part = 0;
    for (XmlElement& child : frame.children) rename_mjcf_tree(child, {prefix, {}});
    set(frame, model, "childclass", found.child_class.empty() ? "main" : found.child_class);
    shift_parts(frame, shift);
    surroundings_.size.add_all(frame);
    for (XmlElement section : sections) {
      for (XmlElement& child : section.children) rename_mjcf_references(child, {prefix, {}}, mjcf_references(child));
      shift_parts(section, shift);
      surroundings_.size.add_all(section);
      sections_.add(std::move(section));
    }
    for (const MjcfPart& part : other->parts)
      out_.parts.push_back({part.parent < 0 ? 0 : part.parent + shift, part.file});
  }

  // Of another model: what refers to parts of it that are not taken is left behind, as MuJoCo does.
  static std::vector<XmlElement> sections_of(const XmlElement& root, const XmlElement& taken, bool whole) {
    MjcfNames there;
    collect_mjcf_names(taken, there);
    std::size_t joints = 0;
    for (const XmlElement& section : root.children)
      if (section.name == "worldbody") joints += count_joints(section);
    std::vector<XmlElement> out;
    for (const XmlElement& section : root.children) {
      if (section.name == "worldbody") continue;
      // A key has a number for every joint.
      if (section.name == "keyframe" && count_joints(taken) != joints) continue;
      out.push_back(section);
      if (whole || (section.name != "contact" && section.name != "equality" && section.name != "actuator")) continue;
      std::erase_if(out.back().children, [&](const XmlElement& child) {
        const MjcfNames names = mjcf_references(child);
        return !std::includes(there.begin(), there.end(), names.begin(), names.end());
      });
    }
    return out;
  }

  // A copy of a part of this model.
  void attach_own(const XmlElement& element, const XmlAttribute* name, const std::string& prefix, XmlElement& frame) {
    if (!name)
      throw InputError(element.where(), "<attach> names neither a model nor a body or frame",
                       "add model=\"…\" for another model, or body=\"…\" for a copy within this one");
    const Found found = find_part(*written_, name->name, name->value, {});
    if (!found.element)
      throw InputError(element.where_value(*name),
                       fmt::format("there is no {} '{}'", name->name, printable(name->value)),
                       "name one of this file, or the model with model=\"…\"");
    if (prefix.empty())
      throw InputError(element.where(), fmt::format("a copy of '{}' would have its name", printable(name->value)),
                       "add prefix=\"…\"");
    if (++own_depth_ > max_mjcf_attach_depth)
      throw InputError(element.where(), fmt::format("'{}' is attached within itself", printable(name->value)),
                       "attach it outside");
    frame.children.push_back(*found.element);
    surroundings_.size.add_all(frame);
    expand(frame);
    --own_depth_;
    MjcfNames names;
    collect_mjcf_names(frame, names);
    for (XmlElement& child : frame.children) rename_mjcf_tree(child, {prefix, {}});
    set(frame, *name, "childclass", found.child_class.empty() ? "main" : found.child_class);
    sections_.duplicate(names, {prefix, {}});
  }

  void replicate(const XmlElement& element, std::vector<XmlElement>& out) {
    const MjcfSettings settings(element, {&element});
    const auto written = settings.find("count");
    const int count = settings.integer("count", 0);
    if (count < 1)
      throw InputError(written ? written.where() : element.where(), "<replicate> has no positive count",
                       "add count=\"…\", how many there shall be");
    const Vector3 offset = settings.vector("offset", {}), euler = settings.vector("euler", {});
    const std::string separator = settings.text("sep");
    const std::size_t digits = std::to_string(count).size();
    MjcfNames names;
    collect_mjcf_names(element, names);
    std::vector<MjcfRenaming> renamings;
    Vector3 position;
    for (int k = 0; k < count; ++k) {
      renamings.push_back({{}, separator + fmt::format("{:0{}}", k, digits)});
      XmlElement frame = element_at(element, "frame");
      for (const XmlAttribute& attribute : element.attributes)
        if (attribute.name != "count" && attribute.name != "offset" && attribute.name != "euler" &&
            attribute.name != "sep")
          frame.attributes.push_back(attribute);
      const XmlAttribute& place = *written.attribute;
      set(frame, place, "pos", fmt::format("{} {} {}", position.x, position.y, position.z));
      set(frame, place, "euler", fmt::format("{} {} {}", k * euler.x, k * euler.y, k * euler.z));
      frame.children = element.children;
      for (XmlElement& child : frame.children) rename_mjcf_tree(child, renamings.back());
      surroundings_.size.add_all(frame);
      position += read_mjcf_pose(*reading_, {frame, {&frame}}).rotation * offset;
      out.push_back(std::move(frame));
    }
    sections_.replicate(names, renamings);
  }

  Surroundings& surroundings_;
  MjcfAssembly out_;
  MjcfSections sections_;
  std::vector<XmlElement> models_;  // of <asset>
  const XmlElement* written_ = nullptr;
  const MjcfReading* reading_ = nullptr;  // for <compiler>
  int own_depth_ = 0;
};

std::shared_ptr<const MjcfAssembly> assemble_file(const XmlElement& element, const XmlAttribute& file,
                                                  const std::string& main_file, Surroundings& surroundings) {
  std::string path = find_file(file.value, main_file, surroundings.options);
  if (path.empty()) path = find_file(file.value, *element.file, surroundings.options);
  if (path.empty())
    throw InputError(element.where_value(file), fmt::format("there is no file '{}'", printable(file.value, 200)),
                     "put it beside the file that attaches it, or correct its name");
  std::error_code error;
  const std::filesystem::path full = std::filesystem::weakly_canonical(path, error);
  const std::string key = error ? path : full.string();
  if (const auto known = surroundings.models.find(key); known != surroundings.models.end()) return known->second;
  std::vector<std::string>& open = surroundings.open;
  if (std::find(open.begin(), open.end(), key) != open.end())
    throw InputError(element.where_value(file), fmt::format("'{}' attaches itself", printable(file.value, 200)),
                     "attach it to another model");
  if (open.size() > static_cast<std::size_t>(max_mjcf_attach_depth))
    throw InputError(element.where(), fmt::format("models attach each other {} deep", max_mjcf_attach_depth),
                     "join some of them");
  open.push_back(key);
  const XmlElement root = read_xml_file(path);
  if (root.name != "mujoco")
    throw InputError(root.where(), fmt::format("the outermost element is <{}>", printable(root.name)),
                     "that of an attached model is <mujoco>");
  auto assembly = std::make_shared<const MjcfAssembly>(Assembler(root, surroundings).assemble());
  open.pop_back();
  surroundings.models.emplace(key, assembly);
  return assembly;
}

}  // namespace

bool MjcfAssembly::is_within(int part, int ancestor) const {
  while (part > ancestor) part = parts[static_cast<std::size_t>(part)].parent;
  return part == ancestor;
}

MjcfAssembly assemble_mjcf(const XmlElement& root, const RobotOptions& options) {
  Surroundings surroundings{options, {}, {}, {}};
  std::error_code error;
  const std::filesystem::path full = std::filesystem::weakly_canonical(*root.file, error);
  surroundings.open.push_back(error ? *root.file : full.string());
  return Assembler(root, surroundings).assemble();
}

}  // namespace routh::internal
