// The problem file of `routh impact`, as values: what was written, checked, before anything is solved.
//
//   mass_matrix, jacobian, velocity            the machine, or
//   delassus, contact_velocity                 the contact alone
//   friction      number | {static, kinetic}   `inf` is allowed
//   restitution   number | {normal} | {alpha} | {damping, stiffness} | {table: [[speed, e], …]}, each with `tangential`
//   law           newton, poisson, energetic, unified or classical; all of them when absent
//   surface_velocity, bilateral, external_impulse, pressed, id, name, comment
//   contacts      [{jacobian, friction, restitution, stiffness}, …]: one, or several that strike at once
//   rule          simultaneous or together: how several strike
//   free_acceleration | force, drift           how the contact would accelerate without contact force, for diagnosis
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routh/base/error.h"
#include "routh/base/names.h"
#include "routh/impact/problem.h"
#include "routh/march/simultaneous_rule.h"

namespace routh::internal {

enum class Field {
  mass_matrix,
  jacobian,
  velocity,
  bilateral,
  external_impulse,
  delassus,
  contact_velocity,
  friction,
  restitution,
  law,
  surface_velocity,
  contacts,
  rule,
  pressed,
  free_acceleration,
  force,
  drift,
  id,
  name,
  comment,
};
// The keys of the file.
constexpr auto names_of(Field) {
  return name_table<Field>({
      {Field::mass_matrix, "mass_matrix"},
      {Field::jacobian, "jacobian"},
      {Field::velocity, "velocity"},
      {Field::bilateral, "bilateral"},
      {Field::external_impulse, "external_impulse"},
      {Field::delassus, "delassus"},
      {Field::contact_velocity, "contact_velocity"},
      {Field::friction, "friction"},
      {Field::restitution, "restitution"},
      {Field::law, "law"},
      {Field::surface_velocity, "surface_velocity"},
      {Field::contacts, "contacts"},
      {Field::rule, "rule"},
      {Field::pressed, "pressed"},
      {Field::free_acceleration, "free_acceleration"},
      {Field::force, "force"},
      {Field::drift, "drift"},
      {Field::id, "id"},
      {Field::name, "name"},
      {Field::comment, "comment"},
  });
}
inline constexpr std::size_t field_count = count_of<Field>;
inline constexpr const auto& field_names = all_names<Field>;

inline constexpr int max_coordinates = 1000;
inline constexpr int max_bilateral_rows = 1000;
inline constexpr int max_table_points = 10000;

// Row-major numbers; capacity is kept when a file is read anew.
struct NumberTable {
  int rows = 0;
  int columns = 0;
  std::vector<double> values;

  double operator()(int row, int column) const { return values[static_cast<std::size_t>(row * columns + column)]; }
  void clear() {
    rows = columns = 0;
    values.clear();
  }
};

// One of several contacts that strike at once.
struct ProblemContact {
  NumberTable jacobian;
  Friction friction;
  Restitution restitution;  // its table is `table`
  std::vector<RestitutionPoint> table;
  double stiffness = 1;  // of its spring in the march beside those of the others
};
inline constexpr int max_contacts = 100;

enum class IdKind { none, number, text };

struct ProblemFile {
  std::string source;  // name of the file, for messages
  NumberTable mass_matrix, jacobian, bilateral, delassus;
  std::vector<double> velocity, external_impulse, contact_velocity, surface_velocity;
  std::vector<double> free_acceleration, force, drift;
  Friction friction;
  Restitution restitution;  // its table is `table`; see `make_restitution`
  std::vector<RestitutionPoint> table;
  std::vector<ProblemContact> contacts;  // empty unless there are several; then the fields above are the last one's
  std::optional<Law> law;                // absent: all
  std::optional<SimultaneousRule> rule;  // of several contacts; absent: simultaneous
  Load load = Load::unknown;
  IdKind id_kind = IdKind::none;
  std::string id;     // digits as written, or the text
  std::string title;  // key `name`

  std::uint32_t given = 0;  // a bit for each Field that was present
  struct Mark {
    int line = 0, column = 0;
  };
  std::array<Mark, field_count> marks;  // where each value stands; zeros when not known

  bool has(Field field) const { return (given & (1u << static_cast<unsigned>(field))) != 0; }
  void set(Field field) { given |= 1u << static_cast<unsigned>(field); }
  // Whether it says how the contact would accelerate without contact force.
  bool has_acceleration() const { return has(Field::free_acceleration) || has(Field::force); }
  bool is_machine() const { return has(Field::mass_matrix); }
  Dimension dimension() const;
  Location where(Field field) const;
  // The restitution with its table; a view of this object.
  Restitution make_restitution() const;
  // Empties everything and keeps the storage.
  void clear();
};

// A rule that a file breaks, and where: the value of `field`, its entry `part` if it is a map, and then the entry
// [row][column], each when given.
struct Breach {
  std::optional<Field> field;  // absent: the document as a whole
  std::string_view part = {};
  int row = -1;
  int column = -1;
  std::string message;
  std::string remedy;
};

// Checks what can be said of the numbers without solving anything (presence, shapes, symmetry, ranges), and makes
// symmetric matrices exactly symmetric. Does not allocate when all is well.
std::optional<Breach> settle(ProblemFile& file);

}  // namespace routh::internal
