// Which links and joints there are, and that they make a tree.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "routh/base/nearest_word.h"
#include "routh/robot/urdf_parts.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

using NameMap = std::map<std::string, std::size_t, std::less<>>;

// In the order of UrdfJointType.
constexpr std::string_view joint_types[] = {"fixed",    "revolute", "continuous", "prismatic",
                                            "floating", "planar",   "spherical"};

void add_name(NameMap& names, const XmlElement& element, const std::string& name, const XmlElement* earlier) {
  if (names.emplace(name, names.size()).second) return;
  throw InputError(element.where(),
                   fmt::format("there are two <{}> of the name '{}'{}", element.name, printable(name),
                               earlier ? fmt::format(" (the first on line {})", earlier->line) : ""),
                   "rename one of them");
}

std::string unique(UrdfReading& reading, RobotNames& names, const XmlElement& element, const std::string& name) {
  std::string given = names.unique(name);
  if (given != name)
    reading.warnings.add(element.where(),
                         fmt::format("<{}> '{}' is called '{}' here", element.name, printable(name, 200), given));
  return given;
}

std::size_t require_link(const XmlElement& joint, const char* end, const NameMap& links) {
  const XmlElement* element = joint.child(end);
  if (!element)
    throw InputError(joint.where(), fmt::format("<joint> has no <{}>", end), fmt::format("add <{} link=\"…\"/>", end));
  const std::string name = require_text(*element, "link");
  const auto found = links.find(name);
  if (found != links.end()) return found->second;
  const std::string near = nearest_hint(name, links);
  throw InputError(element->where_value(*element->attribute("link")),
                   fmt::format("there is no link '{}'", printable(name)),
                   near.empty() ? "add a <link> of this name" : near);
}

UrdfJointType read_type(const XmlElement& joint) {
  const std::string type = require_text(joint, "type");
  const auto* found = std::find(std::begin(joint_types), std::end(joint_types), type);
  if (found == std::end(joint_types))
    throw InputError(joint.where_value(*joint.attribute("type")),
                     fmt::format("the joint type '{}' is not known", printable(type)),
                     fmt::format("known are {}", fmt::join(joint_types, ", ")));
  return static_cast<UrdfJointType>(found - joint_types);
}

void read_links(UrdfReading& reading, NameMap& names) {
  for (const XmlElement* element : reading.root.all("link")) {
    UrdfLink link;
    link.element = element;
    link.name = require_text(*element, "name");
    const auto earlier = names.find(link.name);
    add_name(names, *element, link.name, earlier == names.end() ? nullptr : reading.links[earlier->second].element);
    reading.links.push_back(std::move(link));
  }
  if (reading.links.empty())
    throw InputError(reading.root.where(), "<robot> has no <link>", "a robot has at least one link");
}

void read_joints(UrdfReading& reading, const NameMap& links) {
  NameMap names;
  std::vector<std::optional<std::size_t>> joint_of(reading.links.size());
  for (const XmlElement* element : reading.root.all("joint")) {
    UrdfJoint joint;
    joint.element = element;
    joint.name = require_text(*element, "name");
    const auto earlier = names.find(joint.name);
    add_name(names, *element, joint.name, earlier == names.end() ? nullptr : reading.joints[earlier->second].element);
    joint.type = read_type(*element);
    joint.parent = require_link(*element, "parent", links);
    joint.child = require_link(*element, "child", links);
    joint.origin = read_urdf_origin(*element);
    auto& other = joint_of[joint.child];
    if (other)
      throw InputError(
          element->where(),
          fmt::format("link '{}' is the child of two joints, '{}' and '{}'", printable(reading.links[joint.child].name),
                      printable(reading.joints[*other].name), printable(joint.name)),
          "a link has one parent; close a ring by `loops` in a scene that takes this robot");
    other = reading.joints.size();
    reading.joints.push_back(std::move(joint));
  }
}

}  // namespace

void read_urdf_tree(UrdfReading& reading) {
  NameMap links;
  read_links(reading, links);
  read_joints(reading, links);
  reading.body_names.unique(world_name);
  for (UrdfJoint& joint : reading.joints)
    joint.joint = unique(reading, reading.joint_names, *joint.element, joint.name);
}

std::size_t order_urdf_tree(UrdfReading& reading, std::vector<std::size_t>& order) {
  std::vector<std::vector<std::size_t>> hanging(reading.links.size());  // joints of each link, last first
  std::vector<bool> is_child(reading.links.size());
  for (std::size_t j = reading.joints.size(); j-- > 0;) {
    hanging[reading.joints[j].parent].push_back(j);
    is_child[reading.joints[j].child] = true;
  }
  const auto root = static_cast<std::size_t>(std::find(is_child.begin(), is_child.end(), false) - is_child.begin());
  const auto ring = [&](const XmlElement& element, const std::string& link) {
    throw InputError(element.where(),
                     fmt::format("link '{}' hangs from itself by way of other joints", printable(link)),
                     "a robot is a tree; close a ring by `loops` in a scene that takes this robot");
  };
  if (root == is_child.size()) ring(*reading.joints.front().element, reading.links[reading.joints[0].parent].name);
  for (std::size_t i = root + 1; i < is_child.size(); ++i)
    if (!is_child[i])
      throw InputError(reading.links[i].element->where(),
                       fmt::format("the links '{}' and '{}' are both the child of no joint",
                                   printable(reading.links[root].name), printable(reading.links[i].name)),
                       "a robot has one base link; connect them by a joint, of type fixed or floating");
  std::vector<std::size_t> waiting = hanging[root];
  std::vector<bool> reached(reading.links.size());
  reached[root] = true;
  while (!waiting.empty()) {
    const std::size_t j = waiting.back();
    waiting.pop_back();
    order.push_back(j);
    const std::size_t child = reading.joints[j].child;
    reached[child] = true;
    waiting.insert(waiting.end(), hanging[child].begin(), hanging[child].end());
  }
  for (const UrdfJoint& joint : reading.joints)
    if (!reached[joint.child]) ring(*joint.element, reading.links[joint.child].name);
  const UrdfLink& outermost = reading.links[root];
  const bool is_world = outermost.name == world_name && !outermost.element->child("inertial");
  reading.links[root].body =
      is_world ? world_name : unique(reading, reading.body_names, *outermost.element, outermost.name);
  for (const std::size_t j : order) {
    UrdfLink& link = reading.links[reading.joints[j].child];
    link.body = unique(reading, reading.body_names, *link.element, link.name);
  }
  return root;
}

}  // namespace routh::internal
