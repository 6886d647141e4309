#include "routh/robot/mjcf_names.h"

#include <algorithm>

#include "routh/model/description.h"

namespace routh::internal {

namespace {

MjcfNamed kind_of_element(std::string_view element) {
  if (element == "body") return MjcfNamed::body;
  if (element == "joint" || element == "freejoint") return MjcfNamed::joint;
  if (element == "geom") return MjcfNamed::geom;
  return element == "site" ? MjcfNamed::site : MjcfNamed::nothing;
}

struct Reference {
  std::string_view attribute;
  MjcfNamed kind;
};

constexpr Reference references[] = {
    {"body", MjcfNamed::body},    {"body1", MjcfNamed::body},      {"body2", MjcfNamed::body},
    {"joint", MjcfNamed::joint},  {"joint1", MjcfNamed::joint},    {"joint2", MjcfNamed::joint},
    {"geom1", MjcfNamed::geom},   {"geom2", MjcfNamed::geom},      {"jointinparent", MjcfNamed::joint},
    {"site", MjcfNamed::site},    {"site1", MjcfNamed::site},      {"site2", MjcfNamed::site},
    {"refsite", MjcfNamed::site}, {"slidersite", MjcfNamed::site}, {"cranksite", MjcfNamed::site},
};

MjcfNamed kind_of_reference(std::string_view attribute) {
  const auto* found = std::find_if(std::begin(references), std::end(references),
                                   [&](const Reference& r) { return r.attribute == attribute; });
  return found == std::end(references) ? MjcfNamed::nothing : found->kind;
}

bool is_world(MjcfNamed kind, const std::string& name) { return kind == MjcfNamed::body && name == world_name; }

}  // namespace

void collect_mjcf_names(const XmlElement& element, MjcfNames& names) {
  const MjcfNamed kind = kind_of_element(element.name);
  if (kind != MjcfNamed::nothing)
    if (const XmlAttribute* name = element.attribute("name"); name && !name->value.empty())
      names.emplace(kind, name->value);
  for (const XmlElement& child : element.children) collect_mjcf_names(child, names);
}

void rename_mjcf_tree(XmlElement& element, const MjcfRenaming& renaming) {
  if (kind_of_element(element.name) != MjcfNamed::nothing)
    for (XmlAttribute& attribute : element.attributes)
      if (attribute.name == "name" && !attribute.value.empty()) attribute.value = renaming.of(attribute.value);
  for (XmlElement& child : element.children) rename_mjcf_tree(child, renaming);
}

MjcfNames mjcf_references(const XmlElement& element) {
  MjcfNames names;
  for (const XmlAttribute& attribute : element.attributes) {
    const MjcfNamed kind = kind_of_reference(attribute.name);
    if (kind != MjcfNamed::nothing && !is_world(kind, attribute.value)) names.emplace(kind, attribute.value);
  }
  return names;
}

void rename_mjcf_references(XmlElement& element, const MjcfRenaming& renaming, const MjcfNames& names) {
  for (XmlAttribute& attribute : element.attributes) {
    const MjcfNamed kind = kind_of_reference(attribute.name);
    const bool own_name = attribute.name == "name" && !attribute.value.empty();
    if (own_name || (kind != MjcfNamed::nothing && names.contains({kind, attribute.value})))
      attribute.value = renaming.of(attribute.value);
  }
}

}  // namespace routh::internal
