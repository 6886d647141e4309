// Columns of a run file as they are read: checked against the number of their rows. Internal to the module.
#pragma once

#include "routh/record/run_columns.h"

namespace routh::internal {

using Reals = std::vector<double>;

template <class T>
std::vector<T> of_length(std::vector<T> values, std::size_t count, const char* name) {
  if (values.size() != count) throw hdf::Failure(std::string("'") + name + "' has the wrong number of rows");
  return values;
}

// A column with one entry for each of `count` rows of `width` numbers.
inline Reals read_reals(const hdf::Node& group, const char* name, std::size_t count, long long width = hdf::flat) {
  Reals values = group.read<double>(name, width);
  const std::size_t columns = width == hdf::flat ? 1 : static_cast<std::size_t>(width);
  if (values.size() != count * columns || (width == 0 && group.rows(name) != static_cast<long long>(count)))
    throw hdf::Failure(std::string("'") + name + "' has the wrong number of rows");
  return values;
}

inline ContactVector contact_vector(const Reals& values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

inline Eigen::VectorXd row_of(const Reals& values, std::size_t row, std::size_t width) {
  return Eigen::Map<const Eigen::VectorXd>(values.data() + row * width, static_cast<Eigen::Index>(width));
}

inline const RunContact& contact_at(const std::vector<RunContact>& contacts, std::int32_t index) {
  if (index < 0 || static_cast<std::size_t>(index) >= contacts.size())
    throw hdf::Failure("a contact is not in the table of contacts");
  return contacts[static_cast<std::size_t>(index)];
}

std::vector<Event> read_events(const hdf::Node& root, const RunInfo& info, const std::vector<RunContact>& contacts);

}  // namespace routh::internal
