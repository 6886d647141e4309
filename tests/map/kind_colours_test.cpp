// Colours of verdicts: told apart in grey, and by readers who lack the receptors for red or for green, after Machado,
// Oliveira and Fernandes 2009, in CIELAB.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include "routh/base/names.h"
#include "routh/map/map_quantity.h"

namespace kind_colours_testing {

using namespace routh;

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

Triple times(const Matrix& m, const Triple& v) {
  Triple out{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) out[r] += m[r][c] * v[c];
  return out;
}

Triple linear(std::string_view colour) {
  Triple out{};
  for (std::size_t c = 0; c < 3; ++c) {
    const long digits = std::strtol(std::string(colour.substr(1 + 2 * c, 2)).c_str(), nullptr, 16);
    const double part = static_cast<double>(digits) / 255;
    out[c] = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  }
  return out;
}

Triple lab(const Triple& rgb) {
  const Matrix to_xyz = {{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
  const Triple white = {0.9505, 1, 1.089};
  Triple f = times(to_xyz, rgb);
  for (std::size_t c = 0; c < 3; ++c) {
    const double t = std::max(f[c], 0.0) / white[c];
    f[c] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

TEST(KindColours, AreToldApartInGreyAndWithoutColourVision) {
  const Matrix without_red = {
      {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
  const Matrix without_green = {
      {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
  for (const MapQuantity quantity : all_values<MapQuantity>) {
    const auto names = kind_names(quantity), colours = kind_colours(quantity);
    ASSERT_EQ(names.size(), colours.size());
    for (std::size_t i = 0; i < colours.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        SCOPED_TRACE(std::string(name(quantity)) + ": " + std::string(names[i]) + ", " + std::string(names[j]));
        const Triple a = linear(colours[i]), b = linear(colours[j]);
        // Just noticeable is 1 of areas side by side, some 2 to 5 of areas apart.
        EXPECT_GT(std::abs(lab(a)[0] - lab(b)[0]), 5);
        for (const Matrix& eye : {without_red, without_green}) {
          const Triple p = lab(times(eye, a)), q = lab(times(eye, b));
          EXPECT_GT(std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]), 8);
        }
      }
  }
}

TEST(KindColours, WhatJamsIsNotGreen) {
  const auto names = kind_names(MapQuantity::verdict), colours = kind_colours(MapQuantity::verdict);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Triple rgb = linear(colours[k]);
    if (names[k] == "jams" || names[k] == "unsolvable" || names[k] == "false cohesion") {
      EXPECT_GT(rgb[0], 2 * rgb[1]) << names[k];
    }
    if (names[k] == "slides" || names[k] == "sticks") {
      EXPECT_GT(rgb[2], 2 * rgb[0]) << names[k];
    }
  }
}

}  // namespace kind_colours_testing
