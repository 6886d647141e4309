// docs/study.schema.json says of studies what the reader says.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "routh/study/study.h"
#include "support/schema.h"

namespace routh {
namespace {

using testing_support::Schema;

std::string repository(const std::string& path) { return ROUTH_TEST_DATA "/../../" + path; }
std::string content(const std::string& path) { return read_text_file(path, 1 << 20); }

const Schema& schema() {
  static const Schema schema(repository("docs/study.schema.json"));
  return schema;
}

std::string complaint(const std::string& text) {
  const Document document = Document::from_text(text, "f");
  return schema().complaint(document.root());
}

// The message of the InputError that reading the study throws; empty when there is none. Files are sought in examples/.
std::string refusal(const std::string& text) {
  try {
    read_study_text(text, repository("examples/study.yaml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* problem =
    "problem: {delassus: [[1, 0], [0, 1]], contact_velocity: [-1, 0], friction: 0, restitution: 1}\n";
constexpr const char* scene = "scene: kane.yaml\n";
constexpr const char* vary = "vary: {restitution: {from: 0, to: 1}}\n";
constexpr const char* grid = "vary: {restitution: {from: 0, to: 1, count: 3}}\nsampling: {method: grid}\n";
constexpr const char* chance = "sampling: {method: random, samples: 3, seed: 1}\n";
constexpr const char* measure = "measure: {up: contact_velocity.n}\n";

std::string study(const std::string& parts) { return "study: 1\n" + parts; }
std::string with_sampling(const std::string& words) {
  return study(std::string(problem) + vary + "sampling: " + words + "\n" + measure);
}
std::string with_spread(const std::string& words) {
  return study(std::string(problem) + "vary: {restitution: " + words + "}\n" + chance + measure);
}
std::string with_level(const std::string& words) {
  return study(std::string(problem) + "vary: {restitution: " + words + "}\nsampling: {method: grid}\n" + measure);
}
std::string with_measure(const std::string& words) {
  return study(std::string(problem) + vary + chance + "measure: {" + words + "}\n");
}
std::string with_key(const std::string& words) {
  return study(std::string(problem) + vary + chance + measure + words + "\n");
}
std::string of_scene(const std::string& words) {
  return study(std::string(scene) + "vary: {'gravity[1]': {from: -10, to: -9}}\n" + chance + "measure: {x: 1}\n" +
               words + "\n");
}

TEST(StudySchema, AcceptsTheExamples) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(repository("examples/studies"))) {
    EXPECT_EQ(complaint(content(entry.path().string())), "") << entry.path();
    ++seen;
  }
  for (const auto& entry : std::filesystem::directory_iterator(repository("tests/data/fuzz/study_reader")))
    EXPECT_EQ(complaint(content(entry.path().string())), "") << entry.path();
  EXPECT_GE(seen, 2);
}

TEST(StudySchema, AcceptsWhatTheReaderAccepts) {
  for (const std::string& text :
       {with_sampling("{method: sobol, samples: 8}"),
        with_sampling("{method: sobol, samples: 8, seed: 0}"),
        with_sampling("{method: latin_hypercube, samples: 8, seed: 2}"),
        study(std::string(problem) + grid + measure),
        with_spread("[0, 0.5]"),
        with_spread("{values: [1]}"),
        with_spread("{mean: 0.5, std: 0.1}"),
        with_spread("{from: 1e-3, to: 1, scale: log}"),
        with_level("{mean: 0.5, std: 0.1, count: 4}"),
        with_level("{values: [0, 1]}"),
        with_level("[0, 1]"),
        with_measure("a: 1"),
        with_measure("a: true"),
        with_measure("a: {value: 1, reduce: mean}"),
        with_measure("a: {value: mode, reduce: [counts]}"),
        with_measure("a: {value: phases, reduce: [min, {quantiles: [0, 1]}, {histogram: {from: 0, to: 1, bins: 1}}]}"),
        with_measure("a: {value: phases, reduce: []}"),
        with_key("law: newton"),
        with_key("set: {friction: 1}"),
        with_key("set: {}"),
        with_key("table: true"),
        with_key("name: 3"),
        with_key("comment: x"),
        of_scene("strike: {}"),
        of_scene("strike: {moment: first_strike, within: 2, contact: tip on floor}"),
        of_scene("run: {}"),
        of_scene("run: {until: 1, tolerance: 1e-8, max_step: 1, max_events: 3, max_steps: 4, "
                 "interval: 0.1, integrator: radau}")}) {
    EXPECT_EQ(refusal(text), "") << text;
    EXPECT_EQ(complaint(text), "") << text;
  }
}

TEST(StudySchema, RefusesWhatTheReaderRefuses) {
  for (const std::string& text : {with_sampling("{method: grdi}"),
                                  with_sampling("{method: random, samples: 8}"),
                                  with_sampling("{method: random, seed: 8}"),
                                  with_sampling("{method: random, samples: 0, seed: 1}"),
                                  with_sampling("{method: random, samples: 8.5, seed: 1}"),
                                  with_sampling("{method: sobol, samples: 8, seed: -1}"),
                                  with_sampling("{method: sobol}"),
                                  with_sampling("{method: csv}"),
                                  with_sampling("{method: grid, samples: 8}"),
                                  with_sampling("{method: sobol, samples: 8, file: a.csv}"),
                                  with_sampling("{samples: 8, seed: 1}"),
                                  with_sampling("[]"),
                                  with_spread("1"),
                                  with_spread("[]"),
                                  with_spread("{values: []}"),
                                  with_spread("{from: 0}"),
                                  with_spread("{mean: 0}"),
                                  with_spread("{mean: 0, std: 0}"),
                                  with_spread("{mean: 0, std: 1, to: 1}"),
                                  with_spread("{from: 0, to: x}"),
                                  with_spread("{from: 1, to: 2, scale: lag}"),
                                  with_spread("{values: [1], count: 1}"),
                                  with_level("{from: 0, to: 1, count: 0}"),
                                  with_measure("a: []"),
                                  with_measure("a: {reduce: mean}"),
                                  with_measure("'a b': 1"),
                                  with_measure("'': 1"),
                                  with_measure("a: {value: 1, reduce: median}"),
                                  with_measure("a: {value: 1, reduce: quantiles}"),
                                  with_measure("a: {value: 1, reduce: {quantiles: []}}"),
                                  with_measure("a: {value: 1, reduce: {quantiles: [2]}}"),
                                  with_measure("a: {value: 1, reduce: {mean: 1}}"),
                                  with_measure("a: {value: 1, reduce: {}}"),
                                  with_measure("a: {value: 1, reduce: {histogram: {from: 0, to: 1}}}"),
                                  with_measure("a: {value: 1, reduce: {histogram: {from: 0, to: 1, bins: 0}}}"),
                                  with_measure(""),
                                  with_key("law: hooke"),
                                  with_key("table: 1"),
                                  with_key("set: {friction: x}"),
                                  with_key("set: 1"),
                                  with_key("name: []"),
                                  with_key("run: {}"),
                                  with_key("strike: {}"),
                                  with_key(scene),
                                  of_scene("run: {until: x}"),
                                  of_scene("run: {tolerance: 1}"),
                                  of_scene("run: {max_step: 0}"),
                                  of_scene("run: {max_events: 0}"),
                                  of_scene("run: {integrator: euler}"),
                                  of_scene("strike: {moment: now}"),
                                  of_scene("strike: {within: 0}"),
                                  study(std::string(vary) + chance + measure),
                                  study(std::string(problem) + vary + measure),
                                  study(std::string(problem) + vary + chance),
                                  "study: 2\n" + std::string(problem) + vary + chance + measure,
                                  std::string(problem) + vary + chance + measure}) {
    EXPECT_NE(refusal(text), "") << text;
    EXPECT_NE(complaint(text), "") << text;
  }
}

// The keys that the reader names when it meets one it does not know.
std::set<std::string> keys_of_refusal(const std::string& text) {
  const std::string message = refusal(text), mark = "allowed: ";
  EXPECT_NE(message.find("'zzzzzzzz' is not a key"), std::string::npos) << message;
  std::set<std::string> keys;
  const std::size_t begin = message.find(mark);
  if (begin == std::string::npos) return keys;
  std::istringstream words(message.substr(begin + mark.size()));
  std::string word;
  while (words >> word) keys.insert(word.substr(0, word.find(',')));
  return keys;
}

void add_keys(const Node& form, std::set<std::string>& keys) {
  if (const auto properties = form.find("properties"))
    for (const Node entry : *properties) keys.insert(std::string(entry.key()));
}

// Of the map at a path, or of all forms that stand there together.
std::set<std::string> keys_of(const std::string& path) {
  std::set<std::string> keys;
  const Node node = schema().at(path);
  if (!node.is_sequence()) add_keys(node, keys);
  if (node.is_sequence())
    for (const Node form : node) add_keys(form, keys);
  return keys;
}

TEST(StudySchema, HasTheKeysOfTheReader) {
  const std::string z = "zzzzzzzz: 1";
  EXPECT_EQ(keys_of("properties/study"), std::set<std::string>());
  std::set<std::string> top;
  for (const Node entry : schema().at("properties")) top.insert(std::string(entry.key()));
  EXPECT_EQ(top, keys_of_refusal(with_key(z)));
  EXPECT_EQ(keys_of("properties/strike"), keys_of_refusal(of_scene("strike: {" + z + "}")));
  EXPECT_EQ(keys_of("properties/run"), keys_of_refusal(of_scene("run: {" + z + "}")));
  EXPECT_EQ(keys_of("properties/sampling/oneOf"), keys_of_refusal(with_sampling("{" + z + "}")));
  EXPECT_EQ(keys_of("$defs/spread/anyOf/2"), keys_of_refusal(with_spread("{from: 0, to: 1, " + z + "}")));
  EXPECT_EQ(keys_of("$defs/spread/anyOf/3"), keys_of_refusal(with_spread("{mean: 0, std: 1, " + z + "}")));
  EXPECT_EQ(keys_of("$defs/spread/anyOf/4"), keys_of_refusal(with_spread("{values: [1], " + z + "}")));
  EXPECT_EQ(keys_of("$defs/measure/anyOf/1"), keys_of_refusal(with_measure("a: {value: 1, " + z + "}")));
  EXPECT_EQ(keys_of("$defs/reduction/anyOf/2/properties/histogram"),
            keys_of_refusal(with_measure("a: {value: 1, reduce: {histogram: {" + z + "}}}")));
  std::set<std::string> reductions = keys_of("$defs/reduction/anyOf");
  for (const Node word : schema().at("$defs/reduction/anyOf/0/enum")) reductions.insert(std::string(word.text()));
  EXPECT_EQ(reductions, keys_of_refusal(with_measure("a: {value: 1, reduce: {" + z + "}}")));
}

// The studies that the page of the format shows are studies.
TEST(StudySchema, ThePageShowsStudies) {
  const std::string page = content(repository("docs/study-file.md"));
  const std::string open = "```yaml\n", close = "\n```";
  int seen = 0;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at + 1)) {
    const std::size_t begin = at + open.size();
    std::string text = page.substr(begin, page.find(close, begin) + 1 - begin);
    if (text.find("measure:") == std::string::npos) text += std::string(chance) + "measure: {x: 1}\n";
    EXPECT_EQ(complaint(text), "") << text;
    EXPECT_EQ(refusal(text), "") << text;
    ++seen;
  }
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace routh
