// Surfaces, the shapes that have them, and which shapes may touch.
#pragma once

#include "routh/scene/values.h"

namespace routh::internal {

// The sections `surfaces` and `surface_pairs`.
std::vector<SurfaceDescription> read_surfaces(const Node& node);
std::vector<SurfacePairDescription> read_surface_pairs(const Node& node);

// `shapes` of the body `body`, whose name stands at `body_where`, added to `shapes`.
void read_shapes(const Node& node, const std::string& body, const Location& body_where, Dimension dimension,
                 std::vector<ShapeDescription>& shapes);

// `exclude` or `include` of the section `contacts`, added to `filters`.
void read_filters(const Node& node, FilterDescription::Rule rule, std::vector<FilterDescription>& filters);

}  // namespace routh::internal
