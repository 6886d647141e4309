#include "routh/scene/draft.h"
#include "routh/study/scene_parameter.h"
#include "routh/study/scene_subject.h"

namespace routh::internal {

void set_values(Scene& scene, std::span<const GivenValue> values) {
  for (const GivenValue& each : values)
    find_scene_parameter(each.path, scene.draft, scene.model).set(scene.draft, each.value);
  rebuild(scene);
}

struct SceneMaker::Parameter {
  SceneParameter found;
};

SceneMaker::SceneMaker(Scene scene)
    : draft_(std::move(scene.draft)), touch_(scene.touch), model_(std::make_shared<Model>(std::move(scene.model))) {}

void SceneMaker::add_parameter(const StudyPath& path) {
  auto parameter = std::make_shared<Parameter>(Parameter{find_scene_parameter(path, draft_, *model_)});
  changes_model_ = changes_model_ || parameter->found.changes_model;
  parameters_.push_back(std::move(parameter));
}

void SceneMaker::set(SceneDraft& draft, std::span<const GivenValue> values) const {
  for (const GivenValue& each : values) find_scene_parameter(each.path, draft, *model_).set(draft, each.value);
}

std::optional<Refusal> SceneMaker::try_values(std::span<const GivenValue> values) const {
  SceneDraft draft = draft_;
  set(draft, values);
  try {
    build_state(draft, build_model(draft.description), touch_);
  } catch (const InputError& error) {
    return Refusal{error.message(), error.remedy()};
  }
  return std::nullopt;
}

void SceneMaker::set_parameters(std::span<const GivenValue> values) {
  set(draft_, values);
  // Where what varies changes the model, each sample builds its own, and this one may lack what only that makes whole.
  if (!values.empty() && !changes_model_) model_ = std::make_shared<Model>(build_model(draft_.description));
}

SceneMaker::Builder::Builder(const SceneMaker& maker) : maker_(maker), draft_(maker.draft_), model_(maker.model_) {}

bool SceneMaker::Builder::build(std::span<const double> parameters, std::string& reason) {
  try {
    for (std::size_t k = 0; k < parameters.size(); ++k) maker_.parameters_[k]->found.set(draft_, parameters[k]);
    if (maker_.changes_model_) model_ = std::make_shared<Model>(build_model(draft_.description));
    state_ = build_state(draft_, *model_, maker_.touch_);
    return true;
  } catch (const InputError& error) {
    reason = error.message();
    return false;
  }
}

}  // namespace routh::internal
