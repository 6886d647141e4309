// Any bytes as a run file: the reader, seal or no seal, refuses them with an InputError, or what it read is as long as
// it says; and no checkpoint that passes the check is of another model.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "routh/base/error.h"
#include "routh/file/temporary_file.h"
#include "routh/record/check_checkpoint.h"
#include "routh/record/run_info.h"
#include "routh/scene/scene.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

// A ball above a floor; what it is does not matter, only that it is another model than most.
const routh::Scene& scene() {
  static const routh::Scene it = routh::read_scene_text(
      "routh: 1\ndimension: planar\nbodies: {b: {mass: 1, inertia: 1, joint: {kind: planar}, shapes: {s: {kind: "
      "sphere, "
      "radius: 1}}}}\nworld: {shapes: {f: {kind: half_space}}}\nsurfaces: {s: {friction: 0, restitution: 0}}\n",
      "scene");
  return it;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/routh_fuzz_" +
                                  std::to_string(static_cast<long>(getpid())) + ".h5";
  routh::write_whole_file(path, {reinterpret_cast<const char*>(data), size});
  try {
    const routh::RunData run = routh::read_unsealed_run(path);
    if (routh::checkpoint_fault(scene().model, run).empty())
      require(run.outcome.checkpoint.state.q.size() == scene().model.coordinates);
  } catch (const routh::InputError& error) {
    require(error.where().file == path && !error.message().empty());
  } catch (const routh::RuntimeFailure&) {
  }
  std::remove(path.c_str());
  return 0;
}
