// Any bytes as a COLLADA file: the reader refuses them with an InputError that has a line, or its triangles have finite
// corners that are there, and their hull, if they span a volume, is closed and holds every one.
#include "mesh_check.h"
#include "routh/robot/collada.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    mesh_check::check(routh::read_collada({reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const routh::InputError& error) {
    mesh_check::require(error.where().file == "fuzz" && !error.message().empty());
  }
  return 0;
}
