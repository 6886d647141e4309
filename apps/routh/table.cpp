#include "table.h"

#include <algorithm>

namespace routh {

namespace {

std::string render_rule(const std::vector<Column>& columns, const Terminal& terminal) {
  std::size_t width = columns.size() - 1;
  for (const Column& column : columns) width += column.width;
  std::string rule;
  for (std::size_t i = 0; i < width; ++i) rule += encode(terminal, "─");
  return paint(terminal, Tone::faint, rule) + "\n";
}

std::string render_row(const std::vector<Column>& columns, const std::vector<Cell>& cells, const Terminal& terminal) {
  std::vector<std::vector<std::string>> lines;
  std::size_t height = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    lines.push_back(wrap(encode(terminal, cells[i].text), columns[i].width));
    height = std::max(height, lines.back().size());
  }
  std::string out;
  for (std::size_t k = 0; k < height; ++k) {
    std::string line;
    std::size_t blanks = 0;  // written only when text follows
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string text = k < lines[i].size() ? lines[i][k] : std::string();
      const std::size_t used = display_width(text);
      const std::size_t pad = columns[i].width > used ? columns[i].width - used : 0;
      const std::size_t before = columns[i].align == Align::right ? pad : 0;
      if (!text.empty()) {
        line += std::string(blanks + before, ' ') + paint(terminal, cells[i].tone, text);
        blanks = pad - before + 1;
      } else {
        blanks += pad + 1;
      }
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace

void TextTable::add_heading(const std::vector<std::string>& words) {
  std::vector<Cell>& cells = rows_.emplace_back();
  for (const std::string& word : words) cells.push_back({word, Tone::strong});
  add_rule();
}

std::string TextTable::render(const Terminal& terminal) const {
  std::string out;
  for (const std::vector<Cell>& row : rows_)
    out += row.empty() ? render_rule(columns_, terminal) : render_row(columns_, row, terminal);
  return out;
}

}  // namespace routh
