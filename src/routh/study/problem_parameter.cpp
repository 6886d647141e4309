#include "routh/study/problem_parameter.h"

#include <fmt/format.h>

#include <array>

namespace routh::internal {

namespace {

struct VectorField {
  Field field;
  std::vector<double> ProblemFile::*values;
  bool of_contact;  // n, t1, t2
};
constexpr std::array<VectorField, 7> vectors = {{
    {Field::velocity, &ProblemFile::velocity, false},
    {Field::external_impulse, &ProblemFile::external_impulse, false},
    {Field::force, &ProblemFile::force, false},
    {Field::contact_velocity, &ProblemFile::contact_velocity, true},
    {Field::surface_velocity, &ProblemFile::surface_velocity, true},
    {Field::free_acceleration, &ProblemFile::free_acceleration, true},
    {Field::drift, &ProblemFile::drift, true},
}};

struct MatrixField {
  Field field;
  NumberTable ProblemFile::*values;
  bool symmetric;
};
constexpr std::array<MatrixField, 4> matrices = {{
    {Field::mass_matrix, &ProblemFile::mass_matrix, true},
    {Field::delassus, &ProblemFile::delassus, true},
    {Field::jacobian, &ProblemFile::jacobian, false},
    {Field::bilateral, &ProblemFile::bilateral, false},
}};

std::string_view key(Field field) { return field_names[static_cast<std::size_t>(field)]; }

std::size_t coordinates(const ProblemFile& problem) { return static_cast<std::size_t>(problem.jacobian.columns); }
std::size_t directions(const ProblemFile& problem) { return problem.dimension() == Dimension::planar ? 2 : 3; }

void give_missing_vector(const VectorField& field, ProblemFile& problem) {
  const bool may = field.field == Field::surface_velocity ||
                   ((field.field == Field::external_impulse || field.field == Field::force) && problem.is_machine());
  if (problem.has(field.field) || !may) return;
  if (field.field == Field::force && problem.has(Field::free_acceleration)) return;
  (problem.*field.values).assign(field.of_contact ? directions(problem) : coordinates(problem), 0.0);
  problem.set(field.field);
}

std::vector<std::string> all_paths(const ProblemFile& problem) {
  std::vector<std::string> all = {"friction",           "friction.static",        "friction.kinetic", "restitution",
                                  "restitution.normal", "restitution.tangential", "restitution.alpha"};
  for (const VectorField& each : vectors)
    for (std::size_t k = 0; k < std::min<std::size_t>((problem.*each.values).size(), 50); ++k)
      all.push_back(fmt::format("{}[{}]", key(each.field), k));
  for (const MatrixField& each : matrices)
    if (problem.has(each.field)) all.push_back(fmt::format("{}[0][0]", key(each.field)));
  return all;
}

}  // namespace

const SurfaceNumber* find_surface_number(const StudyPath& path, std::size_t first) {
  static constexpr auto constant = [](Friction&, Restitution& restitution, double e) {
    restitution.kind = RestitutionKind::constant;
    restitution.normal = e;
  };
  static constexpr auto kinetic = [](const Friction& friction, const Restitution&) {
    return friction.kinetic_coefficient;
  };
  static constexpr auto normal = [](const Friction&, const Restitution& restitution) { return restitution.normal; };
  static constexpr SurfaceNumber numbers[] = {
      {"friction", "",
       [](Friction& friction, Restitution&, double mu) {
         friction = {mu, mu};
       },
       kinetic},
      {"friction", "static", [](Friction& friction, Restitution&, double mu) { friction.static_coefficient = mu; },
       [](const Friction& friction, const Restitution&) { return friction.static_coefficient; }},
      {"friction", "kinetic", [](Friction& friction, Restitution&, double mu) { friction.kinetic_coefficient = mu; },
       kinetic},
      {"restitution", "", constant, normal},
      {"restitution", "normal", constant, normal},
      {"restitution", "tangential", [](Friction&, Restitution& restitution, double e) { restitution.tangential = e; },
       [](const Friction&, const Restitution& restitution) { return restitution.tangential; }},
      {"restitution", "alpha",
       [](Friction&, Restitution& restitution, double alpha) {
         restitution.kind = RestitutionKind::linear;
         restitution.alpha = alpha;
       },
       [](const Friction&, const Restitution& restitution) { return restitution.alpha; }}};
  for (const SurfaceNumber& each : numbers)
    if (path.size() == first + (each.part.empty() ? 1 : 2) && path[first].is(each.word) &&
        (each.part.empty() || path[first + 1].is(each.part)))
      return &each;
  return nullptr;
}

ProblemParameter ProblemParameter::find(const StudyPath& path, ProblemFile& problem) {
  ProblemParameter out;
  if (!problem.contacts.empty())
    refuse(path, "the problem has several contacts, and a study varies those of one", "give one contact");
  if (out.surface_ = find_surface_number(path, 0); out.surface_) return out;
  for (const VectorField& field : vectors) {
    if (path.size() != 2 || !path[0].is(key(field.field))) continue;
    give_missing_vector(field, problem);
    const std::size_t size = (problem.*field.values).size();
    const int entry = field.of_contact ? path[1].direction() : path[1].entry;
    if (size == 0) refuse(path, fmt::format("the problem has no {}", key(field.field)), "give it in the problem");
    if (entry < 0 || static_cast<std::size_t>(entry) >= size)
      refuse(path, fmt::format("{} has the entries 0 to {}", key(field.field), size - 1), {});
    out.vector_ = field.values;
    out.entry_ = static_cast<std::size_t>(entry);
    return out;
  }
  for (const MatrixField& field : matrices) {
    if (path.size() != 3 || !path[0].is(key(field.field))) continue;
    const NumberTable& table = problem.*field.values;
    const int row = path[1].entry, column = path[2].entry;
    if (row < 0 || column < 0 || row >= table.rows || column >= table.columns)
      refuse(path, fmt::format("{} is {}×{}; entries count from 0", key(field.field), table.rows, table.columns), {});
    out.matrix_ = field.values;
    out.entry_ = static_cast<std::size_t>(row * table.columns + column);
    out.mirror_ = field.symmetric ? static_cast<std::size_t>(column * table.columns + row) : out.entry_;
    return out;
  }
  refuse(path, "the problem has no such number", known_names(path.text, all_paths(problem)));
}

void ProblemParameter::set(ProblemFile& problem, double value) const {
  if (surface_) return surface_->set(problem.friction, problem.restitution, value);
  if (vector_) {
    (problem.*vector_)[entry_] = value;
    return;
  }
  (problem.*matrix_).values[entry_] = value;
  (problem.*matrix_).values[mirror_] = value;
}

}  // namespace routh::internal
