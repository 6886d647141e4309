// Every setting of runs, with its range and its default, against what repeats them: schemas, documents, Python.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>

#include "routh/scene/simulation_settings.h"
#include "source_text.h"
#include "support/schema.h"

namespace routh {
namespace {

using namespace testing_support;

std::string text_of(double value) { return fmt::format("{:g}", value); }
std::string text_of(WholeNumber auto value) { return fmt::format("{}", value); }
std::string text_of(NamedEnum auto value) { return name(value); }
template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : "";
}

// The default as documents say it; empty where a setting is left to the run.
template <class T, class Option>
std::string usual(const SimulationSetting<T, Option>& setting) {
  return setting.option ? text_of(SimulationOptions{}.*setting.option) : "";
}

double number_of(const Node& schema, const char* key, double otherwise) {
  const auto node = schema.find(key);
  return node ? node->number() : otherwise;
}

// Key and range of a setting in the properties of a schema.
template <class Setting>
void expect_property(const Schema& schema, const std::string& path, const Setting& setting) {
  const Node node = schema.at(path);
  const SettingRange& range = setting.range;
  EXPECT_EQ(number_of(node, "minimum", -unlimited), range.positive() ? -unlimited : range.low) << path;
  EXPECT_EQ(number_of(node, "exclusiveMinimum", -unlimited), range.positive() ? 0 : -unlimited) << path;
  EXPECT_EQ(number_of(node, "maximum", unlimited), range.high) << path;
}

Words keys_of(const Node& map) {
  Words keys;
  for (const Node entry : map) keys.emplace(entry.key());
  return keys;
}

TEST(Settings, OfTheSchemas) {
  const Schema scene(source("docs/scene.schema.json")), study(source("docs/study.schema.json"));
  const std::string of_scene = "properties/simulation/properties", of_study = "properties/run/properties";
  const Words scene_keys = keys_of(scene.at(of_scene)), study_keys = keys_of(study.at(of_study));
  Words in_scene, in_study;
  for_each_setting([&](const auto& setting) {
    const std::string key = setting.scene, study_key = setting.study;
    if (!key.empty()) in_scene.insert(key);
    if (!study_key.empty()) in_study.insert(study_key);
    if (scene_keys.contains(key)) {
      expect_property(scene, of_scene + "/" + key, setting);
      if (const std::string value = usual(setting); !value.empty()) {
        const auto description = scene.at(of_scene + "/" + key).find("description");
        EXPECT_TRUE(description && description->text().ends_with("default " + value)) << key << ": default " << value;
      }
    }
    if (study_keys.contains(study_key)) expect_property(study, of_study + "/" + study_key, setting);
  });
  EXPECT_EQ(scene_keys, in_scene);
  EXPECT_EQ(study_keys, in_study);
}

// The default is said between `before` and `after`, a name in quotes.
struct Form {
  std::string before, quote, after;
};

void expect_default(const std::string& file, const std::string& text, const Part& line, const std::string& value,
                    const Form& form) {
  const std::string said = part_of(text, line);
  EXPECT_NE(said, "") << file << " lacks '" << line.begin << "'";
  if (said.empty() || value.empty()) return;
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const std::string quote = is_digit(value[0]) ? "" : form.quote;
  const std::string expected = form.before + quote + value + quote + form.after;
  // 1 is not said by 10, 1.5 or 1e-3.
  std::size_t at = said.find(expected);
  const std::string next = at == said.npos ? "" : said.substr(at + expected.size(), 2) + "  ";
  if (at != said.npos && (is_digit(next[0]) || next[0] == 'e' || (next[0] == '.' && is_digit(next[1])))) at = said.npos;
  EXPECT_TRUE(at != said.npos) << file << " lacks '" << expected << "' in '" << line.begin << "'";
}

// The continuation of an entry of a docstring is far to the right.
std::string with_joined_lines(std::string text) {
  const std::string begin = "\n" + std::string(22, ' ');
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) text.replace(at, begin.size(), " ");
  return text;
}

TEST(Settings, OfTheDocuments) {
  const std::string scene = part_of(content("docs/scene-file.md"), {"\n## Simulation", "\n## "}),
                    flags = content("docs/simulate.md"),
                    run = part_of(content("docs/study-file.md"), {"`run` simulates", "}"});
  const Form form = {"default ", "`", ""};
  for_each_setting([&](const auto& setting) {
    const std::string value = usual(setting), key = setting.scene, flag = setting.flag, study = setting.study;
    if (!key.empty()) expect_default("docs/scene-file.md", scene, {"\n| `" + key + "` |", "\n"}, value, form);
    if (!flag.empty()) expect_default("docs/simulate.md", flags, {"\n| `" + flag + " ", "\n"}, value, form);
    EXPECT_TRUE(contains(run, study)) << "docs/study-file.md lacks " << study;
  });
}

TEST(Settings, OfPython) {
  const std::string file = "python/routh/_simulate.py", stub = content("python/routh/_core.pyi"),
                    text = with_joined_lines(content(file));
  for_each_setting([&](const auto& setting) {
    const std::string keyword = setting.keyword, argument = keyword + ": Optional[";
    if (keyword.empty()) return;
    EXPECT_TRUE(contains(text, argument)) << file << " lacks " << argument;
    if (keyword == "until") return;
    EXPECT_TRUE(contains(stub, argument)) << "python/routh/_core.pyi lacks " << argument;
    expect_default(file, text, {"\n    " + keyword + "  ", "\n"}, usual(setting), {"", "\"", " when left out"});
    if (keyword == "sample_interval") return;
    EXPECT_TRUE(contains(text, keyword + "=" + keyword)) << file << " does not pass " << keyword;
  });
}

}  // namespace
}  // namespace routh
