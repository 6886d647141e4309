// A scene as the subject: the keys `scene`, `strike` and `run` of a study file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/problem/surface_reader.h"
#include "routh/robot/robot.h"
#include "routh/scene/scene_text.h"
#include "routh/study/bytes.h"
#include "routh/study/scene_subject.h"
#include "routh/study/study_reader.h"

namespace routh::internal {

namespace {

constexpr double usual_duration = 10;  // [s]

double positive(const Node& node) {
  const double value = node.number();
  if (!(value > 0)) node.fail(fmt::format("{}: {} must be positive", node.path(), value));
  return value;
}

// {moment, within, contact}
StrikeRequest read_strike(const Node* node, std::optional<Law> law) {
  StrikeRequest request;
  request.law = law;
  if (!node) return request;
  static constexpr std::string_view keys[] = {"moment", "within", "contact"};
  static constexpr std::string_view moments[] = {"state", "first_strike"};
  node->allow_keys(keys);
  if (const auto moment = node->find("moment")) request.moment = static_cast<StrikeMoment>(moment->choice(moments));
  if (const auto within = node->find("within")) request.within = positive(*within);
  if (const auto contact = node->find("contact")) request.contact = contact->text();
  return request;
}

// When runs begin: as `set` or the scene says; nothing where it varies.
std::optional<double> start_of(const Node& root, const SceneDraft& draft) {
  constexpr const char* time = "state.time";
  if (const auto vary = root.find("vary"); vary && vary->is_map() && vary->find(time)) return std::nullopt;
  if (const auto set = root.find("set"); set && set->is_map())
    if (const auto node = set->find(time)) return node->number();
  return draft.state.time;
}

// {until, tolerance, max_step, max_events, max_steps, interval, integrator}; the scene's own wishes otherwise.
RunRequest read_run(const Node& root, const Node& node, const SceneDraft& draft, std::optional<Law> law) {
  static constexpr std::string_view keys[] = {"until",     "tolerance", "max_step",  "max_events",
                                              "max_steps", "interval",  "integrator"};
  node.allow_keys(keys);
  const SceneSimulation& wish = draft.simulation;
  RunRequest request;
  SimulationOptions& options = request.options;
  const std::optional<double> start = start_of(root, draft);
  request.until = wish.until.value_or(start.value_or(draft.state.time) + usual_duration);
  options.tolerance = wish.tolerance.value_or(options.tolerance);
  options.max_step = wish.max_step.value_or(options.max_step);
  options.touch = draft.touch.tolerance;
  options.law = law ? law : wish.law;
  std::string_view integrator = wish.integrator ? std::string_view(*wish.integrator) : integrator_names[0];
  if (const auto until = node.find("until")) request.until = until->number();
  if (start && !(request.until > *start))
    node.fail(fmt::format("until: the run would end at {} s and begin at {} s", request.until, *start),
              "give a later `until`");
  if (const auto tolerance = node.find("tolerance")) {
    options.tolerance = tolerance->number();
    if (!(options.tolerance >= smallest_tolerance && options.tolerance <= largest_tolerance))
      tolerance->fail(
          fmt::format("tolerance: {} must lie in [{}, {}]", options.tolerance, smallest_tolerance, largest_tolerance));
  }
  if (const auto step = node.find("max_step")) options.max_step = positive(*step);
  if (const auto events = node.find("max_events"))
    options.max_events = static_cast<long>(events->integer(1, 1000000000));
  if (const auto steps = node.find("max_steps")) options.max_steps = static_cast<long>(steps->integer(1, 1000000000));
  if (const auto word = node.find("integrator")) integrator = integrator_names[word->choice(integrator_names)];
  options.integrator = static_cast<Integrator>(std::find(integrator_names.begin(), integrator_names.end(), integrator) -
                                               integrator_names.begin());
  request.interval = std::abs(request.until - start.value_or(draft.state.time)) / 1000;
  if (const auto interval = node.find("interval")) request.interval = positive(*interval);
  return request;
}

// Files that the scene takes meshes from: what counts of them are the vertices of their hulls.
void hash_meshes(const SceneDraft& draft, std::string& hashed) {
  for (const ShapeDescription& shape : draft.description.shapes) {
    const MeshDescription& mesh = shape.mesh;
    if (mesh.file.empty() || !mesh.hull) continue;
    ByteWriter bytes;
    bytes.put(mesh.hull->vertices);
    hashed += bytes.bytes();
  }
}

}  // namespace

void read_scene_subject(const Node& root, Study& study, const AttachedTexts& attached, std::string& hashed) {
  const Node scene = root.require("scene");
  const std::string word(scene.text());
  const auto given = attached.find(word);
  const std::string path = given != attached.end() ? word : path_beside(word, study.path);
  std::string text;
  try {
    if (given != attached.end())
      text = given->second;
    else
      text = is_robot_file(path) ? scene_text(scene_of_robot(read_robot_file(path, {}), path))
                                 : read_text_file(path, TextLimits{}.max_bytes);
  } catch (const RuntimeFailure& failure) {
    scene.fail(failure.what(), "files are sought beside the study");
  }
  const Document document = Document::from_text(text, path);
  if (!is_scene(document))
    scene.fail(fmt::format("'{}' is no scene: the key `routh` is missing", printable(path, 200)),
               "a problem file is named by `problem`");
  // A scene that takes a robot from another file is made complete, so that the hash covers all of it.
  if (document.root().find("robot")) text = scene_text(without_robot(document));
  hashed += text;
  if (given == attached.end()) study.sources.push_back(path);
  SceneDraft draft = read_draft(document);
  hash_meshes(draft, hashed);
  study.warnings = draft.warnings;
  std::optional<Law> law;
  if (const auto node = root.find("law")) law = read_law(*node);
  const auto strike = root.find("strike"), run = root.find("run");
  if (strike && run) run->fail("`strike` and `run` exclude each other", "measure an impact, or a run");
  study.kind = run ? SubjectKind::run : SubjectKind::strike;
  if (run) {
    const RunRequest request = read_run(root, *run, draft, law);
    study.subject = run_subject(std::move(draft), request);
  } else {
    study.subject = strike_subject(std::move(draft), read_strike(strike ? &*strike : nullptr, law));
  }
}

}  // namespace routh::internal
