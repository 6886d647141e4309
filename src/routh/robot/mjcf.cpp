#include "routh/robot/mjcf.h"

#include <fmt/format.h>

#include <algorithm>

#include "routh/robot/mjcf_reading.h"

namespace routh::internal {

namespace {

constexpr std::string_view sections[] = {"compiler", "option",   "default",  "worldbody", "contact",
                                         "equality", "actuator", "keyframe", "asset"};

void read_header(MjcfReading& reading) {
  check_mjcf_attributes(reading.root, reading.warnings);
  if (const XmlAttribute* model = reading.root.attribute("model")) reading.description().name = model->value;
  reading.description().where = reading.root.where();
  for (const XmlElement& section : reading.root.children) {
    if (std::find(std::begin(sections), std::end(sections), section.name) == std::end(sections))
      ignore_mjcf_element(section, reading.warnings);
    if (section.name != "default") continue;
    check_mjcf_defaults(section, reading.warnings);
    reading.defaults.add(section);
  }
}

// Whether an element that is not read would make bodies, at any depth, which the parser bounds.
bool makes_more(const XmlElement& element) {
  static constexpr std::string_view makers[] = {"composite", "flexcomp"};
  return std::find(std::begin(makers), std::end(makers), element.name) != std::end(makers) ||
         std::any_of(element.children.begin(), element.children.end(), makes_more);
}

}  // namespace

RobotFile read_mjcf(const XmlElement& written, const RobotOptions& options) {
  if (written.name != "mujoco")
    throw InputError(written.where(), fmt::format("the outermost element is <{}>", printable(written.name)),
                     "that of MJCF is <mujoco>");
  const MjcfAssembly assembly = assemble_mjcf(written, options);
  const XmlElement& root = assembly.root;
  MjcfReading reading(assembly, options);
  reading.incomplete = makes_more(root);
  read_header(reading);
  read_mjcf_compiler(reading);
  read_mjcf_assets(reading);
  read_mjcf_bodies(reading);
  read_mjcf_contacts(reading);
  read_mjcf_equalities(reading);
  read_mjcf_keyframe(reading);
  read_mjcf_actuators(reading);
  drop_mjcf_limits(reading);
  reading.warnings.warn_of_the_rest(root);
  reading.robot.warnings = reading.warnings.take();
  return std::move(reading.robot);
}

}  // namespace routh::internal
