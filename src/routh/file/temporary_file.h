// Whole files or none: written beside their place under another name, then renamed.
#pragma once

#include <string>
#include <string_view>

namespace routh::internal {

// An empty file beside `target`, removed with this object unless it was moved there. Throws RuntimeFailure with the
// path and the reason: a folder that is missing or may not be written, a target that is no ordinary file. Where the
// target is a symbolic link, the file it leads to is replaced.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }  // open for reading and writing
  void write(std::string_view bytes);
  // Brings the bytes to the disk, takes the target's name and brings that to the disk.
  void move_to_target();

 private:
  std::string target_;
  std::string path_;
  int descriptor_ = -1;
};

// Devices and pipes are written directly.
void write_whole_file(const std::string& path, std::string_view bytes);
bool is_special_file(const std::string& path);

}  // namespace routh::internal
