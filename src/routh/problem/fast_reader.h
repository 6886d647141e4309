// The quick reader of problems written as one line of plain JSON.
//
// It either fills the same ProblemFile as the strict reader would, or declines; then the strict reader decides and
// explains. It declines whatever is unusual (escapes, `contacts`, restitution tables) as well as whatever is wrong.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "routh/problem/problem_file.h"

namespace routh::internal {

class FastReader {
 public:
  static constexpr std::size_t padding = 64;  // bytes that must be readable after the line

  FastReader();
  ~FastReader();
  FastReader(const FastReader&) = delete;
  FastReader& operator=(const FastReader&) = delete;

  // True when `file` holds the problem. `line` must be followed by `padding` readable bytes of any content.
  bool read(std::string_view line, ProblemFile& file);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace routh::internal
