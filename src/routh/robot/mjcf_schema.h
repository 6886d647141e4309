// Which attributes of MJCF elements are taken and why others are not. Private to its reader.
#pragma once

#include "routh/robot/robot_reading.h"

namespace routh::internal {

// Marks what is taken as used and warns of the rest, each attribute of a kind of element once.
void check_mjcf_attributes(const XmlElement& element, RobotWarnings& warnings);
// The children of a section <default> in any depth.
void check_mjcf_defaults(const XmlElement& section, RobotWarnings& warnings);

// Why a whole section or element is not read; empty when it is not known to be one of MJCF.
std::string_view mjcf_reason_to_ignore(std::string_view element);
// Warns of the element with all it holds.
void ignore_mjcf_element(const XmlElement& element, RobotWarnings& warnings);

}  // namespace routh::internal
