#include "picture_output.h"

#include <CLI/CLI.hpp>

namespace routh {

void add_picture_options(CLI::App& command, PictureFiles& files, const std::string& description) {
  command.add_option("--svg", files.svg, description)->type_name("OUT.svg");
  command.add_option("--png", files.png, description)->type_name("OUT.png");
  command.add_option("--pdf", files.pdf, description)->type_name("OUT.pdf");
}

std::vector<NamedFile> PictureFiles::named() const {
  std::vector<NamedFile> all{{"--svg", svg}, {"--png", png}, {"--pdf", pdf}};
  std::erase_if(all, [](const NamedFile& file) { return file.path.empty(); });
  return all;
}

// A format that is added does not compile here until it is written.
std::vector<FileContent> encode(const PictureFiles& files, const Picture& picture) {
  const auto& [svg, png, pdf] = files;
  std::vector<FileContent> out;
  if (!svg.empty()) out.push_back({svg, to_svg(picture)});
  if (!png.empty()) out.push_back({png, to_png(picture)});
  if (!pdf.empty()) out.push_back({pdf, to_pdf(picture)});
  return out;
}

void write_pictures(const PictureFiles& files, const Picture& picture) {
  for (const FileContent& file : encode(files, picture)) write_file(file.path, file.content);
}

}  // namespace routh
