// The growing columns of samples, and the table of contacts. Internal to the module.
#pragma once

#include <map>

#include "routh/record/run_columns.h"
#include "routh/record/run_fields.h"

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
  std::array<Column, account_fields.size()> accounts_;
  Column sample_, contact_, mode_, force_, slip_, gap_, point_, normal_, tangent1_, slip_margin_, jam_margin_;
  std::int64_t count_ = 0;
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
