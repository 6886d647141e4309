#include "routh/record/sample_columns.h"

namespace routh::internal {

EventColumns::EventColumns(hdf::Node& root, const RunInfo& info)
    : events_(root.create_group("events")),
      event_contacts_(root.create_group("event_contacts")),
      coordinates_(info.coordinate_names.size()),
      velocities_(info.velocity_names.size()) {
  const auto integer = hdf::element_of<std::int32_t>();
  time_ = real_column(events_, "time", "s");
  kind_ = enumeration_column<EventKind>(events_, "kind");
  kind_name_ = Column(events_, "kind_name", {hdf::Kind::text, 24});
  rule_ = enumeration_column<ImpactRule>(events_, "rule");
  law_ = enumeration_column<Law>(events_, "law");
  label_ = Column(events_, "label", integer);
  position_ = named_column(events_, "position", info.coordinate_names, info.coordinate_units);
  velocity_before_ = named_column(events_, "velocity_before", info.velocity_names, info.velocity_units);
  velocity_after_ = named_column(events_, "velocity_after", info.velocity_names, info.velocity_units);
  normal_work_ = real_column(events_, "normal_work", "J");
  tangential_work_ = real_column(events_, "tangential_work", "J");
  supplied_ = real_column(events_, "supplied", "J");
  change_ = real_column(events_, "change", "J");
  consistent_ = Column(events_, "consistent", hdf::element_of<std::uint8_t>());
  warnings_ = Column(events_, "warnings", hdf::element_of<std::uint32_t>());
  warnings_.node().put("bits", warning_names());
  error_bound_ = real_column(events_, "error_bound", "m/s");
  first_contact_ = Column(events_, "first_contact", hdf::element_of<std::int64_t>());
  contact_count_ = Column(events_, "contact_count", integer);
  event_ = Column(event_contacts_, "event", hdf::element_of<std::int64_t>());
  contact_ = Column(event_contacts_, "contact", integer);
  contact_before_ = vector_column(event_contacts_, "velocity_before", 3, "m/s");
  contact_after_ = vector_column(event_contacts_, "velocity_after", 3, "m/s");
  impulse_ = vector_column(event_contacts_, "impulse", 3, "N s");
  mode_ = enumeration_column<Mode>(event_contacts_, "mode");
  restitution_ = real_column(event_contacts_, "restitution", "1");
  friction_ = real_column(event_contacts_, "friction", "1");
}

std::int32_t EventColumns::label_index(const std::string& label) {
  if (label.empty()) return -1;
  const auto [at, added] = label_index_.try_emplace(label, static_cast<std::int32_t>(labels_.size()));
  if (added) labels_.push_back(label);
  return at->second;
}

void EventColumns::add(const Event& event, ContactTable& contacts) {
  const auto& [time, kind, rule, law, shares, label, energy, warnings, before, after, position, error_bound] = event;
  const auto& [normal_work, tangential_work, supplied, change, consistent] = energy;
  time_.add(time);
  kind_.add(static_cast<std::int32_t>(kind));
  kind_name_.add_text(name(kind));
  rule_.add(static_cast<std::int32_t>(rule));
  law_.add(static_cast<std::int32_t>(law));
  label_.add(label_index(label));
  add_full_or_empty(position_, position, coordinates_);
  add_full_or_empty(velocity_before_, before, velocities_);
  add_full_or_empty(velocity_after_, after, velocities_);
  normal_work_.add(normal_work);
  tangential_work_.add(tangential_work);
  supplied_.add(supplied);
  change_.add(change);
  consistent_.add(static_cast<std::uint8_t>(consistent));
  warnings_.add(warnings);
  error_bound_.add(error_bound);
  first_contact_.add(contacts_count_);
  contact_count_.add(static_cast<std::int32_t>(shares.size()));
  add_contacts(event, contacts);
  contacts_count_ += static_cast<std::int64_t>(shares.size());
  ++count_;
}

void EventColumns::add_contacts(const Event& event, ContactTable& contacts) {
  for (const auto& [id, contact_name, before, after, impulse, mode, restitution, friction] : event.contacts) {
    event_.add(count_);
    contact_.add(contacts.index(id, contact_name));
    add_contact_vector(contact_before_, before);
    add_contact_vector(contact_after_, after);
    add_contact_vector(impulse_, impulse);
    mode_.add(static_cast<std::int32_t>(mode));
    restitution_.add(restitution);
    friction_.add(friction);
  }
}

void EventColumns::flush() {
  for (Column* column : {&time_,
                         &kind_,
                         &kind_name_,
                         &rule_,
                         &law_,
                         &label_,
                         &position_,
                         &velocity_before_,
                         &velocity_after_,
                         &normal_work_,
                         &tangential_work_,
                         &supplied_,
                         &change_,
                         &consistent_,
                         &warnings_,
                         &error_bound_,
                         &first_contact_,
                         &contact_count_,
                         &event_,
                         &contact_,
                         &contact_before_,
                         &contact_after_,
                         &impulse_,
                         &mode_,
                         &restitution_,
                         &friction_})
    column->flush();
}

void EventColumns::write_labels() { put_texts(events_, "label_names", labels_); }

}  // namespace routh::internal
