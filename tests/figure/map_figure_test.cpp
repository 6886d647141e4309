// Maps: the areas drawn are the kinds that were put in, the key is complete, nothing leaves its place.
#include "routh/figure/map_figure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "routh/figure/cells.h"
#include "routh/figure/map_layout.h"
#include "routh/figure/map_plan.h"
#include "routh/figure/text_width.h"
#include "support/random_problems.h"

namespace routh {
namespace {

struct Sample {
  std::vector<int> kinds;
  MapFigure figure;
};

// Four kinds with strips one cell wide, white holes, and single cells.
Sample liu_like(int columns, int rows) {
  Sample s;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const double x = 6.0 * i / columns, y = 6.0 * j / rows;
      const double level = std::sin(x) + 0.6 * std::cos(y + x / 2);
      int kind = level > 0.9 ? 0 : level > 0.1 ? 1 : level > 0.0 ? 2 : level > -1 ? 5 : -1;
      if ((i + 2 * j) % 97 == 0) kind = 2;
      if (i % 41 == 7 && j % 37 == 3) kind = 0;
      s.kinds.push_back(kind);
    }
  s.figure.title = "regions";
  s.figure.x_label = "θ_{1} [°]";
  s.figure.y_label = "μ";
  s.figure.x = {-180, 180};
  s.figure.y = {0, 2};
  s.figure.columns = columns;
  s.figure.rows = rows;
  s.figure.kinds = s.kinds;
  s.figure.legend = {{0, "one solution", "#112233"},
                     {1, "none", "#445566"},
                     {3, "gone", ""},
                     {2, "two", ""},
                     {5, "always", ""},
                     {9, "absent", ""}};
  return s;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Tags open and close in order, attributes are quoted, and no other "<" stands in the text.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    ASSERT_EQ(tag.find('<'), std::string::npos) << tag;
    ASSERT_EQ(count(tag, "\"") % 2, 0u) << tag;
    if (tag[0] == '?' || tag.back() == '/') continue;
    if (tag[0] != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
      continue;
    }
    ASSERT_FALSE(open.empty());
    ASSERT_EQ(open.back(), tag.substr(1));
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
  for (std::size_t at = xml.find('&'); at != std::string::npos; at = xml.find('&', at + 1)) {
    const std::string entity = xml.substr(at, xml.find(';', at) - at + 1);
    EXPECT_TRUE(entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;") << entity;
  }
}

// A vertical side of an outline, in pixels.
struct Side {
  double x = 0, low = 0, high = 0;
};

// The vertical sides of every path of the document, by colour.
std::map<std::string, std::vector<Side>> read_paths(const std::string& svg) {
  std::map<std::string, std::vector<Side>> out;
  for (std::size_t at = svg.find("<path d=\""); at != std::string::npos; at = svg.find("<path d=\"", at + 1)) {
    const std::size_t end = svg.find('"', at + 9);
    const std::size_t fill = svg.find(" fill=\"", end) + 7;
    std::vector<Side>& sides = out[svg.substr(fill, svg.find('"', fill) - fill)];
    double x = 0, y = 0, start_x = 0, start_y = 0;
    const char* p = svg.c_str() + at + 9;
    const char* const stop = svg.c_str() + end;
    const auto number = [&p] {
      char* next = nullptr;
      const double value = std::strtod(p, &next);
      p = next;
      return value;
    };
    const auto vertical = [&](double to) {
      if (to != y) sides.push_back({x, std::min(y, to), std::max(y, to)});
      y = to;
    };
    while (p < stop) {
      const char command = *p++;
      if (command == 'M') {
        x = start_x = number();
        ++p;
        y = start_y = number();
      } else if (command == 'h') {
        x += number();
      } else if (command == 'v') {
        vertical(y + number());
      } else {
        EXPECT_EQ(command, 'z');
        // The last side of a loop is left to "z"; it is vertical.
        EXPECT_NEAR(x, start_x, 1e-6);
        vertical(start_y);
      }
    }
  }
  return out;
}

bool inside(const std::vector<Side>& sides, double x, double y) {
  bool odd = false;
  for (const Side& side : sides)
    if (side.x < x && side.low < y && y < side.high) odd = !odd;
  return odd;
}

TEST(MapFigure, TheAreasCoverExactlyTheirKinds) {
  for (const MapGrid layout : {MapGrid::cell_centres, MapGrid::ends_included}) {
    Sample s = liu_like(90, 70);
    s.figure.grid = layout;
    const std::map<std::string, std::vector<Side>> paths = read_paths(to_svg(map_picture(s.figure)));
    const MapPlan plan = make_map_plan(s.figure);
    ASSERT_EQ(paths.size(), 4u);
    for (int j = 0; j < 70; ++j)
      for (int i = 0; i < 90; ++i) {
        // A point of the cell; at an edge the cell of `ends_included` is half as wide.
        double u = (i + 0.5) / 90, v = (j + 0.5) / 70;
        if (layout == MapGrid::ends_included) {
          u = std::clamp(i / 89.0, 0.002, 0.998);
          v = std::clamp(j / 69.0, 0.002, 0.998);
        }
        const double x = plan.frame.x + u * plan.frame.width, y = plan.frame.y + (1 - v) * plan.frame.height;
        const int index = plan.cells[static_cast<std::size_t>(j * 90 + i)];
        const int kind = s.kinds[static_cast<std::size_t>(j * 90 + i)];
        ASSERT_EQ(index < 0, kind < 0);
        for (const auto& [colour, sides] : paths)
          ASSERT_EQ(inside(sides, x, y), index >= 0 && plan.colours[static_cast<std::size_t>(index)] == colour)
              << i << " " << j << " " << colour;
      }
  }
}

TEST(MapFigure, OutlinesOfRandomCellsWindRoundThem) {
  testing_support::Random random(5);
  for (int k = 0; k < testing_support::scaled(200, 20); ++k) {
    CellGrid grid;
    grid.columns = 1 + random.below(9);
    grid.rows = 1 + random.below(9);
    std::vector<int> cells;
    for (int i = 0; i < grid.columns * grid.rows; ++i) cells.push_back(random.below(3) - 1);
    grid.cells = cells;
    const std::vector<std::vector<CellCorner>> loops = outlines(grid, 1);
    for (int row = 0; row < grid.rows; ++row)
      for (int column = 0; column < grid.columns; ++column) {
        bool odd = false;
        for (const std::vector<CellCorner>& loop : loops)
          for (std::size_t i = 0; i < loop.size(); ++i) {
            const CellCorner &a = loop[i], &b = loop[(i + 1) % loop.size()];
            EXPECT_TRUE(i % 2 == 0 ? a.row == b.row && a.column != b.column : a.column == b.column && a.row != b.row);
            if (a.column == b.column && a.column <= column && std::min(a.row, b.row) <= row &&
                row < std::max(a.row, b.row))
              odd = !odd;
          }
        EXPECT_EQ(odd, cells[static_cast<std::size_t>(row * grid.columns + column)] == 1);
      }
  }
}

TEST(MapFigure, ALargeMapStaysSmall) {
  const Sample s = liu_like(1000, 1000);
  const std::string svg = to_svg(map_picture(s.figure));
  EXPECT_LT(svg.size(), 700'000u);
  EXPECT_GT(svg.size(), 20'000u);
  testing_support::Random random(1);
  Sample noise = liu_like(600, 600);
  for (int& kind : noise.kinds) kind = random.below(6);
  const std::string ragged = to_svg(map_picture(noise.figure));
  EXPECT_LT(ragged.size(), 750'000u);
  for (const auto& [colour, sides] : read_paths(ragged)) EXPECT_FALSE(sides.empty()) << colour;
}

TEST(MapFigure, TheKeyNamesWhatOccursAndOnlyThat) {
  Sample s = liu_like(50, 50);
  s.kinds[10] = 7;
  s.figure.lines = {{{{-100, 0.5}, {100, 1}}, "boundary", {.stroke = "#000000"}},
                    {{{-90, 0.5}, {90, 1}}, "boundary", {.stroke = "#000000"}},
                    {{{0, 0}, {1, 1}}, "", {}}};
  const std::string svg = to_svg(map_picture(s.figure));
  expect_well_formed(svg);
  for (const char* name : {"one solution", "none", "two", "always", "kind 7", "boundary"})
    EXPECT_EQ(count(svg, std::string(">") + name + "</text>"), 1u) << name;
  EXPECT_EQ(svg.find("absent"), std::string::npos);
  EXPECT_EQ(svg.find("gone"), std::string::npos);
  // White has an entry when it has a name.
  s.figure.legend.push_back({-1, "apart", ""});
  EXPECT_NE(to_svg(map_picture(s.figure)).find(">apart</text>"), std::string::npos);
}

TEST(MapFigure, ColoursOfKindsDiffer) {
  std::vector<int> kinds;
  for (int k = 0; k < 24; ++k) kinds.push_back(k);
  MapFigure figure;
  figure.columns = 6;
  figure.rows = 4;
  figure.kinds = kinds;
  const MapPlan plan = make_map_plan(figure);
  EXPECT_EQ(std::set<std::string>(plan.colours.begin(), plan.colours.end()).size(), 24u);
}

TEST(MapFigure, HostileTextIsEscaped) {
  Sample s = liu_like(20, 20);
  s.figure.title = "</svg><script>alert(\"&\")</script>\x01\xFF_{x}";
  s.figure.x_label = "<b>&_{<i>}";
  s.figure.legend[0].label = "\"><image href=x>";
  s.figure.legend[1].colour = "#fff\"/><script>";
  s.figure.lines = {{{{0, 0}, {100, 1}}, "a", {.stroke = "\"/><script>"}}};
  s.figure.marks = {{{0, 1}, "<mark>"}};
  const std::string svg = to_svg(map_picture(s.figure));
  expect_well_formed(svg);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("<image"), std::string::npos);
  EXPECT_EQ(svg.find("<mark"), std::string::npos);
  EXPECT_NE(svg.find("_{x}</text>"), std::string::npos);
  EXPECT_FALSE(to_png(map_picture(s.figure), 0.5).empty());
}

TEST(MapFigure, TheSameFigureGivesTheSameBytes) {
  const Sample s = liu_like(80, 60);
  EXPECT_EQ(to_svg(map_picture(s.figure)), to_svg(map_picture(s.figure)));
}

// Also from a copy of a picture whose figure is gone.
TEST(MapFigure, ThePictureOutlivesItsFigure) {
  Picture picture;
  std::string svg;
  {
    const Sample s = liu_like(30, 20);
    picture = map_picture(s.figure);
    svg = to_svg(picture);
  }
  EXPECT_EQ(to_svg(Picture(picture)), svg);
}

TEST(MapFigure, LinesAloneHaveAGridAndGaps) {
  MapFigure figure;
  figure.x = {0, 1};
  figure.y = {0, 2};
  figure.lines = {
      {{{0, 0}, {0.2, 1}, {0.4, std::nan("")}, {0.5, 1}, {0.7, HUGE_VAL}, {0.8, 1}, {0.9, 2}}, "curve", {}}};
  const std::string svg = to_svg(map_picture(figure));
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, "<polyline"), 2u);  // a single point between two gaps is no line
  EXPECT_GE(count(svg, "#e4e4e4"), 8u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(MapFigure, OddRangesStillGiveAPicture) {
  for (const AxisRange range :
       {AxisRange{1, 1}, AxisRange{0, 0}, AxisRange{2, -2}, AxisRange{std::nan(""), 1}, AxisRange{-1e308, 1e308},
        AxisRange{1e-300, 3e-300}, AxisRange{1e12, 1e12 + 1}, AxisRange{0, HUGE_VAL}}) {
    Sample s = liu_like(5, 4);
    s.figure.x = s.figure.y = range;
    s.figure.marks = {{{range.low, range.high}, "corner"}};
    s.figure.lines = {{{{range.low, range.low}, {range.high, range.high}}, "l", {}}};
    const std::string svg = to_svg(map_picture(s.figure));
    expect_well_formed(svg);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf\""), std::string::npos);
    EXPECT_LT(svg.size(), 60'000u);
  }
}

TEST(MapFigure, TinyNumbersGetAPowerOfTen) {
  MapFigure figure;
  figure.x = {0, 8e-7};
  figure.x_label = "H [m]";
  const MapPlan plan = make_map_plan(figure);
  EXPECT_EQ(plan.x_label, "H [m]  (× 10^{−9})");
  EXPECT_NEAR(plan.x.high, 800, 1e-9);
}

TEST(MapFigure, KeyAndTitleFitThePage) {
  Sample s = liu_like(30, 30);
  s.figure.legend[0].label =
      "a very long name of a kind that cannot stand in one line of the key, with μ_{k} and more words";
  s.figure.title = std::string(400, 'W');
  const MapPlan plan = make_map_plan(s.figure);
  double height = 0;
  for (const KeyEntry& entry : plan.key)
    for (const std::string& line : entry.name) {
      height += map_key_row;
      EXPECT_LE(plan.frame.x + plan.frame.width + map_key_gap + map_key_sample + 8 +
                    text_width(line, map_key_size, Markup::scripts),
                plan.page_width);
    }
  EXPECT_GT(plan.key[0].name.size(), 1u);
  EXPECT_LE(height, plan.frame.height);
  const FittedText title = fit_plain_text(s.figure.title, 16, 11, plan.page_width);
  EXPECT_LE(text_width(title.text, title.size, Markup::none), plan.page_width);
  EXPECT_EQ(title.text.substr(title.text.size() - 3), "…");
}

TEST(MapFigure, LabelsStayInTheFrameAndApart) {
  const PageRect frame{100, 50, 600, 400};
  std::vector<LabelRequest> requests{{{100, 50}, 80},  {{700, 450}, 120}, {{700, 50}, 60}, {{300, 200}, 90},
                                     {{304, 204}, 90}, {{296, 204}, 90},  {{400, 449}, 50}};
  const std::vector<LabelPlace> places = place_labels(requests, {}, frame);
  ASSERT_EQ(places.size(), requests.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PageRect& b = places[i].box;
    EXPECT_GE(b.x, frame.x);
    EXPECT_GE(b.y, frame.y);
    EXPECT_LE(b.x + b.width, frame.x + frame.width);
    EXPECT_LE(b.y + b.height, frame.y + frame.height);
    for (std::size_t k = 0; k < i; ++k) {
      const PageRect& c = places[k].box;
      EXPECT_TRUE(b.x + b.width <= c.x || c.x + c.width <= b.x || b.y + b.height <= c.y || c.y + c.height <= b.y);
    }
  }
  // A line to the right of the mark pushes the label to another side.
  std::vector<PagePoint> line;
  for (double x = 300; x < 500; x += line_sampling) line.push_back({x, 200});
  EXPECT_LT(place_labels({{{300, 200}, 90}}, line, frame)[0].box.x, 290);
}

TEST(MapFigure, AMarkOutsideIsNotDrawn) {
  MapFigure figure;
  figure.x = figure.y = {0, 1};
  figure.marks = {{{0.5, 0.5}, "within"}, {{2, 0.5}, "beyond"}, {{std::nan(""), 0}, "nowhere"}};
  const std::string svg = to_svg(map_picture(figure));
  EXPECT_NE(svg.find(">within</text>"), std::string::npos);
  EXPECT_EQ(svg.find("beyond"), std::string::npos);
  EXPECT_EQ(svg.find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace routh
