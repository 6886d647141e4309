#include "routh/figure/stroke_font.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "routh/figure/glyphs.h"
#include "routh/figure/markup.h"

namespace routh::internal {

namespace {

constexpr double regular_pen = 0.088;  // shares of the size
constexpr double bold_pen = 0.13;
constexpr double dot_growth = 1.35;  // a dot as wide as a line looks too light
constexpr double accent_gap = 9;     // hundredths between a letter and what stands over it
constexpr double accent_margin = 7;  // and beside it, for the pen
constexpr double small_height = 52;  // of the letters, see Glyph
constexpr double capital_height = 72;

using Stroke = std::vector<PagePoint>;  // here in the units of Glyph, y upwards

// Reads the path of a glyph.
class PathReader {
 public:
  explicit PathReader(std::string_view path) : path_(path) {}

  std::vector<Stroke> read() {
    std::vector<Stroke> strokes;
    while (skip_blanks(), at_ < path_.size()) {
      const char command = path_[at_++];
      if (command == 'M' || command == 'A' || strokes.empty()) strokes.emplace_back();
      follow(command, strokes.back());
    }
    return strokes;
  }

 private:
  void skip_blanks() {
    while (at_ < path_.size() && path_[at_] == ' ') ++at_;
  }
  double number() {
    skip_blanks();
    double value = 0;
    at_ = static_cast<std::size_t>(std::from_chars(path_.data() + at_, path_.data() + path_.size(), value).ptr -
                                   path_.data());
    return value;
  }
  PagePoint point() {
    const double x = number();
    return {x, number()};
  }

  void follow(char command, Stroke& stroke) {
    switch (command) {
      case 'M':
      case 'L':
        stroke.push_back(point());
        return;
      case 'C':
        return curve(stroke);
      default:
        return arc(stroke);
    }
  }
  void curve(Stroke& stroke) {
    constexpr int pieces = 10;
    const PagePoint p0 = stroke.empty() ? PagePoint{} : stroke.back();
    const PagePoint p1 = point(), p2 = point(), p3 = point();
    for (int i = 1; i <= pieces; ++i) {
      const double t = static_cast<double>(i) / pieces, u = 1 - t;
      const double w0 = u * u * u, w1 = 3 * u * u * t, w2 = 3 * u * t * t, w3 = t * t * t;
      stroke.push_back({w0 * p0.x + w1 * p1.x + w2 * p2.x + w3 * p3.x, w0 * p0.y + w1 * p1.y + w2 * p2.y + w3 * p3.y});
    }
  }
  void arc(Stroke& stroke) {
    const PagePoint centre = point(), radius = point(), angles = point();
    const int pieces = 2 + static_cast<int>(std::abs(angles.y - angles.x) / 12);
    for (int i = 0; i <= pieces; ++i) {
      const double degrees = angles.x + (angles.y - angles.x) * i / pieces;
      const double angle = degrees * std::numbers::pi / 180;
      stroke.push_back({centre.x + radius.x * std::cos(angle), centre.y + radius.y * std::sin(angle)});
    }
  }

  std::string_view path_;
  std::size_t at_ = 0;
};

// A letter with what stands over it, in the units of Glyph.
struct Letter {
  double advance = 0;
  std::vector<Stroke> strokes;
};

void add_accent(Letter& letter, std::uint32_t accent) {
  std::vector<Stroke> marks = PathReader(find_glyph(accent).path).read();
  double half = 0;
  for (const Stroke& mark : marks)
    for (const PagePoint& p : mark) half = std::max(half, std::abs(p.x));
  // Room for an accent that is wider than its letter.
  const double widening = std::max(0.0, 2 * (half + accent_margin) - letter.advance);
  letter.advance += widening;
  double top = 0;
  for (Stroke& stroke : letter.strokes)
    for (PagePoint& p : stroke) {
      p.x += widening / 2;
      top = std::max(top, p.y);
    }
  for (Stroke& mark : marks) {
    for (PagePoint& p : mark) p = {p.x + letter.advance / 2, p.y + top + accent_gap};
    letter.strokes.push_back(std::move(mark));
  }
}

Letter make_letter(std::uint32_t code) {
  const Composite* composite = find_composite(code);
  const Glyph& glyph = find_glyph(composite == nullptr ? code : composite->base);
  Letter letter{.advance = static_cast<double>(glyph.advance), .strokes = PathReader(glyph.path).read()};
  // A combining character without a letter before it.
  if (is_combining(code)) return make_letter(0xFFFD);
  if (composite == nullptr) return letter;
  letter.advance *= composite->scale;
  for (Stroke& stroke : letter.strokes)
    for (PagePoint& p : stroke) p = {p.x * composite->scale, p.y * composite->scale + composite->raise};
  if (composite->accent != 0) add_accent(letter, composite->accent);
  return letter;
}

std::vector<Letter> make_letters(std::string_view text) {
  std::vector<Letter> letters;
  for (const std::uint32_t code : code_points(text)) {
    if (is_combining(code) && !letters.empty())
      add_accent(letters.back(), code);
    else
      letters.push_back(make_letter(code));
  }
  return letters;
}

// Heights that many letters share fall on whole pixels, so that their horizontal strokes are crisp.
double page_height(double y, double size) {
  const double small = std::max(1.0, std::round(size * small_height / 100));
  const double capital = std::max(small + 1, std::round(size * capital_height / 100));
  if (y <= small_height) return y * small / small_height;
  return small + (y - small_height) * (capital - small) / (capital_height - small_height);
}

std::vector<TextRun> runs_of(std::string_view text, Markup markup) {
  if (markup == Markup::scripts) return split_markup(text);
  return {{TextLevel::line, std::string(text)}};
}

double run_size(TextLevel level, double size) { return level == TextLevel::line ? size : script_size * size; }

double run_shift(TextLevel level, double size) {
  switch (level) {
    case TextLevel::line:
      return 0;
    case TextLevel::subscript:
      return std::round(subscript_shift * size);
    case TextLevel::superscript:
      return std::round(superscript_shift * size);
  }
  return 0;
}

double stroke_length(const Stroke& stroke) {
  double length = 0;
  for (std::size_t i = 1; i < stroke.size(); ++i)
    length += std::hypot(stroke[i].x - stroke[i - 1].x, stroke[i].y - stroke[i - 1].y);
  return length;
}

}  // namespace

std::vector<LetterStroke> text_strokes(std::string_view text, const TextStyle& style, Markup markup) {
  std::vector<LetterStroke> out;
  double x = 0;
  for (const TextRun& run : runs_of(text, markup)) {
    const double size = run_size(run.level, style.size);
    const double shift = run_shift(run.level, style.size);
    // Small letters need a pen that is a little heavier for their size.
    const double pen = (style.bold ? bold_pen : regular_pen) * std::sqrt(size * style.size);
    for (const Letter& letter : make_letters(run.text)) {
      for (const Stroke& stroke : letter.strokes) {
        LetterStroke placed{.points = {}, .pen_width = stroke_length(stroke) <= 1.5 ? dot_growth * pen : pen};
        for (const PagePoint& p : stroke)
          placed.points.push_back({x + p.x * size / 100, shift - page_height(p.y, size)});
        out.push_back(std::move(placed));
      }
      x += letter.advance * size / 100;
    }
  }
  return out;
}

double text_width(std::string_view text, double size, Markup markup) {
  double width = 0;
  for (const TextRun& run : runs_of(text, markup))
    for (const Letter& letter : make_letters(run.text)) width += letter.advance * run_size(run.level, size) / 100;
  return width;
}

}  // namespace routh::internal
