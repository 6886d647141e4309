// Any bytes as a robot in MJCF: the reader refuses them with an InputError, or gives finite numbers of which a model is
// made or refused.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "routh/dynamics/dynamics.h"
#include "routh/model/model.h"
#include "routh/robot/mjcf.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check_robot(const routh::RobotFile& robot) {
  for (const routh::RobotStart& start : robot.start) {
    for (const double value : start.position) require(std::isfinite(value));
    for (const double value : start.velocity) require(std::isfinite(value));
  }
  const routh::Model model = routh::build_model(robot.description);
  if (model.velocities > 200) return;  // its mass matrix takes long, and shows nothing new
  routh::State state = routh::rest_state(model);
  for (const routh::RobotStart& start : robot.start) {
    const auto index = model.find_joint(start.joint);
    require(index.has_value());
    const routh::Joint& joint = model.joints[static_cast<std::size_t>(*index)];
    require(static_cast<int>(start.position.size()) == joint.q_count);
    require(start.velocity.empty() || static_cast<int>(start.velocity.size()) == joint.v_count);
    for (int i = 0; i < joint.q_count; ++i) state.q[joint.q + i] = start.position[static_cast<std::size_t>(i)];
  }
  routh::Workspace workspace(model);
  compute_mass_matrix(model, state.q, workspace);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  // No files of this machine.
  if (text.find("include") != std::string::npos || text.find("attach") != std::string::npos) return 0;
  try {
    check_robot(routh::read_mjcf(routh::parse_xml(text, "fuzz")));
  } catch (const routh::InputError& error) {
    require(error.where().file == "fuzz" && !error.message().empty());
  }
  return 0;
}
