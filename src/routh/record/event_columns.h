// The growing columns of events, one for each field (event_fields.h), and what links their tables. Internal to the
// module.
#pragma once

#include "routh/record/event_fields.h"
#include "routh/record/sample_columns.h"

namespace routh::internal {

// The distinct labels of events, to which `label` points.
class LabelTable {
 public:
  std::int32_t index(const std::string& label);  // −1: none
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  std::map<std::string, std::int32_t> index_;
  std::vector<std::string> labels_;
};

template <class Row>
class RowColumns {
 public:
  RowColumns(hdf::Node& group, const RunInfo& info);
  void add(const Row& row, LabelTable& labels);
  void flush();

 private:
  std::vector<Column> columns_;
  std::size_t coordinates_ = 0, velocities_ = 0;
};

class EventColumns {
 public:
  EventColumns(hdf::Node& root, const RunInfo& info);
  void add(const Event& event, ContactTable& contacts);
  void flush();
  void write_labels();

 private:
  hdf::Node event_group_, contact_group_, phase_group_, path_group_;
  RowColumns<Event> events_;
  RowColumns<EventContact> contacts_;
  RowColumns<Phase> phases_;
  RowColumns<PathPoint> path_;
  Column kind_name_, first_contact_, contact_count_column_, event_, contact_, phase_of_, point_of_;
  LabelTable labels_;
  std::int64_t event_count_ = 0, contact_count_ = 0;
};

}  // namespace routh::internal
