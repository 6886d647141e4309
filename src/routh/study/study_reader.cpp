#include "routh/study/study_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "routh/file/sha256.h"
#include "routh/problem/reader.h"
#include "routh/problem/surface_reader.h"
#include "routh/scene/scene.h"
#include "routh/study/impact_subject.h"
#include "routh/text/document.h"
#include "routh/version.h"

namespace routh::internal {

namespace {

constexpr std::string_view keys[] = {"study", "name", "comment", "problem", "scene",    "strike",  "run",
                                     "law",   "rule", "set",     "vary",    "sampling", "measure", "table"};

std::string read_text_of(const Node& node, const std::string& path) {
  try {
    return read_text_file(path, TextLimits{}.max_bytes);
  } catch (const RuntimeFailure& failure) {
    node.fail(failure.what(), "files are sought beside the study");
  }
}

// A problem by its file, or written out in place.
void read_subject(const Node& root, Study& study, const AttachedTexts& attached, std::string& hashed) {
  if (root.find("scene")) {
    if (const auto problem = root.find("problem"))
      problem->fail("`problem` and `scene` exclude each other", "a study has one subject");
    return read_scene_subject(root, study, attached, hashed);
  }
  for (const char* key : {"strike", "run", "rule"})
    if (const auto node = root.find(key)) node->fail(fmt::format("`{}` belongs to a `scene`", key), "remove it");
  const auto given = root.find("problem");
  if (!given) root.fail("the subject is missing", "name a `problem` or a `scene`");
  const Node problem = *given;
  std::optional<Law> law;
  if (const auto node = root.find("law")) law = read_law(*node);
  ProblemFile file;
  if (problem.is_map()) {
    read_problem(problem, study.path, file);
  } else {
    const std::string path = path_beside(std::string(problem.text()), study.path);
    std::string text = read_text_of(problem, path);
    hashed += text;
    study.sources.push_back(path);
    const Document document = Document::from_text(std::move(text), path);
    if (is_scene(document))
      problem.fail(fmt::format("'{}' is a scene, not a problem", printable(path, 200)), "name it by `scene`");
    read_problem(document, file);
  }
  if (!file.contacts.empty())
    problem.fail("the problem has several contacts; a study varies the impact of one", "give one contact");
  study.kind = SubjectKind::impact;
  study.subject = impact_subject(std::move(file), law);
}

// A scene or a problem is taken for a study now and then.
void expect_study(const Node& root) {
  root.expect_map();
  if (root.find("study")) return;
  if (root.find("routh"))
    root.fail("this is a scene, not a study", "write a study that names it: `scene: FILE`; see docs/study-file.md");
  root.fail("this is not a study: the key `study` is missing", "put `study: 1` at the top; see docs/study-file.md");
}

std::vector<GivenValue> read_settings(const Node& root) {
  std::vector<GivenValue> values;
  const auto settings = root.find("set");
  if (!settings) return values;
  settings->expect_map();
  for (const Node entry : *settings)
    values.push_back({parse_path(entry.key(), entry.key_where()), entry.number(), entry.where()});
  return values;
}

// Entries of a contact vector have names too.
int entry_of(const PathPart& part) {
  static constexpr std::string_view names[] = {"n", "t1", "t2"};
  for (int k = 0; k < 3; ++k)
    if (part.is(names[k])) return k;
  return part.entry;
}

bool same_part(const PathPart& a, const PathPart& b) {
  return a.is(b.word) || (entry_of(a) >= 0 && entry_of(a) == entry_of(b));
}

// Whether one names the other or a part of it: `friction` and `friction.static`.
bool overlap(const StudyPath& a, const StudyPath& b) {
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    if (!same_part(a[k], b[k])) return false;
  return true;
}

// Between braces YAML takes the bracket of `velocity[0]` for a list.
bool has_bare_bracket(std::string_view text, int line) {
  for (int k = 1; k < line; ++k) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text = text.substr(0, text.find('\n'));
  for (std::size_t at = text.find('{'); at < text.size(); ++at) {
    if (text[at] == '\'' || text[at] == '"') at = std::min(text.find(text[at], at + 1), text.size() - 1);
    if (text[at] == '[' && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0) return true;
  }
  return false;
}

Document parse(const std::string& text, const std::string& path) {
  try {
    return Document::from_text(text, path);
  } catch (const InputError& error) {
    if (!has_bare_bracket(text, error.where().line)) throw;
    throw InputError(error.where(), error.message(),
                     "between braces names with brackets stand in quotes, as in {'velocity[0]': 1}");
  }
}

// What is set or varied is so once: of two the last would win without a word.
void refuse_contradictions(const Node& root) {
  std::vector<StudyPath> seen;
  for (const char* const section : {"set", "vary"}) {
    const auto node = root.find(section);
    if (!node) continue;
    node->expect_map();
    for (const Node entry : *node) {
      StudyPath path = parse_path(entry.key(), entry.key_where());
      for (const StudyPath& other : seen)
        if (overlap(path, other))
          entry.fail(fmt::format("'{}' is the same as '{}' in line {}, or a part of it", printable(path.text),
                                 printable(other.text), other.where.line),
                     "keep one of them");
      seen.push_back(std::move(path));
    }
  }
}

}  // namespace

Node require_section(const Node& root, std::string_view key, const std::string& example) {
  const auto node = root.find(key);
  if (!node) root.fail(fmt::format("the section `{}` is missing", key), fmt::format("such as `{}: {}`", key, example));
  return *node;
}

std::string path_beside(const std::string& path, const std::string& beside) {
  const std::filesystem::path wanted(path);
  return wanted.is_absolute() ? path : (std::filesystem::path(beside).parent_path() / wanted).string();
}

std::optional<HistogramPlan> StudyMeasure::bins() const {
  if (reduce.counts)
    return HistogramPlan{-0.5, static_cast<double>(words.size()) - 0.5, static_cast<int>(words.size())};
  return reduce.histogram;
}

Study read_study_text(std::string text, const std::string& path) { return read_study_text(std::move(text), path, {}); }

Study read_study_text(std::string text, const std::string& path, const AttachedTexts& attached) {
  const Document document = parse(text, path);
  const Node root = document.root();
  expect_study(root);
  root.allow_keys(keys);
  Study study;
  study.path = path;
  study.sources.push_back(path);
  if (const long long version = root.require("study").integer(1, 1000000); version != study_version)
    root.require("study").fail(fmt::format("study: version {} is not known", version),
                               fmt::format("this program reads version {}", study_version));
  if (const auto title = root.find("name")) study.title = title->text();
  if (const auto comment = root.find("comment")) comment->text();
  std::string hashed = fmt::format("{} {}\n{}", study_version, ROUTH_VERSION, text);
  read_subject(root, study, attached, hashed);
  const std::vector<GivenValue> settings = read_settings(root);
  refuse_contradictions(root);
  const std::vector<VaryingParameter> varying = read_sampling(root, study, attached, hashed);
  refuse_impossible(study, settings, varying);
  study.subject->set_parameters(settings);
  read_measures(root, study);
  if (const auto table = root.find("table")) study.table = table->boolean();
  study.hash = sha256_hex(hashed);
  study.text = std::move(text);
  return study;
}

Study read_study_file(const std::string& path) {
  return read_study_text(read_text_file(path, TextLimits{}.max_bytes), path);
}

}  // namespace routh::internal
