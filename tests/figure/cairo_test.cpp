// What Cairo painted, read back by zlib and the PNG specification, against areas and places known from geometry.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "routh/base/error.h"
#include "routh/figure/picture.h"
#include "routh/figure/text_width.h"

namespace routh {
namespace {

const Pen black_fill{.fill = "#000000"};

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = at; i < at + 4; ++i) out = 256 * out + static_cast<unsigned char>(bytes.at(i));
  return out;
}

struct Pixels {
  int width = 0, height = 0;
  std::string rgb;
  std::uint32_t per_metre = 0;

  std::string colour(int x, int y) const {
    const std::size_t at =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return fmt::format("#{:02x}{:02x}{:02x}", static_cast<unsigned char>(rgb.at(at)),
                       static_cast<unsigned char>(rgb.at(at + 1)), static_cast<unsigned char>(rgb.at(at + 2)));
  }
  // How black a grey pixel is, 0 to 1.
  double ink(int x, int y) const {
    return 1 - static_cast<unsigned char>(rgb.at(3 * static_cast<std::size_t>(y * width + x))) / 255.0;
  }
};

// Undoes the filter of a row in place [PNG specification, section 9].
void unfilter(int filter, const unsigned char* above, unsigned char* row, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    const int left = i < 3 ? 0 : row[i - 3], up = above == nullptr ? 0 : above[i];
    const int corner = above == nullptr || i < 3 ? 0 : above[i - 3];
    const int guess = left + up - corner;
    const int dl = std::abs(guess - left), du = std::abs(guess - up), dc = std::abs(guess - corner);
    const int paeth = dl <= du && dl <= dc ? left : du <= dc ? up : corner;
    const int predictions[] = {0, left, up, (left + up) / 2, paeth};
    row[i] = static_cast<unsigned char>(row[i] + predictions[filter]);
  }
}

Pixels read_png(const std::string& png) {
  if (png.substr(0, 8) != "\x89PNG\r\n\x1a\n") throw std::runtime_error("signature");
  Pixels out;
  std::string packed;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t length = number_at(png, at);
    const std::string kind = png.substr(at + 4, 4), data = png.substr(at + 8, length), summed = kind + data;
    if (crc32(0, reinterpret_cast<const Bytef*>(summed.data()), static_cast<uInt>(summed.size())) !=
        number_at(png, at + 8 + length))
      throw std::runtime_error("CRC of " + kind);
    if (kind == "IHDR") {
      out.width = static_cast<int>(number_at(data, 0));
      out.height = static_cast<int>(number_at(data, 4));
      if (data.substr(8) != std::string("\x08\x02\x00\x00\x00", 5)) throw std::runtime_error("not 8-bit RGB");
    }
    if (kind == "pHYs") out.per_metre = number_at(data, 0);
    if (kind == "IDAT") packed += data;
    at += length + 12;
  }
  const auto bytes = static_cast<std::size_t>(3 * out.width), rows = static_cast<std::size_t>(out.height);
  std::vector<unsigned char> raw((bytes + 1) * rows);
  uLongf size = raw.size();
  if (uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()) != Z_OK ||
      size != raw.size())
    throw std::runtime_error("IDAT");
  const unsigned char* above = nullptr;
  for (std::size_t y = 0; y < rows; ++y) {
    unsigned char* const row = &raw[y * (bytes + 1) + 1];
    unfilter(row[-1], above, row, static_cast<int>(bytes));
    out.rgb.append(reinterpret_cast<const char*>(row), bytes);
    above = row;
  }
  return out;
}

Picture picture(double width, double height, std::function<void(Drawing&)> draw) {
  return {width, height, "title", "description", std::move(draw)};
}

Pixels painted(double width, double height, double scale, std::function<void(Drawing&)> draw) {
  return read_png(to_png(picture(width, height, std::move(draw)), scale));
}

// The box that holds all ink: left, top, right, bottom.
std::array<int, 4> ink_box(const Pixels& page) {
  std::array<int, 4> box{page.width, page.height, -1, -1};
  for (int y = 0; y < page.height; ++y)
    for (int x = 0; x < page.width; ++x)
      if (page.ink(x, y) > 0.2)
        box = {std::min(box[0], x), std::min(box[1], y), std::max(box[2], x), std::max(box[3], y)};
  return box;
}

TEST(Cairo, AFilledRectangleCoversExactlyItsPixels) {
  const Pixels page = painted(20, 12, 2, [](Drawing& d) { d.rect({3, 2, 7, 5}, black_fill); });
  ASSERT_EQ(page.width, 40);
  ASSERT_EQ(page.height, 24);
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 40; ++x)
      EXPECT_EQ(page.ink(x, y), x >= 6 && x < 20 && y >= 4 && y < 14 ? 1 : 0) << x << " " << y;
}

TEST(Cairo, ShapesHaveTheirAreas) {
  const auto ink_of = [](std::function<void(Drawing&)> draw) {
    const Pixels page = painted(100, 100, 2, std::move(draw));
    double sum = 0;
    for (int y = 0; y < page.height; ++y)
      for (int x = 0; x < page.width; ++x) sum += page.ink(x, y);
    return sum / 4;
  };
  EXPECT_NEAR(ink_of([](Drawing& d) { d.circle({50, 50}, 20, black_fill); }), 400 * 3.14159265, 3);
  EXPECT_NEAR(ink_of([](Drawing& d) { d.polygon({{10, 10}, {90, 20}, {30, 80}}, black_fill); }), 2700, 5);
  EXPECT_NEAR(ink_of([](Drawing& d) { d.line({10, 10}, {70, 90}, {.stroke = "#000", .width = 3}); }), 300, 3);
  // Two thirds of a dashed line are drawn; the ends of a solid one are cut square.
  EXPECT_NEAR(ink_of([](Drawing& d) {
                d.line({5, 50}, {95, 50}, {.stroke = "#000", .width = 2, .dash = "6 3"});
              }),
              120, 2);
  EXPECT_NEAR(ink_of([](Drawing& d) {
                d.polyline({{10, 50}, {50, 50}, {90, 50}}, {.stroke = "#000", .width = 4});
              }),
              320, 1);
}

TEST(Cairo, OpacityMixesFillAndStrokeOnce) {
  const Pen pen{.stroke = "#000000", .width = 10, .fill = "#000000", .opacity = 0.4};
  const Pixels page = painted(60, 60, 1, [&](Drawing& d) { d.rect({10, 10, 40, 40}, pen); });
  for (const int x : {7, 12, 30}) EXPECT_NEAR(page.ink(x, 30), 0.4, 1.0 / 200) << x;
}

TEST(Cairo, ClippingHoldsAndEnds) {
  const Pixels page = painted(20, 20, 1, [](Drawing& d) {
    d.begin_clip({5, 5, 10, 10});
    d.begin_clip({0, 0, 10, 20});
    d.rect({0, 0, 20, 20}, black_fill);
    d.end_clip();
    d.end_clip();
    d.rect({18, 18, 2, 2}, black_fill);
  });
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 20; ++x) {
      const bool inside = (x >= 5 && x < 10 && y >= 5 && y < 15) || (x >= 18 && y >= 18);
      EXPECT_EQ(page.ink(x, y), inside ? 1 : 0) << x << " " << y;
    }
}

// Cairo counts in 2^-8 pixels of 32 bits and loses long segments: without care such a line is missing or elsewhere.
TEST(Cairo, LinesThatRunFarOutKeepTheirDirection) {
  for (const double far : {1e6, 1e8, 1e12, 1e30})
    for (const PagePoint from : {PagePoint{0, 0}, PagePoint{-1e5, -1e5}, PagePoint{-1e6, -1e6}}) {
      const double scale = from.x == 0 ? 10 : 1;
      const Pixels page = painted(40, 40, scale, [&](Drawing& d) {
        d.begin_clip({0, 0, 40, 40});
        d.polyline({from, {far, far}, {far, 2 * far}}, {.stroke = "#000000", .width = 2});
        d.end_clip();
      });
      for (int k = 2; k < page.width; ++k) EXPECT_GT(page.ink(k, k), 0.8) << far << " " << from.x << " " << k;
      EXPECT_EQ(page.ink(30, 10), 0) << far;
      EXPECT_EQ(page.ink(10, 30), 0) << far;
    }
}

// Four columns and four rows, the outer ones half as wide; row 0 is at the bottom.
TEST(Cairo, CellsHaveTheirColours) {
  const std::vector<int> cells{0, 1, 2, 2, -1, 0, 1, 7, 3, 0, 1, 2, 2, 1, 0, 0};
  CellGrid grid;
  grid.columns = 4;
  grid.rows = 4;
  grid.cells = cells;
  grid.x_lines = {10, 20, 40, 60, 70};
  grid.y_lines = {70, 60, 40, 20, 10};
  grid.colours = {"#ff0000", "#00ff00", "#0000ff", ""};
  const Pixels page = painted(80, 80, 1.5, [&](Drawing& d) { d.cells(grid); });
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 4; ++column) {
      const double x = (grid.x_lines[column] + grid.x_lines[column + 1]) / 2;
      const double y = (grid.y_lines[row] + grid.y_lines[row + 1]) / 2;
      const auto index = static_cast<std::size_t>(cells[4 * row + column]);
      EXPECT_EQ(page.colour(static_cast<int>(1.5 * x), static_cast<int>(1.5 * y)),
                index < 3 ? grid.colours[index] : "#ffffff")
          << row << " " << column;
    }
  EXPECT_EQ(page.colour(12, 60), "#ffffff");
  EXPECT_EQ(page.colour(107, 60), "#ffffff");
}

TEST(Cairo, CellsSmallerThanAPixelGiveTheirMean) {
  std::vector<int> cells;
  for (int k = 0; k < 400 * 400; ++k) cells.push_back((k + k / 400) % 2);
  CellGrid grid;
  grid.columns = grid.rows = 400;
  grid.cells = cells;
  for (int k = 0; k <= 400; ++k) {
    grid.x_lines.push_back(0.1 * k);
    grid.y_lines.push_back(40 - 0.1 * k);
  }
  grid.colours = {"#000000", "#ffffff"};
  const Pixels page = painted(40, 40, 1, [&](Drawing& d) { d.cells(grid); });
  for (int y = 2; y < 38; ++y)
    for (int x = 2; x < 38; ++x) EXPECT_NEAR(page.ink(x, y), 0.5, 0.1) << x << " " << y;
}

TEST(Cairo, AnchorsPutTheTextWhereTheySay) {
  const auto box_of = [](const TextStyle& style) {
    return ink_box(painted(200, 200, 1, [&](Drawing& d) { d.text({100, 100}, "HHn_{0}", style); }));
  };
  const std::array<int, 4> start = box_of({.size = 20, .colour = "#000"});
  const std::array<int, 4> middle = box_of({.size = 20, .colour = "#000", .anchor = Anchor::middle});
  const std::array<int, 4> end = box_of({.size = 20, .colour = "#000", .anchor = Anchor::end});
  EXPECT_NEAR(start[0], 101, 2);
  EXPECT_NEAR((middle[0] + middle[2]) / 2.0, 100, 2);
  EXPECT_NEAR(end[2], 99, 2);
  // Capitals end at the baseline, the subscript below it.
  EXPECT_GT(start[3], 101);
  EXPECT_LT(start[3], 107);
  // Turned by a right angle to the left it runs upwards.
  const std::array<int, 4> up = box_of({.size = 20, .colour = "#000", .angle = -90});
  EXPECT_NEAR(up[3] - up[1], start[2] - start[0], 2);
  EXPECT_NEAR(up[3], 99, 2);
}

// Layout counts on `text_width` within the allowance of the maps.
TEST(Cairo, TextTakesAboutTheRoomThatLayoutGivesIt) {
  for (const std::string text : {"detaches, slips and jams", "M_{s}^{2} slides: admissible", "θ_{1} [rad]",
                                 "rate of upper [rad/s]", "−0.0123456789"}) {
    const std::array<int, 4> box = ink_box(painted(700, 60, 1, [&](Drawing& d) {
      d.text({10, 40}, text, {.size = 30, .colour = "#000000"});
    }));
    const double ratio = (box[2] - box[0]) / text_width(text, 30, Markup::scripts);
    EXPECT_GT(ratio, 0.75) << text;
    EXPECT_LT(ratio, 1.2) << text;
  }
}

TEST(Cairo, APngSaysItsPrintSizeAndOddScalesAreHeld) {
  const Picture page = picture(20, 10, [](Drawing& d) { d.rect({0, 0, 20, 10}, black_fill); });
  EXPECT_EQ(read_png(to_png(page, 2)).per_metre, 7559u);  // 192 to the inch
  EXPECT_EQ(read_png(to_png(page, 1e9)).width, 200);
  EXPECT_EQ(read_png(to_png(page, -1)).width, 2);
  EXPECT_EQ(read_png(to_png(page, std::nan(""))).width, 20);
  EXPECT_EQ(read_png(to_png(picture(1e9, 1, [](Drawing&) {}), 1)).width, 30'000);
}

TEST(Cairo, HostileTextIsDrawn) {
  const std::string hostile("\x01\xFF\xC0\xAF\0(\\)<b>&_{x\xED\xA0\x80}", 20);
  const Picture page{100, 100, hostile, hostile, [&](Drawing& d) {
                       d.text({50, 50}, hostile, {});
                       d.plain_text({50, 50}, hostile, {});
                     }};
  EXPECT_FALSE(to_png(page).empty());
  EXPECT_FALSE(to_pdf(page).empty());
}

TEST(Cairo, APdfHasTheSizeInPointsAndTheSameBytesAgain) {
  const Picture page = picture(400, 200, [](Drawing& d) { d.text({50, 50}, "text", {}); });
  const std::string pdf = to_pdf(page);
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  EXPECT_NE(pdf.find("/MediaBox [ 0 0 300 150 ]"), std::string::npos);
  EXPECT_NE(pdf.find("/Title (title)"), std::string::npos);
  EXPECT_EQ(pdf.find("/CreationDate"), std::string::npos);
  EXPECT_EQ(pdf, to_pdf(page));
  EXPECT_EQ(to_png(page), to_png(page));
}

TEST(Cairo, WhatCairoRefusesIsAFailure) {
  const Picture broken = picture(10, 10, [](Drawing& d) { d.text({5, 5}, "x", {.angle = std::nan("")}); });
  EXPECT_THROW(to_pdf(broken), RuntimeFailure);
  EXPECT_THROW(to_png(broken), RuntimeFailure);
}

}  // namespace
}  // namespace routh
