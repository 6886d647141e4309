#include "routh/figure/map_figure.h"

#include <algorithm>
#include <cmath>

#include "routh/figure/map_layout.h"
#include "routh/figure/map_plan.h"
#include "routh/figure/svg.h"
#include "routh/figure/text_width.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

constexpr double bold_allowance = 1.3;  // bold faces are wider still

// The lines between the cells of `count` points over a range of the page.
std::vector<double> cell_lines(double from, double to, int count, MapGrid grid) {
  std::vector<double> lines;
  for (int i = 0; i <= count; ++i) {
    double share = static_cast<double>(i) / count;
    if (grid == MapGrid::ends_included && count > 1) share = std::clamp((i - 0.5) / (count - 1), 0.0, 1.0);
    lines.push_back(from + (to - from) * share);
  }
  return lines;
}

void draw_regions(Drawing& page, const MapPlan& plan) {
  const PageRect& f = plan.frame;
  CellGrid grid;
  grid.columns = plan.columns;
  grid.rows = plan.rows;
  grid.cells = plan.cells;
  grid.x_lines = cell_lines(f.x, f.x + f.width, plan.columns, plan.grid);
  grid.y_lines = cell_lines(f.y + f.height, f.y, plan.rows, plan.grid);
  grid.colours = plan.colours;
  page.begin_clip(f);
  page.cells(grid);
  page.end_clip();
}

// A line in the units of the axes, in pieces between points that are not finite.
void draw_line(const PlotPanel& panel, const MapPlan& plan, const MapLine& line) {
  std::vector<PlotPoint> piece;
  const auto flush = [&] {
    if (piece.size() > 1) panel.draw_curve(piece, line.pen);
    piece.clear();
  };
  // Points nearer than a tenth of a pixel to the last one add bytes only.
  const auto near_last = [&](const PlotPoint& p) {
    const PagePoint a = panel.map(p), b = panel.map(piece.back());
    return elementary::hypot(a.x - b.x, a.y - b.y) < 0.1;
  };
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    const PlotPoint p{line.points[i].x / plan.x_unit, line.points[i].y / plan.y_unit};
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      flush();
      continue;
    }
    const bool last = i + 1 == line.points.size();
    if (piece.empty() || last || !near_last(p)) piece.push_back(p);
  }
  flush();
}

// Points along the drawn lines, for labels to keep clear of.
std::vector<PagePoint> points_on_lines(const MapPlan& plan, const PlotPanel& panel) {
  std::vector<PagePoint> out;
  for (const MapLine& line : plan.lines)
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      const PlotPoint a{line.points[i - 1].x / plan.x_unit, line.points[i - 1].y / plan.y_unit};
      const PlotPoint b{line.points[i].x / plan.x_unit, line.points[i].y / plan.y_unit};
      if (!panel.contains(a) || !panel.contains(b)) continue;
      const PagePoint from = panel.map(a), to = panel.map(b);
      if (!out.empty() && elementary::hypot(to.x - out.back().x, to.y - out.back().y) < line_sampling) continue;
      const int pieces = 1 + static_cast<int>(elementary::hypot(to.x - from.x, to.y - from.y) / line_sampling);
      for (int k = 1; k <= pieces; ++k) {
        const double share = static_cast<double>(k) / pieces;
        out.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
      }
    }
  return out;
}

void draw_marks(Drawing& page, const MapPlan& plan, const PlotPanel& panel) {
  std::vector<LabelRequest> requests;
  std::vector<const MapMark*> shown;
  for (const MapMark& mark : plan.marks) {
    const PlotPoint at{mark.at.x / plan.x_unit, mark.at.y / plan.y_unit};
    if (!panel.contains(at)) continue;
    const double width =
        mark.label.empty() ? 0 : 6 + map_face_allowance * text_width(mark.label, label_size, Markup::scripts);
    requests.push_back({panel.map(at), width});
    shown.push_back(&mark);
  }
  const PageRect& f = plan.frame;
  const std::vector<LabelPlace> places =
      place_labels(requests, points_on_lines(plan, panel), {f.x + 2, f.y + 2, f.width - 4, f.height - 4});
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (!shown[i]->label.empty()) page.rect(places[i].box, {.fill = "#ffffff", .opacity = 0.75});
  for (const LabelRequest& request : requests)
    page.circle(request.mark, 4, {.stroke = "#ffffff", .width = 1.2, .fill = "#000000"});
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (!shown[i]->label.empty())
      page.text({places[i].baseline.x + 3, places[i].baseline.y}, shown[i]->label,
                {.size = label_size, .colour = "#000000"});
}

void draw_key(Drawing& page, const MapPlan& plan) {
  const double left = plan.frame.x + plan.frame.width + map_key_gap;
  double y = plan.frame.y + 12;
  for (const KeyEntry& entry : plan.key) {
    if (!entry.pen.fill.empty())
      page.rect({left, y - 11, map_key_sample, 13}, entry.pen);
    else
      page.line({left, y - 4.5}, {left + map_key_sample, y - 4.5}, entry.pen);
    for (const std::string& line : entry.name) {
      page.text({left + map_key_sample + 8, y}, line, {.size = map_key_size});
      y += map_key_row;
    }
    y += map_key_between;
  }
}

void draw_map(Drawing& page, const MapPlan& plan) {
  const PlotPanel panel(page, plan.frame, plan.x, plan.y);
  if (!plan.cells.empty())
    draw_regions(page, plan);
  else
    panel.draw_grid();
  for (const MapLine& line : plan.lines) draw_line(panel, plan, line);
  panel.draw_frame({"", plan.x_label, plan.y_label, plan.y_distance});
  draw_marks(page, plan, panel);
  draw_key(page, plan);
  const FittedText title = fit_plain_text(plan.title, 16, 11, (plan.page_width - 2 * map_margin) / bold_allowance);
  if (!title.text.empty())
    page.plain_text({plan.page_width / 2, 31}, title.text,
                    {.size = title.size, .anchor = Anchor::middle, .bold = true});
}

}  // namespace

Picture map_picture(const MapFigure& figure) {
  MapPlan plan = make_map_plan(figure);
  Picture picture;
  picture.width = plan.page_width;
  picture.height = plan.page_height;
  picture.title = figure.title;
  picture.description =
      has_regions(figure) ? "A map: regions of equal kind in colour, with a key." : "A plot of lines, with a key.";
  picture.draw = [plan = std::move(plan)](Drawing& page) { draw_map(page, plan); };
  return picture;
}

}  // namespace routh::internal
