// Figures 7 to 16 of [Liu 2007]: phase portraits and speeds of the tip.
#include <fmt/format.h>

#include <limits>

#include "papers/liu-2007/runs.h"

namespace routh {

namespace {

constexpr double figure_16_end = 6;  // [s]

using Coordinate = double LiuPoint::*;

struct Plot {
  int number = 0;
  std::string title;
  Coordinate x = &LiuPoint::time, y = &LiuPoint::rate1;
};

MapLine empty_line(LiuStretch stretch) {
  switch (stretch) {
    case LiuStretch::air:
      return {{}, "in the air", {.stroke = "#2171b5", .width = 1.6}};
    case LiuStretch::slip:
      return {{}, "slips", {.stroke = "#d94801", .width = 2}};
    case LiuStretch::stick:
      return {{}, "sticks", {.stroke = "#238b45", .width = 2.6}};
    case LiuStretch::jump:
      break;
  }
  return {{}, "jumps", {.stroke = "#737373", .width = 1, .dash = "3 3"}};
}

// The run as lines of one kind each, with gaps where the motion is of another kind.
std::vector<MapLine> stretches(const LiuRun& run, const Plot& plot) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  std::vector<MapLine> out;
  for (const LiuStretch stretch : {LiuStretch::air, LiuStretch::slip, LiuStretch::stick, LiuStretch::jump}) {
    MapLine line = empty_line(stretch);
    for (std::size_t k = 1; k < run.points.size(); ++k) {
      if (run.points[k].before != stretch) continue;
      const LiuPoint& from = run.points[k - 1];
      const LiuPoint& to = run.points[k];
      if (from.time == to.time && stretch != LiuStretch::jump) continue;  // between two events of one instant
      const bool joined = !line.points.empty() && run.points[k - 1].before == stretch;
      if (!joined) {
        if (!line.points.empty()) line.points.push_back({gap, gap});
        line.points.push_back({from.*plot.x, from.*plot.y});
      }
      line.points.push_back({to.*plot.x, to.*plot.y});
    }
    if (!line.points.empty()) out.push_back(std::move(line));
  }
  return out;
}

void set_ranges(MapFigure& figure) {
  RangeBuilder x, y;
  for (const MapLine& line : figure.lines) {
    for (const PlotPoint& point : line.points) {
      if (!(point.x == point.x)) continue;
      x.add(point.x);
      y.add(point.y);
    }
  }
  figure.x = x.with_margin(0.04);
  figure.y = y.with_margin(0.08);
}

PaperFigure finish(int number, MapFigure& figure) {
  set_ranges(figure);
  return {fmt::format("fig-{}", number), map_picture(figure)};
}

MapLine belt_line(double speed, double end) {
  return {{{0, speed}, {end, speed}}, "belt", {.stroke = "#000000", .width = 1, .dash = "8 4"}};
}

PaperFigure draw(const LiuRun& run, const Plot& plot) {
  MapFigure figure;
  figure.title = fmt::format("Liu 2007, Fig. {}: {}", plot.number, plot.title);
  figure.lines = stretches(run, plot);
  if (plot.x == &LiuPoint::theta1) {
    figure.x_label = "θ_{1} [rad]";
    figure.y_label = "dθ_{1}/dt [rad/s]";
    if (!run.points.empty()) figure.marks.push_back({{run.points.front().theta1, run.points.front().rate1}, "start"});
  } else {
    figure.x_label = "t [s]";
    const bool tangential = plot.y == &LiuPoint::tangential;
    figure.y_label = tangential ? "v_{t} of the tip [m/s]" : "v_{n} of the tip [m/s]";
    if (tangential && !run.points.empty())
      figure.lines.insert(figure.lines.begin(), belt_line(run.belt, run.points.back().time));
  }
  return finish(plot.number, figure);
}

void add_three(std::vector<PaperFigure>& out, const LiuRun& run, int first, const std::string& title) {
  out.push_back(draw(run, {first, title + ", phase portrait", &LiuPoint::theta1, &LiuPoint::rate1}));
  out.push_back(draw(run, {first + 1, title + ", tangential speed", &LiuPoint::time, &LiuPoint::tangential}));
  out.push_back(draw(run, {first + 2, title + ", normal speed", &LiuPoint::time, &LiuPoint::normal}));
}

MapLine tangential_speed(const LiuRun& run, const std::string& label, const Pen& pen) {
  MapLine line{{}, label, pen};
  for (const LiuPoint& point : run.points)
    if (point.time <= figure_16_end) line.points.push_back({point.time, point.tangential});
  return line;
}

// The paper's friction, under which the first stick outlasts the picture, and the one that shows what its text says.
PaperFigure stick_slip(const LiuRun& paper, const LiuRun& less) {
  MapFigure figure;
  figure.title = "Liu 2007, Fig. 16: case 6, tangential speed";
  figure.x_label = "t [s]";
  figure.y_label = "v_{t} of the tip [m/s]";
  figure.lines = {tangential_speed(less, "μ_{s} = 0.7", {.stroke = "#d94801", .width = 1.8}),
                  tangential_speed(paper, "μ_{s} = 0.8", {.stroke = "#238b45", .width = 2.4}),
                  belt_line(paper.belt, figure_16_end)};
  return finish(16, figure);
}

}  // namespace

std::vector<PaperFigure> LiuRuns::figures() {
  std::vector<PaperFigure> out;
  add_three(out, of("case-4"), 7, "case 4, e = 0.7");
  add_three(out, of("case-4-e0"), 10, "case 4, e = 0");
  add_three(out, of("case-5"), 13, "case 5");
  out.push_back(stick_slip(of("case-6"), of("case-6-mu07")));
  return out;
}

}  // namespace routh
