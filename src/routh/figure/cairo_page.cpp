// Pictures as PNG and PDF, drawn by Cairo.
#include <cairo/cairo-pdf.h>
#include <cairo/cairo.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numbers>

#include "routh/base/error.h"
#include "routh/figure/colour.h"
#include "routh/figure/markup.h"
#include "routh/figure/picture.h"
#include "routh/figure/tolerances.h"

namespace routh::internal {

namespace {

constexpr double points_per_pixel = 72.0 / 96;           // PDF counts in points
constexpr double pixels_per_metre = 96 / 0.0254;         // of a PNG at scale 1
constexpr double least_scale = 0.1, largest_scale = 10;  // of a PNG
constexpr double most_pixels = 30'000;                   // along a side; Cairo's own limit is 32 767
// [device px] The scan converter of Cairo loses segments that span more than some 2^17 pixels.
constexpr double farthest = most_pixels;

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw RuntimeFailure(fmt::format("cannot draw the picture: {}", cairo_status_to_string(status)));
}

// Appends to the std::string `closure`; an exception must not pass through Cairo.
cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) noexcept try {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
} catch (...) {
  return CAIRO_STATUS_NO_MEMORY;
}

// Cuts a segment to |x|, |y| ≤ reach [Liang and Barsky 1984]; false when nothing is left.
bool cut_far_ends(PagePoint& from, PagePoint& to, double reach) {
  double begin = 0, end = 1;
  for (double PagePoint::*const coordinate : {&PagePoint::x, &PagePoint::y}) {
    const double start = from.*coordinate, step = to.*coordinate - start;
    double enter = (-reach - start) / step, leave = (reach - start) / step;
    if (step == 0 && std::abs(start) > reach) return false;
    if (step == 0) continue;
    if (enter > leave) std::swap(enter, leave);
    begin = std::max(begin, enter);
    end = std::min(end, leave);
  }
  if (!(begin <= end)) return false;
  const PagePoint a = from, b = to;
  if (begin > 0) from = {a.x + begin * (b.x - a.x), a.y + begin * (b.y - a.y)};
  if (end < 1) to = {a.x + end * (b.x - a.x), a.y + end * (b.y - a.y)};
  return true;
}

class CairoPage : public Drawing {
 public:
  // `unit`: of the surface, for a pixel of the picture.
  CairoPage(cairo_surface_t* surface, double unit)
      : unit_(unit), reach_(farthest / unit), cairo_(cairo_create(surface), &cairo_destroy) {
    cairo_scale(cairo(), unit, unit);
    // Grey edges and unrounded positions, whatever the settings of the desktop.
    cairo_font_options_t* const options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo(), options);
    cairo_font_options_destroy(options);
    cairo_set_source_rgb(cairo(), 1, 1, 1);
    cairo_paint(cairo());
  }

  void finish() {
    cairo_show_page(cairo());
    check(cairo_status(cairo()));
  }

  void line(PagePoint from, PagePoint to, const Pen& pen) override {
    if (!cut_far_ends(from, to, reach_)) return;
    cairo_move_to(cairo(), from.x, from.y);
    cairo_line_to(cairo(), to.x, to.y);
    paint(pen, CAIRO_LINE_JOIN_MITER);
  }

  void polyline(const std::vector<PagePoint>& points, const Pen& pen) override {
    PagePoint last{std::nan(""), 0};
    for (std::size_t i = 1; i < points.size(); ++i) {
      PagePoint from = points[i - 1], to = points[i];
      if (!cut_far_ends(from, to, reach_)) continue;
      if (from.x != last.x || from.y != last.y) cairo_move_to(cairo(), from.x, from.y);
      cairo_line_to(cairo(), to.x, to.y);
      last = to;
    }
    paint(pen, CAIRO_LINE_JOIN_ROUND);
  }

  void polygon(const std::vector<PagePoint>& points, const Pen& pen) override {
    for (const PagePoint& p : points)
      cairo_line_to(cairo(), std::clamp(p.x, -reach_, reach_), std::clamp(p.y, -reach_, reach_));
    cairo_close_path(cairo());
    paint(pen, CAIRO_LINE_JOIN_ROUND);
  }

  void circle(PagePoint centre, double radius, const Pen& pen) override {
    cairo_arc(cairo(), centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    cairo_close_path(cairo());
    paint(pen, CAIRO_LINE_JOIN_MITER);
  }

  void rect(const PageRect& box, const Pen& pen) override {
    cairo_rectangle(cairo(), box.x, box.y, box.width, box.height);
    paint(pen, CAIRO_LINE_JOIN_MITER);
  }

  void cells(const CellGrid& grid) override;

  void text(PagePoint at, std::string_view markup, const TextStyle& style) override {
    write(at, split_markup(markup), style);
  }
  void plain_text(PagePoint at, std::string_view text, const TextStyle& style) override {
    write(at, {{TextLevel::line, std::string(text)}}, style);
  }

  void begin_clip(const PageRect& box) override {
    cairo_save(cairo());
    cairo_rectangle(cairo(), box.x, box.y, box.width, box.height);
    cairo_clip(cairo());
  }
  void end_clip() override { cairo_restore(cairo()); }

 private:
  cairo_t* cairo() const { return cairo_.get(); }
  bool set_colour(const std::string& text, double opacity);
  void paint(const Pen& pen, cairo_line_join_t join);
  void set_dash(const std::string& dash);
  void write(PagePoint at, const std::vector<TextRun>& runs, const TextStyle& style);

  double unit_;
  double reach_;  // farther points are cut off [px]
  Context cairo_;
};

// False when the text names no colour.
bool CairoPage::set_colour(const std::string& text, double opacity) {
  Colour colour;
  if (!parse_colour(text, colour)) return false;
  cairo_set_source_rgba(cairo(), colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0, opacity);
  return true;
}

// Lengths as in SVG: "6 3".
void CairoPage::set_dash(const std::string& dash) {
  std::vector<double> lengths;
  const char* at = dash.c_str();
  for (char* next = nullptr;; at = next) {
    const double length = std::strtod(at, &next);
    if (next == at) break;
    lengths.push_back(length);
  }
  cairo_set_dash(cairo(), lengths.data(), static_cast<int>(lengths.size()), 0);
}

// Fills and strokes the path and forgets it. As with SVG's `opacity`, the stroke covers the fill, and what both make
// together is laid over the page.
void CairoPage::paint(const Pen& pen, cairo_line_join_t join) {
  const bool together = pen.opacity < 1 && !pen.fill.empty() && !pen.stroke.empty();
  const double opacity = together ? 1 : std::clamp(pen.opacity, 0.0, 1.0);
  if (together) cairo_push_group(cairo());
  if (set_colour(pen.fill, opacity)) cairo_fill_preserve(cairo());
  if (set_colour(pen.stroke, opacity)) {
    cairo_set_line_width(cairo(), pen.width);
    cairo_set_line_join(cairo(), join);
    set_dash(pen.dash);
    cairo_stroke_preserve(cairo());
  }
  cairo_new_path(cairo());
  if (!together) return;
  cairo_pop_group_to_source(cairo());
  cairo_paint_with_alpha(cairo(), std::clamp(pen.opacity, 0.0, 1.0));
}

// An image of one pixel for each cell, stretched: no seams, and small in a PDF.
void CairoPage::cells(const CellGrid& grid) {
  if (grid.columns <= 0 || grid.rows <= 0) return;
  std::vector<std::uint32_t> argb(grid.colours.size(), 0);
  for (std::size_t i = 0; i < argb.size(); ++i) {
    Colour colour;
    if (parse_colour(grid.colours[i], colour))
      argb[i] = 0xFF000000u | std::uint32_t{colour.red} << 16 | std::uint32_t{colour.green} << 8 | colour.blue;
  }
  const Surface image(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, grid.columns, grid.rows), &cairo_surface_destroy);
  check(cairo_surface_status(image.get()));
  const auto columns = static_cast<std::size_t>(grid.columns), rows = static_cast<std::size_t>(grid.rows);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image.get())) / sizeof(std::uint32_t);
  auto* const pixels = reinterpret_cast<std::uint32_t*>(cairo_image_surface_get_data(image.get()));
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      const auto index = static_cast<std::size_t>(grid.cells[row * columns + column]);
      pixels[(rows - 1 - row) * stride + column] = index < argb.size() ? argb[index] : 0;
    }
  cairo_surface_mark_dirty(image.get());

  // Only the first and the last cells may be narrower, so the inner ones say where a whole first cell would begin.
  const auto spread = [](const std::vector<double>& lines) {
    const std::size_t inner = lines.size() > 3 ? 1 : 0;
    const double step = lines[inner + 1] - lines[inner];
    return std::array<double, 2>{lines[inner] - static_cast<double>(inner) * step, step};
  };
  const auto [left, width] = spread(grid.x_lines);
  const auto [bottom, height] = spread(grid.y_lines);  // the height of a cell is negative: y points downwards
  begin_clip({grid.x_lines.front(), grid.y_lines.back(), grid.x_lines.back() - grid.x_lines.front(),
              grid.y_lines.front() - grid.y_lines.back()});
  cairo_translate(cairo(), left, bottom + height * grid.rows);
  cairo_scale(cairo(), width, -height);
  cairo_set_source_surface(cairo(), image.get(), 0, 0);
  // Cells smaller than a pixel are averaged; larger ones keep their edges. A PDF shows each cell as it is.
  const bool averages = cairo_surface_get_type(cairo_get_target(cairo())) == CAIRO_SURFACE_TYPE_IMAGE &&
                        std::min(width, -height) * unit_ < 1;
  cairo_pattern_set_filter(cairo_get_source(cairo()), averages ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
  cairo_paint(cairo());
  end_clip();
}

void CairoPage::write(PagePoint at, const std::vector<TextRun>& runs, const TextStyle& style) {
  cairo_select_font_face(cairo(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  struct Piece {
    std::string text;
    double size, shift, width;
  };
  std::vector<Piece> pieces;
  double width = 0;
  for (const TextRun& run : runs) {
    Piece piece{well_formed(run.text), script_size * style.size, 0, 0};
    if (run.level == TextLevel::line) piece.size = style.size;
    if (run.level == TextLevel::subscript) piece.shift = subscript_shift * style.size;
    if (run.level == TextLevel::superscript) piece.shift = superscript_shift * style.size;
    cairo_text_extents_t extents;
    cairo_set_font_size(cairo(), piece.size);
    cairo_text_extents(cairo(), piece.text.c_str(), &extents);
    piece.width = extents.x_advance;
    width += piece.width;
    pieces.push_back(std::move(piece));
  }
  double x = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? -width / 2 : -width;
  cairo_save(cairo());
  cairo_translate(cairo(), at.x, at.y);
  cairo_rotate(cairo(), style.angle * std::numbers::pi / 180);
  if (set_colour(style.colour, 1))
    for (const Piece& piece : pieces) {
      cairo_set_font_size(cairo(), piece.size);
      cairo_move_to(cairo(), x, piece.shift);
      cairo_show_text(cairo(), piece.text.c_str());
      x += piece.width;
    }
  cairo_new_path(cairo());
  cairo_restore(cairo());
}

// Says how large a PNG is to be printed, which Cairo leaves out: a chunk pHYs after the header [PNG, 11.3.5.3].
void add_density(std::string& png, double per_metre) {
  constexpr std::size_t header_end = 8 + 25;  // the signature and IHDR
  const auto number = [](unsigned long value) {
    return std::string{static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
                       static_cast<char>(value)};
  };
  const std::string density = number(static_cast<unsigned long>(std::lround(per_metre)));
  const std::string chunk = "pHYs" + density + density + '\x01';
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
  png.insert(header_end, number(chunk.size() - 4) + chunk + number(sum));
}

}  // namespace

std::string to_png(const Picture& picture, double scale) {
  scale = std::isfinite(scale) ? std::clamp(scale, least_scale, largest_scale) : 1;
  const auto side = [scale](double length) {
    return static_cast<int>(std::clamp(std::ceil(length * scale - tolerances::pixel_rounding), 1.0, most_pixels));
  };
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, side(picture.width), side(picture.height)),
                        &cairo_surface_destroy);
  check(cairo_surface_status(surface.get()));
  CairoPage page(surface.get(), scale);
  picture.draw(page);
  page.finish();
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  add_density(bytes, pixels_per_metre * scale);
  return bytes;
}

std::string to_pdf(const Picture& picture) {
  std::string bytes;
  const Surface surface(cairo_pdf_surface_create_for_stream(append, &bytes, points_per_pixel * picture.width,
                                                            points_per_pixel * picture.height),
                        &cairo_surface_destroy);
  check(cairo_surface_status(surface.get()));
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, well_formed(picture.title).c_str());
  // No date: the same picture gives the same bytes.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
  CairoPage page(surface.get(), points_per_pixel);
  picture.draw(page);
  page.finish();
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

}  // namespace routh::internal
