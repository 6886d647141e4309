#include "routh/record/event_columns.h"

namespace routh::internal {

namespace {

// A column for a field, by the type of its values.
struct ColumnMaker {
  hdf::Node& group;
  const RunInfo& info;

  Column operator()(const FieldInfo& field, double) const { return real_column(group, field.name, field.unit); }
  Column operator()(const FieldInfo& field, bool) const { return {group, field.name, hdf::element_of<std::uint8_t>()}; }
  Column operator()(const FieldInfo& field, std::uint32_t) const {
    Column column(group, field.name, hdf::element_of<std::uint32_t>());
    column.node().put("bits", enumeration_names<Warning>());
    return column;
  }
  Column operator()(const FieldInfo& field, const std::string&) const {
    return {group, field.name, hdf::element_of<std::int32_t>()};
  }
  Column operator()(const FieldInfo& field, const ContactVector&) const {
    return vector_column(group, field.name, 3, field.unit);
  }
  Column operator()(const FieldInfo& field, const Eigen::VectorXd&) const {
    return field.axis == FieldAxis::coordinates
               ? named_column(group, field.name, info.coordinate_names, info.coordinate_units)
               : named_column(group, field.name, info.velocity_names, info.velocity_units);
  }
  template <class E>
  requires std::is_enum_v<E> Column operator()(const FieldInfo& field, E) const {
    return enumeration_column<E>(group, field.name);
  }
};

}  // namespace

std::int32_t LabelTable::index(const std::string& label) {
  if (label.empty()) return -1;
  const auto [at, added] = index_.try_emplace(label, static_cast<std::int32_t>(labels_.size()));
  if (added) labels_.push_back(label);
  return at->second;
}

template <class Row>
RowColumns<Row>::RowColumns(hdf::Node& group, const RunInfo& info)
    : coordinates_(info.coordinate_names.size()), velocities_(info.velocity_names.size()) {
  const ColumnMaker make{group, info};
  Row row{};
  for_each_field(row, [&](const FieldInfo& field, const auto& value) { columns_.push_back(make(field, value)); });
}

template <class Row>
void RowColumns<Row>::add(const Row& row, LabelTable& labels) {
  auto column = columns_.begin();
  for_each_field(row, [&]<class T>(const FieldInfo& field, const T& value) {
    if constexpr (std::is_enum_v<T>)
      column->add(static_cast<std::int32_t>(value));
    else if constexpr (std::is_same_v<T, bool>)
      column->add(static_cast<std::uint8_t>(value));
    else if constexpr (std::is_same_v<T, std::string>)
      column->add(labels.index(value));
    else if constexpr (std::is_same_v<T, ContactVector>)
      add_contact_vector(*column, value);
    else if constexpr (std::is_same_v<T, Eigen::VectorXd>)
      add_full_or_empty(*column, value, field.axis == FieldAxis::coordinates ? coordinates_ : velocities_);
    else
      column->add(value);
    ++column;
  });
}

template <class Row>
void RowColumns<Row>::flush() {
  for (Column& column : columns_) column.flush();
}

EventColumns::EventColumns(hdf::Node& root, const RunInfo& info)
    : event_group_(root.create_group("events")),
      contact_group_(root.create_group("event_contacts")),
      phase_group_(root.create_group("event_phases")),
      path_group_(root.create_group("event_path")),
      events_(event_group_, info),
      contacts_(contact_group_, info),
      phases_(phase_group_, info),
      path_(path_group_, info),
      kind_name_(event_group_, "kind_name", {hdf::Kind::text, 24}),
      first_contact_(event_group_, "first_contact", hdf::element_of<std::int64_t>()),
      contact_count_column_(event_group_, "contact_count", hdf::element_of<std::int32_t>()),
      event_(contact_group_, "event", hdf::element_of<std::int64_t>()),
      contact_(contact_group_, "contact", hdf::element_of<std::int32_t>()),
      phase_of_(phase_group_, "event_contact", hdf::element_of<std::int64_t>()),
      point_of_(path_group_, "event_contact", hdf::element_of<std::int64_t>()) {}

void EventColumns::add(const Event& event, ContactTable& contacts) {
  events_.add(event, labels_);
  kind_name_.add_text(name(event.kind));
  first_contact_.add(contact_count_);
  contact_count_column_.add(static_cast<std::int32_t>(event.contacts.size()));
  for (const EventContact& contact : event.contacts) {
    contacts_.add(contact, labels_);
    event_.add(event_count_);
    contact_.add(contacts.index(contact.id, contact.name));
    for (const Phase& phase : contact.phases) {
      phases_.add(phase, labels_);
      phase_of_.add(contact_count_);
    }
    for (const PathPoint& point : contact.path) {
      path_.add(point, labels_);
      point_of_.add(contact_count_);
    }
    ++contact_count_;
  }
  ++event_count_;
}

void EventColumns::flush() {
  events_.flush();
  contacts_.flush();
  phases_.flush();
  path_.flush();
  for (Column* column :
       {&kind_name_, &first_contact_, &contact_count_column_, &event_, &contact_, &phase_of_, &point_of_})
    column->flush();
}

void EventColumns::write_labels() { put_texts(event_group_, "label_names", labels_.labels()); }

}  // namespace routh::internal
