#include "routh/record/sample_columns.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace routh::internal {

Column real_column(hdf::Node& parent, const char* name, const char* units) {
  Column column(parent, name, hdf::element_of<double>());
  column.node().put("units", units);
  return column;
}

Column vector_column(hdf::Node& parent, const char* name, long long width, const char* units) {
  Column column(parent, name, hdf::element_of<double>(), width);
  column.node().put("units", units);
  return column;
}

Column named_column(hdf::Node& parent, const char* name, const std::vector<std::string>& names,
                    const std::vector<std::string>& units) {
  if (names.size() != units.size()) throw hdf::Failure(fmt::format("{}: names and units differ in number", name));
  Column column(parent, name, hdf::element_of<double>(), static_cast<long long>(names.size()));
  column.node().put("names", names);
  column.node().put("units", units);
  return column;
}

void add_vector3(Column& column, const Vector3& a) { column.add_row(std::array<double, 3>{a.x, a.y, a.z}); }
void add_contact_vector(Column& column, const ContactVector& a) {
  column.add_row(std::array<double, 3>{a.n, a.t1, a.t2});
}

void add_full(Column& column, const Eigen::VectorXd& values) {
  column.add_row({values.data(), static_cast<std::size_t>(values.size())});
}

void add_full_or_empty(Column& column, const Eigen::VectorXd& values, std::size_t size) {
  if (values.size() == 0) return column.add_missing(size);
  add_full(column, values);
}

std::string plain_contact_name(ContactId id) {
  if (id.pair >= 0) return fmt::format("pair {}, feature {}", id.pair, id.feature);
  return fmt::format("{} limit of degree of freedom {}", id.feature == 0 ? "lower" : "upper", -1LL - id.pair);
}

std::int32_t ContactTable::index(ContactId id, const std::string& name) {
  const auto [at, added] = index_.try_emplace(id, static_cast<std::int32_t>(contacts_.size()));
  if (added) contacts_.push_back({id, {}});
  RunContact& contact = contacts_[static_cast<std::size_t>(at->second)];
  if (contact.name.empty()) contact.name = name;
  return at->second;
}

bool ContactTable::has_name(ContactId id) const {
  const auto at = index_.find(id);
  return at != index_.end() && !contacts_[static_cast<std::size_t>(at->second)].name.empty();
}

void ContactTable::write(hdf::Node& root) const {
  hdf::Node group = root.create_group("contacts");
  std::vector<std::string> names;
  Column ids(group, "ids", hdf::element_of<std::int32_t>(), 2);
  std::vector<std::int32_t> flat_ids;
  for (const RunContact& contact : contacts_) {
    names.push_back(contact.name.empty() ? plain_contact_name(contact.id) : contact.name);
    flat_ids.insert(flat_ids.end(), {contact.id.pair, contact.id.feature});
  }
  ids.node().append(flat_ids.data(), static_cast<long long>(contacts_.size()), hdf::element_of<std::int32_t>());
  ids.node().put("names", std::vector<std::string>{"pair", "feature"});
  put_texts(group, "names", names);
}

SampleColumns::SampleColumns(hdf::Node& root, const RunInfo& info) {
  time_ = real_column(root, "time", "s");
  position_ = named_column(root, "position", info.coordinate_names, info.coordinate_units);
  velocity_ = named_column(root, "velocity", info.velocity_names, info.velocity_units);
  hdf::Node energy = root.create_group("energy");
  for (std::size_t k = 0; k < accounts_.size(); ++k) accounts_[k] = real_column(energy, account_fields[k].name, "J");
  hdf::Node active = root.create_group("contact_samples");
  sample_ = Column(active, "sample", hdf::element_of<std::int64_t>());
  contact_ = Column(active, "contact", hdf::element_of<std::int32_t>());
  mode_ = enumeration_column<ContactMode>(active, "mode");
  force_ = vector_column(active, "force", 3, "N");
  slip_ = vector_column(active, "slip_direction", 2, "1");
  gap_ = real_column(active, "gap", "m or rad");
  point_ = vector_column(active, "point", 3, "m");
  normal_ = vector_column(active, "normal", 3, "1");
  tangent1_ = vector_column(active, "tangent1", 3, "1");
  slip_margin_ = real_column(active, "slip_margin", "1");
  jam_margin_ = real_column(active, "jam_margin", "1");
}

void SampleColumns::add(const Sample& sample, ContactTable& contacts) {
  const auto& [state, energy, active] = sample;
  time_.add(state.time);
  add_full(position_, state.q);
  add_full(velocity_, state.v);
  for (std::size_t k = 0; k < accounts_.size(); ++k) accounts_[k].add(energy.*account_fields[k].account);
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [contact, mode, direction, force, slip_margin, jam_margin] : active) {
    sample_.add(count_);
    contact_.add(contacts.index(contact.id, {}));
    mode_.add(static_cast<std::int32_t>(mode));
    add_contact_vector(force_, force);
    slip_.add_row(std::array<double, 2>{direction.t1, direction.t2});
    gap_.add(contact.gap);
    add_vector3(point_, contact.point);
    add_vector3(normal_, contact.normal);
    add_vector3(tangent1_, contact.tangent1);
    slip_margin_.add(slip_margin.value_or(nothing));
    jam_margin_.add(jam_margin.value_or(nothing));
  }
  ++count_;
}

void SampleColumns::flush() {
  for (Column& account : accounts_) account.flush();
  for (Column* column : {&time_, &position_, &velocity_, &sample_, &contact_, &mode_, &force_, &slip_, &gap_, &point_,
                         &normal_, &tangent1_, &slip_margin_, &jam_margin_})
    column->flush();
}

}  // namespace routh::internal
