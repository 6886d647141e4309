#include "commands.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "embedded.h"
#include "output.h"
#include "papers/evaluator.h"
#include "papers/writer.h"
#include "picture_output.h"
#include "reports.h"
#include "routh/base/error.h"

namespace routh {

namespace {

std::vector<PaperFiles> embedded_papers() {
  std::vector<PaperFile> files;
  for (const EmbeddedFile& file : embedded_files()) files.push_back({file.path, std::string(file.text, file.size)});
  return papers_of(std::move(files));
}

// The papers asked for. Throws UsageError for a name that does not exist.
std::vector<PaperFiles> select(std::vector<PaperFiles> papers, const std::string& name) {
  if (name.empty()) return papers;
  std::vector<std::string> names;
  for (const PaperFiles& paper : papers) {
    if (paper.folder == name) return {paper};
    names.push_back(paper.folder);
  }
  throw UsageError(fmt::format("error: unknown paper '{}'{} (known: {})", printable(name), did_you_mean(name, names),
                               fmt::join(names, ", ")));
}

// table.md, and each figure as SVG, PNG and PDF.
void write_paper(const std::string& directory, const ComparedPaper& paper, const std::vector<PaperFigure>& figures) {
  const std::filesystem::path folder = std::filesystem::path(directory) / paper.name;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw RuntimeFailure(fmt::format("cannot create '{}': {}", printable(folder.string(), 200), error.message()));
  write_file((folder / "table.md").string(), to_markdown(paper));
  for (const PaperFigure& figure : figures) {
    const std::string path = (folder / figure.name).string();
    write_pictures({path + ".svg", path + ".png", path + ".pdf"}, figure.picture);
  }
}

}  // namespace

ExitCode run_papers(const PapersOptions& options, const Terminal& terminal) {
  std::optional<PageTemplate> page;
  if (options.page.wanted()) page.emplace(options.page);
  std::vector<PaperFiles> papers = options.data.empty() ? embedded_papers() : papers_in(options.data);
  std::vector<ComparedPaper> compared;
  std::vector<ShownPaper> shown;
  for (const PaperFiles& files : select(std::move(papers), options.name)) {
    const std::unique_ptr<PaperEvaluator> evaluator = make_evaluator(files);
    compared.push_back(compare_paper(files, *evaluator));
    if (options.output.empty() && !page) continue;
    const std::vector<PaperFigure> figures = evaluator->figures();
    if (!options.output.empty()) write_paper(options.output, compared.back(), figures);
    if (page) shown.push_back({files, compared.back(), figures});
  }
  if (page) write_page(options.page, *page, papers_document({.title = "The papers, recomputed"}, shown));
  std::string text;
  if (options.format == OutputFormat::json) {
    text = to_json(compared);
  } else {
    for (const ComparedPaper& paper : compared) text += (text.empty() ? "" : "\n") + render(terminal, paper);
  }
  write_stdout(text);
  int mismatches = 0;
  for (const ComparedPaper& paper : compared) mismatches += paper.count(Verdict::mismatch);
  if (mismatches == 0) return ExitCode::ok;
  if (options.verbosity == Verbosity::normal)
    write_message(
        fmt::format("error: {} of the printed values {} not reproduced", mismatches, mismatches == 1 ? "is" : "are"));
  return ExitCode::mismatch;
}

}  // namespace routh
