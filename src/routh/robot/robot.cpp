#include "routh/robot/robot_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "routh/robot/mjcf.h"
#include "routh/robot/urdf.h"

namespace routh {

namespace {

constexpr std::size_t longest_name = 64;

std::string printable_name(const XmlElement& element) { return printable(element.name); }

// As the scene's names are: letters, digits, `_`, `-` and `.`, the first no dot.
std::string valid_name(std::string_view wanted) {
  std::string name;
  for (const char ch : wanted.substr(0, longest_name)) {
    const bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
    const bool continues_character = (static_cast<unsigned char>(ch) & 0xc0) == 0x80;  // one `_` for a character
    if (!continues_character) name += letter || ch == '_' || ch == '-' || ch == '.' ? ch : '_';
  }
  if (name.empty()) name = "unnamed";
  if (name.front() == '.') name.front() = '_';
  return name;
}

// As a scene lists them: those of the first body, of the next, …, of the world.
void order_shapes(ModelDescription& description) {
  std::map<std::string_view, std::size_t> order;
  for (const BodyDescription& body : description.bodies) order.emplace(body.name, order.size());
  const auto rank = [&](const ShapeDescription& shape) {
    const auto found = order.find(shape.body);
    return found == order.end() ? order.size() : found->second;
  };
  std::stable_sort(description.shapes.begin(), description.shapes.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

// Unit vectors, so that they are the same after a scene was written and read.
void normalise_axes(ModelDescription& description) {
  for (JointDescription& joint : description.joints)
    for (Vector3* axis : {&joint.axis, &joint.second_axis}) {
      const double largest = std::max({std::abs(axis->x), std::abs(axis->y), std::abs(axis->z)});
      if (!(largest > 0)) continue;  // for `build_model` to refuse
      const Vector3 scaled = {axis->x / largest, axis->y / largest, axis->z / largest};
      const double length = norm(scaled);
      *axis = {scaled.x / length, scaled.y / length, scaled.z / length};
    }
}

std::string lower_case_end(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  std::string end(dot == std::string_view::npos ? std::string_view() : path.substr(dot).substr(0, 16));
  for (char& ch : end)
    if (ch >= 'A' && ch <= 'Z') ch = static_cast<char>(ch - 'A' + 'a');
  return end;
}

}  // namespace

void RobotWarnings::add(const Location& where, const std::string& message, RobotConcern concern) {
  entries_.push_back({where, message, concern, {}, 0});
}

void RobotWarnings::add_once(const Location& where, const std::string& key, const std::string& message,
                             RobotConcern concern) {
  const auto [entry, added] = once_.emplace(key, entries_.size());
  if (added)
    entries_.push_back({where, message, concern, key, 0});
  else
    ++entries_[entry->second].more;
}

void RobotWarnings::ignore(const XmlElement& element, const std::string& what, const std::string& reason,
                           RobotConcern concern) {
  element.ignored = element.used = true;
  add_once(element.where(), what, fmt::format("{} is ignored: {}", what, reason), concern);
}

void RobotWarnings::ignore(const XmlElement& element, const XmlAttribute& attribute, const std::string& reason,
                           RobotConcern concern) {
  attribute.used = true;
  const std::string what =
      fmt::format("the attribute '{}' of <{}>", printable(attribute.name), printable_name(element));
  add_once(element.where(attribute), what, fmt::format("{} is ignored: {}", what, reason), concern);
}

// The depth of an element is bounded by the parser.
void RobotWarnings::warn_of_the_rest(const XmlElement& element) {
  if (element.ignored) return;
  for (const XmlAttribute& attribute : element.attributes)
    if (!attribute.used) ignore(element, attribute, "it is not known here");
  if (!element.text.empty()) {
    const std::string what = fmt::format("the text in <{}>", printable_name(element));
    add_once(element.where(), what, fmt::format("{} is ignored: '{}'", what, printable(element.text)));
  }
  std::set<std::string_view> read;
  for (const XmlElement& child : element.children)
    if (child.used && !child.ignored) read.insert(child.name);
  for (const XmlElement& child : element.children) {
    if (!child.used && read.contains(child.name))
      ignore(child, fmt::format("another <{}> in <{}>", printable_name(child), printable_name(element)),
             "only the first counts");
    else if (!child.used)
      ignore(child, fmt::format("<{}> in <{}>", printable_name(child), printable_name(element)),
             "it is not known here");
    else
      warn_of_the_rest(child);
  }
}

// All that is for drawing, in one line, each kind with its own place.
std::string RobotWarnings::drawing_line(std::size_t first) const {
  const Location& start = entries_[first].where;
  std::string list;
  for (std::size_t i = first; i < entries_.size(); ++i) {
    const auto& [where, message, concern, what, more] = entries_[i];
    const std::string place = where.file == start.file ? fmt::format("line {}", where.line)
                                                       : fmt::format("{}:{}", printable(where.file, 200), where.line);
    list += fmt::format("{}{} ({}{})", i > first ? ", " : "", what.empty() ? message : what, place,
                        more == 0 ? "" : fmt::format(" and {} more", more));
  }
  return fmt::format("{}:{}:{}: warning: ignored, for drawing only: {}", printable(start.file, 200), start.line,
                     start.column, list);
}

std::vector<std::string> RobotWarnings::take() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.concern, a.where.line, a.where.column) < std::tie(b.concern, b.where.line, b.where.column);
  });
  const auto drawing =
      static_cast<std::size_t>(std::find_if(entries_.begin(), entries_.end(),
                                            [](const Entry& entry) { return entry.concern == RobotConcern::drawing; }) -
                               entries_.begin());
  const bool folded = entries_.size() > drawing + 1;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < (folded ? drawing : entries_.size()); ++i) {
    const auto& [where, message, concern, what, more] = entries_[i];
    lines.push_back(fmt::format("{}:{}:{}: warning: {}{}", printable(where.file, 200), where.line, where.column,
                                message, more == 0 ? "" : fmt::format(" (and {} more)", more)));
  }
  if (folded) lines.push_back(drawing_line(drawing));
  entries_.clear();
  once_.clear();
  return lines;
}

std::string RobotNames::unique(std::string_view wanted) {
  std::string name = valid_name(wanted);
  int& count = taken_[name];
  if (++count == 1) return name;
  for (;; ++count) {  // ends: each number is tried once, and finitely many are taken
    const std::string end = fmt::format("_{}", count);
    const std::string candidate = name.substr(0, longest_name - end.size()) + end;
    if (taken_.emplace(candidate, 1).second) return candidate;
  }
}

double internal::start_within_limits(double lower, double upper, double wanted, JointKind kind) {
  const double near = kind == JointKind::prismatic ? 0.05 : 0.2;
  const double limit = std::clamp(wanted, lower, upper), middle = lower + (upper - lower) / 2;
  return std::abs(limit - wanted) <= near || !std::isfinite(middle) ? limit : middle;
}

bool is_robot_file(std::string_view path) {
  const std::string end = lower_case_end(path);
  static constexpr std::string_view ends[] = {".urdf", ".xml", ".mjcf", ".xacro", ".sdf"};
  return std::find(std::begin(ends), std::end(ends), end) != std::end(ends);
}

RobotFile read_robot_file(const std::string& path, const RobotOptions& options) {
  return read_robot(read_xml_file(path), options);
}

RobotFile read_robot_text(std::string_view text, const std::string& name, const RobotOptions& options) {
  return read_robot(parse_xml(text, name), options);
}

RobotFile internal::read_robot(const XmlElement& root, const RobotOptions& options) {
  RobotFile robot;
  if (root.name == "robot")
    robot = read_urdf(root, options);
  else if (root.name == "mujoco" || root.name == "mujocoinclude")
    robot = read_mjcf(root, options);
  else
    throw InputError(root.where(), fmt::format("<{}> is no robot that can be read", printable(root.name)),
                     root.name == "sdf" ? "convert it to URDF or MJCF first; SDF is not read"
                                        : "the outermost element is <robot> in URDF, <mujoco> in MJCF");
  order_shapes(robot.description);
  normalise_axes(robot.description);
  return robot;
}

}  // namespace routh
