#include "commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "embedded.h"
#include "output.h"
#include "routh/base/error.h"
#include "routh/contact/contact.h"
#include "routh/figure/svg.h"
#include "routh/problem/json_text.h"
#include "routh/scene/scene.h"
#include "table.h"

namespace routh {

namespace {

constexpr std::string_view folder = "examples/";
constexpr std::string_view extension = ".yaml";
constexpr std::size_t text_width = 79;

// The next line of the text, without its end, which is taken off the text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

ExampleScene read_example(std::string_view name, std::string_view text) {
  ExampleScene scene{std::string(name), {}, {}, std::string(text)};
  bool ended = true;  // the paragraph before
  while (text.starts_with('#')) {
    std::string_view line = take_line(text).substr(1);
    if (line.starts_with(' ')) line.remove_prefix(1);
    if (scene.title.empty()) {
      scene.title = line;
    } else if (line.empty()) {
      ended = true;
    } else if (ended) {
      scene.paragraphs.emplace_back(line);
      ended = false;
    } else {
      scene.paragraphs.back() += ' ';
      scene.paragraphs.back() += line;
    }
  }
  return scene;
}

// Throws UsageError for a name that does not exist.
ExampleScene select(const std::string& name) {
  const std::string wanted = name.ends_with(extension) ? name.substr(0, name.size() - extension.size()) : name;
  std::vector<std::string> names;
  for (ExampleScene& scene : embedded_examples()) {
    if (scene.name == wanted) return std::move(scene);
    names.push_back(scene.name);
  }
  throw UsageError(fmt::format("error: unknown example '{}'{}\n'routh examples' lists them.", printable(name),
                               did_you_mean(wanted, names)));
}

JsonText to_json(const ExampleScene& scene) {
  return JsonText::object({{"name", scene.name}, {"title", scene.title}, {"description", scene.paragraphs}});
}

void list_examples(const ExamplesOptions& options, const Terminal& terminal) {
  const std::vector<ExampleScene> scenes = embedded_examples();
  if (options.format == OutputFormat::json) {
    JsonText list = JsonText::list();
    for (const ExampleScene& scene : scenes) list.push_back(to_json(scene));
    write_stdout(JsonText::object({{"schema", 1}, {"examples", list}}).text() + "\n");
    return;
  }
  TextTable table({{17, Align::left}, {60, Align::left}});
  for (const ExampleScene& scene : scenes) table.add_row({{scene.name, Tone::strong}, {scene.title}});
  write_stdout(table.render(terminal) + "\n`routh examples NAME` copies a scene out and says more of it.\n");
}

// Where the scene goes. Throws RuntimeFailure for a file that exists and may not be replaced.
std::string target(const ExamplesOptions& options, const ExampleScene& scene) {
  std::filesystem::path path(options.output.empty() ? "." : options.output);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) path /= scene.name + std::string(extension);
  path = path.lexically_normal();
  if (options.overwrite == Overwrite::refuse && std::filesystem::is_regular_file(path, error))
    throw RuntimeFailure(
        fmt::format("'{}' exists: give --force to replace it, or another name with -o", printable(path.string(), 200)));
  return path.string();
}

// What there is to ask about the state that the scene begins with.
std::string question(const ExampleScene& example, const std::string& file) {
  const Scene scene = read_scene_text(example.text, example.name);
  Workspace workspace(scene.model);
  const TouchReport found = find_touches(scene.model, scene.state, scene.touch, workspace);
  if (found.touches.empty()) return "impact " + file + " --first-strike";
  const bool strikes = std::any_of(found.touches.begin(), found.touches.end(),
                                   [](const Touch& touch) { return touch.kind == TouchKind::approaching; });
  return (strikes ? "impact " : "diagnose ") + file;
}

std::string describe(const ExampleScene& scene, const std::string& path, const Terminal& terminal) {
  std::string text = paint(terminal, Tone::strong, encode(terminal, scene.title)) + "\n";
  for (const std::string& paragraph : scene.paragraphs) {
    text += "\n";
    for (const std::string& line : wrap(encode(terminal, paragraph), text_width)) text += line + "\n";
  }
  const std::string word = shell_word(path);
  return text + fmt::format("\nWritten to {}. Next:\n  routh {}\n  routh simulate {} --events --report {}.html\n",
                            printable(path, 200), question(scene, word), word, shell_word(scene.name));
}

constexpr const char* index_head =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Routh: machines to play with</title>\n<style>\n"
    "body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem; }\n"
    "main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }\n"
    "a { display: block; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px;\n"
    "  padding: 0.8rem 1rem; color: inherit; text-decoration: none; }\n"
    "a:hover, a:focus-visible { border-color: currentColor; }\nh1 { font-size: 1.4rem; }\n"
    "h2 { font-size: 1.05rem; margin: 0 0 0.3rem; }\np { margin: 0 0 0.5rem; }\na p { opacity: 0.8; font-size: "
    "0.92rem; }\n"
    "</style>\n<h1>Machines to play with</h1>\n"
    "<p>Each page computes its machine in your browser: drag a body, throw it, poke it, change friction, restitution, "
    "gravity and the start while it runs.</p>\n<main>\n";

// A page for each scene, and one that lists them.
void write_site(const ExamplesOptions& options) {
  const PlayPages pages({});
  const std::filesystem::path site(options.site);
  std::error_code error;
  std::filesystem::create_directories(site, error);
  if (!std::filesystem::is_directory(site, error))
    throw RuntimeFailure(fmt::format("the folder '{}' cannot be made", printable(options.site, 200)));
  if (options.overwrite == Overwrite::refuse && !std::filesystem::is_empty(site, error))
    throw RuntimeFailure(
        fmt::format("the folder '{}' is not empty: give --force to write into it", printable(options.site, 200)));
  std::string index = index_head;
  for (const ExampleScene& example : embedded_examples()) {
    const std::string name = example.name + ".html";
    const Scene scene = read_scene_text(example.text, example.name + std::string(extension));
    write_file((site / name).string(), pages.page(scene, example.title));
    index += fmt::format("<a href=\"{}\"><h2>{}</h2><p>{}</p></a>\n", escape_xml(name), escape_xml(example.title),
                         escape_xml(example.paragraphs.empty() ? "" : example.paragraphs.front()));
  }
  const std::string path = (site / "index.html").string();
  write_file(path, index + "</main>\n</html>\n");
  write_stdout(fmt::format("{}: open it in a browser\n", printable(path, 200)));
}

}  // namespace

std::vector<ExampleScene> embedded_examples() {
  std::vector<ExampleScene> scenes;
  for (const EmbeddedFile& file : embedded_files()) {
    std::string_view path = file.path;
    if (!path.starts_with(folder) || !path.ends_with(extension)) continue;
    path.remove_prefix(folder.size());
    path.remove_suffix(extension.size());
    scenes.push_back(read_example(path, {file.text, file.size}));
  }
  return scenes;
}

ExitCode run_examples(const ExamplesOptions& options, const Terminal& terminal) {
  if (!options.site.empty()) {
    if (!options.name.empty() || !options.output.empty())
      throw UsageError("error: --site writes all scenes: leave out NAME and --output");
    write_site(options);
    return ExitCode::ok;
  }
  if (options.name.empty()) {
    if (!options.output.empty()) throw UsageError("error: --output needs the NAME of a scene");
    list_examples(options, terminal);
    return ExitCode::ok;
  }
  const ExampleScene scene = select(options.name);
  if (options.output == "-") {
    write_stdout(scene.text);
    return ExitCode::ok;
  }
  const std::string path = target(options, scene);
  write_file(path, scene.text);
  if (options.format == OutputFormat::json) {
    JsonText json = to_json(scene);
    json.add("path", path);
    write_stdout(json.text() + "\n");
  } else {
    write_stdout(describe(scene, path, terminal));
  }
  return ExitCode::ok;
}

}  // namespace routh
