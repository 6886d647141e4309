#include "show_command.h"

#include <fmt/format.h>

#include <filesystem>

#include "output.h"
#include "routh/contact/contact.h"
#include "routh/problem/json_text.h"
#include "routh/record/run_info.h"
#include "routh/report/run_document.h"
#include "routh/report/scene_picture.h"

namespace routh {

namespace {

// In the current folder: that of a robot's file may be read-only.
std::string usual_page(const std::string& file) {
  return std::filesystem::path(file).filename().replace_extension(".html").string();
}

JsonText contact_text(const Model& model, const Contact& contact, const std::string& kind) {
  return JsonText::object({{"name", contact_name(model, contact)}, {"kind", kind}, {"gap", contact.gap}});
}

std::string show_json(const Scene& scene, const TouchReport& touches, const std::vector<std::string>& files) {
  JsonText contacts = JsonText::list();
  for (const Contact& contact : touches.overlaps) contacts.push_back(contact_text(scene.model, contact, "overlapping"));
  for (const Touch& touch : touches.touches)
    contacts.push_back(contact_text(scene.model, touch.contact, name(touch.kind)));
  return JsonText::object({{"schema", 1}, {"name", scene.model.name}, {"contacts", contacts}, {"files", files}})
             .text() +
         "\n";
}

std::string show_text(const Terminal& terminal, const Scene& scene, const TouchReport& touches,
                      const std::vector<std::string>& files, const std::string& title) {
  constexpr std::size_t shown = 20;
  const std::vector<std::string> sentences = touch_sentences(scene.model, touches);
  std::string text = paint(terminal, Tone::strong, encode(terminal, title)) + "\n";
  for (std::size_t k = 0; k < std::min(shown, sentences.size()); ++k) text += encode(terminal, sentences[k]) + "\n";
  if (sentences.size() > shown) text += fmt::format("and {} more\n", sentences.size() - shown);
  for (const std::string& file : files) text += fmt::format("written: {}\n", printable(file, 200));
  return text;
}

}  // namespace

ExitCode run_show(const ShowOptions& options, const Terminal& terminal) {
  PageOptions page = options.page;
  if (!page.wanted() && !options.pictures.wanted()) page.html = usual_page(options.file.path);
  std::vector<NamedFile> outputs = options.pictures.named();
  outputs.push_back({page.html == options.page.html ? "--html" : "the page", page.html});
  check_outputs({{"the file that is read", options.file.path}, {"the page of --page", page.template_file}}, outputs);
  OpenedFile file = open_file(options.file);
  require_scene(file, "put `routh: 1` at the top of a scene; for a problem file use `routh impact --html`");
  RunInfo info;
  info.scene_path = options.file.path;
  if (page.wanted()) info.scene_text = scene_source(file);
  const Scene scene = take_scene(file, options.verbosity);
  describe_coordinates(scene.model, info);
  Workspace workspace(scene.model);
  const std::string title = title_of(scene.model.name, options.file.path);
  const SceneFigure figure{title, &scene, find_touches(scene.model, scene.state, scene.touch, workspace)};

  // Everything is made before anything is written.
  std::vector<FileContent> files = encode(options.pictures, scene_picture(figure));
  if (page.wanted()) files.push_back({page.html, PageTemplate(page).with(still_document(scene, figure.touches, info))});
  std::vector<std::string> paths;
  for (const FileContent& each : files) {
    write_file(each.path, each.content);
    paths.push_back(each.path);
  }
  if (page.show == ShowPage::in_browser) open_page(page.html);
  write_stdout(options.format == OutputFormat::json ? show_json(scene, figure.touches, paths)
                                                    : show_text(terminal, scene, figure.touches, paths, title));
  return ExitCode::ok;
}

}  // namespace routh
