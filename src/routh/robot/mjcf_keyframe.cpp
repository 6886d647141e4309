// <keyframe>: where the machine starts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/math/elementary.h"
#include "routh/robot/mjcf_reading.h"
#include "routh/robot/tolerances.h"

namespace routh::internal {

namespace {

std::vector<double> numbers(const XmlElement& key, const char* name, std::size_t count, const char* of_what) {
  const XmlAttribute* attribute = key.attribute(name);
  if (!attribute) return {};
  const std::vector<double> out = read_numbers(key, *attribute, 0, 1'000'000);
  if (out.size() != count)
    throw InputError(key.where_value(*attribute),
                     fmt::format("{} has {} numbers; the model has {} {}", name, out.size(), count, of_what),
                     "write one number for each, in the order of the file");
  return out;
}

void normalise(std::vector<double>& position, std::size_t first, const XmlElement& key) {
  double* q = position.data() + first;
  const double length = elementary::hypot(elementary::hypot(q[0], q[1]), elementary::hypot(q[2], q[3]));
  if (!(length > 0) || !std::isfinite(length))
    throw InputError(key.where(), "a quaternion of qpos is zero", "write one of any other length; it is normalised");
  for (std::size_t i = 0; i < 4; ++i) q[i] /= length;
}

// Of the joints that a key is of: those of its model and of what is attached to that.
struct KeyCounts {
  std::size_t coordinates = 0, velocities = 0;
};

bool is_of_key(const MjcfReading& reading, const XmlElement& key, const MjcfJoint& joint) {
  return reading.assembly.is_within(joint.element->part, key.part);
}

KeyCounts count(const MjcfReading& reading, const XmlElement& key) {
  KeyCounts out;
  for (const MjcfJoint& joint : reading.joints) {
    if (!is_of_key(reading, key, joint)) continue;
    out.coordinates += static_cast<std::size_t>(coordinate_count(joint.kind));
    out.velocities += static_cast<std::size_t>(velocity_count(joint.kind));
  }
  return out;
}

// The key with all that is said of joints in it.
void read_key(MjcfReading& reading, const XmlElement& key) {
  const KeyCounts counts = count(reading, key);
  const std::vector<double> q = numbers(key, "qpos", counts.coordinates, "coordinates");
  const std::vector<double> v = numbers(key, "qvel", counts.velocities, "velocities");
  auto& starts = reading.robot.start;
  std::map<std::string, std::size_t, std::less<>> known;
  for (std::size_t i = 0; i < starts.size(); ++i) known.emplace(starts[i].joint, i);
  auto next_q = q.begin();
  auto next_v = v.begin();
  for (const MjcfJoint& joint : reading.joints) {
    if (!is_of_key(reading, key, joint)) continue;
    RobotStart start;
    if (!q.empty()) start.position.assign(next_q, next_q + coordinate_count(joint.kind));
    if (!v.empty()) start.velocity.assign(next_v, next_v + velocity_count(joint.kind));
    if (!q.empty()) next_q += coordinate_count(joint.kind);
    if (!v.empty()) next_v += velocity_count(joint.kind);
    if (joint.joint < 0) continue;
    start.joint = reading.description().joints[static_cast<std::size_t>(joint.joint)].name;
    if (!q.empty() && joint.kind == JointKind::spherical) normalise(start.position, 0, key);
    if (!q.empty() && joint.kind == JointKind::free) normalise(start.position, 3, key);
    const auto [entry, added] = known.emplace(start.joint, starts.size());
    if (added) {
      if (q.empty())
        start.position =
            joint.kind == JointKind::spherical ? std::vector<double>{1, 0, 0, 0} : std::vector<double>{joint.reference};
      starts.push_back(std::move(start));
    } else {
      RobotStart& changed = starts[entry->second];
      if (!q.empty()) changed.position = std::move(start.position);
      changed.velocity = std::move(start.velocity);
    }
  }
}

std::size_t numbers_in(const XmlElement& key, const char* name) {
  const XmlAttribute* attribute = key.attribute(name);
  return attribute ? read_numbers(key, *attribute, 0, 1'000'000).size() : 0;
}

// Whether the key is of the whole machine, of which some is not made here.
bool is_of_more(const MjcfReading& reading, const XmlElement& key) {
  if (!reading.incomplete) return false;
  const KeyCounts counts = count(reading, key);
  return numbers_in(key, "qpos") > counts.coordinates || numbers_in(key, "qvel") > counts.velocities;
}

// By name, or by number as other programs count them.
const XmlElement& choose_key(const std::vector<const XmlElement*>& keys, const std::string& wanted) {
  if (wanted.empty()) return *keys.front();
  std::string known;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const XmlAttribute* given = keys[i]->attribute("name");
    if ((given && given->value == wanted) || wanted == std::to_string(i)) return *keys[i];
    known += fmt::format("{}{}", i > 0 ? ", " : "", given ? printable(given->value) : std::to_string(i));
  }
  throw InputError(keys.front()->where(), fmt::format("there is no keyframe '{}'", printable(wanted)),
                   fmt::format("there are: {}", known));
}

// MuJoCo pushes a joint that begins beyond its limits back softly. Here it begins within: a keyframe at the nearest
// limit, the posture in which the bodies are written there when it is near, else in the middle.
void place_within_limits(MjcfReading& reading, const XmlElement* key) {
  if (reading.compiler().no_limits) return;
  auto& starts = reading.robot.start;
  std::map<std::string, std::size_t, std::less<>> known;
  for (std::size_t i = 0; i < starts.size(); ++i) known.emplace(starts[i].joint, i);
  for (const MjcfJoint& written : reading.joints) {
    if (written.joint < 0 || (written.kind != JointKind::revolute && written.kind != JointKind::prismatic)) continue;
    const JointDescription& joint = reading.description().joints[static_cast<std::size_t>(written.joint)];
    const double lower = joint.dofs.front().lower, upper = joint.dofs.front().upper;
    const auto entry = known.find(joint.name);
    const double value = entry == known.end() ? 0 : starts[entry->second].position.front();
    if (value >= lower && value <= upper) continue;
    const double within =
        key ? std::clamp(value, lower, upper) : start_within_limits(lower, upper, value, written.kind);
    if (entry == known.end())
      starts.push_back({joint.name, {within}, {}});
    else
      starts[entry->second].position = {within};
    if (std::abs(within - value) > tolerances::keyframe_motion_reported)
      reading.warnings.add(key ? key->where() : written.element->where(),
                           fmt::format("joint '{}' cannot be at {:.9g}, outside its limits [{:.9g}, {:.9g}]: it begins "
                                       "at {:.9g}",
                                       printable(joint.name), value, lower, upper, within));
  }
}

}  // namespace

void read_mjcf_keyframe(MjcfReading& reading) {
  std::vector<const XmlElement*> keys;
  for (const XmlElement* section : reading.root.all("keyframe"))
    for (const XmlElement& key : section->children) {
      if (key.name != "key") {
        ignore_mjcf_element(key, reading.warnings);
        continue;
      }
      check_mjcf_attributes(key, reading.warnings);
      keys.push_back(&key);
    }
  if (keys.empty()) {
    if (!reading.options.keyframe.empty())
      throw InputError(reading.root.where(), "the file has no keyframe to choose", "leave the choice out");
    return place_within_limits(reading, nullptr);
  }
  const XmlElement& chosen = choose_key(keys, reading.options.keyframe);
  for (const XmlElement* key : keys)
    if (key != &chosen)
      reading.warnings.ignore(*key, "another <key>", "the machine starts from one; `keyframe` chooses which");
  if (is_of_more(reading, chosen)) {
    reading.warnings.ignore(chosen, "<key> of bodies that are not made",
                            "the machine starts as its bodies are written");
    return place_within_limits(reading, nullptr);
  }
  read_key(reading, chosen);
  place_within_limits(reading, chosen.attribute("qpos") ? &chosen : nullptr);
  reading.controls_part = chosen.part;
  if (const XmlAttribute* controls = chosen.attribute("ctrl"))
    reading.controls = read_numbers(chosen, *controls, 0, 1'000'000);
}

}  // namespace routh::internal
