// A page to draw on: shapes in pixels, y downwards. `SvgDocument` writes them down, Cairo paints them; what draws a
// picture knows only this.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace routh::internal {

// A point of the page [px], y downwards.
struct PagePoint {
  double x = 0;
  double y = 0;
};

struct PageRect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// How a shape is drawn. Empty colours are "none"; an empty dash is a solid line.
struct Pen {
  std::string stroke = {};
  double width = 1;
  std::string dash = {};
  std::string fill = {};
  double opacity = 1;
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 13;
  std::string colour = "#222222";
  Anchor anchor = Anchor::start;
  double angle = 0;  // degrees, clockwise as SVG counts it
  bool bold = false;
};

// A chequered area: cell (column, row), row 0 at the bottom, holds an index into `colours`; any other number, and an
// empty colour, leaves it as it is. The lines between the cells are given, evenly spaced but for the outer cells, which
// may be narrower.
struct CellGrid {
  int columns = 0;
  int rows = 0;
  std::span<const int> cells;   // row by row, columns × rows
  std::vector<double> x_lines;  // columns + 1 page coordinates, rising
  std::vector<double> y_lines;  // rows + 1 page coordinates, falling (the first is the bottom)
  std::vector<std::string> colours;
};

class Drawing {
 public:
  virtual ~Drawing() = default;

  virtual void line(PagePoint from, PagePoint to, const Pen& pen) = 0;
  // Lines that join are rounded at the joint and cut square at the ends.
  virtual void polyline(const std::vector<PagePoint>& points, const Pen& pen) = 0;
  virtual void polygon(const std::vector<PagePoint>& points, const Pen& pen) = 0;
  virtual void circle(PagePoint centre, double radius, const Pen& pen) = 0;
  virtual void rect(const PageRect& box, const Pen& pen) = 0;
  virtual void cells(const CellGrid& grid) = 0;
  // Plain text with `_{...}` for subscripts and `^{...}` for superscripts.
  virtual void text(PagePoint at, std::string_view markup, const TextStyle& style) = 0;
  // The same without markup, for names that come from outside.
  virtual void plain_text(PagePoint at, std::string_view text, const TextStyle& style) = 0;

  // Shapes between the two calls are cut at the edge of `box`. Calls may be nested.
  virtual void begin_clip(const PageRect& box) = 0;
  virtual void end_clip() = 0;
};

}  // namespace routh::internal
