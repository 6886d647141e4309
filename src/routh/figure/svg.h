// A small SVG document: shapes in pixels, text with subscripts, fixed number formats so that the same picture has the
// same bytes everywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "routh/figure/drawing.h"

namespace routh::internal {

class SvgDocument : public Drawing {
 public:
  SvgDocument(double width, double height);

  void line(PagePoint from, PagePoint to, const Pen& pen) override;
  void polyline(const std::vector<PagePoint>& points, const Pen& pen) override;
  void polygon(const std::vector<PagePoint>& points, const Pen& pen) override;
  void circle(PagePoint centre, double radius, const Pen& pen) override;
  void rect(const PageRect& box, const Pen& pen) override;
  // One path for each colour: the outlines of its cells.
  void cells(const CellGrid& grid) override;
  // Text is escaped.
  void text(PagePoint at, std::string_view markup, const TextStyle& style) override;
  void plain_text(PagePoint at, std::string_view text, const TextStyle& style) override;

  void begin_clip(const PageRect& box) override;
  void end_clip() override;

  // The finished document, with a title and a description for screen readers.
  std::string finish(std::string_view title, std::string_view description) const;

 private:
  void add_text(PagePoint at, const std::string& content, const TextStyle& style);

  double width_;
  double height_;
  int clip_count_ = 0;
  std::string body_;
};

// The text with XML's special characters escaped and with characters that XML 1.0 forbids, or that are not UTF-8,
// replaced by U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace routh::internal
