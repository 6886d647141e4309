#include "routh/recording/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>

#include "routh/recording/hygiene.h"
#include "routh/recording/tolerances.h"
#include "routh/study/path.h"

namespace routh::internal {

namespace {

constexpr std::size_t rows_min = 4;  // two differences of velocity: less is no motion

struct Named {
  std::vector<const char*> names;  // the first is the usual one
};

std::vector<Named> coordinate_columns(const Model& model) {
  if (model.dimension == Dimension::planar) return {{{"x"}}, {{"y", "z"}}, {{"angle", "theta"}}};
  return {{{"x"}}, {{"y"}}, {{"z"}}, {{"qw"}}, {{"qx"}}, {{"qy"}}, {{"qz"}}};
}

std::vector<Named> velocity_columns(const Model& model) {
  if (model.dimension == Dimension::planar) return {{{"vx"}}, {{"vy", "vz"}}, {{"w", "wz"}}};
  return {{{"vx"}}, {{"vy"}}, {{"vz"}}, {{"wx"}}, {{"wy"}}, {{"wz"}}};
}

std::optional<std::size_t> find_column(const SampleList& list, const Named& wanted) {
  for (const char* const each : wanted.names)
    for (std::size_t k = 0; k < list.columns.size(); ++k)
      if (list.columns[k] == each) return k;
  return std::nullopt;
}

std::string all_columns(const Model& model) {
  std::string out = "time";
  for (const Named& each : coordinate_columns(model)) out += fmt::format(", {}", each.names.front());
  return out;
}

void refuse_unknown(const SampleList& list, const Model& model) {
  std::vector<std::string> known = {"time"};
  for (const auto& group : {coordinate_columns(model), velocity_columns(model)})
    for (const Named& each : group) known.insert(known.end(), each.names.begin(), each.names.end());
  for (std::size_t k = 0; k < list.columns.size(); ++k)
    if (std::find(known.begin(), known.end(), list.columns[k]) == known.end())
      throw InputError(list.heading(k),
                       fmt::format("the column '{}' is none of a recording", printable(list.columns[k])),
                       known_names(list.columns[k], known));
}

std::vector<std::size_t> need_columns(const SampleList& list, const Model& model) {
  std::vector<std::size_t> out;
  for (const Named& each : coordinate_columns(model)) {
    const auto found = find_column(list, each);
    if (!found)
      throw InputError({list.file, list.heading_line, 1}, fmt::format("there is no column '{}'", each.names.front()),
                       fmt::format("a recording of this body has the columns {}", all_columns(model)));
    out.push_back(*found);
  }
  return out;
}

// Of the velocities either all or none are used.
std::vector<std::size_t> velocity_places(const SampleList& list, const Model& model) {
  std::vector<std::size_t> out;
  for (const Named& each : velocity_columns(model))
    if (const auto found = find_column(list, each)) out.push_back(*found);
  if (out.size() != velocity_columns(model).size()) out.clear();
  return out;
}

Eigen::VectorXd pick(const SampleList& list, std::size_t row, const std::vector<std::size_t>& places) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(places.size()));
  for (std::size_t k = 0; k < places.size(); ++k)
    out[static_cast<Eigen::Index>(k)] = list.values[row * list.columns.size() + places[k]];
  return out;
}

void normalise_quaternion(Eigen::VectorXd& q, const Location& where) {
  const double size = q.tail<4>().norm();
  if (!(std::abs(size - 1) <= tolerances::quaternion_length_error))
    throw InputError(where, fmt::format("the quaternion has the length {:.6g}", size),
                     "qw, qx, qy, qz are of length 1; look at the order of the columns");
  q.tail<4>() /= size;
}

}  // namespace

const Joint& thrown_joint(const Model& model, const Location& where) {
  const Joint* found = nullptr;
  for (const Joint& joint : model.joints) {
    if (joint.kind == JointKind::fixed) continue;
    if (found || joint.parent != 0 || (joint.kind != JointKind::free && joint.kind != JointKind::planar))
      throw InputError(where, "recordings are of one body that flies: this scene moves otherwise",
                       "give it one body with a free joint, in the plane a planar one");
    found = &joint;
  }
  if (!found || (found->kind == JointKind::planar) != (model.dimension == Dimension::planar))
    throw InputError(where, "recordings are of one body that flies: nothing flies in this scene",
                     "give it one body with a free joint, in the plane a planar one");
  return *found;
}

Recording recording_of(const SampleList& list, const Model& model, const std::string& name) {
  refuse_unknown(list, model);
  const auto time = find_column(list, {{"time"}});
  if (!time)
    throw InputError({list.file, list.heading_line, 1}, "there is no column 'time'",
                     fmt::format("a recording of this body has the columns {}", all_columns(model)));
  const std::vector<std::size_t> places = need_columns(list, model), rates = velocity_places(list, model);
  if (list.rows() < rows_min)
    throw InputError(list.cell(0, 0), fmt::format("a recording of {} rows is no motion", list.rows()),
                     fmt::format("{} rows are needed at least", rows_min));
  Recording out;
  out.name = name;
  for (std::size_t row = 0; row < list.rows(); ++row) {
    const double t = list.values[row * list.columns.size() + *time];
    const Location where = list.cell(row, *time);
    if (row > 0 && !(t > out.times.back()))
      throw InputError(where, fmt::format("the time {} does not come after {}", t, out.times.back()),
                       "rows are in the order of time, each once");
    Eigen::VectorXd q = pick(list, row, places);
    if (model.dimension == Dimension::spatial) normalise_quaternion(q, list.cell(row, places[3]));
    // Angles may be given within one turn: the nearer way counts.
    else if (row > 0)
      q[2] -= 2 * std::numbers::pi * std::floor((q[2] - out.q.back()[2]) / (2 * std::numbers::pi) + 0.5);
    out.times.push_back(t);
    out.q.push_back(std::move(q));
    out.where.push_back(list.cell(row, 0));
    if (!rates.empty()) out.v.push_back(pick(list, row, rates));
  }
  return out;
}

namespace {

std::vector<std::filesystem::path> files_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<fs::path> files;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".csv") files.push_back(it->path());
  if (error)
    throw RuntimeFailure(fmt::format("cannot read the folder '{}': {}", printable(path, 200), error.message()));
  std::sort(files.begin(), files.end());
  if (files.empty())
    throw InputError({path}, "the folder holds no file that ends in .csv",
                     "give a folder with one file for each throw");
  return files;
}

}  // namespace

Recordings read_recordings(const std::string& path, const Model& model, BadFiles bad) {
  Recordings out;
  for (const std::filesystem::path& file : files_of(path)) {
    try {
      const SampleList list = read_sample_list(file.string(), out.text);
      Recording recording = recording_of(list, model, file.filename().string());
      refuse_impossible_motion(recording, model);
      out.throws.push_back(std::move(recording));
    } catch (const InputError& error) {
      if (bad == BadFiles::refuse) throw;
      out.left_out.push_back(error.what());
    }
  }
  if (out.throws.empty())
    throw InputError(
        {path}, fmt::format("none of {} files can be used; the first: {}", out.left_out.size(), out.left_out.front()));
  return out;
}

}  // namespace routh::internal
