// The outlines of the areas of a chequered map.
#pragma once

#include <vector>

#include "routh/figure/drawing.h"

namespace routh::internal {

// A corner between cells: line `column` of 0 … columns, line `row` of 0 … rows.
struct CellCorner {
  int column = 0;
  int row = 0;
};

// Closed loops round all cells that hold `value`, corners only, first a horizontal side, then in turn. The inside is
// where the loops wind an odd number of times.
std::vector<std::vector<CellCorner>> outlines(const CellGrid& grid, int value);

// Every `step`-th cell in both directions, spread over the same area.
struct ThinnedCells {
  std::vector<int> cells;  // what `grid.cells` looks at
  CellGrid grid;
};
void thin_cells(const CellGrid& grid, int step, ThinnedCells& out);

// About how many sides all outlines of the grid have together, without tracing them.
long long count_sides(const CellGrid& grid);

}  // namespace routh::internal
