// Any bytes as (up to eight) lines of a stream: the quick reader and the strict reader give the same object for every
// line.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "routh/problem/stream.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static routh::LineSolver solver(std::nullopt);
  std::string text(reinterpret_cast<const char*>(data), size);
  text.append(routh::FastReader::padding, ' ');
  std::string quick, strict;
  std::size_t begin = 0;
  for (long long number = 1; number <= 8 && begin < size; ++number) {
    const std::size_t end = std::min(text.find('\n', begin), size);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    // The march of dozens of contacts takes longer than an input may.
    constexpr std::size_t longest_march = 500;
    if (line.size() > longest_march && line.find("together") != std::string_view::npos) continue;
    quick.clear();
    strict.clear();
    const routh::Outcome first = solver.solve(line, number, quick);
    const routh::Outcome second = solver.solve_strictly(line, number, strict);
    if (first != second || quick != strict || quick.find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
