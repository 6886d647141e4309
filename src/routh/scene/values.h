// The values a scene is written in: names, numbers with their units, vectors, rotations, poses, functions of time.
// Every function throws InputError at the node when something else stands there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "routh/base/error_list.h"
#include "routh/model/description.h"
#include "routh/text/document.h"

namespace routh::internal {

// What a number stands for. Only an angle may be written in degrees, as `20 deg`.
enum class Measure { number, length, angle, speed, rate };

double read_measure(const Node& node, Measure measure);
double read_positive(const Node& node);
double read_non_negative(const Node& node);
double read_positive_or(const Node& map, std::string_view key, double otherwise);
double read_non_negative_or(const Node& map, std::string_view key, double otherwise);

// The key of a node as the name of a thing, and the name of a thing that stands elsewhere. 1 to 64 letters, digits,
// `_`,
// `-` and `.`, the first no dot.
std::string read_key_name(const Node& node);
std::string read_reference(const Node& node);

// `count` entries of a list; `meaning` says what for, as the end of a sentence.
void expect_entries(const Node& node, std::size_t count, std::string_view meaning);

// [x, y] in the plane, [x, y, z] in space.
Vector3 read_vector(const Node& node, Dimension dimension);
// The same, not zero, as a unit vector.
Vector3 read_direction(const Node& node, Dimension dimension);

// [w, x, y, z], of length 1 to 1e-6, then made so to the last digit.
Quaternion read_quaternion(const Node& node);
// The same for a quaternion that was read as part of `node`.
Quaternion checked_quaternion(const Node& node, const Quaternion& q);
// An angle in the plane; in space {quaternion}, {axis, angle}, {rpy} or {matrix}.
Matrix3 read_rotation(const Node& node, Dimension dimension);
// A position, or {position, rotation}.
Pose read_pose(const Node& node, Dimension dimension);

// A number, or {table: [[time, value], …]}.
Profile read_profile(const Node& node, Measure measure);

// Two names: `[first, second]`.
struct NamePair {
  std::string first, second;
  Location first_where, second_where;
};
NamePair read_name_pair(const Node& node);

// Refuses a map or list of more than `limit` entries.
void expect_at_most(const Node& node, std::size_t limit);
// The entries of a map of at most so many, each by `read`.
template <class Read>
auto read_named(const Node& node, std::size_t limit, const Read& read) {
  node.expect_map();
  expect_at_most(node, limit);
  std::vector<decltype(read(node))> entries;
  ErrorList errors;
  for (const Node entry : node) errors.attempt([&] { entries.push_back(read(entry)); });
  errors.finish();
  return entries;
}

}  // namespace routh::internal
