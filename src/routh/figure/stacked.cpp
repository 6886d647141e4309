#include "routh/figure/stacked.h"

#include <algorithm>
#include <utility>

namespace routh::internal {

namespace {

// A page whose top lies further down on another one.
class LowerPage : public Drawing {
 public:
  LowerPage(Drawing& page, double down) : page_(page), down_(down) {}

  void line(PagePoint from, PagePoint to, const Pen& pen) override { page_.line(lower(from), lower(to), pen); }
  void polyline(const std::vector<PagePoint>& points, const Pen& pen) override { page_.polyline(lower(points), pen); }
  void polygon(const std::vector<PagePoint>& points, const Pen& pen) override { page_.polygon(lower(points), pen); }
  void circle(PagePoint centre, double radius, const Pen& pen) override { page_.circle(lower(centre), radius, pen); }
  void rect(const PageRect& box, const Pen& pen) override { page_.rect(lower(box), pen); }
  void cells(const CellGrid& grid) override {
    CellGrid lowered = grid;
    for (double& y : lowered.y_lines) y += down_;
    page_.cells(lowered);
  }
  void text(PagePoint at, std::string_view markup, const TextStyle& style) override {
    page_.text(lower(at), markup, style);
  }
  void plain_text(PagePoint at, std::string_view text, const TextStyle& style) override {
    page_.plain_text(lower(at), text, style);
  }
  void begin_clip(const PageRect& box) override { page_.begin_clip(lower(box)); }
  void end_clip() override { page_.end_clip(); }

 private:
  PagePoint lower(PagePoint p) const { return {p.x, p.y + down_}; }
  PageRect lower(PageRect box) const { return {box.x, box.y + down_, box.width, box.height}; }
  std::vector<PagePoint> lower(std::vector<PagePoint> points) const {
    for (PagePoint& p : points) p.y += down_;
    return points;
  }

  Drawing& page_;
  double down_;
};

}  // namespace

Picture stacked(std::vector<Picture> pictures, const std::string& title) {
  if (pictures.size() == 1) return std::move(pictures.front());
  Picture all;
  all.title = title;
  for (const Picture& each : pictures) {
    all.width = std::max(all.width, each.width);
    all.height += each.height;
    all.description += (all.description.empty() ? "" : " ") + each.title + ": " + each.description;
  }
  all.draw = [pictures = std::move(pictures)](Drawing& page) {
    double down = 0;
    for (const Picture& each : pictures) {
      LowerPage lower(page, down);
      each.draw(lower);
      down += each.height;
    }
  };
  return all;
}

}  // namespace routh::internal
