#include "routh/record/run_columns.h"

#include <cstring>
#include <limits>

#include "routh/record/hdf5_types.h"

namespace routh::internal {

Column::Column(hdf::Node& parent, const char* name, hdf::Element element, long long width)
    : node_(parent.create_column(name, element, width)), element_(element) {}

void Column::add_row(std::span<const double> row) {
  buffer_.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
  ++rows_;
}

void Column::add_missing(std::size_t size) {
  add_row(std::vector<double>(size, std::numeric_limits<double>::quiet_NaN()));
}

void Column::add_text(const char* text) {
  std::string padded = text;
  padded.resize(element_.size, '\0');
  buffer_ += padded;
  ++rows_;
}

void Column::flush() {
  node_.append(buffer_.data(), rows_, element_);
  buffer_.clear();
  rows_ = 0;
}

std::vector<std::string> warning_names() {
  std::vector<std::string> names;
  for (unsigned k = 0; k < warning_count; ++k) names.push_back(name(static_cast<Warning>(1u << k)));
  return names;
}

void put_list(hdf::Node& parent, const char* name, const Eigen::VectorXd& values) {
  put_list(parent, name, std::vector<double>(values.begin(), values.end()));
}

void put_texts(hdf::Node& parent, const char* name, const std::vector<std::string>& texts) {
  const std::size_t size = hdf::common_size(texts);
  const hdf::Element element{hdf::Kind::text, size};
  parent.create_column(name, element, hdf::flat, list_chunk(texts.size()))
      .append(hdf::packed(texts, size).data(), static_cast<long long>(texts.size()), element);
}

Eigen::VectorXd read_vector(const hdf::Node& parent, const char* name) {
  const std::vector<double> values = parent.read<double>(name);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace routh::internal
