// Samples as a table in a CSV file: a heading with the names of the columns, then rows of numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace routh {

struct SampleList {
  std::vector<std::string> columns;
  std::vector<int> places;     // column of the text at which each name stands, from 1
  std::vector<double> values;  // row by row

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
};

// Separated by commas; blanks around numbers, blank lines and lines that begin with # are skipped; names may stand in
// double quotes. Appends the text to `seen`. Throws InputError with the place of whatever is wrong, RuntimeFailure when
// the file cannot be read.
SampleList read_sample_list(const std::string& path, std::string& seen);
SampleList parse_sample_list(std::string_view text, const std::string& name);

}  // namespace routh
