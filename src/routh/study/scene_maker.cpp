#include "routh/study/scene_parameter.h"
#include "routh/study/scene_subject.h"

namespace routh {

struct SceneMaker::Parameter {
  SceneParameter found;
};

SceneMaker::SceneMaker(SceneDraft draft)
    : draft_(std::move(draft)), model_(std::make_shared<Model>(build_model(draft_.description))) {}

void SceneMaker::add_parameter(const StudyPath& path) {
  auto parameter = std::make_shared<Parameter>(Parameter{find_scene_parameter(path, draft_, *model_)});
  changes_model_ = changes_model_ || parameter->found.changes_model;
  parameters_.push_back(std::move(parameter));
}

void SceneMaker::set_parameter(const StudyPath& path, double value) {
  find_scene_parameter(path, draft_, *model_).set(draft_, value);
  model_ = std::make_shared<Model>(build_model(draft_.description));
}

SceneMaker::Builder::Builder(const SceneMaker& maker) : maker_(maker), draft_(maker.draft_), model_(maker.model_) {}

bool SceneMaker::Builder::build(std::span<const double> parameters, std::string& reason) {
  try {
    for (std::size_t k = 0; k < parameters.size(); ++k) maker_.parameters_[k]->found.set(draft_, parameters[k]);
    if (maker_.changes_model_) model_ = std::make_shared<Model>(build_model(draft_.description));
    state_ = build_state(draft_, *model_);
    return true;
  } catch (const InputError& error) {
    reason = error.message();
    return false;
  }
}

}  // namespace routh
