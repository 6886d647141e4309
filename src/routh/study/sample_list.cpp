#include "routh/study/sample_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "routh/base/number.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 30;
constexpr std::size_t max_columns = 1000;

struct Cell {
  std::string_view text;
  int column = 1;  // where it begins
};

std::string_view trimmed(std::string_view text, std::size_t& cut) {
  cut = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(cut);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

void split(std::string_view line, std::vector<Cell>& cells) {
  cells.clear();
  for (std::size_t begin = 0; begin <= line.size();) {
    const bool quoted = line.find('"', begin) == line.find_first_not_of(" \t", begin) &&
                        line.find('"', begin) != std::string_view::npos;
    const std::size_t close = quoted ? line.find('"', line.find('"', begin) + 1) : std::string_view::npos;
    const std::size_t end = std::min(line.find(',', close == std::string_view::npos ? begin : close), line.size());
    std::size_t cut = 0;
    const std::string_view text = trimmed(line.substr(begin, end - begin), cut);
    cells.push_back({text, static_cast<int>(begin + cut) + 1});
    begin = end + 1;
  }
}

std::string unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

// Tables of other programs have other separators.
std::string separator_hint(std::string_view text, const char* otherwise) {
  return text.find_first_of(";\t") == std::string_view::npos ? otherwise : "values are separated by commas";
}

const char* remedy(NumberFault fault) {
  switch (fault) {
    case NumberFault::not_a_number:
      return "write a number; a line that begins with # is skipped";
    case NumberFault::not_finite:
    case NumberFault::too_large:
      return "leave out rows of which something is not known";
    case NumberFault::none:
    case NumberFault::decimal_comma:
    case NumberFault::leading_zero:
    case NumberFault::hexadecimal:
    case NumberFault::too_small:
      return "";  // the fault itself says what to write
  }
  return "";
}

[[noreturn]] void refuse_cell(const Location& where, std::string_view text, NumberFault fault) {
  if (text.empty()) throw InputError(where, "a value is missing", "every row has a number in each column");
  throw InputError(where, fmt::format("'{}' {}", printable(std::string(text)), explain(fault)),
                   separator_hint(text, remedy(fault)));
}

void read_heading(const std::vector<Cell>& cells, const Location& line, SampleList& list) {
  list.heading_line = line.line;
  if (cells.size() > max_columns)
    throw InputError(line, fmt::format("{} columns are too many", cells.size()),
                     fmt::format("leave out what is not used; {} may be there", max_columns));
  for (const Cell& cell : cells) {
    const Location where{line.file, line.line, cell.column};
    std::string column = unquoted(cell.text);
    if (column.empty()) throw InputError(where, "a column has no name", "the first line names the columns");
    if (std::find(list.columns.begin(), list.columns.end(), column) != list.columns.end())
      throw InputError(where, fmt::format("the column '{}' occurs twice", printable(column)),
                       "rename or remove one of them");
    list.columns.push_back(std::move(column));
    list.places.push_back(cell.column);
  }
}

}  // namespace

Location SampleList::heading(std::size_t column) const {
  return places.empty() ? Location{file} : Location{file, heading_line, places[column]};
}

Location SampleList::cell(std::size_t row, std::size_t column) const {
  return lines.empty() ? Location{file} : Location{file, lines[row], cell_places[row * columns.size() + column]};
}

SampleList parse_sample_list(std::string_view text, const std::string& name) {
  SampleList list;
  list.file = name;
  std::vector<Cell> cells;
  int number = 0;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    split(line, cells);
    const Location where{name, number, 1};
    if (list.columns.empty()) {
      read_heading(cells, where, list);
      continue;
    }
    if (cells.size() != list.columns.size())
      throw InputError(where,
                       fmt::format("this row has {} values, the heading {} names", cells.size(), list.columns.size()),
                       separator_hint(line, "give each row one value for each name, separated by commas"));
    list.lines.push_back(number);
    for (const Cell& cell : cells) {
      const ParsedNumber parsed = parse_number(cell.text);
      if (parsed.fault != NumberFault::none) refuse_cell({name, number, cell.column}, cell.text, parsed.fault);
      list.values.push_back(parsed.value);
      list.cell_places.push_back(cell.column);
    }
  }
  if (list.values.empty())
    throw InputError({name, std::max(list.heading_line, 1), 1}, "the list has no rows",
                     "a heading and rows of numbers are needed");
  return list;
}

SampleList read_sample_list(const std::string& path, std::string& seen) {
  const std::string text = read_text_file(path, max_bytes);
  seen += text;
  return parse_sample_list(text, path);
}

}  // namespace routh::internal
