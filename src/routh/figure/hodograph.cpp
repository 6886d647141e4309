#include "routh/figure/hodograph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "routh/figure/axes.h"
#include "routh/figure/invariant_rays.h"
#include "routh/figure/legend.h"
#include "routh/figure/marks.h"
#include "routh/impact/solve.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

constexpr double page_width = 980;
constexpr double page_height = 540;
constexpr PageRect left_frame{76, 66, 390, 370};
constexpr PageRect right_frame{562, 66, 390, 370};
constexpr double legend_top = 498;
const std::string compression_colour = "#eaf1f8";
const std::string restitution_colour = "#fdf3e3";
const std::string ray_colour = "#8a8a8a";

// One law's path in the units of the page's axes.
struct Track {
  Law law;
  ImpactResult result;
  std::vector<PlotPoint> slip;    // left panel
  std::vector<PlotPoint> normal;  // right panel
  double compression_end = 0;     // I_n when the first compression ends
};

struct Hodograph {
  bool planar = false;
  int velocity_exponent = 0;
  int impulse_exponent = 0;
  std::vector<Track> tracks;  // the one that ends last lies undermost
  std::vector<Law> without_answer;
};

// value / 10^exponent, in two steps so that no power leaves the range of double.
double scaled(double value, int exponent) {
  const int half = exponent / 2;
  return value * elementary::pow(10.0, -half) * elementary::pow(10.0, half - exponent);
}

PlotPoint slip_point(const Hodograph& hodograph, const ContactVector& v) {
  const int k = hodograph.velocity_exponent;
  if (hodograph.planar) return {scaled(v.t1, k), scaled(v.n, k)};
  return {scaled(v.t1, k), scaled(v.t2, k)};
}

PlotPoint normal_point(const Hodograph& hodograph, double impulse, const ContactVector& v) {
  return {scaled(impulse, hodograph.impulse_exponent), scaled(v.n, hodograph.velocity_exponent)};
}

double largest_component(const ContactVector& v) { return std::max({std::abs(v.n), std::abs(v.t1), std::abs(v.t2)}); }

Track make_track(const Hodograph& hodograph, const ImpactResult& result, const std::vector<PathPoint>& path) {
  Track track{.law = result.law, .result = result, .slip = {}, .normal = {}};
  for (const PathPoint& point : path) {
    track.slip.push_back(slip_point(hodograph, point.velocity));
    track.normal.push_back(normal_point(hodograph, point.normal_impulse, point.velocity));
    if (point.velocity.n <= 0 && point.stage == Stage::compression) track.compression_end = track.normal.back().x;
  }
  return track;
}

Hodograph make_hodograph(const ImpactProblem& problem, std::span<const ImpactResult> results) {
  Hodograph hodograph;
  hodograph.planar = problem.inertia.dimension == Dimension::planar;
  std::vector<const ImpactResult*> shown;
  std::vector<std::vector<PathPoint>> paths;
  double velocity = 0;
  double impulse = 0;
  for (const ImpactResult& result : results) {
    std::vector<PathPoint> path = usable(result.status) ? trace_impact(problem, result.law) : std::vector<PathPoint>{};
    if (path.empty()) {
      hodograph.without_answer.push_back(result.law);
      continue;
    }
    for (const PathPoint& point : path) {
      velocity = std::max(velocity, largest_component(point.velocity));
      if (is_incremental(result.law)) impulse = std::max(impulse, point.normal_impulse);
    }
    if (impulse == 0) impulse = path.back().normal_impulse;
    shown.push_back(&result);
    paths.push_back(std::move(path));
  }
  hodograph.velocity_exponent = engineering_exponent(velocity);
  hodograph.impulse_exponent = engineering_exponent(impulse);
  for (std::size_t i = 0; i < shown.size(); ++i) hodograph.tracks.push_back(make_track(hodograph, *shown[i], paths[i]));
  std::stable_sort(hodograph.tracks.begin(), hodograph.tracks.end(),
                   [](const Track& x, const Track& y) { return x.normal.back().x > y.normal.back().x; });
  return hodograph;
}

// Laws that share a path take turns along it, six pixels each: the first lies whole, the next ones dashed upon it.
constexpr double track_width = 3.2;
std::string track_dash(int order) {
  constexpr const char* dashes[] = {"", "12 6", "6 12"};
  return dashes[std::clamp(order, 0, 2)];
}

using Points = std::vector<PlotPoint> Track::*;

// The range that shows the incremental laws whole. A law that would stretch it to more than 2.5 times its size is left
// to run out of the frame: one wild answer must not squeeze the others into a corner.
AxisRange axis_range(const Hodograph& hodograph, Points points, double PlotPoint::*coordinate, double margin) {
  RangeBuilder core;
  const auto add_all = [&](RangeBuilder& range, const Track& track) {
    for (const PlotPoint& point : track.*points) range.add(point.*coordinate);
  };
  const bool any_incremental = std::any_of(hodograph.tracks.begin(), hodograph.tracks.end(),
                                           [](const Track& track) { return is_incremental(track.law); });
  core.add(0);
  for (const Track& track : hodograph.tracks)
    if (!any_incremental || is_incremental(track.law)) add_all(core, track);
  for (const Track& track : hodograph.tracks) {
    RangeBuilder wider = core;
    add_all(wider, track);
    if (wider.with_margin(0).width() <= 2.5 * core.with_margin(0).width()) core = wider;
  }
  return core.with_margin(margin);
}

void draw_ray(Drawing& document, const PlotPanel& panel, const InvariantRay& ray) {
  const double reach = panel.x().width() + panel.y().width() + std::abs(panel.x().low) + std::abs(panel.y().low);
  document.begin_clip(panel.frame());
  document.line(panel.map({0, 0}), panel.map({ray.t1 * reach, ray.t2 * reach}),
                {.stroke = ray_colour, .width = 1.2, .dash = ray.grows ? "8 4" : "1.5 3.5"});
  document.end_clip();
}

// Calls `mark(phase)` where slip comes to a halt before the impact ends.
template <class Mark>
void for_each_halt(const ImpactResult& result, Mark mark) {
  for (const Phase* phase = result.begin(); phase != result.end(); ++phase) {
    const Phase* next = phase + 1;
    const bool slips = phase->kind == PhaseKind::slip || phase->kind == PhaseKind::jam;
    if (slips && next != result.end() && (next->kind == PhaseKind::stick || next->kind == PhaseKind::reversal))
      mark(*phase);
  }
}

// Marks that coincide stay visible because the ones below are larger.
void draw_end_marks(Drawing& document, const Hodograph& hodograph, const PlotPanel& panel, Points points) {
  for (auto track = hodograph.tracks.begin(); track != hodograph.tracks.end(); ++track) {
    const PlotPoint& end = ((*track).*points).back();
    if (!panel.contains(end)) continue;
    const PagePoint at = panel.map(end);
    const auto covers = std::count_if(track + 1, hodograph.tracks.end(), [&](const Track& above) {
      const PagePoint other = panel.map((above.*points).back());
      return elementary::hypot(other.x - at.x, other.y - at.y) < 5;
    });
    draw_end_mark(document, track->law, at, 5.2 + 2.2 * static_cast<double>(covers));
  }
}

void draw_tracks(Drawing& document, const Hodograph& hodograph, const PlotPanel& panel, Points points) {
  // Straight lines lie below the paths: where they coincide the path is what is to be seen.
  for (const Track& track : hodograph.tracks)
    if (!is_incremental(track.law))
      panel.draw_curve(track.*points, {.stroke = law_colour(track.law), .width = 1.8, .dash = law_dash(track.law)});
  int nested = 0;
  for (const Track& track : hodograph.tracks)
    if (is_incremental(track.law))
      panel.draw_curve(track.*points,
                       {.stroke = law_colour(track.law), .width = track_width, .dash = track_dash(nested++)});
  draw_end_marks(document, hodograph, panel, points);
  if (!hodograph.tracks.empty()) draw_start_mark(document, panel.map((hodograph.tracks[0].*points).front()));
}

void draw_hodograph(Drawing& document, const Hodograph& hodograph, const ImpactProblem& problem) {
  const PlotPanel panel =
      PlotPanel::with_equal_axes(document, left_frame, axis_range(hodograph, &Track::slip, &PlotPoint::x, 0.1),
                                 axis_range(hodograph, &Track::slip, &PlotPoint::y, 0.1));
  panel.draw_grid();
  for (const InvariantRay& ray : invariant_rays(problem.inertia, problem.friction.kinetic_coefficient))
    draw_ray(document, panel, ray);
  draw_tracks(document, hodograph, panel, &Track::slip);
  for (const Track& track : hodograph.tracks)
    for_each_halt(track.result, [&](const Phase& halt) {
      draw_halt_mark(document, panel.map(slip_point(hodograph, halt.velocity)));
    });
  const int k = hodograph.velocity_exponent;
  if (hodograph.planar)
    panel.draw_frame(
        {"contact velocity through the impact", axis_label("v_{t}", "m/s", k), axis_label("v_{n}", "m/s", k)});
  else
    panel.draw_frame(
        {"slip velocity through the impact", axis_label("v_{t1}", "m/s", k), axis_label("v_{t2}", "m/s", k)});
}

// Says where a law that leaves the frame on the right ends.
void draw_overflow_notes(Drawing& document, const Hodograph& hodograph, const PlotPanel& panel) {
  double next_y = panel.frame().y + panel.frame().height - 14;
  for (const Track& track : hodograph.tracks) {
    const PlotPoint& end = track.normal.back();
    if (panel.contains(end)) continue;
    const std::string note = fmt::format("{} ends at I_{{n}} = {:.3g} \xE2\x86\x92", name(track.law), end.x);
    document.text({panel.frame().x + panel.frame().width - 8, next_y}, note,
                  {.size = 12, .colour = law_colour(track.law), .anchor = Anchor::end});
    next_y -= 18;
  }
}

void draw_normal_velocity(Drawing& document, const Hodograph& hodograph) {
  AxisRange impulse = axis_range(hodograph, &Track::normal, &PlotPoint::x, 0.06);
  const PlotPanel panel(document, right_frame, impulse, axis_range(hodograph, &Track::normal, &PlotPoint::y, 0.12));
  const auto shown = std::find_if(hodograph.tracks.begin(), hodograph.tracks.end(),
                                  [](const Track& track) { return is_incremental(track.law); });
  if (shown != hodograph.tracks.end() && shown->normal.back().x > 0) {
    const double middle = shown->compression_end;
    const double end = shown->normal.back().x;
    panel.draw_band(0, middle, compression_colour);
    panel.draw_band(middle, end, restitution_colour);
    const auto caption = [&](double from, double to, const char* text) {
      const PagePoint at = panel.map({(from + to) / 2, panel.y().high});
      if (panel.map({to, 0}).x - panel.map({from, 0}).x > 80)
        document.text({at.x, at.y + 18}, text, {.size = 12, .colour = "#777777", .anchor = Anchor::middle});
    };
    caption(0, middle, "compression");
    caption(middle, end, "restitution");
  }
  panel.draw_grid();
  draw_tracks(document, hodograph, panel, &Track::normal);
  for (const Track& track : hodograph.tracks)
    for_each_halt(track.result, [&](const Phase& halt) {
      draw_halt_mark(document, panel.map(normal_point(hodograph, halt.normal_impulse, halt.velocity)));
    });
  draw_overflow_notes(document, hodograph, panel);
  panel.draw_frame({"normal velocity against normal impulse", axis_label("I_{n}", "N s", hodograph.impulse_exponent),
                    axis_label("v_{n}", "m/s", hodograph.velocity_exponent)});
}

PagePoint middle_of(PagePoint from, PagePoint to) { return {(from.x + to.x) / 2, from.y}; }

void draw_legend(Drawing& document, const Hodograph& hodograph, const ImpactProblem& problem) {
  Legend legend(document, {left_frame.x, legend_top}, page_width);
  bool halted = false;
  for (const Law law : all_laws) {
    const auto track = std::find_if(hodograph.tracks.begin(), hodograph.tracks.end(),
                                    [law](const Track& candidate) { return candidate.law == law; });
    if (track == hodograph.tracks.end()) continue;
    for_each_halt(track->result, [&](const Phase&) { halted = true; });
    legend.add(name(law), [&](PagePoint from, PagePoint to) {
      document.line(from, to, {.stroke = law_colour(law), .width = 2.6, .dash = law_dash(law)});
      draw_end_mark(document, law, to, 5.5);
    });
  }
  for (const Law law : hodograph.without_answer)
    legend.add(fmt::format("{}: no answer", name(law)), [&](PagePoint from, PagePoint to) {
      document.line(from, to, {.stroke = law_colour(law), .width = 2.4, .dash = "1 5"});
    });
  legend.add("start", [&](PagePoint from, PagePoint to) { draw_start_mark(document, middle_of(from, to)); });
  if (halted)
    legend.add("slip halts", [&](PagePoint from, PagePoint to) { draw_halt_mark(document, middle_of(from, to)); });
  const std::vector<InvariantRay> rays = invariant_rays(problem.inertia, problem.friction.kinetic_coefficient);
  const auto ray_entry = [&](bool grows, const char* label, const char* dash) {
    if (std::none_of(rays.begin(), rays.end(), [&](const InvariantRay& ray) { return ray.grows == grows; })) return;
    legend.add(label, [&](PagePoint from, PagePoint to) {
      document.line(from, to, {.stroke = ray_colour, .width = 1.4, .dash = dash});
    });
  };
  ray_entry(false, "invariant direction, slip dies", "1.5 3.5");
  ray_entry(true, "invariant direction, slip grows", "8 4");
}

}  // namespace

Picture hodograph_picture(const ImpactProblem& problem, std::span<const ImpactResult> results,
                          const std::string& title) {
  return {page_width, page_height, title,
          "Two plots of one impact with friction: the path of the slip velocity, and the normal velocity against the "
          "normal impulse, for each restitution law.",
          [problem, hodograph = make_hodograph(problem, results), title](Drawing& document) {
            document.plain_text({page_width / 2, 30}, title, {.size = 16, .anchor = Anchor::middle, .bold = true});
            draw_hodograph(document, hodograph, problem);
            draw_normal_velocity(document, hodograph);
            draw_legend(document, hodograph, problem);
          }};
}

}  // namespace routh::internal
