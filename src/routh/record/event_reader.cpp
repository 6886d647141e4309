#include <fmt/format.h>

#include "routh/record/event_fields.h"
#include "routh/record/read_columns.h"

namespace routh::internal {

namespace {

// What was empty was written as a row without numbers.
Eigen::VectorXd row_or_empty(const Reals& values, std::size_t row, std::size_t width) {
  Eigen::VectorXd numbers = row_of(values, row, width);
  if (numbers.array().isNaN().all()) return {};
  return numbers;
}

// Reads columns by the type of their values, and gives the value of a row.
class FieldReader {
 public:
  FieldReader(const hdf::Node& group, const RunInfo& info, std::size_t count)
      : group_(group), info_(info), count_(count) {}

  template <class T, class Set>
  void read(const FieldInfo& field, Set set) const {
    if constexpr (std::is_same_v<T, Eigen::VectorXd>) {
      const std::size_t width =
          field.axis == FieldAxis::coordinates ? info_.coordinate_names.size() : info_.velocity_names.size();
      const Reals values = read_reals(group_, field.name, count_, static_cast<long long>(width));
      for (std::size_t k = 0; k < count_; ++k) set(k, row_or_empty(values, k, width));
    } else if constexpr (std::is_same_v<T, ContactVector>) {
      const Reals values = read_reals(group_, field.name, count_, 3);
      for (std::size_t k = 0; k < count_; ++k) set(k, contact_vector(values, k));
    } else if constexpr (std::is_same_v<T, std::string>) {
      read_labels(field, set);
    } else if constexpr (std::is_enum_v<T>) {
      const auto values = of_length(read_enumeration<T>(group_, field.name), count_, field.name);
      for (std::size_t k = 0; k < count_; ++k) set(k, values[k]);
    } else {
      using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
      const auto values = of_length(group_.read<Stored>(field.name), count_, field.name);
      for (std::size_t k = 0; k < count_; ++k) set(k, static_cast<T>(values[k]));
    }
  }

 private:
  template <class Set>
  void read_labels(const FieldInfo& field, Set set) const {
    const auto rows = of_length(group_.read<std::int32_t>(field.name), count_, field.name);
    const std::vector<std::string> labels = group_.read_texts("label_names");
    for (std::size_t k = 0; k < count_; ++k) {
      if (rows[k] < -1 || rows[k] >= static_cast<std::int64_t>(labels.size()))
        throw hdf::Failure("a label is not in the list of labels");
      if (rows[k] >= 0) set(k, labels[static_cast<std::size_t>(rows[k])]);
    }
  }

  const hdf::Node& group_;
  const RunInfo& info_;
  std::size_t count_;
};

// Every field that the file's schema has.
template <class Row>
std::vector<Row> read_rows(const hdf::Node& group, const RunInfo& info, std::size_t count) {
  std::vector<Row> rows(count);
  const FieldReader reader(group, info, count);
  Row pattern{};
  for_each_field_number<Row>([&](auto number) {
    constexpr std::size_t I = decltype(number)::value;
    const auto field = std::get<I>(fields_of(pattern));
    if (info.schema < field.info.since) return;
    using T = std::remove_cvref_t<decltype(field.value)>;
    reader.template read<T>(field.info,
                            [&](std::size_t k, T value) { std::get<I>(fields_of(rows[k])).value = std::move(value); });
  });
  return rows;
}

// The row of another table that each row belongs to: they rise.
std::vector<std::size_t> read_owners(const hdf::Node& group, const char* table, const char* name, std::size_t owners) {
  const std::vector<std::int64_t> read = group.read<std::int64_t>(name);
  for (std::size_t k = 0; k < read.size(); ++k)
    if (read[k] < 0 || static_cast<std::size_t>(read[k]) >= owners || (k > 0 && read[k] < read[k - 1]))
      throw hdf::Failure(fmt::format("'{}/{}' is out of range or order", table, name));
  return {read.begin(), read.end()};
}

// The rows of a table, each given to the contact of an event that it belongs to.
template <class Row>
void read_parts(const hdf::Node& root, const RunInfo& info, const char* table, std::vector<Row> EventContact::*list,
                std::vector<EventContact>& contacts) {
  if (info.schema < schema_of_phases) return;
  const hdf::Node group = root.group(table);
  const std::vector<std::size_t> owners = read_owners(group, table, "event_contact", contacts.size());
  const std::vector<Row> rows = read_rows<Row>(group, info, owners.size());
  for (std::size_t k = 0; k < rows.size(); ++k) (contacts[owners[k]].*list).push_back(rows[k]);
}

void read_shares(const hdf::Node& root, const RunInfo& info, const std::vector<RunContact>& contacts,
                 std::vector<Event>& events) {
  const hdf::Node group = root.group("event_contacts");
  const std::vector<std::size_t> owners = read_owners(group, "event_contacts", "event", events.size());
  std::vector<EventContact> shares = read_rows<EventContact>(group, info, owners.size());
  const auto contact = of_length(group.read<std::int32_t>("contact"), owners.size(), "contact");
  read_parts(root, info, "event_phases", &EventContact::phases, shares);
  read_parts(root, info, "event_path", &EventContact::path, shares);
  for (std::size_t k = 0; k < owners.size(); ++k) {
    const RunContact& known = contact_at(contacts, contact[k]);
    shares[k].id = known.id;
    shares[k].name = known.name;
    events[owners[k]].contacts.push_back(std::move(shares[k]));
  }
}

// The same said the other way round, for readers that go by events.
void check_counts(const hdf::Node& group, const std::vector<Event>& events) {
  const auto first = of_length(group.read<std::int64_t>("first_contact"), events.size(), "first_contact");
  const auto counts = of_length(group.read<std::int32_t>("contact_count"), events.size(), "contact_count");
  std::int64_t next = 0;
  for (std::size_t k = 0; k < events.size(); next += counts[k++])
    if (first[k] != next || counts[k] != static_cast<std::int64_t>(events[k].contacts.size()))
      throw hdf::Failure("'events/contact_count' does not fit 'event_contacts/event'");
}

}  // namespace

std::vector<Event> read_events(const hdf::Node& root, const RunInfo& info, const std::vector<RunContact>& contacts) {
  const hdf::Node group = root.group("events");
  std::vector<Event> events = read_rows<Event>(group, info, static_cast<std::size_t>(group.rows("time")));
  read_shares(root, info, contacts, events);
  check_counts(group, events);
  return events;
}

}  // namespace routh::internal
