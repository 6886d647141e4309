// How much of each pixel a shape covers: the arithmetic of smooth edges. All lengths in pixels of the raster.
#pragma once

#include <vector>

#include "routh/figure/drawing.h"

namespace routh::internal {

// Coverage between 0 and 1 over a box of pixels; zero outside it.
class CoverageMask {
 public:
  // Over the pixels that `bounds` touches, within a raster of that size.
  CoverageMask(const PageRect& bounds, int raster_width, int raster_height);

  int left() const { return left_; }
  int top() const { return top_; }
  int right() const { return left_ + width_; }
  int bottom() const { return top_ + height_; }
  double at(int x, int y) const;

  // Parts of a stroke. Where parts overlap, the larger coverage counts, so that joints do not darken.
  enum class End { square, round };
  struct Segment {
    PagePoint from, to;
    double width = 1;
    End begin = End::square;
    End end = End::square;
  };
  void stroke_segment(const Segment& segment);
  void stroke_circle(PagePoint centre, double radius, double width);

  void fill_circle(PagePoint centre, double radius);
  // Exact areas.
  void fill_rect(const PageRect& box);
  void stroke_rect(const PageRect& box, double width);
  // Exact areas of a polygon that does not cross itself.
  void fill_polygon(const std::vector<PagePoint>& points);

 private:
  struct Span {
    int begin = 0, end = 0;
  };
  Span columns(double low, double high) const;
  Span rows(double low, double high) const;
  double& cell(int x, int y);
  void raise(int x, int y, double coverage);
  void fill_edge(PagePoint from, PagePoint to, std::vector<double>& area) const;

  int left_ = 0, top_ = 0, width_ = 0, height_ = 0;
  std::vector<double> cover_;
};

// How much of the unit interval about `at` lies in [low, high].
double interval_cover(double at, double low, double high);

// A line cut into dashes. `pattern` is a list of lengths as in SVG ("6 3"): drawn, left out, drawn, ... Without a
// usable pattern the whole line comes back. `scale` multiplies the lengths.
std::vector<std::vector<PagePoint>> dashes(const std::vector<PagePoint>& line, const std::string& pattern,
                                           double scale);

}  // namespace routh::internal
