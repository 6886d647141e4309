// A page of pixels: the same shapes as in an SVG document, painted with smooth edges; text in the stroke font.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "routh/figure/colour.h"
#include "routh/figure/drawing.h"
#include "routh/figure/png.h"

namespace routh::internal {

class CoverageMask;

class RasterDocument : public Drawing {
 public:
  // A white page of width × height units of the drawing, `scale` pixels each. The scale is held between 0.1 and 10,
  // and the raster to 30 000 pixels on a side.
  RasterDocument(double width, double height, double scale);

  void line(PagePoint from, PagePoint to, const Pen& pen) override;
  void polyline(const std::vector<PagePoint>& points, const Pen& pen) override;
  // Asks for a polygon that does not cross itself, unlike SVG.
  void polygon(const std::vector<PagePoint>& points, const Pen& pen) override;
  void circle(PagePoint centre, double radius, const Pen& pen) override;
  void rect(const PageRect& box, const Pen& pen) override;
  // Each pixel gets the mean colour of what it covers, so that no seam shows between cells.
  void cells(const CellGrid& grid) override;
  void text(PagePoint at, std::string_view markup, const TextStyle& style) override;
  void plain_text(PagePoint at, std::string_view text, const TextStyle& style) override;

  void begin_clip(const PageRect& box) override;
  void end_clip() override;

  const Raster& raster() const { return raster_; }

 private:
  enum class Script { plain, markup };
  enum class Shape { open, closed };

  PagePoint device(PagePoint p) const;
  PageRect device(const PageRect& box) const;
  CoverageMask mask_for(const std::vector<PagePoint>& points, double margin) const;
  void stroke_path(CoverageMask& mask, std::vector<PagePoint> points, const Pen& pen, Shape shape) const;
  void draw_text(PagePoint at, std::string_view text, const TextStyle& style, Script script);
  double clip_cover(int x, int y) const;
  void paint(const CoverageMask& fill, const CoverageMask& stroke, const Pen& pen);
  void blend(int x, int y, Colour colour, double share);

  double scale_;
  Raster raster_;
  std::vector<PageRect> clips_;  // device pixels
};

}  // namespace routh::internal
