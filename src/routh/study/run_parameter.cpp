#include "routh/study/run_parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/scene/draft.h"
#include "routh/study/scene_parameter.h"

namespace routh::internal {

namespace {

struct Number {
  SceneParameter found;
  double value = 0;
};

Number find_number(const std::string& text, const Scene& scene) {
  const StudyPath path = parse_path(text, {"--wrt " + text, 0, 0});
  Number number{find_scene_parameter(path, scene.draft, scene.model), 0};
  number.value = number.found.value(scene.draft);
  if (!std::isfinite(number.value)) refuse(path, "it has no single value in this scene", "give it one there");
  const bool all = path.size() == 1 && path[0].is("friction");
  if (all || (path.size() == 3 && path[0].is("surfaces") && path[2].is("friction")))
    for (const SurfaceDescription& each : scene.draft.description.surfaces)
      if ((all || path[1].is(each.name)) &&
          each.properties.friction.static_coefficient != each.properties.friction.kinetic_coefficient)
        refuse(path, "static and kinetic friction differ here", "name one: " + text + ".kinetic");
  return number;
}

RunParameter::Case build_case(const SceneDraft& draft, const TouchOptions& touch) {
  RunParameter::Case made{build_model(draft.description), {}};
  made.start = build_state(draft, made.model, touch);
  return made;
}

}  // namespace

RunParameter run_parameter(const std::string& path, const Scene& scene) {
  const Number number = find_number(path, scene);
  return {path, number.value,
          [set = number.found.set, draft = scene.draft, touch = scene.touch](double value) {
            SceneDraft changed = draft;
            set(changed, value);
            return build_case(changed, touch);
          },
          number.found.changes_model};
}

RunDirection run_direction(const std::vector<std::string>& paths, const std::vector<double>& direction,
                           const Scene& scene) {
  std::vector<Number> numbers;
  double most = 0;
  bool changes_model = false;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    numbers.push_back(find_number(paths[k], scene));
    const double size = numbers[k].value != 0 ? std::abs(numbers[k].value) : 1;
    most = std::max(most, std::abs(direction[k]) / size);
    changes_model = changes_model || numbers[k].found.changes_model;
  }
  RunDirection out;
  if (most > 0) out.unit = 1 / most;
  out.parameter = {"direction", 0,
                   [numbers, direction, unit = out.unit, draft = scene.draft, touch = scene.touch](double s) {
                     SceneDraft changed = draft;
                     for (std::size_t k = 0; k < numbers.size(); ++k)
                       numbers[k].found.set(changed, numbers[k].value + s * unit * direction[k]);
                     return build_case(changed, touch);
                   },
                   changes_model};
  return out;
}

Scene with_numbers(const Scene& scene, const std::vector<std::string>& paths, const std::vector<double>& values) {
  Scene changed = scene;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const StudyPath path = parse_path(paths[k], {"--wrt " + paths[k], 0, 0});
    if (!std::isfinite(values[k])) refuse(path, fmt::format("{} is not a finite number", values[k]));
    find_scene_parameter(path, changed.draft, changed.model).set(changed.draft, values[k]);
  }
  rebuild(changed);
  return changed;
}

}  // namespace routh::internal
