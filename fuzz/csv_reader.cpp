// Any bytes as a table of measured impacts: the reader refuses them with an InputError, or its table is full of finite
// numbers with a place each.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "routh/base/error.h"
#include "routh/study/sample_list.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const routh::SampleList list = routh::parse_sample_list({reinterpret_cast<const char*>(data), size}, "fuzz");
    require(list.values.size() == list.rows() * list.columns.size() && list.lines.size() == list.rows());
    for (const double value : list.values) require(std::isfinite(value));
  } catch (const routh::InputError& error) {
    require(error.where().file == "fuzz" && !error.message().empty());
  }
  return 0;
}
