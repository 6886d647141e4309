// Files that one program at a time works on.
#pragma once

#include <string>

namespace routh::internal {

// Holds a lock by a file of this name, which is made, and goes when the lock does. The system lets go of the lock of a
// program that was killed; its file stays and hinders nobody. Internal to the module.
class FileLock {
 public:
  // Throws RuntimeFailure when another holds it, which `use` explains ("another program computes this study"), or when
  // the file cannot be made.
  FileLock(const std::string& path, const std::string& use);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace routh::internal
