// What the pixels of a raster hold, against areas and lengths known from geometry.
#include "routh/figure/raster.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "routh/figure/glyphs.h"
#include "routh/figure/stroke_font.h"
#include "support/random_problems.h"

namespace routh {
namespace {

const Pen black_fill{.fill = "#000000"};

// How black a pixel is, 0 to 1.
double ink(const RasterDocument& page, int x, int y) {
  const Raster& raster = page.raster();
  return 1 - raster.rgb[3 * static_cast<std::size_t>(y * raster.width + x)] / 255.0;
}

double total_ink(const RasterDocument& page) {
  double sum = 0;
  for (int y = 0; y < page.raster().height; ++y)
    for (int x = 0; x < page.raster().width; ++x) sum += ink(page, x, y);
  return sum;
}

double polygon_area(const std::vector<PagePoint>& points) {
  double twice = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PagePoint &p = points[i], &q = points[(i + 1) % points.size()];
    twice += p.x * q.y - q.x * p.y;
  }
  return std::abs(twice) / 2;
}

TEST(Raster, AFilledRectangleCoversExactlyItsPixels) {
  RasterDocument page(20, 12, 1);
  page.rect({3, 2, 7, 5}, black_fill);
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 20; ++x)
      EXPECT_EQ(ink(page, x, y), x >= 3 && x < 10 && y >= 2 && y < 7 ? 1 : 0) << x << " " << y;
}

TEST(Raster, PartOfAPixelIsPartOfTheColour) {
  RasterDocument page(6, 6, 1);
  page.rect({1.25, 2.5, 2, 1}, black_fill);
  EXPECT_NEAR(ink(page, 1, 2), 0.75 * 0.5, 1.0 / 255);
  EXPECT_NEAR(ink(page, 2, 2), 0.5, 1.0 / 255);
  EXPECT_NEAR(ink(page, 3, 3), 0.25 * 0.5, 1.0 / 255);
}

TEST(Raster, ScaleMultipliesEverything) {
  RasterDocument page(10, 10, 3);
  EXPECT_EQ(page.raster().width, 30);
  page.rect({1, 1, 2, 2}, black_fill);
  EXPECT_EQ(ink(page, 3, 3), 1);
  EXPECT_EQ(ink(page, 8, 8), 1);
  EXPECT_EQ(ink(page, 9, 9), 0);
  EXPECT_NEAR(total_ink(page), 36, 1e-9);
}

TEST(Raster, ALineHasLengthTimesWidthOfInk) {
  testing_support::Random random(42);
  for (int k = 0; k < testing_support::scaled(60, 10); ++k) {
    RasterDocument page(120, 120, 1);
    const double angle = random.uniform(0, 2 * std::numbers::pi), length = random.uniform(20, 50);
    const double width = random.uniform(0.6, 6);
    const PagePoint from{60 + random.uniform(), 60 + random.uniform()};
    page.line(from, {from.x + length * std::cos(angle), from.y + length * std::sin(angle)},
              {.stroke = "#000000", .width = width});
    EXPECT_NEAR(total_ink(page), length * width, 0.01 * length * width + 0.3) << angle << " " << width;
  }
}

TEST(Raster, ABentLineDoesNotDarkenAtItsJoints) {
  // A straight line cut into many short pieces is the line.
  RasterDocument whole(100, 40, 1), pieces(100, 40, 1);
  const Pen pen{.stroke = "#000000", .width = 2.5};
  whole.line({10, 10}, {90, 30}, pen);
  std::vector<PagePoint> points;
  for (int i = 0; i <= 200; ++i) points.push_back({10 + 80.0 * i / 200, 10 + 20.0 * i / 200});
  pieces.polyline(points, pen);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 100; ++x) EXPECT_NEAR(ink(whole, x, y), ink(pieces, x, y), 0.02);
  EXPECT_NEAR(total_ink(whole), total_ink(pieces), 0.5);
}

TEST(Raster, DashesLeaveOutTheirShare) {
  RasterDocument page(110, 10, 1);
  page.line({5, 5}, {95, 5}, {.stroke = "#000000", .width = 2, .dash = "6 3"});
  EXPECT_NEAR(total_ink(page), 60 * 2, 1e-6);
  EXPECT_EQ(ink(page, 6, 5), 1);
  EXPECT_EQ(ink(page, 12, 5), 0);  // 5 + 6 … 5 + 9
  EXPECT_EQ(ink(page, 15, 5), 1);
  // Three lengths count twice: 4 on, 2 off, 2 on, 4 off, 2 on, 2 off. A pattern that is none draws the whole line.
  RasterDocument odd(110, 10, 1), none(110, 10, 1);
  odd.line({5, 5}, {21, 5}, {.stroke = "#000000", .width = 2, .dash = "4 2 2"});
  EXPECT_NEAR(total_ink(odd), (4 + 2 + 2) * 2, 1e-6);
  none.line({5, 5}, {21, 5}, {.stroke = "#000000", .width = 2, .dash = "0 0"});
  EXPECT_NEAR(total_ink(none), 32, 1e-6);
}

TEST(Raster, PolygonsHaveTheirArea) {
  testing_support::Random random(3);
  for (int k = 0; k < testing_support::scaled(60, 10); ++k) {
    RasterDocument page(100, 100, 1);
    std::vector<PagePoint> points;
    // Star-shaped about the middle, so it does not cross itself.
    const int corners = 3 + random.below(12);
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.8 * random.uniform()) / corners;
      const double radius = random.uniform(5, 45);
      points.push_back({50 + radius * std::cos(angle), 50 + radius * std::sin(angle)});
    }
    page.polygon(points, black_fill);
    EXPECT_NEAR(total_ink(page), polygon_area(points), 1e-3 * polygon_area(points) + 0.3);
  }
}

TEST(Raster, APolygonThatLeavesThePageIsCutThere) {
  RasterDocument page(20, 20, 1);
  page.polygon({{-1000, -500}, {1e6, 10}, {-1000, 520}}, black_fill);
  // A wedge whose sides are nearly level: the rows between them are black to both edges.
  EXPECT_NEAR(total_ink(page), 400, 0.5);
  RasterDocument corner(20, 20, 1);
  corner.polygon({{-30, 5}, {50, 5}, {50, 200}, {-30, 200}}, black_fill);
  EXPECT_NEAR(total_ink(corner), 20 * 15, 1e-9);
}

TEST(Raster, CirclesHaveTheirAreaAndRim) {
  RasterDocument disc(60, 60, 1), ring(60, 60, 1);
  disc.circle({30.3, 29.6}, 20, black_fill);
  EXPECT_NEAR(total_ink(disc), std::numbers::pi * 400, 4);
  ring.circle({30.3, 29.6}, 20, {.stroke = "#000000", .width = 3});
  EXPECT_NEAR(total_ink(ring), 2 * std::numbers::pi * 20 * 3, 4);
  EXPECT_EQ(ink(ring, 30, 30), 0);
}

TEST(Raster, OpacityMixesFillAndStrokeOnce) {
  RasterDocument page(20, 20, 1);
  page.rect({4, 4, 12, 12}, {.stroke = "#000000", .width = 2, .fill = "#000000", .opacity = 0.4});
  EXPECT_NEAR(ink(page, 10, 10), 0.4, 0.01);
  EXPECT_NEAR(ink(page, 4, 10), 0.4, 0.01);  // where the stroke lies on the fill
  EXPECT_NEAR(ink(page, 3, 10), 0.4, 0.01);
}

TEST(Raster, ClippingHoldsAndEnds) {
  RasterDocument page(30, 30, 1);
  page.begin_clip({5, 6, 10, 12});
  page.begin_clip({0, 0, 9, 30});
  page.rect({0, 0, 30, 30}, black_fill);
  page.line({0, 10}, {30, 12}, {.stroke = "#000000", .width = 5});
  page.text({0, 15}, "clipped", {.size = 20, .colour = "#000000"});
  page.end_clip();
  page.end_clip();
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 30; ++x) EXPECT_EQ(ink(page, x, y), x >= 5 && x < 9 && y >= 6 && y < 18 ? 1 : 0);
  page.rect({20, 20, 2, 2}, black_fill);
  EXPECT_EQ(ink(page, 21, 21), 1);
}

TEST(Raster, CellsGetTheirColourAndSeamsTheMean) {
  const std::vector<int> cells{0, 1, -1, 0};
  CellGrid grid;
  grid.columns = grid.rows = 2;
  grid.cells = cells;
  grid.x_lines = {2, 6.5, 10};
  grid.y_lines = {10, 6, 2};
  grid.colours = {"#000000", "#ffffff"};
  RasterDocument page(12, 12, 1);
  page.cells(grid);
  EXPECT_EQ(ink(page, 2, 9), 1);                 // bottom left
  EXPECT_NEAR(ink(page, 6, 9), 0.5, 1.0 / 255);  // half black, half white
  EXPECT_EQ(ink(page, 3, 3), 0);                 // left as it is
  EXPECT_EQ(ink(page, 9, 2), 1);
  EXPECT_EQ(ink(page, 10, 2), 0);
}

TEST(StrokeFont, TextStaysWithinItsWidth) {
  std::string ascii;
  for (char c = ' '; c < 127; ++c) ascii += c;
  for (const std::string& text :
       {ascii, std::string("μθωφλσδταβγΔΦ−·°′²³⁻∞≥≤‖√"), std::string("θ̇ ï̃ î Å_{x̃}^{−2}"), std::string("漢字\xFF\x01")})
    for (const char* part : {"", "i"})
      for (const bool bold : {false, true}) {
        const std::string line = part + text + part;
        const double width = text_width(line, 20, Markup::scripts);
        for (const LetterStroke& stroke : text_strokes(line, {.size = 20, .bold = bold}, Markup::scripts))
          for (const PagePoint& p : stroke.points) {
            EXPECT_GE(p.x - stroke.pen_width / 2, -1e-9) << line;
            EXPECT_LE(p.x + stroke.pen_width / 2, width + 1e-9) << line;
            EXPECT_LE(std::abs(p.y), 30);
          }
      }
}

TEST(StrokeFont, EveryCharacterAloneStaysWithinItsWidth) {
  for (unsigned code = 0x21; code < 0x2300; ++code) {
    if (code >= 0x80 && &find_glyph(code) == &find_glyph(0xFFFD) && find_composite(code) == nullptr) continue;
    std::string text;
    if (code < 0x80)
      text = static_cast<char>(code);
    else if (code < 0x800)
      text = {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 63))};
    else
      text = {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 63)),
              static_cast<char>(0x80 | (code & 63))};
    const double width = text_width(text, 100, Markup::none);
    for (const LetterStroke& stroke : text_strokes(text, {.size = 100}, Markup::none))
      for (const PagePoint& p : stroke.points) {
        EXPECT_GE(p.x - stroke.pen_width / 2, 0) << text;
        EXPECT_LE(p.x + stroke.pen_width / 2, width) << text;
      }
  }
}

TEST(StrokeFont, KnowsTheCharactersOfMechanics) {
  const Glyph* const box = &find_glyph(0xFFFD);
  for (unsigned code = 0x20; code < 0x7F; ++code) EXPECT_NE(&find_glyph(code), box) << code;
  for (const unsigned code :
       {0x3BCu, 0x3B8u,  0x3C9u, 0x3C6u, 0x3BBu,  0x3C3u,  0x3B4u,  0x3C4u,  0x3B1u,  0x3B2u,  0x3B3u, 0x394u,
        0x3A6u, 0x2212u, 0xB7u,  0xB0u,  0x2032u, 0x221Eu, 0x2265u, 0x2264u, 0x2016u, 0x221Au, 0x307u})
    EXPECT_NE(&find_glyph(code), box) << std::hex << code;
  for (const unsigned code : {0xB2u, 0xB3u, 0x207Bu, 0xE9u})
    EXPECT_NE(find_composite(code), nullptr) << std::hex << code;
  EXPECT_EQ(&find_glyph(0x6F22), box);
}

TEST(StrokeFont, AnAccentStandsOverItsLetterAndTakesNoRoom) {
  EXPECT_DOUBLE_EQ(text_width("θ̇", 20, Markup::none), text_width("θ", 20, Markup::none));
  const auto top = [](const char* text) {
    double least = 0;
    for (const LetterStroke& stroke : text_strokes(text, {.size = 20}, Markup::none))
      for (const PagePoint& p : stroke.points) least = std::min(least, p.y);
    return least;
  };
  EXPECT_LT(top("θ̇"), top("θ") - 1.5);
}

TEST(StrokeFont, AnchorsPutTheTextWhereTheySay) {
  const auto inked = [](Anchor anchor) {
    RasterDocument page(200, 40, 1);
    page.text({100, 25}, "Hn_{0}", {.size = 16, .colour = "#000000", .anchor = anchor});
    int first = 200, last = 0;
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 200; ++x)
        if (ink(page, x, y) > 0.1) first = std::min(first, x), last = std::max(last, x);
    return std::pair(first, last);
  };
  const double width = text_width("Hn_{0}", 16, Markup::scripts);
  EXPECT_NEAR(inked(Anchor::start).first, 100, 2.5);
  EXPECT_NEAR(inked(Anchor::end).second, 100, 2.5);
  const auto [first, last] = inked(Anchor::middle);
  EXPECT_NEAR((first + last + 1) / 2.0, 100, 1.5);
  EXPECT_NEAR(last - first, width, 5);
}

TEST(StrokeFont, RotatedTextHasTheSameInk) {
  RasterDocument level(100, 100, 2), upright(100, 100, 2);
  level.text({20, 50}, "μ_{k} label", {.size = 14, .colour = "#000000"});
  upright.text({50, 80}, "μ_{k} label", {.size = 14, .colour = "#000000", .angle = -90});
  EXPECT_NEAR(total_ink(upright) / total_ink(level), 1, 0.03);
}

TEST(Raster, ParsesColours) {
  Colour colour;
  ASSERT_TRUE(parse_colour("#0a80FF", colour));
  EXPECT_EQ(colour.red, 10);
  EXPECT_EQ(colour.green, 128);
  EXPECT_EQ(colour.blue, 255);
  ASSERT_TRUE(parse_colour("#f0a", colour));
  EXPECT_EQ(colour.blue, 170);
  for (const char* text : {"", "red", "#12345", "#12345g", "0a80ff#", "none"}) EXPECT_FALSE(parse_colour(text, colour));
}

TEST(Raster, OddSizesAndScalesStillGiveAPage) {
  for (const double scale : {-1.0, 0.0, 1e9, std::nan(""), HUGE_VAL}) {
    RasterDocument page(5, 3, scale);
    EXPECT_GT(page.raster().width, 0);
    EXPECT_LE(page.raster().width, 50);
    page.line({-1e6, -1e6}, {1e6, 1e6}, {.stroke = "#000000"});
  }
}

}  // namespace
}  // namespace routh
