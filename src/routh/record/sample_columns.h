// The growing columns of samples and of events. Internal to the module.
#pragma once

#include <map>

#include "routh/record/run_columns.h"

namespace routh::internal {

// Every contact that occurred, numbered in the order of its first appearance.
class ContactTable {
 public:
  // The first name that is not empty stays.
  std::int32_t index(ContactId id, const std::string& name);
  // Whether the contact is there and has its name.
  bool has_name(ContactId id) const;
  void write(hdf::Node& root) const;

 private:
  std::map<ContactId, std::int32_t> index_;
  std::vector<RunContact> contacts_;
};

// `pair 3, feature 1`, `lower limit of degree of freedom 2`: where nobody named the contact.
std::string plain_contact_name(ContactId id);

class SampleColumns {
 public:
  SampleColumns(hdf::Node& root, const RunInfo& info);
  void add(const Sample& sample, ContactTable& contacts);
  void flush();

 private:
  Column time_, position_, velocity_;
  Column kinetic_, potential_, dissipated_, supplied_, corrected_, gained_, initial_;
  Column sample_, contact_, mode_, force_, slip_, gap_, point_, normal_, tangent1_;
  std::int64_t count_ = 0;
};

class EventColumns {
 public:
  EventColumns(hdf::Node& root, const RunInfo& info);
  void add(const Event& event, ContactTable& contacts);
  void flush();
  // The distinct labels, to which `label` points.
  void write_labels();

 private:
  std::int32_t label_index(const std::string& label);
  void add_contacts(const Event& event, ContactTable& contacts);

  hdf::Node events_, event_contacts_;
  Column time_, kind_, kind_name_, rule_, law_, label_;
  Column position_, velocity_before_, velocity_after_;
  Column normal_work_, tangential_work_, supplied_, change_, consistent_;
  Column warnings_, error_bound_, first_contact_, contact_count_;
  Column event_, contact_, contact_before_, contact_after_, impulse_, mode_, restitution_, friction_;
  std::map<std::string, std::int32_t> label_index_;
  std::vector<std::string> labels_;
  std::size_t coordinates_ = 0, velocities_ = 0;
  std::int64_t count_ = 0, contacts_count_ = 0;
};

// Columns with the attribute `units`, and what is put into them.
Column real_column(hdf::Node& parent, const char* name, const char* units);
Column vector_column(hdf::Node& parent, const char* name, long long width, const char* units);
Column named_column(hdf::Node& parent, const char* name, const std::vector<std::string>& names,
                    const std::vector<std::string>& units);
void add_vector3(Column& column, const Vector3& a);
void add_contact_vector(Column& column, const ContactVector& a);
void add_full(Column& column, const Eigen::VectorXd& values);
void add_full_or_empty(Column& column, const Eigen::VectorXd& values, std::size_t size);

}  // namespace routh::internal
