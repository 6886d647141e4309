// A model of several texts as one tree: <include>, <attach> and <replicate>. Private to the reader of MJCF.
//
// <attach model=… body=… prefix=…> stands for a part of another model, of the same one (without `model`), or for all
// of the other's world (without `body`). It becomes a <frame> that holds the part, with the prefix before the names of
// its bodies, joints, geoms and sites; the sections of the other model join those of the outermost, as far as what they
// name is there. The part keeps its own <compiler>, default classes and assets: `XmlElement::part` says which are its.
//
// <replicate count=… offset=… euler=… sep=…> becomes as many <frame>s. The k-th is turned by k times the angles and
// moved from the one before it by the offset in the axes of that one, as MuJoCo's reader does it. Names in it get the
// suffix sep + k with as many digits as the count has; what names them elsewhere is there once for each.
#pragma once

#include "routh/robot/robot_reading.h"

namespace routh::internal {

inline constexpr int max_mjcf_attach_depth = 16;  // models within each other

// A model with a <compiler>, default classes and assets of its own; the outermost is the first.
struct MjcfPart {
  int parent = -1;  // the model it is attached to
  std::string file;
};

struct MjcfAssembly {
  XmlElement root;
  std::vector<MjcfPart> parts;

  // Whether `part` is `ancestor` or attached within it.
  bool is_within(int part, int ancestor) const;
};

// Throws InputError with the place of whatever cannot be used.
MjcfAssembly assemble_mjcf(const XmlElement& root, const RobotOptions& options);

}  // namespace routh::internal
