// A table for a terminal: a column of labels and columns of values, aligned by what is seen, not by bytes.
#pragma once

#include <string>
#include <vector>

#include "terminal.h"

namespace routh {

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

enum class Align { left, right };

struct Column {
  std::size_t width;  // text that is wider wraps at spaces
  Align align = Align::right;
};

class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Missing cells at the end of a row stay empty.
  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  void add_rule() { rows_.emplace_back(); }
  // A row of strong words, and a rule.
  void add_heading(const std::vector<std::string>& words);

  // Columns are one space apart; no line ends in blanks.
  std::string render(const Terminal& terminal) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;  // an empty row is a rule
};

}  // namespace routh
