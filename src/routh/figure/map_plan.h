// What a map's picture consists of: colours, key, sizes, decided before anything is drawn.
#pragma once

#include <string>
#include <vector>

#include "routh/figure/map_figure.h"

namespace routh::internal {

inline constexpr double map_key_gap = 22;  // between frame and key
inline constexpr double map_key_sample = 26;
inline constexpr double map_key_size = 12.5;
inline constexpr double map_key_row = 16;     // from line to line of one name
inline constexpr double map_key_between = 6;  // and more from name to name
inline constexpr double map_margin = 18;
// Text in another face may be wider than `text_width` says.
inline constexpr double map_face_allowance = 1.12;

struct KeyEntry {
  std::vector<std::string> name;  // lines
  Pen pen;                        // with a fill: an area; else a line
};

// Everything decided, nothing drawn.
struct MapPlan {
  AxisRange x, y;
  double x_unit = 1, y_unit = 1;  // powers of ten taken out of the axes
  std::string x_label, y_label;
  std::string title;
  int columns = 0, rows = 0;
  MapGrid grid = MapGrid::ends_included;
  std::vector<int> cells;  // indices of `colours`; empty: no regions
  std::vector<std::string> colours;
  std::vector<MapLine> lines;
  std::vector<MapMark> marks;
  std::vector<KeyEntry> key;
  PageRect frame;
  double y_distance = 52;
  double page_width = 0, page_height = 0;
};

// Whether there are points to colour.
bool has_regions(const MapFigure& figure);
MapPlan make_map_plan(const MapFigure& figure);

}  // namespace routh::internal
