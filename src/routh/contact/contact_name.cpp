#include "routh/contact/contact.h"
#include "routh/contact/geometry.h"

namespace routh {

namespace {

// What its features of a kind are called, by numbers, where it has several.
struct FeatureWords {
  const char* vertex = nullptr;
  const char* edge = nullptr;
  const char* face = nullptr;
};

constexpr FeatureWords words_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::box:
    case ShapeKind::mesh:
      return {.vertex = "corner", .edge = "edge", .face = "face"};
    case ShapeKind::strip:
      return {.vertex = "corner", .edge = "edge", .face = "side"};
    case ShapeKind::capsule:
      return {.vertex = "end"};
    case ShapeKind::cylinder:
      return {.vertex = "rim point", .face = "cap"};
    case ShapeKind::point:
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
    case ShapeKind::half_space:
    case ShapeKind::pin:
    case ShapeKind::hole:
      break;
  }
  return {};
}

// Empty where a shape has but one feature of the kind.
std::string feature_name(ShapeKind shape, Feature feature) {
  const std::string number = " " + std::to_string(feature.index);
  const FeatureWords words = words_of(shape);
  switch (feature.kind) {
    case FeatureKind::vertex:
      return words.vertex ? words.vertex + number : "";
    case FeatureKind::edge:
      return words.edge ? words.edge + number : "side";
    case FeatureKind::face:
      if (shape == ShapeKind::strip && feature.index == 0) return "";  // its plane
      return words.face ? words.face + number : "";
    case FeatureKind::rim:
      return "rim" + number;
    case FeatureKind::side:
      if (feature.index == 0) return "side";
      return feature.index == 1 ? "lower end of the side" : "upper end of the side";
    case FeatureKind::nearest:
    case FeatureKind::bore:
      break;
  }
  return {};
}

// What the other is said to be on or in.
bool is_ground(ShapeKind kind) { return is_plane(kind) || kind == ShapeKind::hole; }

}  // namespace

const char* name(ContactKind kind) {
  switch (kind) {
    case ContactKind::surfaces:
      return "surfaces";
    case ContactKind::limit:
      return "limit";
  }
  return "?";
}

std::string contact_name(const Model& model, const Contact& contact) {
  if (contact.kind == ContactKind::limit)
    return dof_name(model, contact.dof) + (contact.direction > 0 ? " at its lower limit" : " at its upper limit");
  const auto known = [&](int shape) { return shape >= 0 && static_cast<std::size_t>(shape) < model.shapes.size(); };
  if (!known(contact.shape_a) || !known(contact.shape_b)) return "a contact of another machine";
  const Shape* upper = &model.shapes[static_cast<std::size_t>(contact.shape_a)];
  const Shape* lower = &model.shapes[static_cast<std::size_t>(contact.shape_b)];
  auto [of_upper, of_lower] = features_of(contact.id.feature);
  if (is_ground(upper->kind)) {
    std::swap(upper, lower);
    std::swap(of_upper, of_lower);
  }
  std::string text = upper->name + (upper->kind == ShapeKind::pin ? " in " : " on ") + lower->name;
  const std::string first = feature_name(upper->kind, of_upper), second = feature_name(lower->kind, of_lower);
  if (first.empty() && second.empty()) return text;
  const std::string between = first.empty() || second.empty() ? "" : " on ";
  return text + " (" + first + between + second + ")";
}

}  // namespace routh
