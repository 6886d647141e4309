// The fields of an event, of each of its contacts, and of the phases and points of an impact: described once. The
// columns of the run file and their reader, the tables of CSV and NPZ and the comparison of runs are made from these
// lists. A member that is added to one of the structures does not compile here until it is bound; give it a row then.
#pragma once

#include <tuple>

#include "routh/record/run_file.h"

namespace routh::internal {

// Which coordinates a vector has an entry for.
enum class FieldAxis { none, coordinates, velocities };

// Tables that hold the field.
inline constexpr unsigned in_csv = 1, in_npz = 2, in_both = in_csv | in_npz, in_none = 0;

// How two runs are compared in the field.
enum class FieldJudge {
  never,       // it follows from others, or may differ by rounding alone
  by_itself,   // relative to the larger of the two values
  by_largest,  // relative to the largest of all events
  exactly,
};

struct FieldInfo {
  const char* name = "";
  const char* unit = "";  // of a real number: "1" where it has none
  unsigned tables = in_both;
  FieldAxis axis = FieldAxis::none;
  int since = 1;  // schema of the run file
  FieldJudge judge = FieldJudge::never;
  int judged_since = 1;  // schema from which on it is comparable
};

template <class T>
struct BoundField {
  FieldInfo info;
  T& value;
};
template <class T>
BoundField<T> field(const FieldInfo& info, T& value) {
  return {info, value};
}

// `contacts` are the rows of another table.
template <class E>
auto fields_of_event(E& event) {
  auto& [time, kind, rule, law, contacts, label, energy, warnings, before, after, position, error_bound, duration] =
      event;
  auto& [normal_work, tangential_work, supplied, change, consistent] = energy;
  return std::tuple{
      field({.name = "time", .unit = "s", .judge = FieldJudge::by_largest}, time),
      field({.name = "kind"}, kind),
      field({.name = "rule", .judge = FieldJudge::exactly}, rule),
      field({.name = "law", .tables = in_csv, .judge = FieldJudge::exactly}, law),
      field({.name = "label", .judge = FieldJudge::exactly}, label),
      field({.name = "position", .tables = in_none, .axis = FieldAxis::coordinates, .judge = FieldJudge::by_largest},
            position),
      field(
          {.name = "velocity_before", .tables = in_npz, .axis = FieldAxis::velocities, .judge = FieldJudge::by_largest},
          before),
      field(
          {.name = "velocity_after", .tables = in_npz, .axis = FieldAxis::velocities, .judge = FieldJudge::by_largest},
          after),
      field({.name = "normal_work", .unit = "J", .judge = FieldJudge::by_largest}, normal_work),
      field({.name = "tangential_work", .unit = "J", .judge = FieldJudge::by_largest}, tangential_work),
      field({.name = "supplied", .unit = "J", .judge = FieldJudge::by_largest}, supplied),
      field({.name = "change", .unit = "J", .judge = FieldJudge::by_largest}, change),
      field({.name = "consistent", .judge = FieldJudge::exactly}, consistent),
      field({.name = "warnings", .judge = FieldJudge::exactly, .judged_since = schema_of_corrections}, warnings),
      field({.name = "error_bound", .unit = "m/s", .judge = FieldJudge::by_largest}, error_bound),
      field({.name = "duration", .unit = "s", .since = schema_of_crowds, .judge = FieldJudge::by_largest}, duration),
  };
}

// `id` and `name` are in the table of contacts; `phases` and `path` are the rows of further tables.
template <class C>
auto fields_of_contact(C& contact) {
  auto& [id, name, before, after, impulse, mode, restitution, friction, phases, path] = contact;
  return std::tuple{
      field({.name = "velocity_before", .unit = "m/s", .judge = FieldJudge::by_largest}, before),
      field({.name = "velocity_after", .unit = "m/s", .judge = FieldJudge::by_largest}, after),
      field({.name = "impulse", .unit = "N s", .judge = FieldJudge::by_largest}, impulse),
      field({.name = "mode", .tables = in_csv, .judge = FieldJudge::exactly}, mode),
      field({.name = "restitution", .unit = "1", .tables = in_csv, .judge = FieldJudge::by_itself}, restitution),
      field({.name = "friction",
             .unit = "1",
             .since = schema_of_corrections,
             .judge = FieldJudge::by_itself,
             .judged_since = schema_of_corrections},
            friction),
  };
}

template <class P>
auto fields_of_phase(P& phase) {
  auto& [kind, stage, normal_impulse, direction_t1, direction_t2, velocity] = phase;
  return std::tuple{
      field({.name = "kind"}, kind),
      field({.name = "stage"}, stage),
      field({.name = "normal_impulse", .unit = "N s"}, normal_impulse),
      field({.name = "direction_t1", .unit = "1"}, direction_t1),
      field({.name = "direction_t2", .unit = "1"}, direction_t2),
      field({.name = "velocity", .unit = "m/s"}, velocity),
  };
}

template <class P>
auto fields_of_point(P& point) {
  auto& [normal_impulse, velocity, stage] = point;
  return std::tuple{
      field({.name = "normal_impulse", .unit = "N s"}, normal_impulse),
      field({.name = "velocity", .unit = "m/s"}, velocity),
      field({.name = "stage"}, stage),
  };
}

template <class Row>
auto fields_of(Row& row) {
  using Plain = std::remove_const_t<Row>;
  if constexpr (std::is_same_v<Plain, Event>) return fields_of_event(row);
  if constexpr (std::is_same_v<Plain, EventContact>) return fields_of_contact(row);
  if constexpr (std::is_same_v<Plain, Phase>) return fields_of_phase(row);
  if constexpr (std::is_same_v<Plain, PathPoint>) return fields_of_point(row);
}
template <class Row>
inline constexpr std::size_t row_field_count = std::tuple_size_v<decltype(fields_of(std::declval<Row&>()))>;

// visit(const FieldInfo&, value) for each field of the row.
template <class Row, class Visit>
void for_each_field(Row& row, Visit visit) {
  std::apply([&](const auto&... each) { (visit(each.info, each.value), ...); }, fields_of(row));
}

// visit(std::integral_constant<std::size_t, I>) for the number of each field.
template <class Row, class Visit>
void for_each_field_number(Visit visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (visit(std::integral_constant<std::size_t, I>()), ...); }
  (std::make_index_sequence<row_field_count<Row>>());
}

}  // namespace routh::internal
