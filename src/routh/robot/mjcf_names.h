// Names in a model that is put together of parts, and what names them. Private to the reader of MJCF.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "routh/robot/xml.h"

namespace routh::internal {

enum class MjcfNamed { nothing, body, joint, geom, site };
using MjcfNames = std::set<std::pair<MjcfNamed, std::string>>;

struct MjcfRenaming {
  std::string prefix, suffix;
  std::string of(const std::string& name) const { return prefix + name + suffix; }
};

// The names of all bodies, joints, geoms and sites in the element.
void collect_mjcf_names(const XmlElement& element, MjcfNames& names);
// Renames these in the element and all that is in it.
void rename_mjcf_tree(XmlElement& element, const MjcfRenaming& renaming);

// What a constraint or an actuator acts on. Those of the world do not count.
MjcfNames mjcf_references(const XmlElement& element);
// Renames it, and what it refers to where that is among `names`.
void rename_mjcf_references(XmlElement& element, const MjcfRenaming& renaming, const MjcfNames& names);

}  // namespace routh::internal
