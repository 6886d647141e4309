#include "routh/model/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/base/nearest_word.h"
#include "routh/math/elementary.h"
#include "routh/model/tolerances.h"

namespace routh::internal {

namespace {

constexpr std::size_t longest_name = 64;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

bool is_known(const Location& place) { return !place.file.empty() || place.line > 0; }

std::string titled(const Subject& subject, const std::string& message) {
  if (subject.name.empty()) return fmt::format("{}: {}", subject.kind, message);
  return fmt::format("{} '{}': {}", subject.kind, printable(subject.name), message);
}

bool is_finite(const Vector3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

Vector3 divided(const Vector3& v, double by) { return {v.x / by, v.y / by, v.z / by}; }

}  // namespace

const Location& known(const Location& place, const Subject& subject) { return is_known(place) ? place : subject.where; }

void refuse(const Subject& subject, const Location& place, const std::string& message, const std::string& remedy) {
  throw InputError(known(place, subject), titled(subject, message), remedy);
}

void refuse(const Subject& subject, const std::string& message, const std::string& remedy) {
  refuse(subject, subject.where, message, remedy);
}

std::string warning(const Subject& subject, const std::string& message) {
  std::string text = printable(subject.where.file, 200);
  if (subject.where.line > 0) text += fmt::format(":{}", subject.where.line);
  if (subject.where.line > 0 && subject.where.column > 0) text += fmt::format(":{}", subject.where.column);
  if (!text.empty()) text += ": ";
  return text + "warning: " + titled(subject, message);
}

void check_name(const Subject& subject) {
  constexpr const char* rule = "names are made of letters, digits, '_', '-' and '.' (not first), at most 64 of them";
  const std::string& name = subject.name;
  if (name.empty()) refuse(subject, "the name is missing", rule);
  if (name.size() > longest_name) refuse(subject, fmt::format("the name has {} characters", name.size()), rule);
  if (name.front() == '.') refuse(subject, "the name begins with a dot", rule);
  const auto bad = std::find_if_not(name.begin(), name.end(), is_name_character);
  if (bad != name.end())
    refuse(subject, fmt::format("the name has a character that is not allowed at position {}", bad - name.begin() + 1),
           rule);
}

void NameIndex::add(const Subject& subject, int index) {
  check_name(subject);
  const auto [entry, added] = entries_.emplace(subject.name, Entry{index, &subject.where});
  if (!added) {
    const int line = entry->second.where->line;
    refuse(subject,
           fmt::format("there are two {} of this name{}", plural_,
                       line > 0 ? fmt::format(" (the first on line {})", line) : ""),
           "rename one of them");
  }
  names_.push_back(subject.name);
}

int NameIndex::find(std::string_view name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? -1 : entry->second.index;
}

int NameIndex::require(const std::string& name, const Subject& subject, const Location& place) const {
  const int index = find(name);
  if (index < 0) refuse(subject, place, fmt::format("there is no {} '{}'", kind_, printable(name)), suggestion(name));
  return index;
}

std::string NameIndex::suggestion(std::string_view name) const {
  constexpr std::size_t most = 8;
  if (std::string hint = nearest_hint(name, names_); !hint.empty()) return hint;
  if (names_.empty()) return fmt::format("there are no {}", plural_);
  return fmt::format(
      "the {} are {}{}", plural_,
      fmt::join(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(std::min(most, names_.size())), ", "),
      names_.size() > most ? ", …" : "");
}

void expect_finite(const Subject& subject, const Location& place, const char* quantity, double value) {
  if (!std::isfinite(value)) refuse(subject, place, fmt::format("{} = {} must be a finite number", quantity, value));
}

void expect_not_negative(const Subject& subject, const Location& place, const char* quantity, double value) {
  expect_finite(subject, place, quantity, value);
  if (value < 0) refuse(subject, place, fmt::format("{} = {} must be zero or positive", quantity, value));
}

void expect_positive(const Subject& subject, const Location& place, const char* quantity, double value) {
  expect_finite(subject, place, quantity, value);
  if (value <= 0) refuse(subject, place, fmt::format("{} = {} must be positive", quantity, value));
}

void expect_vector(const Subject& subject, const Location& place, const char* quantity, const Vector3& value,
                   Dimension dimension) {
  if (!is_finite(value))
    refuse(subject, place,
           fmt::format("{} = [{}, {}, {}] must be finite numbers", quantity, value.x, value.y, value.z));
  if (dimension == Dimension::planar && value.z != 0)
    refuse(subject, place, fmt::format("{} leaves the plane: its z is {}", quantity, value.z),
           "set z to 0, or make the model spatial");
}

void expect_profile(const Subject& subject, const char* quantity, const Profile& profile) {
  if (profile.points.empty())
    refuse(subject, fmt::format("{} has no points", quantity), "give at least one pair of time and value");
  for (std::size_t i = 0; i < profile.points.size(); ++i) {
    const auto& [time, value] = profile.points[i];
    if (!std::isfinite(time) || !std::isfinite(value))
      refuse(subject, fmt::format("{}: the point [{}, {}] must be finite numbers", quantity, time, value));
    if (i > 0 && !(time > profile.points[i - 1].time))
      refuse(subject, fmt::format("{}: the time {} comes after {}", quantity, time, profile.points[i - 1].time),
             "order the points by increasing time, each time once");
  }
}

Pose checked_pose(const Subject& subject, const char* quantity, const Pose& pose, Dimension dimension) {
  expect_vector(subject, subject.where, quantity, pose.position, dimension);
  const Matrix3& m = pose.rotation;
  const Vector3 diagonal = {dot(m.r0, m.r0) - 1, dot(m.r1, m.r1) - 1, dot(m.r2, m.r2) - 1};
  const Vector3 off = {dot(m.r0, m.r1), dot(m.r0, m.r2), dot(m.r1, m.r2)};
  const double deviation = std::max({std::abs(diagonal.x), std::abs(diagonal.y), std::abs(diagonal.z), std::abs(off.x),
                                     std::abs(off.y), std::abs(off.z)});
  const bool finite = is_finite(m.r0) && is_finite(m.r1) && is_finite(m.r2);
  if (!finite || !(deviation <= tolerances::rotation_defect) || !(dot(cross(m.r0, m.r1), m.r2) > 0))
    refuse(subject,
           fmt::format("the rotation of {} is none: its matrix is [[{}, {}, {}], [{}, {}, {}], [{}, {}, {}]]", quantity,
                       m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z),
           "rows must be perpendicular unit vectors (to 1e-6), right-handed");
  if (dimension == Dimension::planar) {
    if (std::abs(m.r2.z - 1) > tolerances::out_of_plane_component ||
        std::abs(m.r0.z) > tolerances::out_of_plane_component || std::abs(m.r1.z) > tolerances::out_of_plane_component)
      refuse(subject, fmt::format("the rotation of {} leaves the plane", quantity),
             "give an angle about z, or make the model spatial");
    const double size = elementary::hypot(m.r0.x, m.r0.y);
    const double c = m.r0.x / size, s = -m.r0.y / size;
    return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, pose.position};
  }
  // Gram and Schmidt by rows: leaves rotations that are exact already as they are.
  const Vector3 x = divided(m.r0, norm(m.r0));
  const Vector3 slanted = m.r1 - dot(m.r1, x) * x;
  const Vector3 y = divided(slanted, norm(slanted));
  return {{x, y, cross(x, y)}, pose.position};
}

Vector3 checked_axis(const Subject& subject, const Location& place, const char* quantity, const Vector3& axis) {
  expect_vector(subject, place, quantity, axis, Dimension::spatial);
  const double largest = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
  if (largest == 0) refuse(subject, place, fmt::format("{} is zero", quantity), "give a direction");
  const Vector3 scaled = divided(axis, largest);
  return divided(scaled, norm(scaled));
}

}  // namespace routh::internal
