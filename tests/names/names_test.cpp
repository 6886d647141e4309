// The tables of names and of settings, against every place that repeats them and cannot be made from them: schemas,
// stubs and docstrings of Python, the page, the C header, the documents. Whoever adds a law, an event or a setting
// learns here where else it must be said.
#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "routh/contact/touches.h"
#include "routh/map/map_quantity.h"
#include "routh/problem/contacts_answer.h"
#include "routh/record/event_fields.h"
#include "routh/record/run_warnings.h"
#include "routh/robot/robot.h"
#include "routh/scene/scene.h"
#include "routh/scene/simulation_settings.h"
#include "routh/solvability/hold_verdict.h"
#include "routh/study/sampler.h"
#include "routh/study/scene_subject.h"
#include "routh/study/study.h"
#include "support/schema.h"

namespace routh {
namespace {

using Words = std::set<std::string>;

std::string source(const std::string& path) { return ROUTH_TEST_DATA "/../../" + path; }
std::string content(const std::string& path) { return read_text_file(source(path), 1 << 22); }

template <NamedEnum E>
Words words() {
  return {all_names<E>.begin(), all_names<E>.end()};
}

Words without(Words all, const std::string& word) {
  all.erase(word);
  return all;
}

// What `"kind"` or `"method"` may be in the alternatives of a schema, or the schema's own words.
void collect(const Node& schema, std::string_view key, Words& found) {
  if (const auto word = schema.find("const")) found.emplace(word->text());
  if (const auto list = schema.find("enum"))
    for (const Node word : *list) found.emplace(word.text());
  for (const char* alternatives : {"oneOf", "anyOf"})
    if (const auto forms = schema.find(alternatives))
      for (const Node form : *forms)
        if (const auto properties = form.find("properties"))
          if (const auto node = properties->find(key)) collect(*node, key, found);
}

struct SchemaWords {
  const char* file;
  const char* path;
  Words expected;
  const char* key = "kind";
};

TEST(Names, OfTheSchemas) {
  const SchemaWords all[] = {
      {"docs/scene.schema.json", "$defs/law", words<Law>()},
      {"docs/scene.schema.json", "properties/simulation/properties/integrator", words<Integrator>()},
      {"docs/scene.schema.json", "properties/simulation/properties/engine", words<EngineKind>()},
      {"docs/scene.schema.json", "properties/dimension", words<Dimension>()},
      {"docs/scene.schema.json", "properties/robot/properties/base", words<RobotBase>()},
      {"docs/scene.schema.json", "$defs/force/properties/frame", words<ForceFrame>()},
      {"docs/scene.schema.json", "$defs/joint", words<JointKind>()},
      {"docs/scene.schema.json", "$defs/shape", words<ShapeKind>()},
      {"docs/scene.schema.json", "$defs/loop", words<LoopKind>()},
      {"docs/study.schema.json", "properties/law", words<Law>()},
      {"docs/study.schema.json", "properties/rule", words<SimultaneousRule>()},
      {"docs/study.schema.json", "$defs/spread/anyOf/2/properties/scale", words<SpreadScale>()},
      {"docs/study.schema.json", "properties/run/properties/integrator", words<Integrator>()},
      {"docs/study.schema.json", "properties/run/properties/engine", words<EngineKind>()},
      {"docs/study.schema.json", "properties/strike/properties/moment", words<StrikeMoment>()},
      {"docs/study.schema.json", "properties/sampling", words<SampleMethod>(), "method"},
  };
  for (const SchemaWords& each : all) {
    const testing_support::Schema schema(source(each.file));
    Words found;
    collect(schema.at(each.path), each.key, found);
    EXPECT_EQ(found, each.expected) << each.file << " " << each.path;
  }
}

// Words are listed, reductions with values are maps with one key.
TEST(Names, OfReductions) {
  const testing_support::Schema schema(source("docs/study.schema.json"));
  Words found;
  for (const Node form : schema.at("$defs/reduction/anyOf")) {
    if (const auto list = form.find("enum"))
      for (const Node word : *list) found.emplace(word.text());
    if (const auto properties = form.find("properties"))
      for (const Node entry : *properties) found.emplace(entry.key());
  }
  EXPECT_EQ(found, words<ReductionKind>());
  const std::string text = content("docs/study-file.md");
  for (const std::string& name : words<ReductionKind>())
    EXPECT_TRUE(text.find("`" + name + "`") != std::string::npos || text.find("`{" + name + ":") != std::string::npos)
        << "docs/study-file.md lacks " << name;
}

// Each form of restitution has its key, and the one of a spring two.
TEST(Names, OfRestitution) {
  const testing_support::Schema schema(source("docs/scene.schema.json"));
  Words found;
  for (const Node form : schema.at("$defs/restitution/oneOf"))
    if (const auto required = form.find("required"))
      for (const Node key : *required) found.emplace(key.text());
  Words expected = words<RestitutionKind>();
  expected.insert({"damping", "stiffness"});
  EXPECT_EQ(found, expected);
}

template <class Row>
void expect_fields(const std::string& text) {
  Row row{};
  for_each_field(row, [&](const FieldInfo& field, const auto&) {
    EXPECT_NE(text.find(std::string("`") + field.name + "`"), std::string::npos)
        << "docs/run-file.md lacks " << field.name;
  });
}

TEST(Names, OfTheFieldsOfEvents) {
  const std::string text = content("docs/run-file.md");
  expect_fields<Event>(text);
  expect_fields<EventContact>(text);
  expect_fields<Phase>(text);
  expect_fields<PathPoint>(text);
}

struct Mention {
  const char* file;
  Words names;
  const char *before, *after;  // a name stands between them
};

TEST(Names, OfTheDocuments) {
  const Mention all[] = {
      {"docs/impact.md", words<Law>(), "`", "`"},
      {"docs/problem-file.md", words<Law>(), "`", "`"},
      {"docs/impact.md", words<SimultaneousRule>(), "`", "`"},
      {"docs/problem-file.md", words<SimultaneousRule>(), "`", "`"},
      {"docs/study-file.md", words<SimultaneousRule>(), "`", "`"},
      {"python/src/impact.cpp", words<SimultaneousRule>(), "'", "'"},
      {"tests/data/fuzz/problem_reader.dict", words<SimultaneousRule>(), "\"", "\""},
      {"docs/study-file.md", words<Law>(), "`", ".…`"},
      {"docs/simulate.md", words<Integrator>(), "`", "`"},
      {"docs/simulate.md", words<EngineKind>(), "`", "`"},
      {"docs/scene-file.md", words<Integrator>(), "`", "`"},
      {"docs/scene-file.md", words<JointKind>(), "`", "`"},
      {"docs/scene-file.md", words<ShapeKind>(), "`", "`"},
      {"docs/scene-file.md", words<LoopKind>(), "`", "`"},
      {"docs/study-file.md", words<SampleMethod>(), "`", "`"},
      {"docs/study-file.md", without(words<Fault>(), "none"), "`", "`"},
      {"docs/map.md", words<MapQuantity>(), "`", "`"},
      {"docs/simulate.md", words<EventKind>(), "| `", "`"},
      {"docs/simulate.md", words<ImpactRule>(), "| `", "`"},
      {"docs/simulate.md", words<SimulationStatus>(), "`", "`"},
      // A problem that is invalid is refused: no result has this status.
      {"docs/problem-file.md", without(words<ImpactStatus>(), "invalid"), "`", "`"},
      {"docs/problem-file.md", words<ImpactMode>(), "`", "`"},
      {"docs/run-file.md", words<Warning>(), "| `", "`"},
      {"docs/diagnose.md", words<ContactVerdict>(), "| ", " |"},
      {"docs/diagnose.md", words<HoldVerdict>(), "| ", " |"},
      {"docs/contacts.md", words<ContactsStatus>(), "`", "`"},
      {"docs/contacts.md", words<ContactState>(), "`", "`"},
      {"python/routh/_contacts.py", words<ContactsStatus>(), "'", "'"},
      {"python/routh/_contacts.py", words<ContactState>(), "'", "'"},
      {"python/src/impact.cpp", words<Law>(), "'", "'"},
      {"python/src/simulation_parts.cpp", words<EventKind>(), "'", "'"},
      // A histogram is `counts` with `edges`.
      {"python/routh/_sweep.py", without(words<ReductionKind>(), "histogram"), "\"", "\""},
      {"python/routh/_map.py", words<MapQuantity>(), "'", "'"},
      {"python/routh/_core.pyi", words<JointKind>(), "    def ", "("},
      {"python/routh/_core.pyi", words<ShapeKind>(), "    def ", "("},
      // A coupling is begun by `couple`.
      {"python/routh/_core.pyi", without(words<LoopKind>(), "coupling"), "    def ", "("},
      // A strip is drawn as a box.
      {"viewer/FORMAT.md", without(words<ShapeKind>(), "strip"), "`", "`"},
      {"viewer/src/run/shapes.ts", without(words<ShapeKind>(), "strip"), "'", "'"},
      {"tests/data/fuzz/scene_reader.dict", words<Law>(), "\"", "\""},
      {"tests/data/fuzz/scene_reader.dict", words<JointKind>(), "\"", "\""},
      {"tests/data/fuzz/scene_reader.dict", words<ShapeKind>(), "\"", "\""},
      {"tests/data/fuzz/problem_reader.dict", words<Law>(), "\"", "\""},
      {"tests/data/fuzz/study_reader.dict", words<SampleMethod>(), "\"", "\""},
      {"tests/data/fuzz/study_reader.dict", words<ReductionKind>(), "\"", "\""},
  };
  for (const Mention& each : all) {
    const std::string text = content(each.file);
    for (const std::string& name : each.names)
      EXPECT_NE(text.find(each.before + name + each.after), std::string::npos)
          << each.file << " lacks " << each.before << name << each.after;
  }
}

template <NamedEnum E>
void expect_members(const std::string& stub, const std::string& type) {
  std::string expected = "class " + type + "(enum.IntEnum):\n";
  for (const E each : all_values<E>)
    expected += std::string("    ") + name(each) + " = " + std::to_string(static_cast<int>(each)) + "\n";
  EXPECT_NE(stub.find(expected + "\n"), std::string::npos) << expected;
}

TEST(Names, OfPythonsStubs) {
  const std::string stub = content("python/routh/_core.pyi");
  expect_members<ImpactMode>(stub, "Mode");
  expect_members<ImpactStatus>(stub, "Status");
}

constexpr auto every_value = [](auto) { return true; };

template <NamedEnum E, class Wanted = decltype(every_value)>
void expect_constants(const std::string& prefix, Wanted wanted = every_value) {
  const std::string header = content("src/routh/capi/routh_c.h");
  for (const E each : all_values<E>) {
    if (!wanted(each)) continue;
    std::string constant = prefix + name(each) + " = " + std::to_string(static_cast<int>(each));
    for (char& c : constant) c = static_cast<char>(std::toupper(c));
    EXPECT_NE(header.find("  " + constant), std::string::npos) << constant;
  }
}

TEST(Names, OfTheCHeader) {
  expect_constants<Law>("ROUTH_");
  expect_constants<ImpactStatus>("ROUTH_");
  expect_constants<ImpactMode>("ROUTH_MODE_");
  // Shortcuts are of several contacts and of runs, which C does not have.
  expect_constants<Warning>("ROUTH_WARN_", [](Warning warning) { return !is_shortcut(warning); });
}

TEST(Names, AreFoundAgainAndTellEnumsApart) {
  for (const Law law : all_values<Law>) EXPECT_EQ(value_named<Law>(name(law)), law);
  for (const Warning warning : all_values<Warning>) EXPECT_EQ(value_named<Warning>(name(warning)), warning);
  EXPECT_FALSE(value_named<Law>("hooke"));
  EXPECT_STREQ(name(static_cast<Law>(count_of<Law>)), "?");
  EXPECT_EQ(words<Warning>().size(), static_cast<std::size_t>(warning_count));
}

template <class T, class Option>
std::string usual(const SimulationSetting<T, Option>& setting) {
  if (!setting.option) return {};
  if constexpr (std::is_same_v<Option, double>) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", SimulationOptions{}.*setting.option);
    return text;
  } else if constexpr (NamedEnum<Option>) {
    return name(SimulationOptions{}.*setting.option);
  }
  return {};
}

double number_of(const Node& schema, const char* key, double otherwise) {
  const auto node = schema.find(key);
  return node ? node->number() : otherwise;
}

// Key and range of a setting in the properties of a schema.
template <class Setting>
void expect_property(const testing_support::Schema& schema, const std::string& path, const Setting& setting) {
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
  const testing_support::Schema scene(source("docs/scene.schema.json")), study(source("docs/study.schema.json"));
  const std::string of_scene = "properties/simulation/properties", of_study = "properties/run/properties";
  Words in_scene, in_study;
  for_each_setting([&](const auto& setting) {
    if (*setting.scene != 0) {
      in_scene.insert(setting.scene);
      expect_property(scene, of_scene + "/" + setting.scene, setting);
      if (const std::string value = usual(setting); !value.empty()) {
        EXPECT_TRUE(scene.at(of_scene + "/" + setting.scene + "/description").text().ends_with("default " + value))
            << setting.scene << ": default " << value;
      }
    }
    if (*setting.study != 0) {
      in_study.insert(setting.study);
      expect_property(study, of_study + "/" + setting.study, setting);
    }
  });
  EXPECT_EQ(keys_of(scene.at(of_scene)), in_scene);
  EXPECT_EQ(keys_of(study.at(of_study)), in_study);
}

TEST(Settings, OfTheDocumentsAndOfPython) {
  const std::string scene = content("docs/scene-file.md"), flags = content("docs/simulate.md"),
                    study = content("docs/study-file.md"), python = content("python/routh/_simulate.py"),
                    stub = content("python/routh/_core.pyi");
  const std::string run = study.substr(study.find("`run` simulates"), 300);
  for_each_setting([&](const auto& setting) {
    const auto expect = [](const std::string& text, const std::string& part, const char* file) {
      EXPECT_NE(text.find(part), std::string::npos) << file << " lacks " << part;
    };
    if (*setting.scene != 0) expect(scene, std::string("| `") + setting.scene + "` |", "docs/scene-file.md");
    if (*setting.study != 0) expect(run, setting.study, "docs/study-file.md");
    if (*setting.flag != 0) expect(flags, std::string("`") + setting.flag, "docs/simulate.md");
    if (*setting.keyword == 0) return;
    const std::string keyword = std::string(setting.keyword) + ": Optional[";
    expect(python, keyword, "python/routh/_simulate.py");
    if (keyword != "until: Optional[") expect(stub, keyword, "python/routh/_core.pyi");
    if (keyword != "until: Optional[" && keyword != "sample_interval: Optional[")
      expect(python, std::string(setting.keyword) + "=" + setting.keyword, "python/routh/_simulate.py");
  });
  char text[32];
  std::snprintf(text, sizeof text, "%g", SimulationOptions{}.tolerance);
  const std::string tolerance = text;
  EXPECT_NE(scene.find("default " + tolerance + " |"), std::string::npos) << tolerance;
  EXPECT_NE(flags.find("`--tolerance " + tolerance + "`"), std::string::npos) << tolerance;
  EXPECT_NE(python.find("; " + tolerance + " when left out"), std::string::npos) << tolerance;
}

}  // namespace
}  // namespace routh
