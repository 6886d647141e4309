// A small SVG document: shapes in pixels, text with subscripts, fixed number formats so that the same picture has the
// same bytes everywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace routh {

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

class SvgDocument {
 public:
  SvgDocument(double width, double height);

  void line(PagePoint from, PagePoint to, const Pen& pen);
  void polyline(const std::vector<PagePoint>& points, const Pen& pen);
  void polygon(const std::vector<PagePoint>& points, const Pen& pen);
  void circle(PagePoint centre, double radius, const Pen& pen);
  void rect(const PageRect& box, const Pen& pen);
  // Plain text with `_{...}` for subscripts and `^{...}` for superscripts; everything else is escaped.
  void text(PagePoint at, std::string_view markup, const TextStyle& style);
  // The same without markup, for names that come from outside.
  void plain_text(PagePoint at, std::string_view text, const TextStyle& style);

  // Shapes between the two calls are cut at the edge of `box`.
  void begin_clip(const PageRect& box);
  void end_clip();

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

}  // namespace routh
