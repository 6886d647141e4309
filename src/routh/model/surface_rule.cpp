#include "routh/model/surface_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/impact/result.h"

namespace routh::internal {

namespace {

std::uint64_t unordered_key(int a, int b) {
  const auto low = static_cast<std::uint64_t>(std::min(a, b)), high = static_cast<std::uint64_t>(std::max(a, b));
  return high << 32 | low;
}

// √(μ₁μ₂) without overflow; 0 wins over infinity.
double geometric_mean(double a, double b) { return a == 0 || b == 0 ? 0 : std::sqrt(a) * std::sqrt(b); }

}  // namespace

SurfaceRule::SurfaceRule(const ModelDraft& draft) : draft_(draft) {
  for (const SurfacePairDescription& pair : draft.description.surface_pairs) {
    const std::string name = pair.first + "' and '" + pair.second;
    const Subject subject{"surface pair", name, pair.where};
    const int first = draft.surfaces.require(pair.first, subject, pair.where);
    const int second = draft.surfaces.require(pair.second, subject, pair.where);
    if (!overrides_.emplace(unordered_key(first, second), checked_properties(subject, pair.properties)).second)
      refuse(subject, "this pair is there twice", "keep one of them");
  }
}

SurfaceProperties SurfaceRule::of(int first_shape, int second_shape) const {
  const Model& model = draft_.model;
  const int first = model.shapes[first_shape].surface, second = model.shapes[second_shape].surface;
  if (first < 0 && second < 0) return {};
  if (first < 0) return model.surfaces[second].properties;
  if (second < 0) return model.surfaces[first].properties;
  if (const auto entry = overrides_.find(unordered_key(first, second)); entry != overrides_.end()) return entry->second;
  if (first == second) return model.surfaces[first].properties;
  return combined(first_shape, second_shape);
}

SurfaceProperties SurfaceRule::combined(int first_shape, int second_shape) const {
  const Shape& shape_a = draft_.model.shapes[first_shape];
  const Shape& shape_b = draft_.model.shapes[second_shape];
  const Surface& surface_a = draft_.model.surfaces[shape_a.surface];
  const Surface& surface_b = draft_.model.surfaces[shape_b.surface];
  const SurfaceProperties& a = surface_a.properties;
  const SurfaceProperties& b = surface_b.properties;
  const ShapeDescription& written = draft_.description.shapes[second_shape];
  const Subject subject{"shape", written.name, written.where};
  const auto refuse_pair = [&](const std::string& why) {
    refuse(subject, written.surface_where,
           fmt::format("it may touch '{}', and the surfaces '{}' and '{}' cannot be combined: {}", shape_a.name,
                       surface_a.name, surface_b.name, why),
           fmt::format("add `surface_pairs: [{{between: [{}, {}], friction: …, restitution: …}}]`", surface_a.name,
                       surface_b.name));
  };
  for (const Surface* surface : {&surface_a, &surface_b})
    if (surface->properties.restitution.kind != RestitutionKind::constant)
      refuse_pair(fmt::format("the restitution of '{}' depends on the speed", surface->name));
  if (a.law && b.law && *a.law != *b.law)
    refuse_pair(fmt::format("one asks for the law {}, the other for {}", name(*a.law), name(*b.law)));

  SurfaceProperties pair;
  pair.friction.static_coefficient = geometric_mean(a.friction.static_coefficient, b.friction.static_coefficient);
  // Rounding of the roots must not lift kinetic above static friction.
  pair.friction.kinetic_coefficient = std::min(
      pair.friction.static_coefficient, geometric_mean(a.friction.kinetic_coefficient, b.friction.kinetic_coefficient));
  pair.restitution.normal = std::min(a.restitution.normal, b.restitution.normal);
  pair.restitution.tangential = std::min(a.restitution.tangential, b.restitution.tangential);
  pair.law = a.law ? a.law : b.law;
  return pair;
}

}  // namespace routh::internal
