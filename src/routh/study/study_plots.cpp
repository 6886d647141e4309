#include "routh/study/study_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "routh/figure/axes.h"
#include "routh/study/tolerances.h"

namespace routh::internal {

namespace {

using Values = std::vector<double>;

// Told apart without colour vision too [Okabe and Ito 2008]; dashes for print without colour.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#000000"};
constexpr std::array<const char*, 4> dashes = {"", "7 3", "2 3", "9 3 2 3"};
// From dark to light, even in grey: viridis [van der Walt and Smith 2015].
constexpr std::array<std::array<int, 3>, 9> scale = {{{68, 1, 84},
                                                      {71, 44, 122},
                                                      {59, 81, 139},
                                                      {44, 113, 142},
                                                      {33, 144, 141},
                                                      {39, 173, 129},
                                                      {92, 200, 99},
                                                      {170, 220, 50},
                                                      {253, 231, 37}}};
constexpr int shades = 64;

std::string shade(int k) {
  const double at = static_cast<double>(k) / (shades - 1) * (scale.size() - 1);
  const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(at), scale.size() - 2);
  const auto mix = [&](std::size_t c) {
    const double t = at - static_cast<double>(i);
    return static_cast<int>(std::lround((1 - t) * scale[i][c] + t * scale[i + 1][c]));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

// The values of a parameter put into bins: its levels where they are few, else bins of one width.
class Bins {
 public:
  Bins(const Values& x, std::size_t most, std::size_t most_levels) {
    Values levels(x);
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    if (levels.empty()) return;
    low_ = levels.front();
    high_ = levels.back();
    if (levels.size() <= most_levels) {
      centres = std::move(levels);
      return;
    }
    width_ = (high_ - low_) / static_cast<double>(most);
    for (std::size_t k = 0; k < most; ++k) centres.push_back(low_ + (static_cast<double>(k) + 0.5) * width_);
  }

  std::size_t of(double x) const {
    if (width_ > 0) return std::min(centres.size() - 1, static_cast<std::size_t>((x - low_) / width_));
    return static_cast<std::size_t>(std::lower_bound(centres.begin(), centres.end(), x) - centres.begin());
  }
  // The border before the bin, that of all of them after the last.
  double border(std::size_t k) const {
    if (width_ > 0) return low_ + static_cast<double>(k) * width_;
    if (centres.size() == 1) return k == 0 ? low_ - 0.5 : low_ + 0.5;
    if (k == 0) return centres[0] - (centres[1] - centres[0]) / 2;
    const std::size_t last = centres.size() - 1;
    if (k > last) return centres[last] + (centres[last] - centres[last - 1]) / 2;
    return (centres[k - 1] + centres[k]) / 2;
  }
  AxisRange range() const {
    return width_ > 0 || centres.size() < 2 ? AxisRange{border(0), border(centres.size())} : AxisRange{low_, high_};
  }

  Values centres;

 private:
  double low_ = 0, high_ = 0, width_ = 0;
};

double quantile(const Values& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(at);
  const std::size_t j = std::min(i + 1, sorted.size() - 1);
  return sorted[i] + (at - static_cast<double>(i)) * (sorted[j] - sorted[i]);
}

enum class MeasureKind { number, truth, word };
MeasureKind kind_of(const StudyMeasure& measure, const Values& values) {
  if (!measure.words.empty()) return MeasureKind::word;
  const bool truth =
      std::all_of(values.begin(), values.end(), [](double v) { return std::isnan(v) || v == 0 || v == 1; });
  return truth ? MeasureKind::truth : MeasureKind::number;
}

struct Curve {
  std::vector<PlotPoint> middle, low, high;  // low and high: the band, empty without
  std::string label;
};

// A share with the interval that holds it by 95 % [Wilson 1927].
void add_share(double x, double hits, double count, Curve& curve) {
  constexpr double z = 1.959963984540054;
  const double share = hits / count, z2 = z * z / count;
  const double middle = (share + z2 / 2) / (1 + z2);
  const double half = z * std::sqrt(share * (1 - share) / count + z2 / (4 * count)) / (1 + z2);
  curve.middle.push_back({x, share});
  curve.low.push_back({x, middle - half});
  curve.high.push_back({x, middle + half});
}

std::vector<Curve> curves_of(const StudyMeasure& measure, MeasureKind kind, const Bins& bins, const Values& x,
                             const Values& y) {
  std::vector<Values> groups(bins.centres.size());
  std::map<double, Curve> words;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (std::isfinite(y[k])) {
      groups[bins.of(x[k])].push_back(y[k]);
      if (kind == MeasureKind::word) words[y[k]];
    }
  Curve curve;
  for (std::size_t b = 0; b < groups.size(); ++b) {
    Values& group = groups[b];
    if (group.empty()) continue;
    const double at = bins.centres[b], count = static_cast<double>(group.size());
    const auto number_of = [&](double value) {
      return static_cast<double>(std::count(group.begin(), group.end(), value));
    };
    if (kind == MeasureKind::word) {
      for (auto& [code, each] : words) each.middle.push_back({at, number_of(code) / count});
    } else if (kind == MeasureKind::truth) {
      add_share(at, number_of(1), count, curve);
    } else {
      std::sort(group.begin(), group.end());
      curve.middle.push_back({at, quantile(group, 0.5)});
      curve.low.push_back({at, quantile(group, 0.05)});
      curve.high.push_back({at, quantile(group, 0.95)});
    }
  }
  // One sample for each level: there is nothing to have a band of.
  if (std::all_of(groups.begin(), groups.end(), [](const Values& group) { return group.size() <= 1; })) {
    curve.low.clear();
    curve.high.clear();
  }
  if (kind != MeasureKind::word) return {curve};
  std::vector<Curve> curves;
  for (auto& [code, each] : words) {
    each.label = std::string(measure.words[static_cast<std::size_t>(code)]);
    curves.push_back(std::move(each));
  }
  return curves;
}

void draw_curve(Drawing& page, const PlotPanel& plot, const Curve& curve, std::size_t k) {
  const std::string colour = colours[k % colours.size()];
  if (!curve.low.empty()) {
    std::vector<PagePoint> outline;
    for (const PlotPoint& point : curve.low) outline.push_back(plot.map(point));
    for (std::size_t i = curve.high.size(); i-- > 0;) outline.push_back(plot.map(curve.high[i]));
    page.polygon(outline, {{}, 1, {}, colour, 0.22});
  }
  plot.draw_curve(curve.middle, {colour, 2, dashes[k % dashes.size()], {}, 1});
  if (curve.middle.size() <= 40)
    for (const PlotPoint& point : curve.middle) page.circle(plot.map(point), 2.4, {{}, 1, {}, colour, 1});
}

struct Panel {
  std::string parameter;
  AxisRange x;
  std::vector<Curve> curves;
};

constexpr double plot_left = 78, plot_top = 46, legend_step = 17;

const char* explanation(MeasureKind kind, const std::vector<Panel>& panels) {
  const bool bands = std::any_of(panels.begin(), panels.end(), [](const Panel& panel) {
    return std::any_of(panel.curves.begin(), panel.curves.end(), [](const Curve& curve) { return !curve.low.empty(); });
  });
  if (!bands && kind != MeasureKind::word) return "one sample for each value";
  switch (kind) {
    case MeasureKind::number:
      return "line: median; band: from 5 % to 95 % of the samples";
    case MeasureKind::truth:
      return "line: share of the samples; band: its interval of 95 %";
    case MeasureKind::word:
      return "shares of the samples";
  }
  return "";
}

Picture curves_picture(const StudyMeasure& measure, MeasureKind kind, std::vector<Panel> panels) {
  const std::size_t across = panels.size() == 1 ? 1 : 2, down = (panels.size() + across - 1) / across;
  const double width = across == 1 ? 520 : 250, height = across == 1 ? 250 : 170;
  const std::size_t labels = kind == MeasureKind::word ? panels.front().curves.size() : 0;
  const double legend = legend_step * static_cast<double>((labels + 2) / 3);
  const double step_x = width + plot_left + 22, step_y = height + 62;
  RangeBuilder range;
  for (const Panel& panel : panels)
    for (const Curve& curve : panel.curves)
      for (const std::vector<PlotPoint>* points : {&curve.middle, &curve.low, &curve.high})
        for (const PlotPoint& point : *points) range.add(point.y);
  const AxisRange y = kind == MeasureKind::number ? range.with_margin(0.06) : AxisRange{0, 1};
  Picture picture;
  picture.width = step_x * static_cast<double>(across);
  picture.height = plot_top + legend + step_y * static_cast<double>(down);
  picture.title = fmt::format("{} over {}", measure.name, panels.size() == 1 ? panels[0].parameter : "each parameter");
  picture.description = explanation(kind, panels);
  picture.draw = [=, explained = picture.description, panels = std::move(panels), name = measure.name](Drawing& page) {
    page.plain_text({plot_left, 18}, explained, {12, "#555555", Anchor::start, 0, false});
    for (std::size_t k = 0; k < labels; ++k) {
      const double x = plot_left + 200 * static_cast<double>(k % 3),
                   row = 36 + legend_step * static_cast<double>(k / 3);
      page.line({x, row - 4}, {x + 24, row - 4}, {colours[k % colours.size()], 2, dashes[k % dashes.size()], {}, 1});
      page.plain_text({x + 30, row}, panels.front().curves[k].label, {12, "#222222", Anchor::start, 0, false});
    }
    for (std::size_t p = 0; p < panels.size(); ++p) {
      const double left = plot_left + step_x * static_cast<double>(p % across);
      const double top = plot_top + legend + step_y * static_cast<double>(p / across);
      const PlotPanel plot(page, {left, top - 10, width, height}, panels[p].x, y);
      plot.draw_grid();
      for (std::size_t k = 0; k < panels[p].curves.size(); ++k) draw_curve(page, plot, panels[p].curves[k], k);
      PanelLabels text;
      text.x = panels[p].parameter;
      if (p % across == 0) text.y = kind == MeasureKind::number ? name : "share of " + name;
      text.y_distance = plot.tick_room() + 10;
      plot.draw_frame(text);
    }
  };
  return picture;
}

// Cells of the two bins: what to show in each, NaN where there is no sample.
struct CellMap {
  Bins x, y;
  Values cells;
  AxisRange range;
};

CellMap cells_of(const Values& x, const Values& y, const Values& value, MeasureKind kind) {
  CellMap map{Bins(x, tolerances::map_cells, tolerances::levels_drawn),
              Bins(y, tolerances::map_cells, tolerances::levels_drawn),
              {},
              {}};
  const std::size_t columns = map.x.centres.size(), rows = map.y.centres.size();
  std::vector<std::map<double, double>> words(columns * rows);
  Values sums(columns * rows, 0), counts(columns * rows, 0);
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (!std::isfinite(value[k])) continue;
    const std::size_t cell = map.y.of(y[k]) * columns + map.x.of(x[k]);
    sums[cell] += value[k];
    counts[cell] += 1;
    if (kind == MeasureKind::word) words[cell][value[k]] += 1;
  }
  RangeBuilder range;
  for (std::size_t cell = 0; cell < sums.size(); ++cell) {
    double shown = counts[cell] > 0 ? sums[cell] / counts[cell] : std::nan("");
    if (kind == MeasureKind::word && counts[cell] > 0)
      shown = std::max_element(words[cell].begin(), words[cell].end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
              })->first;
    map.cells.push_back(shown);
    if (std::isfinite(shown)) range.add(shown);
  }
  map.range = kind == MeasureKind::truth ? AxisRange{0, 1} : range.with_margin(0);
  return map;
}

void draw_key(Drawing& page, const PageRect& frame, const std::vector<std::string>& words, const CellMap& map) {
  const double left = frame.x + frame.width + 22, bottom = frame.y + frame.height;
  const TextStyle small{12, "#222222", Anchor::start, 0, false};
  if (!words.empty()) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      const double row = frame.y + 10 + legend_step * static_cast<double>(k);
      page.rect({left, row - 9, 12, 12}, {{}, 1, {}, colours[k % colours.size()], 1});
      page.plain_text({left + 18, row + 2}, words[k], small);
    }
    return;
  }
  const double step = frame.height / shades;
  for (int k = 0; k < shades; ++k) page.rect({left, bottom - step * (k + 1), 14, step + 0.5}, {{}, 1, {}, shade(k), 1});
  const std::vector<double> at = ticks(map.range, 5);
  const std::vector<std::string> labels = tick_labels(at);
  for (std::size_t k = 0; k < at.size(); ++k) {
    const double y = bottom - frame.height * (at[k] - map.range.low) / map.range.width();
    page.line({left + 14, y}, {left + 18, y}, {"#222222", 1, {}, {}, 1});
    page.plain_text({left + 21, y + 4}, labels[k], small);
  }
}

Picture map_of_cells(const Study& study, const StudyMeasure& measure, MeasureKind kind, CellMap map) {
  Picture picture;
  picture.width = plot_left + 430 + 215;
  picture.height = 400;
  const char* what = kind == MeasureKind::word ? "most frequent" : kind == MeasureKind::truth ? "share of" : "mean";
  picture.title = fmt::format("{} {} over {} and {}", what, measure.name, study.parameters[0], study.parameters[1]);
  picture.description = "Cells by their samples; white: no sample.";
  const std::vector<std::string> labels = study.parameters;
  // Of the words those that are there.
  std::vector<std::string> words;
  if (kind == MeasureKind::word) {
    std::map<double, double> place;
    for (const double code : map.cells)
      if (std::isfinite(code)) place.emplace(code, 0);
    for (auto& [code, at] : place) {
      at = static_cast<double>(words.size());
      words.emplace_back(measure.words[static_cast<std::size_t>(code)]);
    }
    for (double& code : map.cells)
      if (std::isfinite(code)) code = place[code];
  }
  picture.draw = [=, map = std::move(map), title = picture.title](Drawing& page) {
    const PageRect frame{plot_left, 34, 430, 310};
    page.plain_text({plot_left, 18}, title, {12, "#555555", Anchor::start, 0, false});
    const AxisRange x{map.x.border(0), map.x.border(map.x.centres.size())};
    const AxisRange y{map.y.border(0), map.y.border(map.y.centres.size())};
    const PlotPanel plot(page, frame, x, y);
    CellGrid grid;
    grid.columns = static_cast<int>(map.x.centres.size());
    grid.rows = static_cast<int>(map.y.centres.size());
    for (std::size_t k = 0; k <= map.x.centres.size(); ++k)
      grid.x_lines.push_back(plot.map({map.x.border(k), y.low}).x);
    for (std::size_t k = 0; k <= map.y.centres.size(); ++k)
      grid.y_lines.push_back(plot.map({x.low, map.y.border(k)}).y);
    std::vector<int> cells;
    for (const double value : map.cells) {
      if (!std::isfinite(value))
        cells.push_back(-1);
      else if (!words.empty())
        cells.push_back(static_cast<int>(value));
      else
        cells.push_back(
            std::clamp(static_cast<int>((value - map.range.low) / map.range.width() * shades), 0, shades - 1));
    }
    grid.cells = cells;
    if (!words.empty())
      for (std::size_t k = 0; k < words.size(); ++k) grid.colours.emplace_back(colours[k % colours.size()]);
    else
      for (int k = 0; k < shades; ++k) grid.colours.push_back(shade(k));
    page.cells(grid);
    plot.draw_frame({{}, labels[0], labels[1], plot.tick_room() + 10});
    draw_key(page, frame, words, map);
  };
  return picture;
}

}  // namespace

StudyColumns::StudyColumns(const Study& study, const RowFile& rows)
    : columns(study.parameters.size() + study.measures.size()) {
  const std::size_t width = rows.columns();
  rows.read([&](std::span<const double> some) {
    for (std::size_t at = 0; at < some.size(); at += width) {
      if (some[at + width - 1] != 0) continue;  // it failed
      for (std::size_t c = 0; c < columns.size(); ++c) columns[c].push_back(some[at + c]);
    }
  });
}

std::optional<Picture> dependence_picture(const Study& study, const StudyColumns& columns, std::size_t measure) {
  const StudyMeasure& asked = study.measures[measure];
  const std::size_t parameters = study.parameters.size();
  const Values& values = columns.columns[parameters + measure];
  if (parameters == 0 || std::none_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    return std::nullopt;
  const MeasureKind kind = kind_of(asked, values);
  if (parameters == 2)
    return map_of_cells(study, asked, kind, cells_of(columns.columns[0], columns.columns[1], values, kind));
  std::vector<Panel> panels;
  for (std::size_t p = 0; p < std::min(parameters, tolerances::parameters_drawn); ++p) {
    const Bins bins(columns.columns[p], tolerances::curve_bins, tolerances::levels_drawn);
    panels.push_back({study.parameters[p], bins.range(), curves_of(asked, kind, bins, columns.columns[p], values)});
  }
  return curves_picture(asked, kind, std::move(panels));
}

}  // namespace routh::internal
