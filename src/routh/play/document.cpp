#include "routh/play/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/model/scales.h"
#include "routh/play/start_json.h"
#include "routh/report/kinds.h"
#include "routh/report/machine.h"

namespace routh::internal {

namespace {

// A number under a slider: where it stands in the start, and how far the slider goes.
struct Slider {
  std::string label;
  std::string unit;
  std::vector<std::string> paths;  // JSON pointers; all get the same value
  double value = 0, low = 0, high = 1;
};

class Controls {
 public:
  Controls(const Scene& scene, const Scales& scales, JsonWriter& json)
      : scene_(scene), description_(scene.draft.description), scales_(scales), json_(json) {}

  void write() {
    json_.begin_list("controls");
    group("Surfaces", [&] { surfaces(); });
    group("World", [&] { world(); });
    group("Drives", [&] { drives(); });
    group("Start", [&] { start(); });
    json_.end_list();
  }

 private:
  template <class F>
  void group(const char* title, const F& fill) {
    json_.begin_object();
    json_.text("title", title);
    json_.begin_list("sliders");
    fill();
    json_.end_list();
    json_.end_object();
  }

  // A value beyond the usual range widens it.
  void add(Slider slider) {
    if (!std::isfinite(slider.value)) return;
    if (slider.value > slider.high) slider.high = slider.value + std::abs(slider.value);
    if (slider.value < slider.low) slider.low = slider.value - std::abs(slider.value);
    json_.begin_object();
    json_.text("label", slider.label);
    json_.text("unit", slider.unit);
    json_.texts("paths", slider.paths);
    json_.number("value", slider.value);
    json_.number("low", slider.low);
    json_.number("high", slider.high);
    json_.end_object();
  }

  // Twice a number that is not zero, in a range that goes to both sides.
  static double reach(double value, double usual) { return std::max(2 * std::abs(value), usual); }

  void surface(const std::string& name, const std::string& path, const SurfaceProperties& properties) {
    const Friction& friction = properties.friction;
    const std::string at_rest = path + "/friction/static", in_slip = path + "/friction/kinetic";
    if (friction.static_coefficient == friction.kinetic_coefficient) {
      add({name + ": friction", "", {at_rest, in_slip}, friction.kinetic_coefficient, 0, 1.5});
    } else {
      // One range for both, to be compared by eye; what passes the other is refused when it is asked for.
      const double most = std::max(1.5, 2 * friction.static_coefficient);
      add({name + ": friction at rest", "", {at_rest}, friction.static_coefficient, 0, most});
      add({name + ": friction in slip", "", {in_slip}, friction.kinetic_coefficient, 0, most});
    }
    const Restitution& restitution = properties.restitution;
    if (restitution.kind == RestitutionKind::constant)
      add({name + ": restitution", "", {path + "/restitution/normal"}, restitution.normal, 0, 1});
    if (restitution.kind == RestitutionKind::linear)
      add({name + ": loss of restitution with speed",
           "s/m",
           {path + "/restitution/alpha"},
           restitution.alpha,
           0,
           reach(restitution.alpha, 0.1)});
  }

  void surfaces() {
    for (std::size_t i = 0; i < description_.surfaces.size(); ++i) {
      const SurfaceDescription& it = description_.surfaces[i];
      surface(it.name, fmt::format("/description/surfaces/{}/properties", i), it.properties);
    }
    for (std::size_t i = 0; i < description_.surface_pairs.size(); ++i) {
      const SurfacePairDescription& it = description_.surface_pairs[i];
      surface(it.first + " on " + it.second, fmt::format("/description/surface_pairs/{}/properties", i), it.properties);
    }
  }

  void world() {
    const double components[] = {description_.gravity.x, description_.gravity.y, description_.gravity.z};
    const std::size_t down = description_.dimension == Dimension::planar ? 1 : 2;
    for (std::size_t k = 0; k < 3; ++k) {
      if (components[k] == 0 && k != down) continue;
      const double most = reach(components[k], 20);
      add({fmt::format("gravity along {}", "xyz"[k]),
           "m/s²",
           {fmt::format("/description/gravity/{}", k)},
           components[k],
           -most,
           k == down ? std::max(0.0, components[k]) : most});
    }
    for (std::size_t i = 0; i < description_.forces.size(); ++i)
      constant(description_.forces[i].name + ": times its force", "", fmt::format("/description/forces/{}/scale", i),
               description_.forces[i].scale, 2);
    for (std::size_t i = 0; i < description_.shapes.size(); ++i)
      if (norm(description_.shapes[i].belt) > 0)
        constant(description_.shapes[i].name + ": times its speed", "",
                 fmt::format("/description/shapes/{}/belt_speed", i), description_.shapes[i].belt_speed, 2);
  }

  // A function of time that is none can be set; others stay.
  void constant(const std::string& label, const char* unit, const std::string& path, const Profile& profile,
                double usual) {
    if (profile.points.size() != 1) return;
    const double value = profile.points.front().value, most = reach(value, usual);
    add({label, unit, {path + "/points/0/value"}, value, -most, most});
  }

  void drives() {
    for (std::size_t i = 0; i < description_.joints.size(); ++i) {
      const JointDescription& joint = description_.joints[i];
      for (std::size_t j = 0; j < joint.dofs.size(); ++j) {
        const auto names = dof_names(joint.kind);
        const std::string name =
            joint.dofs.size() == 1 ? joint.name : fmt::format("{}.{}", joint.name, j < names.size() ? names[j] : "");
        const bool turns = j >= names.size() || names[j].starts_with("angle") || names[j].starts_with("w");
        drive(name, fmt::format("/description/joints/{}/dofs/{}", i, j), joint.dofs[j], turns);
      }
    }
  }

  void drive(const std::string& name, const std::string& path, const DofDescription& dof, bool turns) {
    const double length = turns ? 1 : scales_.length;
    if (dof.drive) {
      if (dof.drive->stiffness > 0)
        constant(name + ": target", turns ? "rad" : "m", path + "/drive/position", dof.drive->position,
                 (turns ? std::numbers::pi : 1) * length);
      else
        constant(name + ": target speed", turns ? "rad/s" : "m/s", path + "/drive/velocity", dof.drive->velocity,
                 10 * length / scales_.time);
    }
    if (dof.effort)
      constant(name + (turns ? ": torque" : ": force"), turns ? "N m" : "N", path + "/effort", *dof.effort,
               scales_.force() * length);
  }

  void start() {
    const Model& model = scene_.model;
    for (int k = 0; k < model.velocities; ++k) {
      const int coordinate = model.dofs[static_cast<std::size_t>(k)].coordinate;
      if (coordinate < 0) continue;
      const bool turns = is_angular(model, k);
      const double value = scene_.state.q[coordinate], most = turns ? std::numbers::pi : 3 * scales_.length;
      const DofDescription& dof = model.dofs[static_cast<std::size_t>(k)].properties;
      add({coordinate_name(model, coordinate),
           turns ? "rad" : "m",
           {fmt::format("/state/q/{}", coordinate)},
           value,
           std::max(dof.lower, value - most),
           std::min(dof.upper, value + most)});
    }
    for (int k = 0; k < model.velocities; ++k) {
      const bool turns = is_angular(model, k);
      const double value = scene_.state.v[k];
      const double most = reach(value, 5 * scales_.velocity(model, k));
      add({"speed of " + dof_name(model, k),
           turns ? "rad/s" : "m/s",
           {fmt::format("/state/v/{}", k)},
           value,
           -most,
           most});
    }
  }

  const Scene& scene_;
  const ModelDescription& description_;
  const Scales& scales_;
  JsonWriter& json_;
};

// What a run with these settings is like, as the page shows it: `choices` of one word each.
template <NamedEnum E>
void write_choice(const char* label, const char* path, const char* value, const char* none, JsonWriter& json) {
  json.begin_object();
  json.text("label", label);
  json.text("path", path);
  json.text_or_null("value", value);
  json.text_or_null("none", none);  // what null stands for, where it may be chosen
  json.begin_list("words");
  for (const std::string_view word : all_names<E>) json.text(word);
  json.end_list();
  json.end_object();
}

void write_statuses(JsonWriter& json) {
  json.objects("statuses", all_values<SimulationStatus>, [&](SimulationStatus status) {
    json.text("name", name(status));
    json.text("sentence", explain(status));
    json.flag("failed", failed(status));
  });
}

}  // namespace

std::string play_document(const DocumentHead& head, const Scene& scene, std::string_view engine) {
  SimulationOptions options = simulation_options(scene.simulation, scene.touch);
  if (options.engine == EngineKind::automatic && !options.resolution)
    options.resolution = usual_resolution(scene.model, options.tolerance);
  const Scales scales = compute_scales(scene.model);
  JsonWriter json;
  begin_document(head, "play", json);
  json.integer("schema", play_schema);
  write_run_kinds(json);
  write_machine(scene.model, json);
  write_statuses(json);
  json.begin_object("scales");
  json.number("length", scales.length);
  json.number("mass", scales.mass);
  json.number("time", scales.time);
  json.end_object();
  Controls(scene, scales, json).write();
  json.begin_list("choices");
  write_choice<Law>("Law of impact", "/options/law", options.law ? name(*options.law) : "", "as the surfaces say",
                    json);
  write_choice<EngineKind>("Engine", "/options/engine", name(options.engine), "", json);
  json.end_list();
  json.raw("start", start_json({scene.draft.description, scene.state, options}));
  if (!engine.empty()) json.text("engine", base64(engine));
  json.end_object();
  return json.result();
}

}  // namespace routh::internal
