// The columns of a run file as they are written, and the names of its enumerations. Internal to the module.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "routh/base/error.h"
#include "routh/record/hdf5_file.h"
#include "routh/record/run_file.h"

namespace routh::internal {

// A dataset that grows, with the rows that were not written yet.
class Column {
 public:
  Column() = default;
  Column(hdf::Node& parent, const char* name, hdf::Element element, long long width = hdf::flat);

  hdf::Node& node() { return node_; }
  template <class T>
  void add(T value) {
    static_assert(std::is_arithmetic_v<T>);
    buffer_.append(reinterpret_cast<const char*>(&value), sizeof value);
    ++rows_;
  }
  void add_row(std::span<const double> row);
  // `size` numbers that are not there.
  void add_missing(std::size_t size);
  // Padded to the column's size.
  void add_text(const char* text);
  void flush();

 private:
  hdf::Node node_;
  hdf::Element element_;
  std::string buffer_;
  long long rows_ = 0;
};

template <class E>
std::vector<std::string> enumeration_names() {
  return {all_names<E>.begin(), all_names<E>.end()};
}

// The value called `text`; throws hdf::Failure where there is none.
template <class E>
E enumeration_value(const std::string& text) {
  if (const std::optional<E> value = value_named<E>(text)) return *value;
  throw hdf::Failure("'" + printable(text) + "' is not a known value");
}

template <class E>
Column enumeration_column(hdf::Node& parent, const char* dataset) {
  Column column(parent, dataset, hdf::element_of<std::int32_t>());
  column.node().put("names", enumeration_names<E>());
  return column;
}

// By the names in the file, so that the order of the enumeration may change.
template <class E>
std::vector<E> read_enumeration(const hdf::Node& parent, const char* dataset) {
  std::vector<E> known;
  for (const std::string& text : parent.texts_of(dataset, "names")) known.push_back(enumeration_value<E>(text));
  std::vector<E> values;
  for (const std::int32_t code : parent.read<std::int32_t>(dataset)) {
    if (code < 0 || static_cast<std::size_t>(code) >= known.size())
      throw hdf::Failure(std::string("'") + dataset + "' holds an unknown code");
    values.push_back(known[static_cast<std::size_t>(code)]);
  }
  return values;
}

// A complete list at once, in one chunk if it is short.
inline long long list_chunk(std::size_t count) {
  return std::clamp<long long>(static_cast<long long>(count), 1, hdf::chunk_rows);
}
template <class T>
void put_list(hdf::Node& parent, const char* name, const std::vector<T>& values) {
  parent.create_column(name, hdf::element_of<T>(), hdf::flat, list_chunk(values.size()))
      .append(values.data(), static_cast<long long>(values.size()), hdf::element_of<T>());
}
void put_list(hdf::Node& parent, const char* name, const Eigen::VectorXd& values);
void put_texts(hdf::Node& parent, const char* name, const std::vector<std::string>& texts);
Eigen::VectorXd read_vector(const hdf::Node& parent, const char* name);

// A number as an attribute, and back: counts and flags are whole numbers there.
template <class T>
void put_number(hdf::Node& group, const char* name, T value) {
  if constexpr (std::is_same_v<T, double>)
    group.put(name, value);
  else
    group.put(name, static_cast<long long>(value));
}
template <class T>
constexpr bool fits(long long whole) {
  if constexpr (std::is_same_v<T, bool>)
    return whole == 0 || whole == 1;
  else
    return std::in_range<T>(whole);
}
template <class T>
void read_number(const hdf::Node& group, const char* name, T& value) {
  if constexpr (std::is_same_v<T, double>)
    value = group.real(name);
  else {
    const long long whole = group.integer(name);
    if (!fits<T>(whole)) throw hdf::Failure(std::string("the attribute '") + name + "' is out of range");
    value = static_cast<T>(whole);
  }
}

void write_checkpoint(hdf::Node& root, const Checkpoint& checkpoint);
Checkpoint read_checkpoint(const hdf::Node& root, int schema);

void write_info(hdf::Node& root, const RunInfo& info);
RunInfo read_info(const hdf::Node& root);
void write_outcome(hdf::Node& root, const RunOutcome& outcome);
RunOutcome read_outcome(const hdf::Node& root, int schema);

}  // namespace routh::internal
