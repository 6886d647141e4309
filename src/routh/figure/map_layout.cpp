#include "routh/figure/map_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "routh/figure/markup.h"
#include "routh/figure/text_width.h"

namespace routh::internal {

namespace {

constexpr double line_cost = 8;   // of a point of a line under a label, against pixels of overlap
constexpr double mark_reach = 6;  // half the side of the square that a mark covers

double overlap(const PageRect& a, const PageRect& b) {
  const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const double height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

PageRect moved_inside(PageRect box, const PageRect& frame) {
  box.x = std::max(frame.x, std::min(box.x, frame.x + frame.width - box.width));
  box.y = std::max(frame.y, std::min(box.y, frame.y + frame.height - box.height));
  return box;
}

PageRect mark_box(PagePoint at) { return {at.x - mark_reach, at.y - mark_reach, 2 * mark_reach, 2 * mark_reach}; }

}  // namespace

std::vector<std::string> wrap_text(const std::string& markup, double size, double width) {
  std::vector<std::string> lines{""};
  std::string word;
  const auto end_word = [&] {
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (!lines.back().empty() && text_width(longer, size, Markup::scripts) > width)
      lines.push_back(word);
    else
      lines.back() = longer;
    word.clear();
  };
  int depth = 0;  // a space within braces does not end a word
  for (const char c : markup) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == ' ' && depth <= 0)
      end_word();
    else
      word += c;
  }
  end_word();
  return lines;
}

FittedText fit_plain_text(const std::string& text, double size, double smallest, double width) {
  const double natural = text_width(text, size, Markup::none);
  if (natural <= width) return {text, size};
  if (natural * smallest / size <= width) return {text, size * width / natural};
  // Keep as many whole characters as fit, by halving.
  std::vector<std::size_t> ends{0};
  for (std::size_t at = 0; at < text.size(); ends.push_back(at))
    at += std::max<std::size_t>(1, character_length(text, at));
  const std::string dots = "\xE2\x80\xA6";
  std::size_t low = 0, high = ends.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    const bool fits = text_width(text.substr(0, ends[middle]) + dots, smallest, Markup::none) <= width;
    (fits ? low : high) = fits ? middle : middle - 1;
  }
  return {text.substr(0, ends[low]) + dots, smallest};
}

std::vector<LabelPlace> place_labels(const std::vector<LabelRequest>& requests, const std::vector<PagePoint>& on_lines,
                                     const PageRect& frame) {
  constexpr double height = 1.25 * label_size;
  constexpr double gap = mark_reach + 2;
  std::vector<LabelPlace> out;
  for (const LabelRequest& request : requests) {
    const auto [x, y] = request.mark;
    const double w = request.width;
    const std::array<PagePoint, 8> corners{{{x + gap, y - height / 2},
                                            {x - gap - w, y - height / 2},
                                            {x - w / 2, y - gap - height},
                                            {x - w / 2, y + gap},
                                            {x + gap, y - gap - height + 4},
                                            {x + gap, y + gap - 4},
                                            {x - gap - w, y - gap - height + 4},
                                            {x - gap - w, y + gap - 4}}};
    PageRect best;
    double least = std::numeric_limits<double>::infinity();
    for (const PagePoint& corner : corners) {
      const PageRect wanted{corner.x, corner.y, w, height};
      const PageRect box = moved_inside(wanted, frame);
      // Having to move the box is nearly as bad as covering something.
      double cost = std::abs(box.x - wanted.x) * height + std::abs(box.y - wanted.y) * w;
      for (const LabelPlace& other : out) cost += 2 * overlap(box, other.box);
      for (const LabelRequest& other : requests) cost += 2 * overlap(box, mark_box(other.mark));
      cost += line_cost * static_cast<double>(std::count_if(on_lines.begin(), on_lines.end(), [&](const PagePoint& p) {
                return p.x > box.x && p.x < box.x + box.width && p.y > box.y && p.y < box.y + box.height;
              }));
      if (cost >= least) continue;
      least = cost;
      best = box;
    }
    out.push_back({{best.x, best.y + 0.98 * label_size}, best});
  }
  return out;
}

}  // namespace routh::internal
