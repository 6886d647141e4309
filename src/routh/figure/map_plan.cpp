#include "routh/figure/map_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "routh/figure/colour.h"
#include "routh/figure/map_layout.h"
#include "routh/figure/svg.h"
#include "routh/figure/text_width.h"
#include "routh/figure/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

constexpr double key_widest = 250;

// Light enough for lines and labels on top; told apart with any colour vision (Tol's light scheme).
constexpr std::array<const char*, 9> region_colours{"#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff",
                                                    "#44bb99", "#bbcc33", "#aaaa00", "#dddddd"};
// Dark, for lines on white (Okabe and Ito); the dashes tell them apart without colour.
constexpr std::array<const char*, 7> line_colours{"#0072b2", "#d55e00", "#009e73", "#b0508e",
                                                  "#000000", "#a67300", "#3f8fbf"};
constexpr std::array<const char*, 5> line_dashes{"", "9 4", "3 3", "12 3 3 3", "6 2 2 2 2 2"};

AxisRange usable_range(AxisRange range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || !std::isfinite(range.width())) return {0, 1};
  if (range.high < range.low) std::swap(range.low, range.high);
  // Narrower than a millionth of its values a range cannot carry distinct tick labels.
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (size == 0) return {-1, 1};
  const double lacking = tolerances::axis_width_relative * size - range.width();
  if (lacking > 0) return {range.low - lacking / 2, range.high + lacking / 2};
  return range;
}

// Takes a power of ten out of an axis with unreadable numbers and says so in its label.
void take_exponent(AxisRange& range, double& unit, std::string& label) {
  const int exponent = engineering_exponent(std::max(std::abs(range.low), std::abs(range.high)));
  if (exponent == 0 || std::abs(exponent) > 300) return;
  unit = elementary::pow(10.0, exponent);
  range = {range.low / unit, range.high / unit};
  label += fmt::format("  (\xC3\x97 10^{{{}{}}})", exponent < 0 ? "\xE2\x88\x92" : "", std::abs(exponent));
}

std::string region_colour(const MapKind& kind, std::size_t order) {
  Colour parsed;
  if (parse_colour(kind.colour, parsed)) return kind.colour;
  if (kind.kind < 0) return "";
  // Beyond the palette: the same colours, darker.
  parse_colour(region_colours[order % region_colours.size()], parsed);
  const double dim = elementary::pow(0.8, static_cast<double>(order / region_colours.size()));
  return fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(parsed.red * dim), static_cast<int>(parsed.green * dim),
                     static_cast<int>(parsed.blue * dim));
}

void add_key(MapPlan& plan, const std::string& label, const Pen& pen) {
  plan.key.push_back({wrap_text(label, map_key_size, key_widest), pen});
}

void plan_regions(const MapFigure& figure, MapPlan& plan) {
  const auto count = static_cast<std::size_t>(figure.columns) * static_cast<std::size_t>(figure.rows);
  // The kinds that occur, in the order of the legend, then those that it does not name.
  std::vector<int> occurring(figure.kinds.begin(), figure.kinds.begin() + static_cast<std::ptrdiff_t>(count));
  std::sort(occurring.begin(), occurring.end());
  occurring.erase(std::unique(occurring.begin(), occurring.end()), occurring.end());
  std::vector<MapKind> kinds = figure.legend;
  const auto named = [&](int kind) {
    return std::any_of(kinds.begin(), kinds.end(), [kind](const MapKind& k) { return k.kind == kind; });
  };
  for (const int kind : occurring)
    if (kind >= 0 && !named(kind)) kinds.push_back({kind, fmt::format("kind {}", kind), ""});
  std::vector<int> index_of(occurring.size(), -1);
  const std::vector<std::string> colours = map_colours(kinds);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const MapKind& kind = kinds[k];
    const std::string& colour = colours[k];
    const auto found = std::lower_bound(occurring.begin(), occurring.end(), kind.kind);
    if (found == occurring.end() || *found != kind.kind) continue;
    int& index = index_of[static_cast<std::size_t>(found - occurring.begin())];
    if (index >= 0) continue;  // named twice
    index = static_cast<int>(plan.colours.size());
    plan.colours.push_back(colour);
    add_key(plan, kind.label, {.stroke = "#555555", .width = 0.8, .fill = colour.empty() ? "#ffffff" : colour});
  }
  plan.cells.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = std::lower_bound(occurring.begin(), occurring.end(), figure.kinds[i]);
    plan.cells.push_back(index_of[static_cast<std::size_t>(found - occurring.begin())]);
  }
}

bool same_look(const Pen& a, const Pen& b) {
  return a.stroke == b.stroke && a.width == b.width && a.dash == b.dash && a.opacity == b.opacity;
}

void plan_lines(const MapFigure& figure, MapPlan& plan) {
  std::vector<const MapLine*> styled;  // the first line of each label without a pen of its own
  std::vector<std::pair<std::string, Pen>> listed;
  for (const MapLine& line : figure.lines) {
    MapLine drawn = line;
    Colour parsed;
    if (!parse_colour(line.pen.stroke, parsed)) {
      const auto first =
          std::find_if(styled.begin(), styled.end(), [&](const MapLine* other) { return other->label == line.label; });
      const auto order = static_cast<std::size_t>(first - styled.begin());
      if (first == styled.end()) styled.push_back(&line);
      // Over regions an unnamed line is a boundary.
      const bool boundary = line.label.empty() && has_regions(figure);
      drawn.pen.stroke = boundary ? "#222222" : line_colours[order % line_colours.size()];
      if (line.pen.dash.empty() && !boundary) drawn.pen.dash = line_dashes[order % line_dashes.size()];
      if (line.pen.width == 1) drawn.pen.width = boundary ? 1.4 : 2;
    }
    drawn.pen.fill.clear();
    const bool known = std::any_of(listed.begin(), listed.end(), [&](const auto& entry) {
      return entry.first == line.label && same_look(entry.second, drawn.pen);
    });
    if (!line.label.empty() && !known) {
      listed.emplace_back(line.label, drawn.pen);
      add_key(plan, line.label, drawn.pen);
    }
    plan.lines.push_back(std::move(drawn));
  }
}

double key_width(const MapPlan& plan) {
  double widest = 0;
  for (const KeyEntry& entry : plan.key)
    for (const std::string& line : entry.name)
      widest = std::max(widest, text_width(line, map_key_size, Markup::scripts));
  return plan.key.empty() ? 0 : map_key_gap + map_key_sample + 8 + map_face_allowance * widest;
}

double key_height(const MapPlan& plan) {
  double height = 0;
  for (const KeyEntry& entry : plan.key)
    height += map_key_row * static_cast<double>(entry.name.size()) + map_key_between;
  return height;
}

}  // namespace

std::vector<std::string> map_colours(const std::vector<MapKind>& legend) {
  std::vector<std::string> colours;
  std::size_t order = 0;
  for (const MapKind& kind : legend) colours.push_back(region_colour(kind, kind.kind < 0 ? 0 : order++));
  return colours;
}

bool has_regions(const MapFigure& figure) {
  return figure.columns > 0 && figure.rows > 0 &&
         figure.kinds.size() >= static_cast<std::size_t>(figure.columns) * static_cast<std::size_t>(figure.rows);
}

MapPlan make_map_plan(const MapFigure& figure) {
  MapPlan plan;
  plan.title = figure.title;
  plan.columns = figure.columns;
  plan.rows = figure.rows;
  plan.grid = figure.grid;
  plan.marks = figure.marks;
  plan.x = usable_range(figure.x);
  plan.y = usable_range(figure.y);
  plan.x_label = figure.x_label;
  plan.y_label = figure.y_label;
  take_exponent(plan.x, plan.x_unit, plan.x_label);
  take_exponent(plan.y, plan.y_unit, plan.y_label);
  if (has_regions(figure)) plan_regions(figure, plan);
  plan_lines(figure, plan);
  const double top = figure.title.empty() ? map_margin : 54;
  plan.frame = {0, top, figure.frame_width, std::max(figure.frame_height, key_height(plan))};
  SvgDocument nowhere(1, 1);
  const double room = map_face_allowance * PlotPanel(nowhere, plan.frame, plan.x, plan.y).tick_room();
  plan.y_distance = room + 14;
  plan.frame.x = plan.y_distance + 20;
  // The last tick label of the x axis may reach past the frame.
  plan.page_width = plan.frame.x + figure.frame_width + std::max(key_width(plan), 16.0) + map_margin;
  plan.page_height = plan.frame.y + plan.frame.height + 56;
  return plan;
}

}  // namespace routh::internal
