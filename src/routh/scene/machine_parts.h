// A machine's text, read part by part; private to the module.
#pragma once

#include <span>
#include <string>

#include "routh/scene/values.h"

namespace routh::internal {

// What the coordinate of a degree of freedom (named as in `dof_names`) is: a length or an angle. The turning of a
// quaternion has no coordinate of its own.
Measure dof_measure(std::string_view dof);
bool turns_quaternion(std::string_view dof);

// `joint` of the body `child`.
JointDescription read_joint(const Node& node, const std::string& child, Dimension dimension);

// Changes what acts along the degrees of freedom of a joint: limits, spring, damping, armature, drive, effort; for a
// joint with several of them within `dofs`. What `node` does not say stays.
void change_joint(const Node& node, JointDescription& joint);

// The sections `surfaces` and `surface_pairs`.
std::vector<SurfaceDescription> read_surfaces(const Node& node);
std::vector<SurfacePairDescription> read_surface_pairs(const Node& node);

// `shapes` of the body `body`, whose name stands at `body_where`, added to `shapes`.
void read_shapes(const Node& node, const std::string& body, const Location& body_where, Dimension dimension,
                 std::vector<ShapeDescription>& shapes);

// `exclude` or `include` of the section `contacts`, added to `filters`.
void read_filters(const Node& node, FilterDescription::Rule rule, std::vector<FilterDescription>& filters);

// `file` with `scale`, or `vertices`, of the shape that the node describes.
MeshDescription read_mesh(const Node& node);

// Loops, springs, forces and impulses. Couplings and impulses name joints, which must have been read before.
std::vector<LoopDescription> read_loops(const Node& node, std::span<const JointDescription> joints,
                                        Dimension dimension);
std::vector<SpringDescription> read_springs(const Node& node, Dimension dimension);
std::vector<ForceDescription> read_forces(const Node& node, Dimension dimension);
std::vector<ImpulseDescription> read_impulses(const Node& node, std::span<const JointDescription> joints,
                                              Dimension dimension);

}  // namespace routh::internal
