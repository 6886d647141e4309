#include "routh/study/fit_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/problem/answer.h"
#include "routh/problem/reader.h"
#include "routh/scene/scene.h"
#include "routh/study/path.h"
#include "routh/study/problem_parameter.h"
#include "routh/study/tolerances.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

enum class Role { parameter, measured, deviation };
enum class Measured { contact_velocity, velocity, impulse };

struct Column {
  Role role = Role::parameter;
  std::optional<ProblemParameter> parameter;
  Measured kind = Measured::contact_velocity;
  int entry = 0;
  std::size_t of = 0;  // of a deviation: the measured column, as a place in the list
};

class DataReader {
 public:
  DataReader(ProblemFile problem, const SampleList& list) : base_(std::move(problem)), list_(list) {}

  FitData read();

 private:
  [[noreturn]] void refuse(std::size_t column, const std::string& what, const std::string& remedy) const {
    throw InputError(list_.heading(column), what, remedy);
  }
  [[noreturn]] void refuse_cell(std::size_t row, std::size_t column, const std::string& what,
                                const std::string& remedy) const;
  std::optional<std::size_t> column_about(std::string_view message) const;
  void find_columns();
  void find_measured(std::size_t column, const StudyPath& path);
  void find_deviation(std::size_t column, std::string_view measured_name);
  MeasuredImpact read_row(std::size_t row);
  Measurement model_of(const Column& column, const ImpactProblem& contact);

  ProblemFile base_;
  const SampleList& list_;
  std::vector<Column> columns_;
  ProblemFile row_problem_;
  ProblemSolver solver_;
  FitData data_;
};

void DataReader::find_measured(std::size_t column, const StudyPath& path) {
  static const std::vector<std::string> kinds = {"contact_velocity", "velocity", "impulse"};
  Column& it = columns_[column];
  it.role = Role::measured;
  const bool whole = path.size() == 3 && path[1].entry < 0 && path[2].entry >= 0;
  const auto kind = whole ? std::find(kinds.begin(), kinds.end(), path[1].word) : kinds.end();
  if (kind == kinds.end())
    refuse(column, fmt::format("'{}' is nothing that can be measured after an impact", path.text),
           "write after.contact_velocity[i], after.velocity[i] or after.impulse[i]");
  it.kind = static_cast<Measured>(kind - kinds.begin());
  it.entry = path[2].entry;
  if (it.kind == Measured::velocity && !base_.is_machine())
    refuse(column, "the problem has no coordinates whose velocity could be measured",
           "give it a mass_matrix and a jacobian, or measure after.contact_velocity[i]");
  const int directions = base_.dimension() == Dimension::planar ? 2 : 3;
  const int count = it.kind == Measured::velocity ? base_.jacobian.columns : directions;
  if (it.entry >= count)
    refuse(column, fmt::format("entry {} of {}: there are {}", it.entry, path[1].word, count),
           fmt::format("entries are numbered from 0 to {}", count - 1));
  data_.columns.push_back(list_.columns[column]);
}

void DataReader::find_deviation(std::size_t column, std::string_view measured_name) {
  columns_[column].role = Role::deviation;
  const auto of = std::find(list_.columns.begin(), list_.columns.end(), measured_name);
  if (of == list_.columns.end() || !measured_name.starts_with("after"))
    refuse(column, fmt::format("there is no measured column '{}' that this could be the deviation of", measured_name),
           "name a measured column: sigma.after.contact_velocity[0]");
  columns_[column].of = static_cast<std::size_t>(of - list_.columns.begin());
}

void DataReader::find_columns() {
  constexpr std::string_view sigma = "sigma.";
  columns_.resize(list_.columns.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::string& text = list_.columns[k];
    if (text.starts_with(sigma)) {
      find_deviation(k, std::string_view(text).substr(sigma.size()));
      continue;
    }
    const StudyPath path = parse_path(text, list_.heading(k));
    if (path[0].is("after"))
      find_measured(k, path);
    else if (path[0].is("friction") || path[0].is("restitution"))
      refuse(k, fmt::format("'{}' is what is sought", text), "leave the column out");
    else
      columns_[k].parameter = ProblemParameter::find(path, base_);
  }
  if (data_.columns.empty())
    refuse(0, "there is no measured column",
           "name at least one after.contact_velocity[i], after.velocity[i] or after.impulse[i]");
}

bool has_column(const SampleList& list, const std::string& name) {
  return std::find(list.columns.begin(), list.columns.end(), name) != list.columns.end();
}

double entry(const ContactVector& v, int k) { return k == 0 ? v.n : k == 1 ? v.t1 : v.t2; }
ContactVector unit(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

Measurement DataReader::model_of(const Column& column, const ImpactProblem& contact) {
  Measurement model;
  const ContactInertia& d = contact.inertia;
  switch (column.kind) {
    case Measured::impulse:
      model.gain = unit(column.entry);
      break;
    case Measured::contact_velocity: {
      model.offset = entry(contact.velocity, column.entry) + entry(contact.push, column.entry);
      const ContactVector rows[3] = {{d.a, d.c1, d.c2}, {d.c1, d.b11, d.b12}, {d.c2, d.b12, d.b22}};
      model.gain = rows[column.entry];
      break;
    }
    case Measured::velocity: {
      const auto place = static_cast<Eigen::Index>(column.entry);
      model.offset = solver_.velocity_after({})[place];
      model.gain = {solver_.velocity_after(unit(0))[place] - model.offset,
                    solver_.velocity_after(unit(1))[place] - model.offset,
                    d.dimension == Dimension::planar ? 0 : solver_.velocity_after(unit(2))[place] - model.offset};
      break;
    }
  }
  return model;
}

// Data that stand in no file have rows alone.
void DataReader::refuse_cell(std::size_t row, std::size_t column, const std::string& what,
                             const std::string& remedy) const {
  throw InputError(list_.cell(row, column), list_.lines.empty() ? fmt::format("row {}: {}", row + 1, what) : what,
                   remedy);
}

// The first column that sets what a message about a problem begins with: `friction.static = …`, `delassus: …`.
std::optional<std::size_t> DataReader::column_about(std::string_view message) const {
  const std::string_view field = message.substr(0, message.find_first_of(" .:=["));
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::string_view column = list_.columns[k];
    if (columns_[k].parameter && column.substr(0, column.find_first_of(".[")) == field) return k;
  }
  return std::nullopt;
}

MeasuredImpact DataReader::read_row(std::size_t row) {
  const auto value = [&](std::size_t column) { return list_.values[row * columns_.size() + column]; };
  row_problem_ = base_;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (columns_[k].parameter) columns_[k].parameter->set(row_problem_, value(k));
  if (const auto breach = settle(row_problem_))
    refuse_cell(row, column_about(breach->message).value_or(0), breach->message, breach->remedy);
  MeasuredImpact impact;
  try {
    impact.problem = solver_.prepare(row_problem_);
  } catch (const InputError& error) {
    const auto column = column_about(error.message());
    if (!column && error.where().line > 0) throw;  // the problem itself, at its place
    refuse_cell(row, column.value_or(0), error.message(), "mend the row or the problem");
  }
  impact.problem.restitution = {};
  std::size_t measured = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (columns_[k].role != Role::measured) continue;
    Measurement it = model_of(columns_[k], impact.problem);
    it.value = value(k);
    it.column = measured++;
    for (std::size_t s = 0; s < columns_.size(); ++s) {
      if (columns_[s].role != Role::deviation || columns_[s].of != k) continue;
      it.deviation = value(s);
      if (!(it.deviation > 0))
        refuse_cell(row, s, fmt::format("{} = {} must be positive", list_.columns[s], it.deviation),
                    "leave the column out when deviations are not known");
    }
    if (!(std::abs(it.value) < tolerances::residual_max * it.deviation &&
          std::abs(it.offset) < tolerances::residual_max * it.deviation))
      refuse_cell(row, k,
                  fmt::format("{} = {} is too large to be squared: {} before the impact, deviation {}",
                              list_.columns[k], it.value, it.offset, it.deviation),
                  "use units in which the numbers are near 1");
    impact.measured.push_back(it);
  }
  return impact;
}

FitData DataReader::read() {
  if (!base_.contacts.empty())
    throw InputError({base_.source, 0, 0}, "the problem has several contacts", "fit one contact at a time");
  find_columns();
  data_.dimension = base_.dimension();
  data_.friction = base_.friction;
  data_.where = list_.cell(0, 0);
  for (std::size_t row = 0; row < list_.rows(); ++row) {
    data_.impacts.push_back(read_row(row));
    data_.measurements += data_.impacts.back().measured.size();
  }
  return std::move(data_);
}

}  // namespace

double FitData::friction_ratio() const {
  const bool given = friction.kinetic_coefficient > 0 && std::isfinite(friction.static_coefficient);
  return given ? friction.static_coefficient / friction.kinetic_coefficient : 1;
}

ProblemFile read_common_problem(const std::string& path) {
  const Document document = Document::from_text(read_text_file(path, TextLimits{}.max_bytes), path);
  if (is_scene(document))
    throw InputError(document.root().where(), "this is a scene, not a problem",
                     "a fit needs the inertia of the contact: mass_matrix and jacobian, or delassus; see "
                     "docs/problem-file.md");
  ProblemFile file;
  read_problem(document, file);
  return file;
}

FitData make_fit_data(ProblemFile problem, const SampleList& list) {
  return DataReader(std::move(problem), list).read();
}

ProblemFile problem_of_columns(const SampleList& list, const std::string& option) {
  const bool spatial = has_column(list, "delassus[2][2]");
  const int n = spatial ? 3 : 2;
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      if (const std::string name = fmt::format("delassus[{}][{}]", i, j); !has_column(list, name))
        throw InputError(list.heading(0), fmt::format("there is no column '{}', and no {}", name, option),
                         "give the problem that the impacts share, or all entries of delassus in every row");
  for (int i = 0; i < n; ++i)
    if (const std::string name = fmt::format("contact_velocity[{}]", i); !has_column(list, name))
      throw InputError(list.heading(0), fmt::format("there is no column '{}', and no {}", name, option),
                       "give the velocity before each impact");
  const std::string unit = spatial ? "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]" : "[[1, 0], [0, 1]]";
  const std::string zero = spatial ? "[0, 0, 0]" : "[0, 0]";
  return read_problem_text(
      fmt::format("{{delassus: {}, contact_velocity: {}, friction: 1, restitution: 1}}", unit, zero), list.file);
}

}  // namespace routh::internal
