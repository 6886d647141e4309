// A scene as the subject: the keys `scene`, `strike` and `run` of a study file.
#include <fmt/format.h>

#include <cmath>

#include "routh/file/bytes.h"
#include "routh/problem/surface_reader.h"
#include "routh/scene/scene_text.h"
#include "routh/scene/simulation_settings.h"
#include "routh/study/scene_subject.h"
#include "routh/study/study_reader.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

double positive(const Node& node) {
  const double value = node.number();
  if (!(value > 0)) node.fail(fmt::format("{}: {} must be positive", node.path(), value));
  return value;
}

// {moment, within, contact}
StrikeRequest read_strike(const Node& root, const Node* node, std::optional<Law> law) {
  StrikeRequest request;
  request.law = law;
  if (const auto rule = root.find("rule")) {
    request.rule = rule->choice<SimultaneousRule>();
    if (law && !knows(*request.rule, *law))
      rule->fail(fmt::format("rule: '{}' does not know the law '{}'", name(*request.rule), name(*law)), known_laws());
  }
  if (!node) return request;
  node->allow_keys({"moment", "within", "contact"});
  if (const auto moment = node->find("moment")) request.moment = moment->choice<StrikeMoment>();
  if (const auto within = node->find("within")) request.within = positive(*within);
  if (const auto contact = node->find("contact")) request.contact = contact->text();
  return request;
}

// When runs begin: as `set` or the scene says; nothing where it varies.
std::optional<double> start_of(const Node& root, const Scene& scene) {
  constexpr const char* time = "state.time";
  if (const auto vary = root.find("vary"); vary && vary->is_map() && vary->find(time)) return std::nullopt;
  if (const auto set = root.find("set"); set && set->is_map())
    if (const auto node = set->find(time)) return node->number();
  return scene.state.time;
}

// The keys of the study, else the scene's own wishes.
RunRequest read_run(const Node& root, const Node& node, const Scene& scene, std::optional<Law> law) {
  SimulationSettings said = read_run_settings(node);
  said.law = law;
  const std::optional<double> interval = said.sample_interval;  // that of the scene is for samples on disk
  const SimulationSettings settings = overlay(said, scene.simulation);
  const std::optional<double> start = start_of(root, scene);
  const double begin = start.value_or(scene.state.time);
  RunRequest request;
  request.options = simulation_options(settings, scene.touch);
  request.until = settings.until.value_or(begin + usual_duration);
  if (start && !(request.until > *start))
    node.fail(fmt::format("until: the run would end at {} s and begin at {} s", request.until, *start),
              "give a later `until`");
  request.interval = interval.value_or(std::abs(request.until - begin) / 1000);
  return request;
}

// Files that the scene takes meshes from: what counts of them are the vertices of their hulls.
void hash_meshes(const ModelDescription& description, std::string& hashed) {
  for (const ShapeDescription& shape : description.shapes) {
    const MeshDescription& mesh = shape.mesh;
    if (mesh.file.empty() || !mesh.hull) continue;
    ByteWriter bytes;
    bytes.put(mesh.hull->vertices);
    hashed += bytes.bytes();
  }
}

// The scene in `text`, and what the hash of the study covers of it.
Scene read_subject(const Node& node, const std::string& text, const std::string& path, std::string& hashed) {
  const Document document = Document::from_text(text, path);
  if (!is_scene(document))
    node.fail(fmt::format("'{}' is not a scene: the key `routh` is missing", printable(path, 200)),
              "a problem file is named by `problem`");
  Scene scene = read_scene(document);
  // A scene that takes a robot from another file is made complete, so that the hash covers all of it.
  hashed += scene.draft.origin == SceneOrigin::scene ? text : scene_text(scene, {path, std::nullopt});
  return scene;
}

}  // namespace

void read_scene_subject(const Node& root, Study& study, const AttachedTexts& attached, std::string& hashed) {
  const Node node = root.require("scene");
  const std::string word(node.text());
  const auto given = attached.find(word);
  const std::string path = given != attached.end() ? word : path_beside(word, study.path);
  Scene scene;
  std::optional<std::string> text;
  try {
    if (given != attached.end())
      text = given->second;
    else if (is_robot_file(path))
      scene = scene_of_robot(read_robot_file(path));
    else
      text = read_text_file(path, TextLimits{}.max_bytes);
  } catch (const RuntimeFailure& failure) {
    node.fail(failure.what(), "files are sought beside the study");
  }
  if (text)
    scene = read_subject(node, *text, path, hashed);
  else
    hashed += scene_text(scene, {path, std::nullopt});
  if (given == attached.end()) study.sources.push_back(path);
  hash_meshes(scene.draft.description, hashed);
  study.warnings = scene.draft.warnings;
  std::optional<Law> law;
  if (const auto named = root.find("law")) law = read_law(*named);
  const auto strike = root.find("strike"), run = root.find("run");
  if (strike && run) run->fail("`strike` and `run` exclude each other", "measure an impact, or a run");
  study.kind = run ? SubjectKind::run : SubjectKind::strike;
  if (run) {
    if (const auto rule = root.find("rule"))
      rule->fail("rule: a run chooses its rule at every impact", "remove it, or measure a strike");
    const RunRequest request = read_run(root, *run, scene, law);
    study.subject = run_subject(std::move(scene), request);
  } else {
    study.subject = strike_subject(std::move(scene), read_strike(root, strike ? &*strike : nullptr, law));
  }
}

}  // namespace routh::internal
