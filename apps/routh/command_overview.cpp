#include "command_overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace routh {

namespace {

struct Question {
  const char* text;
  std::vector<std::string_view> commands;
};

// A command that stands nowhere else is listed last.
const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      {"What does this impact do?", {"impact", "contacts", "project"}},
      {"Will these contacts hold?", {"diagnose", "hold", "map"}},
      {"How does this machine move?", {"simulate", "report", "export", "compare"}},
      {"How often, how much, with which numbers?",
       {"sweep", "gradient", "fit", "identify", "validate", "predict", "restitution", "referee"}},
      {"What is in this file?", {"show", "info", "check", "convert"}},
      {"Where do I begin?", {"examples", "play", "papers", "help", "completion"}},
  };
  return all;
}

std::string line(const CLI::App& command) {
  return fmt::format("  {:<12} {}\n", command.get_name(), command.get_description());
}

}  // namespace

std::string command_overview(const CLI::App& app) {
  std::vector<const CLI::App*> left = app.get_subcommands([](const CLI::App*) { return true; });
  std::string text = app.get_description() + "\n";
  for (const Question& question : questions()) {
    text += fmt::format("\n{}\n", question.text);
    for (const std::string_view name : question.commands) {
      const auto found =
          std::find_if(left.begin(), left.end(), [&](const CLI::App* command) { return command->get_name() == name; });
      if (found == left.end()) continue;
      text += line(**found);
      left.erase(found);
    }
  }
  if (!left.empty()) text += "\nOther commands\n";
  for (const CLI::App* command : left) text += line(*command);
  return text +
         "\n`routh help COMMAND` explains one. To begin with:\n"
         "  routh examples kane && routh impact kane.yaml\n";
}

}  // namespace routh
