#include <fmt/format.h>

#include <cmath>

#include "map_report.h"
#include "table.h"

namespace routh {

namespace {

constexpr int letters_across = 64, letters_down = 20;
constexpr int margin = 10;  // for the numbers of the y axis

struct Frame {
  std::string across, side, top_left, top_right, bottom_left, bottom_right;
};
Frame frame_of(const Terminal& terminal) {
  if (terminal.utf8) return {"─", "│", "┌", "┐", "└", "┘"};
  return {"-", "|", "+", "+", "+", "+"};
}

// Which of `count` points stands for a letter, and which letter for a place on an axis.
int point_of(int letter, int letters, int count) {
  return static_cast<int>(std::lround(static_cast<double>(letter) * (count - 1) / (letters - 1)));
}
std::optional<int> letter_at(const MapAxis& axis, double value, int letters) {
  const double share = (value - axis.low) / (axis.high - axis.low);
  if (!(share >= 0 && share <= 1)) return std::nullopt;
  return static_cast<int>(std::lround(share * (letters - 1)));
}

std::string bound(double value, const ShownAxis& axis) { return fmt::format("{:.4g}", axis.factor * value + 0.0); }

std::vector<std::string> letter_rows(const MapReport& report) {
  const VerdictMap& map = report.map;
  std::vector<std::string> rows;  // the highest y first
  for (int down = letters_down - 1; down >= 0; --down) {
    std::string row;
    for (int across = 0; across < letters_across; ++across)
      row +=
          report
              .of(map.kind(point_of(across, letters_across, map.x.points), point_of(down, letters_down, map.y.points)))
              .letter;
    rows.push_back(row);
  }
  if (!report.state) return rows;
  const std::optional<int> across = letter_at(map.x, report.state->x, letters_across);
  const std::optional<int> down = letter_at(map.y, report.state->y, letters_down);
  if (across && down) rows[static_cast<std::size_t>(letters_down - 1 - *down)][static_cast<std::size_t>(*across)] = '*';
  return rows;
}

std::string draw_plane(const Terminal& terminal, const MapReport& report) {
  const Frame frame = frame_of(terminal);
  const std::vector<std::string> rows = letter_rows(report);
  std::string rule;
  for (int k = 0; k < letters_across; ++k) rule += frame.across;
  const MapAxis &x = report.map.x, &y = report.map.y;
  std::string text = fmt::format("{:>{}} {}{}{}\n", "", margin, frame.top_left, rule, frame.top_right);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::string number = k == 0                 ? bound(y.high, report.y_shown)
                               : k + 1 == rows.size() ? bound(y.low, report.y_shown)
                                                      : "";
    text += fmt::format("{:>{}} {}{}{}\n", number, margin, frame.side, rows[k], frame.side);
  }
  text += fmt::format("{:>{}} {}{}{}\n", "", margin, frame.bottom_left, rule, frame.bottom_right);
  const std::string low = bound(x.low, report.x_shown), high = bound(x.high, report.x_shown);
  return text + fmt::format("{:>{}}  {:<{}}{:>{}}\n", "", margin, low, letters_across / 2, high, letters_across / 2);
}

std::string with_unit(const std::string& name, std::string_view unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

std::string kinds_table(const Terminal& terminal, const MapReport& report) {
  const double points = static_cast<double>(report.map.kinds.size());
  TextTable table({{2, Align::left}, {30, Align::left}, {10}});
  table.add_heading({"", with_unit(std::string(name(report.quantity)), unit(report.quantity)), "share"});
  for (const MapKindReport& kind : report.kinds)
    if (kind.count > 0)
      table.add_row({{std::string(1, kind.letter)},
                     {kind.name},
                     {fmt::format("{:.2f} %", 100 * static_cast<double>(kind.count) / points)}});
  if (report.state) table.add_row({{"*"}, {"state of the file"}});
  return table.render(terminal);
}

}  // namespace

std::string map_text(const Terminal& terminal, const MapReport& report, const std::vector<std::string>& files) {
  const VerdictMap& map = report.map;
  std::string text = wrapped(terminal, heading(report), 78, Tone::strong);
  text +=
      wrapped(terminal,
              fmt::format("{}; across {}, up {}", name(report.quantity), with_unit(report.x.name, report.x_shown.unit),
                          with_unit(report.y.name, report.y_shown.unit)),
              78);
  text += draw_plane(terminal, report) + "\n" + kinds_table(terminal, report) + "\n";
  if (report.least)
    text += wrapped(terminal,
                    fmt::format("The least in this plane is {:.6g}, at {} = {:.6g}, {} = {:.6g}.", report.least->number,
                                report.x.name, report.least->x, report.y.name, report.least->y)) +
            "\n";
  text += encode(terminal, fmt::format("{} evaluations, boundaries included, for {} × {} points\n", map.evaluations,
                                       map.x.points, map.y.points));
  for (const std::string& file : files) text += encode(terminal, "wrote " + file) + "\n";
  return text;
}

}  // namespace routh
