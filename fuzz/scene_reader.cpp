// Any bytes as a scene: the reader refuses them with an InputError, or the machine it made has a finite state and a
// mass matrix that is positive definite there, and every contact a finite gap.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/scene/scene.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check_scene(const routh::Scene& scene) {
  const routh::Model& model = scene.model;
  require(scene.state.q.size() == model.coordinates && scene.state.v.size() == model.velocities);
  require(scene.state.q.allFinite() && scene.state.v.allFinite() && std::isfinite(scene.state.time));
  require(scene.touch.tolerance > 0);
  routh::Workspace workspace(model);
  routh::MassFactor factor(model);
  require(factor.factorise(scene.state.q, workspace) < 0 && factor.non_finite() < 0);
  const routh::TouchReport report = find_touches(model, scene.state, scene.touch, workspace);
  for (const routh::Touch& touch : report.touches)
    require(std::isfinite(touch.contact.gap) && std::isfinite(touch.normal_velocity));
  for (const routh::Contact& contact : report.overlaps) require(std::isfinite(contact.gap));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check_scene(routh::read_scene_text(std::string(reinterpret_cast<const char*>(data), size), "fuzz"));
  } catch (const routh::InputError& error) {
    require(error.where().file == "fuzz" && !error.message().empty());
  }
  return 0;
}
