// The picture of a map: regions in colour, boundaries as lines, axes, a key. Without regions it is a plot of lines,
// with a grid.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "routh/figure/axes.h"
#include "routh/figure/picture.h"

namespace routh::internal {

struct MapKind {
  int kind = 0;
  std::string label;   // with `_{}` and `^{}`
  std::string colour;  // #rrggbb; empty: chosen from a palette that colour-blind readers can tell apart
};

// A polyline over the map: a boundary, a trajectory, a named curve. A point that is not finite leaves a gap.
struct MapLine {
  std::vector<PlotPoint> points;
  std::string label;  // empty: not in the key; lines with the same label and pen share an entry
  Pen pen;            // an empty stroke: a colour and a dash of its own for each label
};

struct MapMark {
  PlotPoint at;
  std::string label;
};

// Where the points of the grid lie in the ranges: the first and the last one at the ends (their cells are cut in half
// by the frame), or each in the middle of its cell.
enum class MapGrid { ends_included, cell_centres };

struct MapFigure {
  std::string title;             // may come from a file: drawn without markup
  std::string x_label, y_label;  // with markup
  AxisRange x, y;
  int columns = 0, rows = 0;    // of the grid of points; zero: no regions, only lines
  std::span<const int> kinds;   // row by row, y rising; a negative one is left white
  std::vector<MapKind> legend;  // kinds that do not occur are left out of the key; one that is missing is "kind 7"
  std::vector<MapLine> lines;
  std::vector<MapMark> marks;  // one outside the ranges is not drawn
  MapGrid grid = MapGrid::ends_included;
  double frame_width = 620, frame_height = 470;  // of the axes [px]; a long key makes it taller
};

// The colour of each kind in the picture of a map with this legend; empty: white.
std::vector<std::string> map_colours(const std::vector<MapKind>& legend);

// Regions are drawn as areas of equal kind; `lines` drawn on top hide their steps. A map so ragged that an SVG would
// grow past about 600 kB is drawn there from every second, third, ... point. The picture keeps nothing of the figure.
Picture map_picture(const MapFigure& figure);

}  // namespace routh::internal
