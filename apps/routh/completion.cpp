#include "completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "map_request.h"

namespace routh {

namespace {

struct CompletedOption {
  std::string name;  // "--json"
  std::string description;
  std::string values;  // words to offer after it, blank-separated
  bool takes_value = false;
};

struct CompletedCommand {
  std::string name;
  std::string description;
  std::vector<CompletedOption> options;
  std::string words;  // what can stand as its argument, blank-separated; empty: a file
};

// The words that an option or a positional argument accepts: those of its check, or what its type name stands for.
std::string words_of(CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type == "QUANTITY") return fmt::format("{}", fmt::join(all_names<MapQuantity>, " "));
  if (type == "EXAMPLE") {
    std::vector<std::string> names;
    for (const ExampleScene& scene : embedded_examples()) names.push_back(scene.name);
    return fmt::format("{}", fmt::join(names, " "));
  }
  try {
    return option.get_validator()->get_name();
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

CompletedCommand describe(CLI::App& app) {
  CompletedCommand command{app.get_name(), app.get_description(), {}, {}};
  for (CLI::Option* option : app.get_options()) {
    if (option->get_positional())
      command.words += words_of(*option);
    else if (!option->get_lnames().empty())
      command.options.push_back({"--" + option->get_lnames().front(), option->get_description(), words_of(*option),
                                 option->get_type_size() > 0});
  }
  return command;
}

std::vector<CompletedCommand> describe_all(CLI::App& app) {
  std::vector<CompletedCommand> commands;
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) commands.push_back(describe(*command));
  return commands;
}

std::string option_names(const CompletedCommand& command) {
  std::string out;
  for (const CompletedOption& option : command.options) out += (out.empty() ? "" : " ") + option.name;
  return out;
}

std::string bash_script(const CompletedCommand& program, const std::vector<CompletedCommand>& commands) {
  std::string names;
  std::string cases;
  for (const CompletedCommand& command : commands) {
    names += command.name + " ";
    std::string values;
    for (const CompletedOption& option : command.options)
      if (!option.values.empty())
        values += fmt::format("      [[ $previous == {} ]] && words='{}'\n", option.name, option.values);
    cases += fmt::format("    {})\n      words='{} {}'\n{}      ;;\n", command.name, option_names(command),
                         command.words, values);
  }
  return fmt::format(
      "# bash completion for routh: source this file, or put it in\n"
      "# ~/.local/share/bash-completion/completions/routh\n"
      "_routh() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words=\n"
      "  COMPREPLY=()\n"
      "  if (( COMP_CWORD == 1 )); then\n"
      "    COMPREPLY=($(compgen -W '{}{}' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}}\n"
      "complete -o default -F _routh routh\n",
      names, option_names(program), cases);
}

// A text inside single quotes of zsh's _arguments, where brackets and colons have a meaning.
std::string zsh_quote(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':')
      out += fmt::format("\\{}", c);
    else
      out += c;
  }
  return out;
}

std::string zsh_script(const CompletedCommand&, const std::vector<CompletedCommand>& commands) {
  std::string names;
  std::string cases;
  for (const CompletedCommand& command : commands) {
    names += fmt::format("    '{}:{}'\n", command.name, zsh_quote(command.description));
    cases += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const CompletedOption& option : command.options) {
      const std::string action = option.values.empty() ? "_files" : "(" + option.values + ")";
      cases += fmt::format("        '{}[{}]{}' \\\n", option.name, zsh_quote(option.description),
                           option.takes_value ? ":value:" + action : std::string());
    }
    const std::string argument = command.words.empty() ? "_files" : "(" + command.words + ")";
    cases += fmt::format("        '*:argument:{}'\n      ;;\n", argument);
  }
  return fmt::format(
      "#compdef routh\n"
      "# zsh completion for routh: put this file as _routh in a folder of $fpath.\n"
      "_routh() {{\n"
      "  local -a commands\n"
      "  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n{}"
      "  esac\n"
      "}}\n"
      "compdef _routh routh\n",
      names, cases);
}

std::string fish_quote(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string fish_script(const CompletedCommand&, const std::vector<CompletedCommand>& commands) {
  std::string out =
      "# fish completion for routh: put this file in ~/.config/fish/completions/routh.fish\n"
      "complete -c routh -n __fish_use_subcommand -l help -d 'show help'\n"
      "complete -c routh -n __fish_use_subcommand -l version -d 'show the version'\n";
  for (const CompletedCommand& command : commands) {
    out += fmt::format("complete -c routh -f -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       fish_quote(command.description));
    const std::string where = fmt::format("complete -c routh -n '__fish_seen_subcommand_from {}'", command.name);
    for (const CompletedOption& option : command.options) {
      out += fmt::format("{} -l {} -d '{}'", where, option.name.substr(2), fish_quote(option.description));
      if (option.takes_value) out += option.values.empty() ? " -r" : fmt::format(" -x -a '{}'", option.values);
      out += "\n";
    }
    if (!command.words.empty()) out += fmt::format("{} -f -a '{}'\n", where, command.words);
  }
  return out;
}

}  // namespace

std::string completion_script(CLI::App& app, Shell shell) {
  const CompletedCommand program = describe(app);
  const std::vector<CompletedCommand> commands = describe_all(app);
  switch (shell) {
    case Shell::bash:
      return bash_script(program, commands);
    case Shell::zsh:
      return zsh_script(program, commands);
    case Shell::fish:
      return fish_script(program, commands);
  }
  return {};
}

}  // namespace routh
