// <include file="…"/>: other files in place of an element. Private to the reader of MJCF.
#pragma once

#include "routh/robot/robot_reading.h"

namespace routh::internal {

inline constexpr int max_mjcf_include_depth = 16;
inline constexpr std::size_t max_mjcf_elements = 200'000;             // of all files together
inline constexpr std::size_t max_mjcf_bytes = std::size_t{64} << 20;  // of their names and attributes

// What a model may grow to while files are included, models attached and parts replicated.
class MjcfSize {
 public:
  // Throws InputError where the element is one too many.
  void add(const XmlElement& element);
  void add_all(const XmlElement& element);  // and all that is in it

 private:
  std::size_t elements_ = 0, bytes_ = 0;
};

// The tree with what the included files hold in place of each <include>, in any depth. As in MuJoCo a file may be
// included once only, so that there are no cycles. Throws InputError.
XmlElement expand_mjcf_includes(const XmlElement& root, const RobotOptions& options, MjcfSize& size);

}  // namespace routh::internal
