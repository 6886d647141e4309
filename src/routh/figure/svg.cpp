#include "routh/figure/svg.h"

#include <fmt/format.h>

#include <cmath>

#include "routh/figure/cells.h"
#include "routh/figure/markup.h"
#include "routh/figure/picture.h"

namespace routh::internal {

namespace {

// Hundredths of a pixel, without trailing zeros and without "-0".
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string attributes(const Pen& pen) {
  std::string out = fmt::format(" fill=\"{}\"", pen.fill.empty() ? "none" : pen.fill);
  if (!pen.stroke.empty()) out += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", pen.stroke, number(pen.width));
  if (!pen.dash.empty()) out += fmt::format(" stroke-dasharray=\"{}\"", pen.dash);
  if (pen.opacity < 1) out += fmt::format(" opacity=\"{}\"", number(pen.opacity));
  return out;
}

std::string point_list(const std::vector<PagePoint>& points) {
  std::string out;
  for (const PagePoint& p : points) {
    if (!out.empty()) out += ' ';
    out += number(p.x) + ',' + number(p.y);
  }
  return out;
}

const char* anchor_name(Anchor anchor) {
  switch (anchor) {
    case Anchor::start:
      return "start";
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      return "end";
  }
  return "start";
}

// A shifted, smaller run of text, and the shift back for what follows it.
std::string shifted(std::string_view text, double size, double shift) {
  return fmt::format("<tspan dy=\"{}\" font-size=\"{}\">{}</tspan>", number(shift), number(script_size * size),
                     escape_xml(text));
}

std::string render_markup(std::string_view markup, double size) {
  std::string out;
  double shift_back = 0;
  for (const TextRun& run : split_markup(markup)) {
    if (run.level == TextLevel::line) {
      out += shift_back == 0 ? escape_xml(run.text)
                             : fmt::format("<tspan dy=\"{}\">{}</tspan>", number(shift_back), escape_xml(run.text));
      shift_back = 0;
      continue;
    }
    const double shift = (run.level == TextLevel::subscript ? subscript_shift : superscript_shift) * size;
    out += shifted(run.text, size, shift + shift_back);
    shift_back = -shift;
  }
  return out;
}

// More sides than this would make a file that viewers open slowly; a side takes about eight bytes.
constexpr long long most_sides = 70'000;

// Whole hundredths of a pixel, so that steps between rounded points do not add up to a drift.
long long hundredths(double value) { return std::llround(100 * value); }

// The outlines of one colour as a path: an absolute start and relative steps.
std::string outline_path(const CellGrid& grid, int value) {
  std::string path;
  for (const std::vector<CellCorner>& loop : outlines(grid, value)) {
    long long x = 0;
    long long y = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const long long to_x = hundredths(grid.x_lines[static_cast<std::size_t>(loop[i].column)]);
      const long long to_y = hundredths(grid.y_lines[static_cast<std::size_t>(loop[i].row)]);
      const auto pixels = [](long long value_) { return number(static_cast<double>(value_) / 100); };
      if (i == 0)
        path += "M" + pixels(to_x) + "," + pixels(to_y);
      else if (i % 2 == 1)
        path += "h" + pixels(to_x - x);
      else
        path += "v" + pixels(to_y - y);
      x = to_x;
      y = to_y;
    }
    path += "z";
  }
  return path;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char c : well_formed(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

SvgDocument::SvgDocument(double width, double height) : width_(width), height_(height) {}

void SvgDocument::line(PagePoint from, PagePoint to, const Pen& pen) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", number(from.x), number(from.y),
                       number(to.x), number(to.y), attributes(pen));
}

void SvgDocument::polyline(const std::vector<PagePoint>& points, const Pen& pen) {
  body_ += fmt::format("<polyline points=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"butt\"{}/>\n",
                       point_list(points), attributes(pen));
}

void SvgDocument::polygon(const std::vector<PagePoint>& points, const Pen& pen) {
  body_ += fmt::format("<polygon points=\"{}\" stroke-linejoin=\"round\"{}/>\n", point_list(points), attributes(pen));
}

void SvgDocument::circle(PagePoint centre, double radius, const Pen& pen) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", number(centre.x), number(centre.y), number(radius),
                       attributes(pen));
}

void SvgDocument::rect(const PageRect& box, const Pen& pen) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", number(box.x), number(box.y),
                       number(box.width), number(box.height), attributes(pen));
}

void SvgDocument::cells(const CellGrid& grid) {
  if (grid.columns <= 0 || grid.rows <= 0) return;
  ThinnedCells thinned;
  const CellGrid* shown = &grid;
  for (int step = 2; count_sides(*shown) > most_sides; ++step) {
    thin_cells(grid, step, thinned);
    shown = &thinned.grid;
  }
  for (std::size_t value = 0; value < grid.colours.size(); ++value) {
    if (grid.colours[value].empty()) continue;
    const std::string path = outline_path(*shown, static_cast<int>(value));
    // A hair of the same colour round the area, or the page would shine through between neighbours.
    if (!path.empty())
      body_ += fmt::format("<path d=\"{}\" fill-rule=\"evenodd\"{}/>\n", path,
                           attributes({.stroke = grid.colours[value], .width = 0.3, .fill = grid.colours[value]}));
  }
}

void SvgDocument::text(PagePoint at, std::string_view markup, const TextStyle& style) {
  add_text(at, render_markup(markup, style.size), style);
}

void SvgDocument::plain_text(PagePoint at, std::string_view text, const TextStyle& style) {
  add_text(at, escape_xml(text), style);
}

void SvgDocument::add_text(PagePoint at, const std::string& content, const TextStyle& style) {
  body_ += fmt::format("<text xml:space=\"preserve\" x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"",
                       number(at.x), number(at.y), number(style.size), style.colour, anchor_name(style.anchor));
  if (style.bold) body_ += " font-weight=\"bold\"";
  if (style.angle != 0)
    body_ += fmt::format(" transform=\"rotate({} {} {})\"", number(style.angle), number(at.x), number(at.y));
  body_ += ">" + content + "</text>\n";
}

void SvgDocument::begin_clip(const PageRect& box) {
  ++clip_count_;
  body_ += fmt::format("<clipPath id=\"clip{}\">", clip_count_);
  rect(box, {});
  body_.pop_back();
  body_ += fmt::format("</clipPath>\n<g clip-path=\"url(#clip{})\">\n", clip_count_);
}

void SvgDocument::end_clip() { body_ += "</g>\n"; }

std::string SvgDocument::finish(std::string_view title, std::string_view description) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{4}</svg>\n",
      number(width_), number(height_), escape_xml(title), escape_xml(description), body_);
}

std::string to_svg(const Picture& picture) {
  SvgDocument page(picture.width, picture.height);
  picture.draw(page);
  return page.finish(picture.title, picture.description);
}

}  // namespace routh::internal
