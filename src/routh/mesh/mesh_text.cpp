#include "routh/mesh/mesh_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "routh/base/error.h"

namespace routh::internal {

bool MeshText::next_line() {
  at_ = end_;
  if (at_ >= text_.size()) return false;
  line_ += 1 + joined_;
  joined_ = 0;
  end_ = text_.find('\n', at_);
  end_ = end_ == std::string_view::npos ? text_.size() : end_;
  rest_ = text_.substr(at_, end_ - at_);
  if (end_ < text_.size()) ++end_;
  return true;
}

std::string_view MeshText::word() {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; };
  for (;;) {
    std::size_t first = 0;
    while (first < rest_.size() && blank(rest_[first])) ++first;
    std::size_t last = first;
    while (last < rest_.size() && !blank(rest_[last])) ++last;
    const std::string_view found = rest_.substr(first, last - first);
    rest_ = rest_.substr(last);
    if (found != "\\" || !join()) return found;
  }
}

double MeshText::number(const char* what) {
  std::string_view token = word();
  if (token.empty()) fail(fmt::format("{} lacks a number", what), "write three coordinates");
  const std::string shown = printable(std::string(token));
  if (token.front() == '+') token.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range)
    fail(fmt::format("{} has {}, which no number of double precision is", what, shown), "mend the file");
  if (error != std::errc() || end != token.data() + token.size())
    fail(fmt::format("{} has '{}' where a number must be", what, shown), "mend the file");
  if (!std::isfinite(value))
    fail(fmt::format("{} has {}", what, shown), "coordinates must be finite; export the mesh again");
  return value + 0.0;
}

void MeshText::fail(const std::string& message, const std::string& remedy) const {
  throw InputError({file_, line_, 0}, message, remedy);
}

bool MeshText::join() {
  if (!rest_.empty() && rest_ != "\r") return false;
  const int before = line_, joined = joined_;
  if (!next_line()) return false;
  line_ = before, joined_ = joined + 1;
  return true;
}

}  // namespace routh::internal
