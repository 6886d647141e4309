#include "routh/figure/raster.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/figure/cell_sampler.h"
#include "routh/figure/coverage.h"
#include "routh/figure/stroke_font.h"

namespace routh::internal {

namespace {

constexpr double pixels_per_metre = 96 / 0.0254;  // of SVG's pixel

int side_length(double units, double scale) {
  return static_cast<int>(std::clamp(std::ceil(units * scale - 1e-6), 1.0, 30'000.0));
}

double held_scale(double scale) { return std::isfinite(scale) ? std::clamp(scale, 0.1, 10.0) : 1; }

PageRect bounds_of(const std::vector<PagePoint>& points) {
  if (points.empty()) return {};
  double left = points[0].x, right = left, top = points[0].y, bottom = top;
  for (const PagePoint& p : points) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
  }
  return {left, top, right - left, bottom - top};
}

// The points of a line without those that follow its start within `distance`.
std::vector<PagePoint> without_near_start(const std::vector<PagePoint>& points, double distance) {
  std::vector<PagePoint> out;
  double way = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) way += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    if (i == 0 || i + 1 == points.size() || way >= distance) out.push_back(points[i]);
  }
  return out;
}

// One piece of a line: rounded where segments join, and at the ends if asked.
void stroke_piece(CoverageMask& mask, std::vector<PagePoint> points, double width, CoverageMask::End ends) {
  using End = CoverageMask::End;
  if (ends == End::square && points.size() > 2) {
    // A rounded joint nearer than half the width would reach past the square end.
    points = without_near_start(points, width / 2);
    std::reverse(points.begin(), points.end());
    points = without_near_start(points, width / 2);
  }
  for (std::size_t i = 1; i < points.size(); ++i)
    mask.stroke_segment({.from = points[i - 1],
                         .to = points[i],
                         .width = width,
                         .begin = i == 1 ? ends : End::round,
                         .end = i + 1 == points.size() ? ends : End::round});
}

}  // namespace

RasterDocument::RasterDocument(double width, double height, double scale) : scale_(held_scale(scale)) {
  raster_.width = side_length(width, scale_);
  raster_.height = side_length(height, scale_);
  raster_.rgb.assign(static_cast<std::size_t>(raster_.width) * static_cast<std::size_t>(raster_.height) * 3, 255);
  raster_.pixels_per_metre = pixels_per_metre * scale_;
}

PagePoint RasterDocument::device(PagePoint p) const { return {scale_ * p.x, scale_ * p.y}; }

PageRect RasterDocument::device(const PageRect& box) const {
  return {scale_ * box.x, scale_ * box.y, scale_ * box.width, scale_ * box.height};
}

CoverageMask RasterDocument::mask_for(const std::vector<PagePoint>& points, double margin) const {
  const PageRect box = bounds_of(points);
  return CoverageMask({box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin}, raster_.width,
                      raster_.height);
}

double RasterDocument::clip_cover(int x, int y) const {
  double cover = 1;
  for (const PageRect& clip : clips_)
    cover *=
        interval_cover(x + 0.5, clip.x, clip.x + clip.width) * interval_cover(y + 0.5, clip.y, clip.y + clip.height);
  return cover;
}

void RasterDocument::blend(int x, int y, Colour colour, double share) {
  std::uint8_t* pixel = &raster_.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(raster_.width) +
                                          static_cast<std::size_t>(x))];
  const auto mix = [share](std::uint8_t below, std::uint8_t above) {
    return static_cast<std::uint8_t>(std::lround(below + share * (above - below)));
  };
  pixel[0] = mix(pixel[0], colour.red);
  pixel[1] = mix(pixel[1], colour.green);
  pixel[2] = mix(pixel[2], colour.blue);
}

// As SVG's `opacity`: the stroke covers the fill, and what both make together is laid over the page.
void RasterDocument::paint(const CoverageMask& fill, const CoverageMask& stroke, const Pen& pen) {
  Colour fill_colour, stroke_colour;
  const bool fills = parse_colour(pen.fill, fill_colour);
  const bool strokes = parse_colour(pen.stroke, stroke_colour);
  const double opacity = std::clamp(pen.opacity, 0.0, 1.0);
  for (int y = std::min(fill.top(), stroke.top()); y < std::max(fill.bottom(), stroke.bottom()); ++y)
    for (int x = std::min(fill.left(), stroke.left()); x < std::max(fill.right(), stroke.right()); ++x) {
      const double s = strokes ? stroke.at(x, y) : 0;
      const double f = fills ? fill.at(x, y) : 0;
      if (s <= 0 && f <= 0) continue;
      const double shown = opacity * clip_cover(x, y);
      // page·(1−o) + o·(page·(1−f)(1−s) + fill·f(1−s) + stroke·s), written as two blends.
      const double fill_share = shown * f * (1 - s);
      const double stroke_share = shown * s;
      if (fill_share > 0) blend(x, y, fill_colour, stroke_share < 1 ? fill_share / (1 - stroke_share) : 0);
      if (stroke_share > 0) blend(x, y, stroke_colour, stroke_share);
    }
}

void RasterDocument::stroke_path(CoverageMask& mask, std::vector<PagePoint> points, const Pen& pen, Shape shape) const {
  if (points.size() < 2 || pen.stroke.empty()) return;
  const double width = scale_ * pen.width;
  if (pen.dash.empty()) {
    const bool closes = shape == Shape::closed;
    if (closes) points.push_back(points.front());
    return stroke_piece(mask, points, width, closes ? CoverageMask::End::round : CoverageMask::End::square);
  }
  if (shape == Shape::closed) points.push_back(points.front());
  for (const std::vector<PagePoint>& piece : dashes(points, pen.dash, scale_))
    stroke_piece(mask, piece, width, CoverageMask::End::square);
}

void RasterDocument::line(PagePoint from, PagePoint to, const Pen& pen) { polyline({from, to}, pen); }

void RasterDocument::polyline(const std::vector<PagePoint>& points, const Pen& pen) {
  std::vector<PagePoint> at;
  for (const PagePoint& p : points) at.push_back(device(p));
  CoverageMask fill = mask_for(at, scale_ * pen.width), stroke = fill;
  if (!pen.fill.empty()) fill.fill_polygon(at);
  stroke_path(stroke, at, pen, Shape::open);
  paint(fill, stroke, pen);
}

void RasterDocument::polygon(const std::vector<PagePoint>& points, const Pen& pen) {
  std::vector<PagePoint> at;
  for (const PagePoint& p : points) at.push_back(device(p));
  CoverageMask fill = mask_for(at, scale_ * pen.width), stroke = fill;
  if (!pen.fill.empty()) fill.fill_polygon(at);
  stroke_path(stroke, at, pen, Shape::closed);
  paint(fill, stroke, pen);
}

void RasterDocument::circle(PagePoint centre, double radius, const Pen& pen) {
  const PagePoint c = device(centre);
  const double r = scale_ * radius;
  CoverageMask fill = mask_for({{c.x - r, c.y - r}, {c.x + r, c.y + r}}, scale_ * pen.width), stroke = fill;
  if (!pen.fill.empty()) fill.fill_circle(c, r);
  if (!pen.stroke.empty() && pen.dash.empty()) stroke.stroke_circle(c, r, scale_ * pen.width);
  if (!pen.dash.empty()) {
    constexpr int sides = 96;
    std::vector<PagePoint> points;
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      points.push_back({c.x + r * std::cos(angle), c.y + r * std::sin(angle)});
    }
    stroke_path(stroke, points, pen, Shape::closed);
  }
  paint(fill, stroke, pen);
}

void RasterDocument::rect(const PageRect& box, const Pen& pen) {
  const PageRect b = device(box);
  const std::vector<PagePoint> corners{
      {b.x, b.y}, {b.x + b.width, b.y}, {b.x + b.width, b.y + b.height}, {b.x, b.y + b.height}};
  CoverageMask fill = mask_for(corners, scale_ * pen.width), stroke = fill;
  if (!pen.fill.empty()) fill.fill_rect(b);
  if (!pen.stroke.empty() && pen.dash.empty()) stroke.stroke_rect(b, scale_ * pen.width);
  if (!pen.dash.empty()) stroke_path(stroke, corners, pen, Shape::closed);
  paint(fill, stroke, pen);
}

void RasterDocument::begin_clip(const PageRect& box) { clips_.push_back(device(box)); }

void RasterDocument::end_clip() {
  if (!clips_.empty()) clips_.pop_back();
}

void RasterDocument::text(PagePoint at, std::string_view markup, const TextStyle& style) {
  draw_text(at, markup, style, Script::markup);
}

void RasterDocument::plain_text(PagePoint at, std::string_view text, const TextStyle& style) {
  draw_text(at, text, style, Script::plain);
}

void RasterDocument::draw_text(PagePoint at, std::string_view text, const TextStyle& style, Script script) {
  const Markup markup = script == Script::markup ? Markup::scripts : Markup::none;
  TextStyle scaled = style;
  scaled.size = scale_ * style.size;
  std::vector<LetterStroke> strokes = text_strokes(text, scaled, markup);
  const double width = text_width(text, scaled.size, markup);
  const double start = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? -width / 2 : -width;
  PagePoint origin = device(at);
  const double angle = style.angle * std::numbers::pi / 180;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  // The baseline runs through the middle of a row of pixels (or of a column, when the text stands upright).
  if (std::abs(sine) < 1e-9) origin.y = std::floor(origin.y) + 0.5;
  if (std::abs(cosine) < 1e-9) origin.x = std::floor(origin.x) + 0.5;
  std::vector<PagePoint> all;
  double widest = 0;
  for (LetterStroke& stroke : strokes) {
    widest = std::max(widest, stroke.pen_width);
    for (PagePoint& p : stroke.points) {
      const double x = p.x + start;
      p = {origin.x + x * cosine - p.y * sine, origin.y + x * sine + p.y * cosine};
      all.push_back(p);
    }
  }
  if (all.empty()) return;
  CoverageMask mask = mask_for(all, widest);
  for (const LetterStroke& stroke : strokes)
    stroke_piece(mask, stroke.points, stroke.pen_width, CoverageMask::End::round);
  paint(mask, mask, {.stroke = {}, .fill = style.colour});
}

void RasterDocument::cells(const CellGrid& grid) {
  if (grid.columns <= 0 || grid.rows <= 0) return;
  const CellSampler sampler(grid, scale_, raster_.width, raster_.height);
  for (int y = 0; y < raster_.height; ++y)
    for (int x = 0; x < raster_.width; ++x) {
      const CellSampler::Mean mean = sampler.mean(x, y);
      if (mean.covered > 0) blend(x, y, mean.colour, clip_cover(x, y) * mean.covered);
    }
}

}  // namespace routh::internal
