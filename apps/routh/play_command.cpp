#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "commands.h"
#include "embedded.h"
#include "output.h"
#include "routh/base/error.h"
#include "routh/play/document.h"
#include "scene_source.h"

namespace routh {

namespace {

std::string page_named_like(const std::string& file) {
  return std::filesystem::path(file).filename().replace_extension(".play.html").string();
}

std::string engine_or_refusal() {
  std::string engine = embedded_engine();
  if (engine.empty())
    throw RuntimeFailure(
        "this program was built without the engine of pages that compute: install the package emscripten (0.8 GB) "
        "and build with -DROUTH_PLAY=ON (`./run --play` does both). `routh simulate FILE -o run.h5` and `routh report "
        "run.h5` show the motion without it");
  return engine;
}

DocumentHead head_of(const Scene& scene, const std::string& title) {
  return {scene.model.name.empty() ? title : scene.model.name, scene.warnings};
}

}  // namespace

PlayPages::PlayPages(const std::string& template_file)
    : engine_(engine_or_refusal()), template_({"-", template_file}) {}

std::string PlayPages::page(const Scene& scene, const std::string& title) const {
  return template_.with(play_document(head_of(scene, title), scene, engine_));
}

ExitCode run_play(const PlayOptions& options) {
  const bool json = options.format == OutputFormat::json;
  std::optional<PlayPages> pages;
  if (!json) pages.emplace(options.template_file);
  const std::string output = options.output.empty() ? page_named_like(options.file.path) : options.output;
  check_outputs({{"the file that is read", options.file.path}, {"the page of --page", options.template_file}},
                {{"the page", output}});
  OpenedFile file = open_file(options.file);
  require_scene(file, "put `routh: 1` at the top of a scene; an impact from a problem file: `routh impact --html`");
  const Scene scene = take_checked_scene(file, options.verbosity);
  const std::string title = std::filesystem::path(options.file.path).filename().string();
  if (json) {
    write_stdout(play_document(head_of(scene, title), scene, "") + "\n");
    return ExitCode::ok;
  }
  const std::string text = pages->page(scene, title);
  if (output == "-") {
    write_stdout(text);
    return ExitCode::ok;
  }
  write_file(output, text);
  if (options.verbosity == Verbosity::normal)
    write_stdout(fmt::format("{}: {:.1f} MB; open it in a browser\n", printable(output, 200),
                             static_cast<double>(text.size()) / 1'000'000));
  return ExitCode::ok;
}

}  // namespace routh
