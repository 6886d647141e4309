// The tables of names and of settings, against every place that repeats them and cannot be made from them: schemas,
// stubs and docstrings of Python, the page, the C header, the documents. Whoever adds a law, an event or a setting
// learns here where else it must be said.
#include <gtest/gtest.h>

#include <cctype>

#include "routh/impact/compliance.h"
#include "routh/map/map_quantity.h"
#include "routh/problem/contacts_answer.h"
#include "routh/record/event_fields.h"
#include "routh/record/run_warnings.h"
#include "routh/robot/robot.h"
#include "routh/scene/scene.h"
#include "routh/scene/simulation_settings.h"
#include "routh/solvability/contact_modes.h"
#include "routh/study/sampler.h"
#include "routh/study/scene_subject.h"
#include "routh/study/study.h"
#include "source_text.h"
#include "support/schema.h"

namespace routh {
namespace {

using namespace testing_support;

template <NamedEnum E>
Words words() {
  return {all_names<E>.begin(), all_names<E>.end()};
}

template <NamedEnum E>
Words words_but(const std::string& word) {
  Words all = words<E>();
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
    const Schema schema(source(each.file));
    Words found;
    collect(schema.at(each.path), each.key, found);
    EXPECT_EQ(found, each.expected) << each.file << " " << each.path;
  }
}

// Words are listed, reductions with values are maps with one key.
TEST(Names, OfReductions) {
  const Schema schema(source("docs/study.schema.json"));
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
    EXPECT_TRUE(contains(text, "`" + name + "`") || contains(text, "`{" + name + ":"))
        << "docs/study-file.md lacks " << name;
}

// Each form of restitution has its key, and the one of a spring two.
TEST(Names, OfRestitution) {
  const Schema schema(source("docs/scene.schema.json"));
  Words found;
  for (const Node form : schema.at("$defs/restitution/oneOf"))
    if (const auto required = form.find("required"))
      for (const Node key : *required) found.emplace(key.text());
  Words expected = words<RestitutionKind>();
  expected.insert({"damping", "stiffness"});
  expected.merge(words<ComplianceKind>());
  EXPECT_EQ(found, expected);
}

template <class Row>
void expect_fields(const std::string& text) {
  Row row{};
  for_each_field(row, [&](const FieldInfo& field, const auto&) {
    EXPECT_TRUE(contains(text, std::string("`") + field.name + "`")) << "docs/run-file.md lacks " << field.name;
  });
}

TEST(Names, OfTheFieldsOfEvents) {
  const std::string text = content("docs/run-file.md");
  expect_fields<Event>(text);
  expect_fields<EventContact>(text);
  expect_fields<Phase>(text);
  expect_fields<PathPoint>(text);
}

// A name stands between `before` and `after`, in the part of the file that is meant: elsewhere another thing may have
// the same name.
struct Mention {
  const char* file;
  Words names;
  const char *before, *after;
  Part part = {};
};

void expect_mentions(std::initializer_list<Mention> all) {
  for (const Mention& each : all) {
    const std::string text = part_of(content(each.file), each.part);
    EXPECT_NE(text, "") << each.file << " has no part '" << each.part.begin << "'";
    for (const std::string& name : each.names)
      EXPECT_TRUE(contains(text, each.before + name + each.after))
          << each.file << " lacks " << each.before << name << each.after << " in '" << each.part.begin << "'";
  }
}

Part section(const std::string& heading) { return {heading, "\n## "}; }
Part row(const std::string& key) { return {key, "\n"}; }

TEST(Names, OfTheDocuments) {
  expect_mentions({
      {"docs/impact.md", words<Law>(), "`", "`"},
      {"docs/problem-file.md", words<Law>(), "`", "`"},
      {"docs/study-file.md", words<Law>(), "`", ".…`"},
      {"docs/impact.md", words<SimultaneousRule>(), "`", "`"},
      {"docs/problem-file.md", words<SimultaneousRule>(), "`", "`"},
      {"docs/study-file.md", words<SimultaneousRule>(), "`", "`"},
      {"docs/problem-file.md", words<RestitutionKind>(), "{", "", row("| `restitution` |")},
      {"docs/problem-file.md", words<ComplianceKind>(), "{", "", row("| `restitution` |")},
      {"docs/restitution.md", words<ComplianceKind>(), "| `", "` |"},
      {"docs/simulate.md", words<Integrator>(), "`", "`", row("| `--integrator")},
      {"docs/simulate.md", words<EngineKind>(), "`", "`", row("| `--engine")},
      {"docs/scene-file.md", words<Integrator>(), "`", "`", row("| `integrator` |")},
      {"docs/scene-file.md", words<EngineKind>(), "`", "`", row("| `engine` |")},
      {"docs/scene-file.md", words<JointKind>(), "\n| `", "` |", section("## Joints")},
      {"docs/scene-file.md", words<ShapeKind>(), "`", "`", section("## Shapes")},
      {"docs/scene-file.md", words<LoopKind>(), "\n| `", "` |", section("## Loops")},
      {"docs/study-file.md", words<SampleMethod>(), "`", "`", section("## Sampling")},
      {"docs/study-file.md", words_but<Fault>("none"), "`", "`", section("## Failed samples")},
      {"docs/map.md", words<MapQuantity>(), "`", "`", section("## Quantities")},
      {"docs/map.md", words<ContactVerdict>(), "`", "`", row("| `verdict` |")},
      {"docs/simulate.md", words<EventKind>(), "\n| `", "`", {"| event |", "\n\n"}},
      {"docs/simulate.md", words<ImpactRule>(), "\n| `", "`", {"| rule |", "\n\n"}},
      {"docs/simulate.md", words<SimulationStatus>(), "`", "`", section("## How it can end")},
      // A problem that is invalid is refused: no result has this status.
      {"docs/problem-file.md", words_but<ImpactStatus>("invalid"), "`", "`", section("## The result")},
      {"docs/problem-file.md", words<ImpactMode>(), "`", "`", section("## The result")},
      {"docs/run-file.md", words<Warning>(), "| `", "`"},
      {"docs/diagnose.md", words<ContactVerdict>(), "\n| ", " |", section("## Verdicts")},
      {"docs/diagnose.md", words<HoldVerdict>(), "\n| ", " |", section("## Several contacts together")},
      {"docs/contacts.md", words<ContactsStatus>(), "`", "`"},
      {"docs/contacts.md", words<ContactState>(), "`", "`"},
      // A strip is drawn as a box.
      {"viewer/FORMAT.md", words_but<ShapeKind>("strip"), "`", "` {", row("| `shapes` |")},
  });
}

TEST(Names, OfPython) {
  const auto type = [](const char* head) { return Part{head, "\nclass "}; };
  expect_mentions({
      {"python/src/impact.cpp", words<Law>(), "'", "'", row("\nlaw  ")},
      {"python/src/impact.cpp", words<RestitutionKind>(), "{'", "'", row("\nrestitution  ")},
      {"python/src/impact.cpp", words<SimultaneousRule>(), "'", "'"},
      {"python/src/impact_arguments.cpp", words<RestitutionKind>(), "{'", "'"},
      {"python/routh/_compliance.py", words<ComplianceKind>(), "'", "'"},
      {"python/src/simulation_parts.cpp", words<EventKind>(), "'", "'"},
      {"python/routh/_contacts.py", words<ContactsStatus>(), "'", "'"},
      {"python/routh/_contacts.py", words<ContactState>(), "'", "'"},
      {"python/routh/_diagnosis.py", words<HoldVerdict>(), "'", "'", {"of all together:", "else of"}},
      {"python/routh/_diagnosis.py", words<ContactVerdict>(), "'", "'", {"else of the first contact:", "None when"}},
      {"python/routh/_map.py", words<MapQuantity>(), "'", "'"},
      // A histogram is `counts` with `edges`.
      {"python/routh/_sweep.py", words_but<ReductionKind>("histogram"), "\"", "\"", type("class Measure:")},
      {"python/routh/_core.pyi", words<JointKind>(), "    def ", "(", type("class BodyBuilder:")},
      {"python/routh/_core.pyi", words<ShapeKind>(), "    def ", "(", type("class ShapeBuilder:")},
      {"python/routh/_core.pyi", words_but<LoopKind>("coupling"), "    def ", "(", type("class LoopBuilder:")},
  });
}

// A coupling is begun by `couple`.
TEST(Names, OfTheBuilders) {
  const auto type = [](const char* head) { return Part{head, "\n};"}; };
  expect_mentions({
      {"src/routh/model/builder.h", words<JointKind>(), "JointWriter ", "(", type("class BodyWriter :")},
      {"src/routh/model/builder.h", words<ShapeKind>(), "ShapeWriter& ", "(", type("class ShapeWriter :")},
      {"src/routh/model/builder.h", words_but<LoopKind>("coupling"), "LoopWriter& ", "(", type("class LoopWriter :")},
      {"python/src/builder.cpp", words<JointKind>(), "\"", "\",", {"void bind_body(", "\n}"}},
      {"python/src/builder.cpp", words<ShapeKind>(), ".def(\"", "\"", {"void bind_shape(", "\n}"}},
      {"python/src/builder.cpp", words_but<LoopKind>("coupling"), ".def(\"", "\"", {"using L =", "using S ="}},
  });
}

TEST(Names, OfTheFuzzers) {
  expect_mentions({
      {"tests/data/fuzz/scene_reader.dict", words<Law>(), "\"", "\""},
      {"tests/data/fuzz/scene_reader.dict", words<JointKind>(), "\"", "\""},
      {"tests/data/fuzz/scene_reader.dict", words<ShapeKind>(), "\"", "\""},
      {"tests/data/fuzz/scene_reader.dict", words<RestitutionKind>(), "\"", ": \""},
      {"tests/data/fuzz/problem_reader.dict", words<Law>(), "\"", "\""},
      {"tests/data/fuzz/problem_reader.dict", words<RestitutionKind>(), "\"", "\""},
      {"tests/data/fuzz/problem_reader.dict", words<ComplianceKind>(), "\"", "\""},
      {"tests/data/fuzz/problem_reader.dict", words<SimultaneousRule>(), "\"", "\""},
      {"tests/data/fuzz/study_reader.dict", words<SampleMethod>(), "\"", "\""},
      {"tests/data/fuzz/study_reader.dict", words<ReductionKind>(), "\"", "\""},
  });
}

// What the page draws: its switches over this type are exhaustive. A strip is drawn as a box, a mesh in the plane as a
// polygon.
TEST(Names, OfThePagesShapes) {
  const std::string type = part_of(content("viewer/src/document.ts"), {"export type ShapeKind", ";"});
  Words found, expected = words_but<ShapeKind>("strip");
  expected.insert("polygon");
  for (std::size_t at = 0; (at = type.find('\'', at)) != std::string::npos;) {
    const std::size_t end = type.find('\'', at + 1);
    found.insert(type.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  EXPECT_EQ(found, expected);
  const std::string drawn = content("viewer/tests/shapes.mjs");
  expected.erase("half_space");  // the ground of all the documents
  for (const std::string& kind : expected)
    EXPECT_TRUE(contains(drawn, "\n  " + kind + ": {")) << "viewer/tests/shapes.mjs lacks " << kind;
}

template <NamedEnum E>
void expect_members(const std::string& stub, const std::string& type) {
  std::string expected = "class " + type + "(enum.IntEnum):\n";
  for (const E each : all_values<E>)
    expected += std::string("    ") + name(each) + " = " + std::to_string(static_cast<int>(each)) + "\n";
  EXPECT_TRUE(contains(stub, expected + "\n")) << expected;
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
    EXPECT_TRUE(contains(header, "  " + constant)) << constant;
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

}  // namespace
}  // namespace routh
