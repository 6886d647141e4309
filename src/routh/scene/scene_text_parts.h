// Parts of the text of a scene; private to its writer.
#pragma once

#include <string>
#include <vector>

#include "routh/model/description.h"

namespace routh::internal::text {

// The shortest decimal number that reads as the same double.
std::string number(double value);
std::string list(const std::vector<double>& values);
std::string vector(const Vector3& v, Dimension dimension);
// Position, or {position, rotation}.
std::string pose(const Pose& pose, Dimension dimension);
std::string profile(const Profile& profile);
// In quotes where YAML would take the bare word for something else.
std::string quoted_name(const std::string& name);

// `{kind: …, …}` of a joint and of a shape.
std::string joint(const JointDescription& joint, Dimension dimension);
std::string shape(const ShapeDescription& shape, Dimension dimension);

void write_bodies(const ModelDescription& model, std::string& out);  // and the world
void write_loops(const ModelDescription& model, std::string& out);
void write_loads(const ModelDescription& model, std::string& out);  // springs and forces

}  // namespace routh::internal::text
