#include "routh/figure/cells.h"

#include <array>
#include <cstdint>

namespace routh::internal {

namespace {

struct Direction {
  int column = 0;
  int row = 0;
};
// East, south, west, north, with rows counted upwards; +1 is a turn to the right.
constexpr std::array<Direction, 4> directions{{{1, 0}, {0, -1}, {-1, 0}, {0, 1}}};

// Walks with the area on its right hand.
class Tracer {
 public:
  Tracer(const CellGrid& grid, int value)
      : grid_(grid),
        value_(value),
        walked_(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows)) {}

  std::vector<std::vector<CellCorner>> trace() {
    // Every loop has a side that runs east: the upper side of a cell of the area below a cell that is not.
    std::vector<std::vector<CellCorner>> loops;
    for (int row = 0; row < grid_.rows; ++row)
      for (int column = 0; column < grid_.columns; ++column)
        if (inside(column, row) && !inside(column, row + 1) && walked_[index(column, row)] == 0)
          loops.push_back(walk({column, row + 1}));
    return loops;
  }

 private:
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.columns) + static_cast<std::size_t>(column);
  }
  bool inside(int column, int row) const {
    return column >= 0 && column < grid_.columns && row >= 0 && row < grid_.rows &&
           grid_.cells[index(column, row)] == value_;
  }
  // The cell ahead of `at` on one side of the way: right-hand (side 1) or left-hand (side −1).
  bool inside_ahead(CellCorner at, std::size_t heading, int side) const {
    const Direction d = directions[heading];
    const Direction right = directions[(heading + 1) % 4];
    // The cell whose centre is half a step ahead and half a step aside.
    const int twice_column = 2 * at.column + d.column + side * right.column;
    const int twice_row = 2 * at.row + d.row + side * right.row;
    return inside((twice_column - 1) / 2, (twice_row - 1) / 2);
  }

  std::vector<CellCorner> walk(CellCorner start) {
    std::vector<CellCorner> corners;
    CellCorner at = start;
    std::size_t heading = 0;
    // A step for each side of a cell: the way is a permutation of the sides, so it returns to where it began.
    do {
      if (heading == 0) walked_[index(at.column, at.row - 1)] = 1;
      at = {at.column + directions[heading].column, at.row + directions[heading].row};
      const std::size_t before = heading;
      if (!inside_ahead(at, heading, 1))
        heading = (heading + 1) % 4;
      else if (inside_ahead(at, heading, -1))
        heading = (heading + 3) % 4;
      if (heading != before) corners.push_back(at);
    } while (at.column != start.column || at.row != start.row || heading != 0);
    // The start may lie in the middle of a side; the first corner ends it, so the loop begins with that corner's
    // successor. Turn the list so that it begins where a horizontal side begins.
    if (corners.size() >= 2 && corners[0].row != corners[1].row) {
      corners.insert(corners.begin(), corners.back());
      corners.pop_back();
    }
    return corners;
  }

  const CellGrid& grid_;
  int value_;
  std::vector<std::uint8_t> walked_;
};

}  // namespace

std::vector<std::vector<CellCorner>> outlines(const CellGrid& grid, int value) { return Tracer(grid, value).trace(); }

long long count_sides(const CellGrid& grid) {
  // A corner lies where the four cells round a point are not two equal pairs side by side; two areas meet there, or
  // three at least.
  const auto at = [&](int column, int row) {
    if (column < 0 || column >= grid.columns || row < 0 || row >= grid.rows) return -1;
    return grid.cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.columns) +
                      static_cast<std::size_t>(column)];
  };
  long long sides = 0;
  for (int row = 0; row <= grid.rows; ++row)
    for (int column = 0; column <= grid.columns; ++column) {
      const int a = at(column - 1, row - 1), b = at(column, row - 1);
      const int c = at(column - 1, row), d = at(column, row);
      if ((a == b && c == d) || (a == c && b == d)) continue;
      sides += a == d || b == c ? 2 : 3;
    }
  return sides;
}

void thin_cells(const CellGrid& grid, int step, ThinnedCells& out) {
  const auto kept = [step](int count) { return (count + step - 1) / step; };
  out.grid.columns = kept(grid.columns);
  out.grid.rows = kept(grid.rows);
  out.grid.colours = grid.colours;
  out.cells.clear();
  for (int row = 0; row < grid.rows; row += step)
    for (int column = 0; column < grid.columns; column += step)
      out.cells.push_back(grid.cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.columns) +
                                     static_cast<std::size_t>(column)]);
  out.grid.cells = out.cells;
  const auto thin_lines = [step](const std::vector<double>& lines, std::vector<double>& thinned) {
    thinned.clear();
    for (std::size_t i = 0; i + 1 < lines.size(); i += static_cast<std::size_t>(step)) thinned.push_back(lines[i]);
    thinned.push_back(lines.back());
  };
  thin_lines(grid.x_lines, out.grid.x_lines);
  thin_lines(grid.y_lines, out.grid.y_lines);
}

}  // namespace routh::internal
