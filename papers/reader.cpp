#include "papers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace routh {

namespace {

constexpr std::string_view expected_file = "expected.yaml";
constexpr std::size_t max_file_bytes = std::size_t{1} << 20;

std::string optional_text(const Node& node, std::string_view key) {
  const std::optional<Node> found = node.find(key);
  return found ? std::string(found->text()) : std::string();
}

PrintedValue read_value(const Node& node) {
  node.allow_keys({"quantity", "printed", "formula", "unit", "computed", "misprint"});
  PrintedValue value;
  value.quantity = node.require("quantity").text();
  const std::optional<Node> formula = node.find("formula");
  if (formula && node.find("printed")) formula->fail("both `printed` and `formula` stand here", "keep one of them");
  const Node printed = formula ? *formula : node.require("printed");
  // Unquoted, "0.4310" is the number 0.431 and its last digit is lost to other readers.
  if (!printed.quoted()) printed.fail("the printed value stands without quotes", "put it in quotes, digit for digit");
  (formula ? value.formula : value.printed) = printed.text();
  value.where = printed.where();
  value.unit = optional_text(node, "unit");
  value.computed = optional_text(node, "computed");
  value.misprint = optional_text(node, "misprint");
  if (value.misprint.empty() != value.computed.empty())
    node.fail("a misprint needs both `misprint` (why) and `computed` (what follows instead)");
  return value;
}

PrintedGroup read_group(const Node& node) {
  node.allow_keys({"title", "law", "restitution", "friction", "numbers"});
  PrintedGroup group;
  group.title = node.require("title").text();
  if (const std::optional<Node> law = node.find("law")) group.law = law->choice<Law>();
  if (const std::optional<Node> restitution = node.find("restitution")) {
    group.restitution = restitution->number();
    if (*group.restitution < 0 || *group.restitution > 1) restitution->fail("restitution must lie in [0, 1]");
  }
  if (const std::optional<Node> friction = node.find("friction")) {
    group.friction = friction->number();
    if (*group.friction < 0) friction->fail("friction must not be negative");
  }
  const Node numbers = node.require("numbers");
  numbers.expect_sequence();
  for (const Node& number : numbers) group.values.push_back(read_value(number));
  return group;
}

// The data of one folder, or nothing when it is no paper's.
std::vector<std::string> data_files(const std::filesystem::path& folder, std::error_code& error) {
  std::vector<std::string> paths;
  if (!std::filesystem::is_regular_file(folder / expected_file)) return paths;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if ((entry->path().extension() == ".yaml" || entry->path().filename() == "README.md") && entry->is_regular_file())
      paths.push_back(entry->path().string());
  return paths;
}

}  // namespace

const PaperFile& PaperFiles::file(const std::string& name) const {
  const auto found = files.find(name);
  if (found == files.end()) throw InputError({folder}, fmt::format("the paper has no {}", name));
  return found->second;
}

std::vector<PaperFiles> papers_of(std::vector<PaperFile> files) {
  std::vector<PaperFiles> papers;
  for (PaperFile& file : files) {
    const std::filesystem::path path(file.path);
    const std::string folder = path.parent_path().filename().string();
    if (papers.empty() || papers.back().folder != folder) papers.push_back({folder, {}});
    papers.back().files[path.filename().string()] = std::move(file);
  }
  std::erase_if(papers, [](const PaperFiles& paper) { return !paper.files.contains(std::string(expected_file)); });
  return papers;
}

std::vector<PaperFiles> papers_in(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    for (std::string& path : data_files(entry->path(), error)) paths.push_back(std::move(path));
  if (error) throw RuntimeFailure(fmt::format("cannot read '{}': {}", printable(directory, 200), error.message()));
  if (paths.empty())
    throw RuntimeFailure(fmt::format("no <paper>/{} in '{}'", expected_file, printable(directory, 200)));
  std::sort(paths.begin(), paths.end());
  std::vector<PaperFile> files;
  for (const std::string& path : paths) files.push_back({path, read_text_file(path, max_file_bytes)});
  return papers_of(std::move(files));
}

Paper read_paper(const PaperFiles& files) {
  const PaperFile& expected = files.file(std::string(expected_file));
  const Document document = Document::from_text(expected.text, expected.path);
  const Node root = document.root();
  root.allow_keys({"title", "groups"});
  Paper paper;
  paper.title = root.require("title").text();
  const Node groups = root.require("groups");
  groups.expect_sequence();
  for (const Node& group : groups) paper.groups.push_back(read_group(group));
  return paper;
}

}  // namespace routh
