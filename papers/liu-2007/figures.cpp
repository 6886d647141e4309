// Figures 2 to 6 of [Liu 2007].
#include <fmt/format.h>

#include <cmath>

#include "papers/liu-2007/arm.h"
#include "papers/tolerances.h"

namespace routh {

namespace {

constexpr int map_points = 360;  // even: θ̇1 = 0, where nothing slides, lies between two rows

const std::vector<MapKind>& modes() {
  static const std::vector<MapKind> kinds{{0, "M_{s}^{1} detaches", "#c6dbef"},
                                          {1, "M_{s}^{2} slides: admissible", "#c7e9c0"},
                                          {2, "M_{s}^{3} two solutions", "#fdd0a2"},
                                          {3, "M_{s}^{4} no solution", "#fb9a99"}};
  return kinds;
}

enum class Boundary { A_is_zero, B_is_zero, slip_reverses, none };

// Which of A and B changes its sign between two modes.
Boundary between(int kind_a, int kind_b) {
  if (kind_a < 0 || kind_b < 0) return Boundary::none;
  const bool A = kind_a / 2 != kind_b / 2, B = kind_a % 2 != kind_b % 2;
  if (A && B) return Boundary::slip_reverses;
  return A ? Boundary::A_is_zero : Boundary::B_is_zero;
}

MapLine empty_line(Boundary boundary) {
  switch (boundary) {
    case Boundary::A_is_zero:
      return {{}, "A = 0", {.stroke = "#b2182b", .width = 2}};
    case Boundary::B_is_zero:
      return {{}, "B = 0", {.stroke = "#2166ac", .width = 2, .dash = "7 3"}};
    case Boundary::slip_reverses:
    case Boundary::none:
      break;
  }
  return {{}, "slip reverses", {.stroke = "#555555", .width = 1.2, .dash = "2 3"}};
}

// The boundaries of the map, cut into A = 0, B = 0 and stretches where the modes differ because the slip has another
// direction: at θ̇1 = 0 and where the links are aligned.
void add_boundaries(MapFigure& figure, const VerdictMap& map, double aligned) {
  const double x_near = tolerances::line_nearness * (map.x.high - map.x.low),
               y_near = tolerances::line_nearness * (map.y.high - map.y.low);
  for (const MapCurve& curve : map.curves) {
    const Boundary kind = between(curve.kind_a, curve.kind_b);
    if (kind == Boundary::none) continue;
    MapLine line;
    Boundary current = Boundary::none;
    for (std::size_t k = 0; k + 1 < curve.x.size(); ++k) {
      const auto both = [&](const std::vector<double>& values, double at, double near) {
        return std::abs(values[k] - at) < near && std::abs(values[k + 1] - at) < near;
      };
      const bool reverses = both(curve.y, 0, y_near) || both(curve.x, aligned, x_near);
      const Boundary here = reverses ? Boundary::slip_reverses : kind;
      if (here != current) {
        if (!line.points.empty()) figure.lines.push_back(std::move(line));
        line = empty_line(here);
        line.points.push_back({curve.x[k], curve.y[k]});
        current = here;
      }
      line.points.push_back({curve.x[k + 1], curve.y[k + 1]});
    }
    if (!line.points.empty()) figure.lines.push_back(std::move(line));
  }
}

void add_points(MapFigure& figure, const std::vector<SingularPoint>& points) {
  for (std::size_t k = 0; k < points.size(); ++k)
    figure.marks.push_back({{points[k].x, points[k].rate}, fmt::format("P_{{{}}} {}", k + 1, name(points[k].kind))});
}

PaperFigure finish(const std::string& name, const MapFigure& figure) { return {name, map_picture(figure)}; }

VerdictMap map_of(const LiuArm& arm, const FlowBox& box, double friction) {
  return compute_map({box.x_low, box.x_high, map_points}, {box.rate_low, box.rate_high, map_points},
                     arm.modes(friction), {});
}

MapFigure map_figure(LiuArm& arm, const VerdictMap& map, double friction) {
  MapFigure figure;
  set_regions(figure, map);
  figure.x_label = "θ_{1} [rad]";
  figure.y_label = "dθ_{1}/dt [rad/s]";
  figure.legend = modes();
  add_boundaries(figure, map, arm.aligned_angle());
  add_points(figure, arm.points(friction));
  return figure;
}

PaperFigure admissible_set(LiuArm& arm, int number, double friction) {
  const VerdictMap map = map_of(arm, arm.plane(), friction);
  MapFigure figure = map_figure(arm, map, friction);
  figure.title = fmt::format("Liu 2007, Fig. {}: the admissible set for μ = {}", number, friction);
  return finish(fmt::format("fig-{}", number), figure);
}

// Over every posture, and over those with both links below the horizontal: only there it falls with H all the way.
PaperFigure least_friction(const LiuArm& arm) {
  constexpr int steps = 140;
  MapFigure figure;
  figure.title = "Liu 2007, Fig. 2: least critical friction";
  figure.x_label = "H [m]";
  figure.y_label = "μ_{m}^{min}";
  figure.x = {0, 2};
  figure.y = {0, 2.5};
  MapLine hanging{{}, "links below the horizontal", {.stroke = "#08519c", .width = 2}};
  MapLine all{{}, "every posture", {.stroke = "#d94801", .width = 2, .dash = "7 4"}};
  for (int k = 1; k < steps; ++k) {
    const double H = 2.0 * k / steps;
    hanging.points.push_back({H, arm.least_friction(H, LiuPostures::hanging).value});
    all.points.push_back({H, arm.least_friction(H, LiuPostures::all).value});
  }
  hanging.points.push_back({2, 0});
  all.points.push_back({2, 0});
  figure.lines = {std::move(hanging), std::move(all)};
  const double H = arm.height(), value = arm.least_friction(H, LiuPostures::all).value;
  figure.marks.push_back({{H, value}, fmt::format("H = 5/3 m: {:.4f}", value)});
  return finish("fig-2", figure);
}

// At most `most` points of a path, the ends among them.
std::vector<PlotPoint> thinned(const std::vector<FlowPoint>& path, std::size_t most) {
  std::vector<PlotPoint> out;
  const std::size_t step = std::max<std::size_t>(1, path.size() / most);
  for (std::size_t k = 0; k < path.size(); k += step) out.push_back({path[k].x, path[k].rate});
  if (!path.empty()) out.push_back({path.back().x, path.back().rate});
  return out;
}

MapLine slide_line(const FlowTrajectory& slide) {
  MapLine line{thinned(slide.points, 80), "", {.stroke = "#404040", .width = 1.1}};
  switch (slide.end) {
    case FlowEnd::detached:
      line.label = "slides until B = 0, detaches";
      line.pen.stroke = "#08306b";
      break;
    case FlowEnd::reached_paradox:
    case FlowEnd::near_singular:
      line.label = "slides into A = 0";
      line.pen.stroke = "#67000d";
      line.pen.width = 2;
      break;
    default:
      line.label = "slides on";
      break;
  }
  return line;
}

// Slides from a grid of states on both sides of the strip A < 0, closer together beside it.
PaperFigure slides(LiuArm& arm, double friction) {
  const FlowBox box{0.59, 0.83, -1.25, -0.25};
  const VerdictMap map = map_of(arm, box, friction);
  MapFigure figure = map_figure(arm, map, friction);
  figure.title = fmt::format("Liu 2007, Fig. 4: slides about the singular points for μ = {}", friction);
  const SlipFlow flow = arm.flow(friction);
  for (const double x : {0.61, 0.635, 0.655, 0.67, 0.679, 0.7465, 0.752, 0.765, 0.785, 0.805}) {
    for (double rate = -1.15; rate < -0.3; rate += 0.07) {
      const FlowTrajectory path = slide(flow, box, x, rate, 2);
      if (path.points.size() > 1) figure.lines.push_back(slide_line(path));
    }
  }
  return finish("fig-4", figure);
}

}  // namespace

std::vector<PaperFigure> liu_figures(LiuArm& arm) {
  std::vector<PaperFigure> out;
  out.push_back(least_friction(arm));
  out.push_back(admissible_set(arm, 3, 0.5));
  out.push_back(slides(arm, 0.5));
  out.push_back(admissible_set(arm, 5, 0.8));
  out.push_back(admissible_set(arm, 6, 1.2));
  return out;
}

}  // namespace routh
