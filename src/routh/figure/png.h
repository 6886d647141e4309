// A raster image and its PNG file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace routh::internal {

struct Raster {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // row by row from the top, three bytes each
  double pixels_per_metre = 0;    // for print; zero: not said
};

// The bytes of a PNG file (8-bit RGB, deflated). The same raster gives the same bytes. Asserts that the raster has at
// least one pixel and as many bytes as its size says.
std::string encode_png(const Raster& raster);

}  // namespace routh::internal
