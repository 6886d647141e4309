#include "routh/figure/cone_figure.h"

#include <algorithm>
#include <iterator>

#include "routh/figure/cone_shape.h"
#include "routh/figure/legend.h"
#include "routh/figure/map_layout.h"
#include "routh/figure/text_width.h"
#include "routh/impact/inertia.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

constexpr double page_width = 940;
constexpr double page_height = 530;
constexpr PageRect left_frame{34, 74, 420, 370};
constexpr PageRect right_frame{486, 74, 420, 370};
constexpr double unit = 150;  // pixels for a length of one
constexpr double free_length = 0.55;
constexpr double name_size = 14;
constexpr int generators = 24;

const std::string force_colour = "#009e73";
const std::string change_colour = "#0072b2";
const std::string below_colour = "#d55e00";
const std::string plane_colour = "#8a8a8a";
const std::string sum_colour = "#b0508e";
const std::string free_colour = "#000000";

struct AxisNames {
  const char* n;
  const char* t1;
  const char* t2;
};

struct Scene {
  Dimension dimension = Dimension::planar;
  std::vector<ContactVector> forces, changes, below;
  ContactVector free;
  bool has_free = false;
};

Scene make_scene(const ConeFigure& figure) {
  Scene scene;
  scene.dimension = figure.inertia.dimension;
  // Not a number counts as no friction.
  const double friction = figure.friction > 0 ? std::min(figure.friction, 1000.0) : 0;
  const ContactInertia identity =
      scene.dimension == Dimension::planar ? planar_inertia(1, 0, 1) : spatial_inertia(1, 0, 0, 1, 0, 1);
  scene.forces = cone_rim(identity, friction, 1);
  scene.changes = cone_rim(figure.inertia, friction, 1);
  scene.below = rim_below_plane(scene.changes, scene.dimension);
  ContactVector free = figure.free_change;
  if (scene.dimension == Dimension::planar) free.t2 = 0;
  scene.free = with_length(free, free_length);
  scene.has_free = largest(scene.free) > 0;
  return scene;
}

void draw_arrow(Drawing& page, PagePoint from, PagePoint to, const std::string& colour, double width) {
  const double length = elementary::hypot(to.x - from.x, to.y - from.y);
  if (length < 1) return;
  const double ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;
  const double head = std::min(4 + 3.2 * width, length);
  const PagePoint neck{to.x - head * ux, to.y - head * uy};
  const double side = 0.38 * head;
  page.line(from, neck, {.stroke = colour, .width = width});
  page.polygon({to, {neck.x - side * uy, neck.y + side * ux}, {neck.x + side * uy, neck.y - side * ux}},
               {.fill = colour});
}

// A name beyond the tip of an arrow, held within the frame, on a veil that keeps it legible over lines.
void draw_tip_name(Drawing& page, PagePoint from, PagePoint to, const std::string& name, const PageRect& frame) {
  const double length = std::max(1.0, elementary::hypot(to.x - from.x, to.y - from.y));
  const double half = text_width(name, name_size, Markup::scripts) / 2;
  const double x = to.x + (half + 7) * (to.x - from.x) / length, y = to.y + 15 * (to.y - from.y) / length + 5;
  const PagePoint at{std::clamp(x, frame.x + half + 3, frame.x + frame.width - half - 3),
                     std::clamp(y, frame.y + 16, frame.y + frame.height - 8)};
  page.rect({at.x - half - 2, at.y - 12, 2 * half + 4, 17}, {.fill = "#ffffff", .opacity = 0.7});
  page.text(at, name, {.size = name_size, .anchor = Anchor::middle});
}

std::vector<ContactVector> axis_tips(const Scene& scene) {
  std::vector<ContactVector> tips{{1.16, 0, 0}, {0, 1.2, 0}};
  if (scene.dimension == Dimension::spatial) tips.push_back({0, 0, 1.2});
  return tips;
}

void draw_axes(Drawing& page, const ConeView& view, const Scene& scene) {
  for (const ContactVector& tip : axis_tips(scene))
    draw_arrow(page, view.map({-0.15 * tip.n, -0.15 * tip.t1, -0.15 * tip.t2}), view.map(tip), "#555555", 1);
}

void draw_axis_names(Drawing& page, const ConeView& view, const Scene& scene, const AxisNames& names,
                     const PageRect& frame) {
  const char* const name_of[] = {names.n, names.t1, names.t2};
  std::size_t i = 0;
  for (const ContactVector& tip : axis_tips(scene)) {
    PagePoint to = view.map(tip);
    // In the plane the axis lies in the tangent plane: its name stands above it.
    if (scene.dimension == Dimension::planar && i == 1) to.y -= 14;
    draw_tip_name(page, view.map({}), to, name_of[i++], frame);
  }
}

std::vector<PagePoint> map_all(const ConeView& view, const std::vector<ContactVector>& points) {
  std::vector<PagePoint> out;
  for (const ContactVector& p : points) out.push_back(view.map(p));
  return out;
}

// The area that the cone over these points of a rim covers.
void fill_cone(Drawing& page, const ConeView& view, const std::vector<ContactVector>& rim, const Pen& pen) {
  if (rim.empty()) return;
  std::vector<PagePoint> points = map_all(view, rim);
  points.push_back(view.map({}));
  page.polygon(convex_hull(std::move(points)), pen);
}

// Edges in the plane; rim and generators in space. What lies below the tangent plane has its own colour.
void draw_cone_lines(Drawing& page, const ConeView& view, const Scene& scene, const std::vector<ContactVector>& rim,
                     const std::string& colour) {
  if (rim.empty()) return;
  const PagePoint apex = view.map({});
  const auto colour_at = [&](const ContactVector& p) { return p.n < 0 ? below_colour : colour; };
  if (scene.dimension == Dimension::planar) {
    for (const ContactVector* edge : {&rim.front(), &rim.back()})
      page.line(apex, view.map(*edge), {.stroke = colour_at(*edge), .width = 2.2});
    return;
  }
  const std::size_t stride = std::max<std::size_t>(1, rim.size() / generators);
  for (std::size_t i = 0; i < rim.size(); i += stride)
    page.line(apex, view.map(rim[i]), {.stroke = colour_at(rim[i]), .width = 0.8});
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const ContactVector& next = rim[(i + 1) % rim.size()];
    page.line(view.map(rim[i]), view.map(next), {.stroke = colour_at(rim[i]), .width = 2});
  }
}

void draw_tangent_plane(Drawing& page, const ConeView& view, const Scene& scene, const PageRect& frame) {
  if (scene.dimension == Dimension::planar) {
    const double y = view.map({}).y;
    page.line({frame.x, y}, {frame.x + frame.width, y}, {.stroke = plane_colour, .width = 3});
    return;
  }
  constexpr double side = 0.98;
  page.polygon(
      {view.map({0, side, side}), view.map({0, side, -side}), view.map({0, -side, -side}), view.map({0, -side, side})},
      {.stroke = plane_colour, .width = 1.2, .fill = "#b8b8b8", .opacity = 0.45});
}

// δu_0 + D λ: the cone of changes with its apex at the tip of δu_0.
void draw_sum(Drawing& page, const ConeView& view, const Scene& scene) {
  std::vector<ContactVector> moved = scene.changes;
  for (ContactVector& p : moved) p = {p.n + scene.free.n, p.t1 + scene.free.t1, p.t2 + scene.free.t2};
  std::vector<PagePoint> points = map_all(view, moved);
  const PagePoint tip = view.map(scene.free);
  const Pen outline{.stroke = sum_colour, .width = 1.6, .dash = "6 3"};
  const Pen area{.fill = sum_colour, .opacity = 0.14};
  std::vector<PagePoint> all = points;
  all.push_back(tip);
  const std::vector<PagePoint> hull = convex_hull(all);
  page.polygon(hull, area);
  if (scene.dimension == Dimension::planar) {
    if (points.empty()) return;
    page.line(tip, points.front(), outline);
    page.line(tip, points.back(), outline);
    return;
  }
  page.polygon(hull, outline);
}

void draw_panel_frame(Drawing& page, const PageRect& frame, const std::string& title) {
  page.rect(frame, {.stroke = "#c4c4c4", .width = 1});
  page.text({frame.x + frame.width / 2, frame.y - 10}, title,
            {.size = 13, .colour = "#555555", .anchor = Anchor::middle});
}

void draw_forces(Drawing& page, const Scene& scene) {
  const PageRect& frame = left_frame;
  const ConeView view(scene.dimension, {frame.x + frame.width / 2, frame.y + 0.72 * frame.height}, unit);
  page.begin_clip(frame);
  fill_cone(page, view, scene.forces, {.fill = force_colour, .opacity = 0.25});
  draw_axes(page, view, scene);
  draw_cone_lines(page, view, scene, scene.forces, force_colour);
  const AxisNames names{"λ_{n}", scene.dimension == Dimension::planar ? "λ_{t}" : "λ_{t1}", "λ_{t2}"};
  draw_axis_names(page, view, scene, names, frame);
  page.end_clip();
  draw_panel_frame(page, frame, "contact forces");
}

void draw_changes(Drawing& page, const Scene& scene) {
  const PageRect& frame = right_frame;
  const ConeView view(scene.dimension, {frame.x + frame.width / 2, frame.y + 0.56 * frame.height}, 0.92 * unit);
  page.begin_clip(frame);
  // From below upwards: seen from above, the tangent plane covers what lies under it.
  fill_cone(page, view, scene.below, {.fill = below_colour, .opacity = 0.35});
  draw_tangent_plane(page, view, scene, frame);
  std::vector<ContactVector> upper;
  std::copy_if(scene.changes.begin(), scene.changes.end(), std::back_inserter(upper),
               [](const ContactVector& p) { return p.n >= 0; });
  if (!upper.empty()) {
    for (const ContactVector& p : scene.below)
      if (p.n == 0) upper.push_back(p);
    fill_cone(page, view, upper, {.fill = change_colour, .opacity = 0.25});
  }
  if (scene.has_free) draw_sum(page, view, scene);
  draw_axes(page, view, scene);
  draw_cone_lines(page, view, scene, scene.changes, change_colour);
  const AxisNames names{"δu_{n}", scene.dimension == Dimension::planar ? "δu_{t}" : "δu_{t1}", "δu_{t2}"};
  draw_axis_names(page, view, scene, names, frame);
  if (scene.has_free) {
    draw_arrow(page, view.map({}), view.map(scene.free), free_colour, 2.2);
    draw_tip_name(page, view.map({}), view.map(scene.free), "δu_{0}", frame);
  }
  page.end_clip();
  draw_panel_frame(page, frame, "changes of the contact velocity");
}

void draw_key(Drawing& page, const Scene& scene) {
  Legend legend(page, {left_frame.x, left_frame.y + left_frame.height + 34}, page_width - 20, NameWidth::from_letters);
  const auto area = [&](const char* name, const std::string& colour, double opacity) {
    legend.add(name, [&](PagePoint from, PagePoint to) {
      const PageRect box{from.x, from.y - 6, to.x - from.x, 12};
      page.rect(box, {.fill = colour, .opacity = opacity});
      page.rect(box, {.stroke = colour, .width = 1.2});
    });
  };
  area("contact forces, ‖λ_{t}‖ ≤ μ λ_{n}", force_colour, 0.25);
  area("their changes D λ", change_colour, 0.25);
  if (!scene.below.empty()) area("those with δu_{n} < 0", below_colour, 0.35);
  if (scene.dimension == Dimension::spatial)
    area("tangent plane, δu_{n} = 0", plane_colour, 0.35);
  else
    legend.add("tangent plane, δu_{n} = 0",
               [&](PagePoint from, PagePoint to) { page.line(from, to, {.stroke = plane_colour, .width = 3}); });
  if (!scene.has_free) return;
  legend.add("δu_{0}: all other forces",
             [&](PagePoint from, PagePoint to) { draw_arrow(page, from, to, free_colour, 2); });
  area("all changes δu_{0} + D λ", sum_colour, 0.14);
}

void draw_picture(Drawing& page, const ConeFigure& figure) {
  const Scene scene = make_scene(figure);
  const FittedText title = fit_plain_text(figure.title, 16, 11, (page_width - 40) / 1.3);
  if (!title.text.empty())
    page.plain_text({page_width / 2, 31}, title.text, {.size = title.size, .anchor = Anchor::middle, .bold = true});
  draw_forces(page, scene);
  draw_changes(page, scene);
  draw_key(page, scene);
}

}  // namespace

Picture cone_picture(const ConeFigure& figure) {
  return {
      page_width, page_height, figure.title,
      "The friction cone of a contact in the space of forces and in the space of velocity changes, with the tangent "
      "plane and the change that all other forces make.",
      [figure](Drawing& page) { draw_picture(page, figure); }};
}

}  // namespace routh::internal
