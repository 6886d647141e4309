// Samples as a table in a CSV file: a heading with the names of the columns, then rows of numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "routh/base/error.h"

namespace routh::internal {

struct SampleList {
  std::string file;  // for messages; empty: it stands in none
  std::vector<std::string> columns;
  std::vector<double> values;  // row by row

  // Where things stand in the text; empty when there is none.
  int heading_line = 0;
  std::vector<int> places;       // column of the text at which each name begins, from 1
  std::vector<int> lines;        // of each row
  std::vector<int> cell_places;  // column of the text at which each value begins

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  Location heading(std::size_t column) const;
  Location cell(std::size_t row, std::size_t column) const;
};

// Separated by commas; blanks around numbers, blank lines and lines that begin with # are skipped; names may stand in
// double quotes. Appends the text to `seen`. Throws InputError with the place of whatever is wrong, RuntimeFailure when
// the file cannot be read.
SampleList read_sample_list(const std::string& path, std::string& seen);
SampleList parse_sample_list(std::string_view text, const std::string& name);

}  // namespace routh::internal
