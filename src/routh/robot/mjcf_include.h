// <include file="…"/>: other files in place of an element. Private to the reader of MJCF.
#pragma once

#include "routh/robot/robot_reading.h"

namespace routh::internal {

inline constexpr int max_mjcf_include_depth = 16;
inline constexpr std::size_t max_mjcf_elements = 200'000;  // of all files together

// The tree with what the included files hold in place of each <include>, in any depth. As in MuJoCo a file may be
// included once only, so that there are no cycles. Throws InputError.
XmlElement expand_mjcf_includes(const XmlElement& root, const RobotOptions& options);

}  // namespace routh::internal
