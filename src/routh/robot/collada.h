// COLLADA (.dae), the part of it that meshes of robots use: geometries of triangles and polygons, placed by the nodes
// of the visual scene.
//
// Read: <mesh> with <triangles>, <polylist>, <polygons>, <trifans> and <tristrips>; <matrix>, <translate>, <rotate> and
// <scale>; <instance_geometry> and <instance_node>. The unit is applied, the up axis is not: as in ROS, coordinates are
// taken as they stand. Passed over: looks, lights, cameras, lines, animations. Refused: skins, splines, polygons with
// holes, other files, and all that does not agree with its own counts. Limits of the text are those of the XML reader,
// of what is placed those of `mesh_formats.h` and of `collada.cpp`.
#pragma once

#include <string>
#include <string_view>

#include "routh/mesh/mass.h"

namespace routh::internal {

// `file` is the name for errors, which are InputErrors with the line of the element.
TriangleMesh read_collada(std::string_view text, const std::string& file);

}  // namespace routh::internal
