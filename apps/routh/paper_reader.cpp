#include "paper_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numbers>
#include <string_view>

#include "embedded.h"
#include "routh/base/document.h"
#include "routh/impact/result.h"

namespace routh {

namespace {

constexpr std::string_view expected_file = "expected.yaml";
constexpr std::string_view machine_file = "pendulum.yaml";
constexpr std::size_t max_file_bytes = std::size_t{1} << 20;

void check_keys(const Node& node, std::initializer_list<std::string_view> keys) {
  node.expect_map();
  node.allow_keys(std::span<const std::string_view>(keys.begin(), keys.size()));
}

std::string optional_text(const Node& node, std::string_view key) {
  const std::optional<Node> found = node.find(key);
  return found ? std::string(found->text()) : std::string();
}

Law read_law(const Node& node) {
  std::array<std::string_view, law_count> names;
  for (int i = 0; i < law_count; ++i) names[static_cast<std::size_t>(i)] = name(all_laws[i]);
  return all_laws[node.choice(names)];
}

double positive(const Node& node) {
  const double value = node.number();
  if (value <= 0) node.fail(fmt::format("{} = {} must be positive", node.path(), value));
  return value;
}

std::array<double, 2> pair(const Node& node) {
  node.expect_sequence();
  if (node.size() != 2) node.fail(fmt::format("{} holds {} numbers, two are needed", node.path(), node.size()));
  return {node.child(0).number(), node.child(1).number()};
}

PrintedValue read_value(const Node& node) {
  check_keys(node, {"quantity", "printed", "unit", "computed", "misprint"});
  PrintedValue value;
  value.quantity = node.require("quantity").text();
  const Node printed = node.require("printed");
  // Unquoted, "0.4310" is the number 0.431 and its last digit is lost to other readers.
  if (!printed.quoted()) printed.fail("the printed value stands without quotes", "put it in quotes, digit for digit");
  value.printed = printed.text();
  value.where = printed.where();
  value.unit = optional_text(node, "unit");
  value.computed = optional_text(node, "computed");
  value.misprint = optional_text(node, "misprint");
  if (value.misprint.empty() != value.computed.empty())
    node.fail("a misprint needs both `misprint` (why) and `computed` (what follows instead)");
  return value;
}

PrintedGroup read_group(const Node& node) {
  check_keys(node, {"title", "law", "restitution", "numbers"});
  PrintedGroup group;
  group.title = node.require("title").text();
  if (const std::optional<Node> law = node.find("law")) group.law = read_law(*law);
  if (const std::optional<Node> restitution = node.find("restitution")) {
    group.restitution = restitution->number();
    if (*group.restitution < 0 || *group.restitution > 1) restitution->fail("restitution must lie in [0, 1]");
  }
  const Node numbers = node.require("numbers");
  numbers.expect_sequence();
  for (const Node& number : numbers) group.values.push_back(read_value(number));
  return group;
}

// Adds a file to the paper of its folder, which is the last one when files come sorted.
void collect(std::vector<PaperFiles>& papers, const std::string& path, std::string text) {
  const std::filesystem::path file(path);
  const std::string folder = file.parent_path().filename().string();
  if (papers.empty() || papers.back().folder != folder) papers.push_back({folder, {}, {}, {}, {}});
  PaperFiles& paper = papers.back();
  if (file.filename() == expected_file) {
    paper.expected_name = path;
    paper.expected = std::move(text);
  } else if (file.filename() == machine_file) {
    paper.machine_name = path;
    paper.machine = std::move(text);
  }
}

}  // namespace

std::vector<PaperFiles> embedded_papers() {
  std::vector<PaperFiles> papers;
  for (const EmbeddedFile& file : embedded_files()) collect(papers, file.path, std::string(file.text, file.size));
  return papers;
}

std::vector<PaperFiles> papers_in(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    for (const std::string_view file : {expected_file, machine_file})
      if (std::filesystem::is_regular_file(entry->path() / file)) paths.push_back((entry->path() / file).string());
  if (error) throw RuntimeFailure(fmt::format("cannot read '{}': {}", printable(directory, 200), error.message()));
  if (paths.empty())
    throw RuntimeFailure(fmt::format("no <paper>/{} in '{}'", expected_file, printable(directory, 200)));
  std::sort(paths.begin(), paths.end());
  std::vector<PaperFiles> papers;
  for (const std::string& path : paths) collect(papers, path, read_text_file(path, max_file_bytes));
  return papers;
}

Paper read_paper(const PaperFiles& files) {
  if (files.expected_name.empty()) throw InputError({files.folder}, fmt::format("the paper has no {}", expected_file));
  const Document document = Document::from_text(files.expected, files.expected_name);
  const Node root = document.root();
  check_keys(root, {"title", "groups"});
  Paper paper;
  paper.title = root.require("title").text();
  const Node groups = root.require("groups");
  groups.expect_sequence();
  for (const Node& group : groups) paper.groups.push_back(read_group(group));
  return paper;
}

DoublePendulum read_pendulum(const PaperFiles& files) {
  if (files.machine_name.empty()) throw InputError({files.folder}, fmt::format("the paper has no {}", machine_file));
  const Document document = Document::from_text(files.machine, files.machine_name);
  const Node root = document.root();
  check_keys(root, {"mass", "length", "angles", "angular_velocity", "friction"});
  DoublePendulum pendulum;
  pendulum.mass = positive(root.require("mass"));
  pendulum.length = positive(root.require("length"));
  pendulum.angle = pair(root.require("angles"));
  for (double& angle : pendulum.angle) angle *= std::numbers::pi / 180;
  pendulum.velocity = pair(root.require("angular_velocity"));
  const Node friction = root.require("friction");
  check_keys(friction, {"static", "kinetic"});
  pendulum.friction = {friction.require("static").number(), friction.require("kinetic").number()};
  return pendulum;
}

}  // namespace routh
