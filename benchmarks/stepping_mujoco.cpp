#include "stepping.h"

#ifdef ROUTH_HAVE_MUJOCO
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "timing.h"

namespace bench {

namespace {

std::string body_text(const LimpRobot& robot, const LimpPart& part) {
  const Triple inertia = inertia_of(part);
  std::string text = fmt::format("<body name='{}' pos='{} {} {}'>", part.name, part.at.x, part.at.y, part.at.z);
  text += part.parent.empty() ? std::string("<freejoint/>")
                              : fmt::format("<joint type='hinge' axis='{} {} {}' limited='true' range='-{} {}'/>",
                                            part.axis.x, part.axis.y, part.axis.z, part.range, part.range);
  text += fmt::format("<inertial pos='0 0 {}' mass='{}' diaginertia='{:.17g} {:.17g} {:.17g}'/>", part.below, part.mass,
                      inertia.x, inertia.y, inertia.z);
  if (part.shape == LimpShape::sphere)
    text += fmt::format("<geom type='sphere' size='{}' pos='0 0 {}'/>", part.size.x, part.below);
  if (part.shape == LimpShape::capsule)
    text += fmt::format("<geom type='capsule' size='{} {}' pos='0 0 {}'/>", part.size.x, part.size.y, part.below);
  if (part.shape == LimpShape::box)
    text += fmt::format("<geom type='box' size='{} {} {}' pos='0 0 {}'/>", part.size.x, part.size.y, part.size.z,
                        part.below);
  for (const LimpPart& child : robot.parts)
    if (child.parent == part.name) text += body_text(robot, child);
  return text + "</body>";
}

struct Deleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

}  // namespace

LimpRun run_limp_mujoco(const LimpRobot& robot, double step, double duration) {
  const std::string text =
      fmt::format(
          "<mujoco><compiler angle='radian' inertiafromgeom='false'/><size njmax='2000' nconmax='500'/>"
          "<option timestep='{}' gravity='0 0 -9.81' cone='elliptic'/>"
          "<default><geom friction='{} 0 0' condim='3'/></default>"
          "<worldbody><geom type='plane' size='50 50 1'/>",
          step, limp_friction) +
      body_text(robot, robot.parts.front()) + "</worldbody></mujoco>";
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(text.size()) + 1);
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[1000] = "";
  const std::unique_ptr<mjModel, Deleter> model(mj_loadXML("robot.xml", files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(fmt::format("MuJoCo does not load the robot: {}", error));
  const std::unique_ptr<mjData, Deleter> data(mj_makeData(model.get()));
  data->qpos[2] = robot.height;
  const double half = 0.5 * 0.15, scale = std::sin(half) / std::sqrt(1.25);
  data->qpos[3] = std::cos(half), data->qpos[4] = scale, data->qpos[5] = 0.5 * scale, data->qpos[6] = 0;
  LimpRun run{true, 0, 0};
  const int steps = static_cast<int>(std::lround(duration / step));
  const double begin = cpu_seconds();
  for (int k = 0; k < steps; ++k) {
    mj_step(model.get(), data.get());
    run.contacts += static_cast<double>(data->ncon) / steps;
  }
  run.seconds = cpu_seconds() - begin;
  return run;
}

}  // namespace bench

#else

bench::LimpRun bench::run_limp_mujoco(const LimpRobot&, double, double) { return {}; }

#endif
