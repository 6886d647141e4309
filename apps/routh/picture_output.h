// The files that a picture of a command goes to.
#pragma once

#include <string>
#include <vector>

#include "output.h"
#include "routh/figure/picture.h"

namespace CLI {
class App;
}

namespace routh {

struct PictureFiles {
  std::string svg, png, pdf;  // empty: not wanted

  // Those that are wanted, by their options.
  std::vector<NamedFile> named() const;
  bool wanted() const { return !named().empty(); }
};

// Their options. The files must outlive the command line.
void add_picture_options(CLI::App& command, PictureFiles& files, const std::string& description);

struct FileContent {
  std::string path, content;
};
// The picture in each format that is wanted; nothing is written.
std::vector<FileContent> encode(const PictureFiles& files, const Picture& picture);
// All of them are made before the first is written.
void write_pictures(const PictureFiles& files, const Picture& picture);

}  // namespace routh
