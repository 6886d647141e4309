#include "simulation.h"

#ifdef ROUTH_HAVE_MUJOCO
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <stdexcept>

namespace bench {

namespace {

// Speed with which ẍ + 2ζẋ + x = 0, struck with speed 1, leaves when its force has come to zero.
double rebound(double zeta) {
  const double w = std::sqrt(1 - zeta * zeta);
  const auto x = [&](double t) { return std::exp(-zeta * t) * std::sin(w * t) / w; };
  const auto v = [&](double t) { return std::exp(-zeta * t) * (std::cos(w * t) - zeta / w * std::sin(w * t)); };
  double low = 1e-6, high = std::numbers::pi / w;
  for (int i = 0; i < 80; ++i) {
    const double t = 0.5 * (low + high);
    (x(t) + 2 * zeta * v(t) > 0 ? low : high) = t;
  }
  return -v(low);
}

double damping_ratio(double e) {
  double low = 1e-4, high = 0.9;
  for (int i = 0; i < 60; ++i) {
    const double zeta = 0.5 * (low + high);
    (rebound(zeta) > e ? low : high) = zeta;
  }
  return low;
}

std::string bodies(StrikeScene scene) {
  if (scene == StrikeScene::rod)
    return fmt::format(
        "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/><joint type='hinge' axis='0 -1 0'/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='0.01 {0:.17g} {0:.17g}'/>"
        "<geom type='sphere' size='{1}' pos='{2} 0 0'/><geom type='sphere' size='{1}' pos='-{2} 0 0'/></body>",
        rod_inertia, rod_radius, rod_half);
  const std::string inertia = fmt::format(
      "<joint type='hinge' axis='0 -1 0'/><inertial pos='0 0 {}' mass='1' diaginertia='{:.17g} {:.17g} 1e-4'/>",
      -link / 2, link_inertia, link_inertia);
  return fmt::format(
      "<body pos='0 0 {}'>{}<body pos='0 0 {}'>{}<geom type='sphere' size='{}' pos='0 0 {}'/></body></body>",
      pivot_height, inertia, -link, inertia, tip_radius, -link);
}

std::string mjcf(StrikeScene scene, double step) {
  const double zeta = damping_ratio(restitution);
  const double w = std::numbers::pi / (12 * step) / std::sqrt(1 - zeta * zeta);
  return fmt::format(
             "<mujoco><compiler angle='radian' inertiafromgeom='false'/><size njmax='100' nconmax='20'/>"
             "<option timestep='{:.17g}' gravity='0 0 -{}' cone='elliptic'/><default><geom friction='{} 0 0' "
             "condim='3' "
             "solref='{:.17g} {:.17g}' solimp='0.9999 0.9999 0.001'/></default>"
             "<worldbody><geom type='plane' size='50 50 1'/>",
             step, gravity, friction, -w * w, -2 * zeta * w) +
         bodies(scene) + "</worldbody></mujoco>";
}

struct Deleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

class MujocoSteps final : public SteppedEngine {
 public:
  MujocoSteps(StrikeScene scene, double step) {
    const std::string text = mjcf(scene, step);
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()) + 1);
    std::memcpy(files->filedata[0], text.data(), text.size());
    char error[1000] = "";
    model_.reset(mj_loadXML("scene.xml", files.get(), error, sizeof error));
    mj_deleteVFS(files.get());
    if (!model_) throw std::runtime_error(fmt::format("MuJoCo does not load the scene: {}", error));
    data_.reset(mj_makeData(model_.get()));
    const PlanarState start = start_of(scene);
    for (int i = 0; i < start.n; ++i) {
      data_->qpos[i] = start.q[static_cast<std::size_t>(i)];
      data_->qvel[i] = start.v[static_cast<std::size_t>(i)];
    }
  }

  void step() override { mj_step(model_.get(), data_.get()); }

  PlanarState state() const override {
    PlanarState state{model_->nq, {}, {}};
    for (int i = 0; i < state.n; ++i) {
      state.q[static_cast<std::size_t>(i)] = data_->qpos[i];
      state.v[static_cast<std::size_t>(i)] = data_->qvel[i];
    }
    return state;
  }

 private:
  std::unique_ptr<mjModel, Deleter> model_;
  std::unique_ptr<mjData, Deleter> data_;
};

}  // namespace

std::unique_ptr<SteppedEngine> make_mujoco_steps(StrikeScene scene, double step) {
  return std::make_unique<MujocoSteps>(scene, step);
}

}  // namespace bench

#else

std::unique_ptr<bench::SteppedEngine> bench::make_mujoco_steps(StrikeScene, double) { return nullptr; }

#endif
