#include "picture_output.h"

namespace routh {

std::vector<NamedFile> PictureFiles::named() const {
  std::vector<NamedFile> all{{"--svg", svg}, {"--png", png}, {"--pdf", pdf}};
  std::erase_if(all, [](const NamedFile& file) { return file.path.empty(); });
  return all;
}

std::vector<FileContent> encode(const PictureFiles& files, const Picture& picture) {
  std::vector<FileContent> out;
  if (!files.svg.empty()) out.push_back({files.svg, to_svg(picture)});
  if (!files.png.empty()) out.push_back({files.png, to_png(picture)});
  if (!files.pdf.empty()) out.push_back({files.pdf, to_pdf(picture)});
  return out;
}

void write_pictures(const PictureFiles& files, const Picture& picture) {
  for (const FileContent& file : encode(files, picture)) write_file(file.path, file.content);
}

}  // namespace routh
