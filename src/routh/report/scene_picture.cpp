#include "routh/report/scene_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/contact/contact_problem.h"
#include "routh/dynamics/dynamics.h"
#include "routh/figure/axes.h"
#include "routh/report/run_document.h"
#include "routh/report/skeleton.h"
#include "routh/report/solid_faces.h"
#include "routh/report/tolerances.h"

namespace routh::internal {

namespace {

constexpr double page_width = 760, page_height = 620, margin = 48, top = 104, bottom = 72;
constexpr std::size_t longest_label = 40;            // characters of a name
constexpr double name_width = 60, name_height = 15;  // [px] of a short one
constexpr int labels_most = 12;  // more bodies than these are not named: their names would cover them
constexpr std::size_t sentences_most = 3;
constexpr double ground_reach = 0.35;               // of the height of the page: how far a planar half-space is shaded
constexpr int bone_pieces = 32;                     // of a bone in space: each is drawn or hidden
constexpr double bone_width = 3, joint_radius = 4;  // [px]

// Told apart without colour vision and in grey [Okabe and Ito 2008]: overlaps are darker and have a thick edge, too.
constexpr const char* overlap_colour = "#d55e00";
constexpr const char* contact_colour = "#0072b2";
constexpr const char* bone_colour = "#444444";

struct Rgb {
  double red, green, blue;
};
constexpr Rgb body_rgb{150, 180, 205}, world_rgb{196, 192, 184}, overlap_rgb{224, 104, 32};

std::string shaded(const Rgb& colour, double light) {
  const auto part = [&](double value) { return static_cast<int>(std::lround(std::clamp(value * light, 0.0, 255.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", part(colour.red), part(colour.green), part(colour.blue));
}

Vector3 unit(const Vector3& v) {
  const double length = norm(v);
  return length > 0 ? (1 / length) * v : v;
}

// The directions of the page in the world.
struct View {
  Vector3 right, up, toward;  // toward the eye
};

View view_of(Dimension dimension) {
  if (dimension == Dimension::planar) return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vector3 toward = unit({1, -0.7, 0.5});
  const Vector3 right = unit(cross({0, 0, 1}, toward));
  return {right, cross(toward, right), toward};
}

struct Face {
  FaceCorners corners;
  Rgb colour;
  double light = 1;
  Vector3 normal;                       // in space, of any length
  double depth = 0;                     // toward the eye
  bool overlaps = false, bare = false;  // bare: its outline alone
};

class SceneDrawing {
 public:
  SceneDrawing(const SceneFigure& figure, Drawing& page)
      : figure_(figure),
        model_(figure.scene->model),
        page_(page),
        workspace_(figure.scene->model),
        view_(view_of(model_.dimension)) {
    compute_kinematics(model_, figure.scene->state.q, workspace_);
    for (const Contact& contact : figure.touches.overlaps)
      for (const int shape : {contact.shape_a, contact.shape_b})
        if (contact.kind == ContactKind::surfaces) overlapping_.push_back(shape);
    make_faces();
    fit();
  }

  void draw() {
    page_.rect({0, 0, page_width, page_height}, {"", 0, "", "#ffffff", 1});
    page_.begin_clip({0, top - 24, page_width, page_height - bottom - top + 48});
    draw_grounds();
    draw_faces();
    draw_skeleton();
    draw_contacts();
    page_.end_clip();
    draw_names();
    draw_heading();
    draw_scale();
  }

 private:
  Pose pose(int body) const { return body_pose(model_, workspace_, body); }
  const Shape& shape(int index) const { return model_.shapes[static_cast<std::size_t>(index)]; }
  bool planar() const { return model_.dimension == Dimension::planar; }
  bool overlaps(int index) const { return std::count(overlapping_.begin(), overlapping_.end(), index) > 0; }

  PlotPoint flat(const Vector3& p) const { return {dot(view_.right, p), dot(view_.up, p)}; }
  PagePoint on_page(const Vector3& p) const {
    const PlotPoint at = flat(p);
    return {centre_page_.x + scale_ * (at.x - centre_.x), centre_page_.y - scale_ * (at.y - centre_.y)};
  }
  std::vector<PagePoint> on_page(const FaceCorners& corners) const {
    std::vector<PagePoint> points;
    for (const Vector3& corner : corners) points.push_back(on_page(corner));
    return points;
  }

  // Faces that look at the eye, farthest first.
  void make_faces() {
    const Vector3 lamp = unit(view_.toward + 0.6 * view_.up - 0.3 * view_.right);
    for (int k = 0; k < static_cast<int>(model_.shapes.size()); ++k) {
      const Shape& it = shape(k);
      const Rgb colour = overlaps(k) ? overlap_rgb : it.body == 0 ? world_rgb : body_rgb;
      for (FaceCorners& corners : solid_faces(it, pose(it.body) * it.at, model_.dimension)) {
        Face face{std::move(corners), colour, 1, {}, 0, overlaps(k), it.kind == ShapeKind::hole};
        if (!planar()) {
          Vector3 normal, middle;
          for (std::size_t c = 0; c < face.corners.size(); ++c) {
            const Vector3& a = face.corners[c];
            const Vector3& b = face.corners[(c + 1) % face.corners.size()];
            normal += cross(a - face.corners[0], b - face.corners[0]);
            middle += (1.0 / static_cast<double>(face.corners.size())) * a;
          }
          if (it.kind != ShapeKind::strip && !face.bare && dot(normal, view_.toward) <= 0) continue;
          face.light = 0.62 + 0.45 * std::abs(dot(unit(normal), lamp));
          face.normal = normal;
          face.depth = dot(view_.toward, middle);
        }
        faces_.push_back(std::move(face));
      }
    }
    if (!planar())
      std::stable_sort(faces_.begin(), faces_.end(), [](const Face& a, const Face& b) { return a.depth < b.depth; });
  }

  std::vector<Vector3> seen_points() const {
    std::vector<Vector3> points;
    for (const Face& face : faces_) points.insert(points.end(), face.corners.begin(), face.corners.end());
    for (const Shape& it : model_.shapes)
      if (it.kind == ShapeKind::point) points.push_back(pose(it.body) * it.at.position);
    for (const Joint& joint : model_.joints) points.push_back(pose(joint.child) * joint.in_child.position);
    for (std::size_t b = 1; b < model_.bodies.size(); ++b)
      points.push_back(pose(static_cast<int>(b)) * model_.bodies[b].com);
    return points;
  }

  void fit() {
    RangeBuilder x, y;
    for (const Vector3& point : seen_points()) {
      x.add(flat(point).x);
      y.add(flat(point).y);
    }
    const AxisRange across = x.with_margin(0.04), up = y.with_margin(0.04);
    const double width = page_width - 2 * margin, height = page_height - top - bottom;
    scale_ = std::min(width / std::max(across.width(), tolerances::drawn_segment_min),
                      height / std::max(up.width(), tolerances::drawn_segment_min));
    centre_ = {across.low + 0.5 * across.width(), up.low + 0.5 * up.width()};
    centre_page_ = {0.5 * page_width, top + 0.5 * height};
  }

  void draw_grounds() {
    for (const Shape& it : model_.shapes) {
      if (it.kind != ShapeKind::half_space) continue;
      const Pose at = pose(it.body) * it.at;
      const double reach = page_width / scale_;
      // Under the middle of what is seen.
      const Vector3 eye = centre_.x * view_.right + centre_.y * view_.up;
      const Vector3 along = planar() ? at.rotation * Vector3{1, 0, 0} : at.rotation * Vector3{1, 0, 0};
      if (planar()) {
        const Vector3 down = at.rotation * Vector3{0, -ground_reach * page_height / scale_, 0};
        const Vector3 middle = at.position + dot(eye - at.position, along) * along;
        const Vector3 a = middle - reach * along, b = middle + reach * along;
        page_.polygon(on_page(FaceCorners{a, b, b + down, a + down}), {"", 0, "", shaded(world_rgb, 1.15), 1});
        page_.line(on_page(a), on_page(b), {"#777777", 1.5, "", "", 1});
        continue;
      }
      draw_patch(at);
    }
  }

  // A patch of a plane in space with its grid, below the middle of the machine.
  void draw_patch(const Pose& at) {
    Vector3 middle;
    const std::vector<Vector3> points = seen_points();
    for (const Vector3& point : points) middle += (1.0 / static_cast<double>(points.size())) * point;
    const Vector3 x = at.rotation * Vector3{1, 0, 0}, y = at.rotation * Vector3{0, 1, 0};
    const Vector3 origin = at.position + dot(middle - at.position, x) * x + dot(middle - at.position, y) * y;
    const double half = 0.42 * page_width / scale_;
    const auto corner = [&](double a, double b) { return origin + (a * half) * x + (b * half) * y; };
    page_.polygon(on_page(FaceCorners{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}),
                  {"#bbbbbb", 1, "", shaded(world_rgb, 1.2), 1});
    for (int k = -3; k <= 3; ++k) {
      const double s = k / 4.0;
      page_.line(on_page(corner(s, -1)), on_page(corner(s, 1)), {"#cfcbc4", 1, "", "", 1});
      page_.line(on_page(corner(-1, s)), on_page(corner(1, s)), {"#cfcbc4", 1, "", "", 1});
    }
  }

  void draw_faces() {
    for (const Face& face : faces_) {
      const std::string edge =
          face.overlaps ? overlap_colour : shaded(face.colour, planar() ? 0.55 : 0.92 * face.light);
      const double width = face.overlaps && planar() ? 2.5 : planar() ? 1.2 : 0.4;
      if (face.corners.size() == 2) {
        page_.line(on_page(face.corners[0]), on_page(face.corners[1]), {edge, 2.5, "", "", 1});
        continue;
      }
      page_.polygon(on_page(face.corners), {edge, width, "", face.bare ? "" : shaded(face.colour, face.light),
                                            planar() && !face.bare ? 0.8 : 1});
    }
  }

  // In space: a face covers the point and is nearer to the eye, by more than the size [px] of what is drawn there.
  bool hidden(const Vector3& point, double size) const {
    if (planar()) return false;
    const PlotPoint at = flat(point);
    const double nearest = dot(view_.toward, point) + size / scale_;
    return std::any_of(faces_.begin(), faces_.end(), [&](const Face& face) {
      const double facing = dot(face.normal, view_.toward);
      if (face.bare || facing == 0) return false;
      const double depth =
          dot(face.normal, face.corners[0] - at.x * view_.right - at.y * view_.up) / facing;  // of its plane there
      return depth > nearest && covers(face, at);
    });
  }
  bool covers(const Face& face, const PlotPoint& at) const {
    bool left = false, right = false;
    for (std::size_t c = 0; c < face.corners.size(); ++c) {
      const PlotPoint a = flat(face.corners[c]), b = flat(face.corners[(c + 1) % face.corners.size()]);
      const double side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
      left = left || side > 0;
      right = right || side < 0;
    }
    return left != right;
  }

  // What joins the shapes, as far as they do not hide it.
  void draw_skeleton() {
    const int pieces = planar() ? 1 : bone_pieces;
    for (const Bone& bone : bones(model_)) {
      const Vector3 from = pose(bone.body) * bone.from, way = pose(bone.body) * bone.to - from;
      const auto at = [&](double piece) { return from + (piece / pieces) * way; };
      for (int k = 0; k < pieces;) {
        const int begin = k;
        while (k < pieces && !hidden(at(k + 0.5), 0.5 * bone_width)) ++k;
        if (k > begin) page_.line(on_page(at(begin)), on_page(at(k)), {bone_colour, bone_width, "", "", 1});
        if (k < pieces) ++k;
      }
    }
    for (const JointDot& joint : joint_dots(model_)) {
      const Vector3 at = pose(joint.body) * joint.position;
      if (!hidden(at, joint_radius)) page_.circle(on_page(at), joint_radius, {bone_colour, 1.5, "", "#ffffff", 1});
    }
    for (const Spring& spring : model_.springs)
      page_.line(on_page(pose(spring.body_a) * spring.at_a), on_page(pose(spring.body_b) * spring.at_b),
                 {"#009e73", 2, "5 3", "", 1});
    for (const Shape& it : model_.shapes)
      if (it.kind == ShapeKind::point)
        page_.circle(on_page(pose(it.body) * it.at.position), 3.5, {"#222222", 1, "", "#222222", 1});
  }

  void draw_contacts() {
    constexpr double arrow = 30;  // [px] of a normal
    for (const Touch& touch : figure_.touches.touches) {
      if (touch.contact.kind != ContactKind::surfaces) continue;
      const PagePoint at = on_page(touch.contact.point);
      page_.line(at, on_page(touch.contact.point + (arrow / scale_) * touch.contact.normal),
                 {contact_colour, 2, "", "", 1});
      page_.circle(at, 4.5, {"#ffffff", 1, "", contact_colour, 1});
    }
    for (const Contact& contact : figure_.touches.overlaps) {
      if (contact.kind != ContactKind::surfaces) continue;
      page_.line(on_page(contact.point_a), on_page(contact.point_b), {overlap_colour, 3, "", "", 1});
      page_.circle(on_page(contact.point), 6, {overlap_colour, 2.5, "", "#ffffff", 1});
    }
  }

  void draw_names() {
    if (model_.bodies.size() > labels_most) return;
    std::vector<PagePoint> taken;
    for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
      PagePoint at = on_page(pose(static_cast<int>(b)) * model_.bodies[b].com);
      const auto covers = [&](const PagePoint& other) {
        return std::abs(at.x - other.x) < name_width && std::abs(at.y - other.y) < name_height;
      };
      while (std::any_of(taken.begin(), taken.end(), covers)) at.y += name_height;
      taken.push_back(at);
      page_.plain_text({at.x + 7, at.y - 7}, printable(model_.bodies[b].name, longest_label), {12, "#222222"});
    }
  }

  void draw_heading() {
    page_.plain_text({margin, 32}, figure_.title, {16, "#222222", Anchor::start, 0, true});
    double y = 54;
    const auto say = [&](const std::string& text, const char* colour) {
      page_.plain_text({margin, y}, text, {12.5, colour});
      y += 17;
    };
    const std::vector<std::string> sentences = touch_sentences(model_, figure_.touches);
    const char* colour = figure_.touches.overlaps.empty() ? "#444444" : overlap_colour;
    for (std::size_t k = 0; k < std::min(sentences.size(), sentences_most); ++k)
      say(k + 1 == sentences_most && sentences.size() > sentences_most
              ? fmt::format("and {} more", sentences.size() - k)
              : sentences[k],
          colour);
  }

  // A length to measure by, and in space the directions of the world.
  void draw_scale() {
    const std::vector<double> lengths = ticks({0, 0.3 * page_width / scale_}, 2);
    const double length = lengths.size() > 1 ? lengths[1] : 0;
    const double y = page_height - 26;
    if (length > 0) {
      const double end = margin + length * scale_;
      page_.line({margin, y}, {end, y}, {"#222222", 2, "", "", 1});
      for (const double x : {margin, end}) page_.line({x, y - 4}, {x, y + 4}, {"#222222", 2, "", "", 1});
      page_.plain_text({end + 8, y + 4}, fmt::format("{:g} m", length), {12.5, "#222222"});
    }
    constexpr double axis = 34;  // [px]
    const PagePoint origin{page_width - margin - axis, y - 8};
    const std::pair<const char*, Vector3> directions[] = {{"x", {1, 0, 0}}, {"y", {0, 1, 0}}, {"z", {0, 0, 1}}};
    for (int k = 0; k < (planar() ? 2 : 3); ++k) {
      const PlotPoint way = flat(directions[k].second);
      const PagePoint end{origin.x + axis * way.x, origin.y - axis * way.y};
      page_.line(origin, end, {"#222222", 1.5, "", "", 1});
      page_.plain_text({end.x + 4 * way.x + 2, end.y - 6 * way.y + 3}, directions[k].first, {12, "#222222"});
    }
  }

  const SceneFigure& figure_;
  const Model& model_;
  Drawing& page_;
  Workspace workspace_;
  View view_;
  std::vector<int> overlapping_;  // shapes
  std::vector<Face> faces_;
  double scale_ = 1;  // [px/m]
  PlotPoint centre_;
  PagePoint centre_page_;
};

}  // namespace

Picture scene_picture(const SceneFigure& figure) {
  return {page_width, page_height, figure.title, "The machine in its posture, with its contacts.",
          [figure](Drawing& page) { SceneDrawing(figure, page).draw(); }};
}

}  // namespace routh::internal
