// Random runs for tests, without a simulator: every field filled, every list ragged.
#pragma once

#include <string>

#include "routh/record/run_file.h"
#include "support/random_problems.h"

namespace testing_support {

struct RunSize {
  int coordinates = 3, velocities = 2;
  int samples = 10, events = 6;
  int contacts = 4;  // different ones
};

routh::RunData random_run(Random& random, const RunSize& size);
RunSize random_size(Random& random);

// Empty where both agree in every bit of every field that a file keeps, else which field differs.
std::string first_unequal(const routh::RunData& a, const routh::RunData& b);

// A folder of its own for the test, removed with everything in it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  // Names of what lies in it, sorted.
  std::vector<std::string> content() const;

 private:
  std::string path_;
};

std::string file_bytes(const std::string& path);
void put_bytes(const std::string& path, const std::string& bytes);

}  // namespace testing_support
