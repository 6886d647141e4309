#include "routh/figure/coverage.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace routh::internal {

namespace {

// Rounds outwards without leaving the range of int.
int lower(double value, int low, int high) {
  return static_cast<int>(std::clamp(std::floor(value), static_cast<double>(low), static_cast<double>(high)));
}

// The lengths of a dash pattern; empty when one is not a positive number.
std::vector<double> dash_lengths(const std::string& pattern, double scale) {
  std::vector<double> lengths;
  const char* at = pattern.data();
  const char* const end = at + pattern.size();
  while (at != end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !(value > 0) || !(value < 1e6)) return {};
    lengths.push_back(std::max(scale * value, 0.05));
    at = next;
  }
  // An odd number of lengths is repeated [SVG 2, section 13.5.6].
  if (lengths.size() % 2 == 1) lengths.insert(lengths.end(), lengths.begin(), lengths.end());
  return lengths;
}

// How much of a pixel lies in the strip of points nearer than `half` to a line whose unit normal is (nx, ny) and which
// passes the pixel's middle at a distance. Exact: seen along the line, a pixel is the sum of two even spreads |nx| and
// |ny| wide, and this is the integral of that trapezium.
double strip_cover(double nx, double ny, double distance, double half) {
  const double p = std::max(std::abs(nx), std::abs(ny)), q = std::min(std::abs(nx), std::abs(ny));
  if (distance - half > (p + q) / 2) return 0;
  if (q < 1e-6) return interval_cover(distance, -half, half);
  const auto ramp = [](double t) { return t > 0 ? t * t / 2 : 0; };
  const auto until = [&](double t) {
    return (ramp(t + (p + q) / 2) - ramp(t + (p - q) / 2) - ramp(t - (p - q) / 2) + ramp(t - (p + q) / 2)) / (p * q);
  };
  return until(half - distance) - until(-half - distance);
}

}  // namespace

double interval_cover(double at, double low, double high) {
  return std::max(0.0, std::min(at + 0.5, high) - std::max(at - 0.5, low));
}

CoverageMask::CoverageMask(const PageRect& bounds, int raster_width, int raster_height) {
  left_ = lower(bounds.x - 1, 0, raster_width);
  top_ = lower(bounds.y - 1, 0, raster_height);
  width_ = std::max(0, lower(bounds.x + bounds.width + 2, 0, raster_width) - left_);
  height_ = std::max(0, lower(bounds.y + bounds.height + 2, 0, raster_height) - top_);
  cover_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0);
}

double& CoverageMask::cell(int x, int y) {
  return cover_[static_cast<std::size_t>(y - top_) * static_cast<std::size_t>(width_) +
                static_cast<std::size_t>(x - left_)];
}

double CoverageMask::at(int x, int y) const {
  if (x < left_ || x >= right() || y < top_ || y >= bottom()) return 0;
  return cover_[static_cast<std::size_t>(y - top_) * static_cast<std::size_t>(width_) +
                static_cast<std::size_t>(x - left_)];
}

void CoverageMask::raise(int x, int y, double coverage) { cell(x, y) = std::max(cell(x, y), std::min(1.0, coverage)); }

CoverageMask::Span CoverageMask::columns(double low, double high) const {
  return {lower(low - 1, left_, right()), lower(high + 2, left_, right())};
}
CoverageMask::Span CoverageMask::rows(double low, double high) const {
  return {lower(low - 1, top_, bottom()), lower(high + 2, top_, bottom())};
}

void CoverageMask::stroke_segment(const Segment& segment) {
  const auto [a, b, width, begin, end] = segment;
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const double half = width / 2;
  // A point has no direction; any will do.
  const double ux = length > 0 ? (b.x - a.x) / length : 1;
  const double uy = length > 0 ? (b.y - a.y) / length : 0;
  const Span over_y = rows(std::min(a.y, b.y) - half, std::max(a.y, b.y) + half);
  for (int y = over_y.begin; y < over_y.end; ++y) {
    // The part of the row that the stroke can reach, so that long slanting lines cost their length only.
    double low = std::min(a.x, b.x), high = std::max(a.x, b.x);
    if (std::abs(uy) > 1e-3) {
      const double reach = (half + 1.5) / std::abs(uy);
      const double at = a.x + (y + 0.5 - a.y) * ux / uy;
      low = std::max(low, at - reach);
      high = std::min(high, at + reach);
    }
    const Span over_x = columns(low - half, high + half);
    for (int x = over_x.begin; x < over_x.end; ++x) {
      const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
      const double along = px * ux + py * uy;
      // From the nearest point of the line to the pixel.
      double nx = px - along * ux, ny = py - along * uy;
      double share = 1;
      if (begin == End::round && along < 0)
        nx = px, ny = py;
      else if (end == End::round && along > length)
        nx = px - (b.x - a.x), ny = py - (b.y - a.y);
      else
        share = interval_cover(along, begin == End::square ? 0 : -1, end == End::square ? length : length + 1);
      const double distance = std::hypot(nx, ny);
      const bool on_line = distance < 1e-9;
      raise(x, y, share * strip_cover(on_line ? -uy : nx / distance, on_line ? ux : ny / distance, distance, half));
    }
  }
}

void CoverageMask::stroke_circle(PagePoint centre, double radius, double width) {
  const double reach = radius + width / 2;
  const Span over_x = columns(centre.x - reach, centre.x + reach);
  const Span over_y = rows(centre.y - reach, centre.y + reach);
  for (int y = over_y.begin; y < over_y.end; ++y)
    for (int x = over_x.begin; x < over_x.end; ++x) {
      const double dx = x + 0.5 - centre.x, dy = y + 0.5 - centre.y, distance = std::hypot(dx, dy);
      if (distance > 0) raise(x, y, strip_cover(dx / distance, dy / distance, std::abs(distance - radius), width / 2));
    }
}

void CoverageMask::fill_circle(PagePoint centre, double radius) {
  const Span over_x = columns(centre.x - radius, centre.x + radius);
  const Span over_y = rows(centre.y - radius, centre.y + radius);
  for (int y = over_y.begin; y < over_y.end; ++y)
    for (int x = over_x.begin; x < over_x.end; ++x)
      raise(x, y, std::clamp(radius + 0.5 - std::hypot(x + 0.5 - centre.x, y + 0.5 - centre.y), 0.0, 1.0));
}

void CoverageMask::fill_rect(const PageRect& box) {
  const Span over_x = columns(box.x, box.x + box.width);
  const Span over_y = rows(box.y, box.y + box.height);
  for (int y = over_y.begin; y < over_y.end; ++y)
    for (int x = over_x.begin; x < over_x.end; ++x)
      raise(x, y,
            interval_cover(x + 0.5, box.x, box.x + box.width) * interval_cover(y + 0.5, box.y, box.y + box.height));
}

void CoverageMask::stroke_rect(const PageRect& box, double width) {
  const double h = width / 2;
  const auto area = [&](int x, int y, double grow) {
    return interval_cover(x + 0.5, box.x - grow, box.x + box.width + grow) *
           interval_cover(y + 0.5, box.y - grow, box.y + box.height + grow);
  };
  for (int y = top_; y < bottom(); ++y)
    for (int x = left_; x < right(); ++x) raise(x, y, area(x, y, h) - area(x, y, -h));
}

// The area right of the edge, row by row: `area` gets the change of the coverage from each pixel to the next, so that
// the sum along a row over all edges is the coverage, up to its sign.
void CoverageMask::fill_edge(PagePoint from, PagePoint to, std::vector<double>& area) const {
  const double sign = from.y < to.y ? 1 : -1;
  if (sign < 0) std::swap(from, to);
  const double low = std::max(from.y, static_cast<double>(top_));
  const double high = std::min(to.y, static_cast<double>(bottom()));
  if (!(low < high)) return;
  const double slope = (to.x - from.x) / (to.y - from.y);
  for (int y = lower(low, top_, bottom()); y < bottom() && y < high; ++y) {
    const double y0 = std::max(low, static_cast<double>(y)), y1 = std::min(high, y + 1.0);
    double x0 = from.x + (y0 - from.y) * slope, x1 = from.x + (y1 - from.y) * slope;
    if (x0 > x1) std::swap(x0, x1);
    // The area left of x and right of the edge, for a height of one: a parabola while the edge passes, then a line.
    const auto area_until = [&](double x) {
      const double reached = std::clamp(x, x0, x1) - x0;
      const double passing = reached > 0 ? reached * reached / (2 * (x1 - x0)) : 0;
      return passing + std::max(0.0, x - x1);
    };
    const int first = lower(x0, left_, right());
    const int last = std::min(lower(x1 + 1, left_, right()), right() - 1);
    double before = 0;
    for (int x = first; x <= last; ++x) {
      const double covered = area_until(x + 1.0) - area_until(x);
      area[static_cast<std::size_t>(y - top_) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x - left_)] += sign * (y1 - y0) * (covered - before);
      before = covered;
    }
  }
}

void CoverageMask::fill_polygon(const std::vector<PagePoint>& points) {
  std::vector<double> area(cover_.size(), 0);
  for (std::size_t i = 0; i < points.size(); ++i) fill_edge(points[i], points[(i + 1) % points.size()], area);
  for (int y = top_; y < bottom(); ++y) {
    double sum = 0;
    for (int x = left_; x < right(); ++x) {
      sum += area[static_cast<std::size_t>(y - top_) * static_cast<std::size_t>(width_) +
                  static_cast<std::size_t>(x - left_)];
      raise(x, y, std::abs(sum));
    }
  }
}

std::vector<std::vector<PagePoint>> dashes(const std::vector<PagePoint>& line, const std::string& pattern,
                                           double scale) {
  const std::vector<double> lengths = dash_lengths(pattern, scale);
  if (lengths.empty() || line.empty()) return {line};
  std::vector<std::vector<PagePoint>> out{{line.front()}};
  std::size_t current = 0;  // even: drawn
  double left = lengths[0];
  for (std::size_t i = 1; i < line.size(); ++i) {
    const PagePoint a = line[i - 1], b = line[i];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    double done = 0;
    while (length - done > left) {
      done += left;
      const PagePoint cut{a.x + (b.x - a.x) * done / length, a.y + (b.y - a.y) * done / length};
      if (current % 2 == 0)
        out.back().push_back(cut);
      else
        out.push_back({cut});
      current = (current + 1) % lengths.size();
      left = lengths[current];
    }
    left -= length - done;
    if (current % 2 == 0) out.back().push_back(b);
  }
  return out;
}

}  // namespace routh::internal
