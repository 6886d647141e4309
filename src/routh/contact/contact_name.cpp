#include "routh/contact/contact.h"
#include "routh/contact/geometry.h"

namespace routh {

namespace {

// Empty where a shape has but one feature of the kind.
std::string feature_name(ShapeKind shape, Feature feature) {
  const std::string number = " " + std::to_string(feature.index);
  const bool cornered = shape == ShapeKind::box || shape == ShapeKind::strip || shape == ShapeKind::mesh;
  switch (feature.kind) {
    case FeatureKind::vertex:
      if (cornered) return "corner" + number;
      if (shape == ShapeKind::capsule) return "end" + number;
      return shape == ShapeKind::cylinder ? "rim point" + number : "";
    case FeatureKind::edge:
      return cornered ? "edge" + number : "side";
    case FeatureKind::face:
      if (shape == ShapeKind::box || shape == ShapeKind::mesh) return "face" + number;
      return shape == ShapeKind::cylinder ? "cap" + number : "";
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

bool is_ground(ShapeKind kind) {
  return kind == ShapeKind::half_space || kind == ShapeKind::strip || kind == ShapeKind::hole;
}

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
