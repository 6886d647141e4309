// The checks every part of a description shares, and how they refuse.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "routh/model/description.h"

namespace routh::internal {

// What is checked, for messages: `body 'arm'`.
struct Subject {
  const char* kind;
  const std::string& name;
  const Location& where;
};

// The place itself when it is known, otherwise where the subject stands.
const Location& known(const Location& place, const Subject& subject);

// Throws InputError: `kind 'name': message; remedy`.
[[noreturn]] void refuse(const Subject& subject, const Location& place, const std::string& message,
                         const std::string& remedy = {});
[[noreturn]] void refuse(const Subject& subject, const std::string& message, const std::string& remedy = {});
// `file:line:col: warning: kind 'name': message`
std::string warning(const Subject& subject, const std::string& message);

// Letters, digits, _, - and . (not first), at most 64.
void check_name(const Subject& subject);

// Names of one kind of things and their indices; views of the description.
class NameIndex {
 public:
  NameIndex(const char* kind, const char* plural) : kind_(kind), plural_(plural) {}
  // Throws InputError when the name is no name or is there already.
  void add(const Subject& subject, int index);
  // −1 when there is none.
  int find(std::string_view name) const;
  // Throws InputError, with the nearest name as a suggestion, when there is none.
  int require(const std::string& name, const Subject& subject, const Location& place) const;
  // How to go on after a name that is not there.
  std::string suggestion(std::string_view name) const;

 private:
  struct Entry {
    int index;
    const Location* where;
  };
  const char* kind_;
  const char* plural_;
  std::unordered_map<std::string_view, Entry> entries_;
  std::vector<std::string_view> names_;  // in the order they were added
};

// Each throws InputError with `quantity = value` and the rule it breaks.
void expect_finite(const Subject& subject, const Location& place, const char* quantity, double value);
void expect_not_negative(const Subject& subject, const Location& place, const char* quantity, double value);  // finite
void expect_positive(const Subject& subject, const Location& place, const char* quantity, double value);      // finite
void expect_vector(const Subject& subject, const Location& place, const char* quantity, const Vector3& value,
                   Dimension dimension);
void expect_profile(const Subject& subject, const char* quantity, const Profile& profile);
// The pose with its rotation made orthonormal to the last digit; in the plane, about z.
Pose checked_pose(const Subject& subject, const char* quantity, const Pose& pose, Dimension dimension);
// The unit vector along `axis`.
Vector3 checked_axis(const Subject& subject, const Location& place, const char* quantity, const Vector3& axis);

// The rules of a body's mass and inertia, and of a surface.
void check_body(const BodyDescription& body, Dimension dimension);
// Without the view of the table, which would not survive a copy.
SurfaceProperties checked_properties(const Subject& subject, const SurfaceProperties& properties);

}  // namespace routh::internal
