// A scene that does not move, as the document of a page.
#include <fmt/format.h>

#include <algorithm>

#include "routh/dynamics/dynamics.h"
#include "routh/report/run_document.h"

namespace routh::internal {

namespace {

std::string unit_of(const Model& model, const Contact& contact) {
  return contact.kind == ContactKind::limit && is_angular(model, contact.dof) ? "rad" : "m";
}

// What the run would hold that ends where it begins.
RunData run_of(const Scene& scene, const TouchReport& touches, const RunInfo& info) {
  RunData run;
  run.info = info;
  Sample sample;
  sample.state = scene.state;
  Workspace workspace(scene.model);
  const Energy energy = compute_energy(scene.model, scene.state, workspace);
  sample.energy.kinetic = energy.kinetic;
  sample.energy.potential = energy.potential;
  sample.energy.initial = energy.kinetic + energy.potential;
  const auto add = [&](const Contact& contact) {
    sample.active.push_back({contact, ContactMode::stick, {}, {}});
    run.contacts.push_back({contact.id, contact_name(scene.model, contact)});
  };
  for (const Touch& touch : touches.touches) add(touch.contact);
  for (const Contact& contact : touches.overlaps)
    if (std::none_of(sample.active.begin(), sample.active.end(),
                     [&](const ActiveContact& active) { return active.contact.id == contact.id; }))
      add(contact);
  std::sort(sample.active.begin(), sample.active.end(),
            [](const ActiveContact& a, const ActiveContact& b) { return a.contact.id < b.contact.id; });
  run.outcome.time = scene.state.time;
  run.outcome.state = scene.state;
  run.outcome.energy = sample.energy;
  run.samples.push_back(std::move(sample));
  return run;
}

}  // namespace

std::vector<std::string> touch_sentences(const Model& model, const TouchReport& touches) {
  std::vector<std::string> out;
  for (const Contact& contact : touches.overlaps)
    out.push_back(fmt::format("{}: {} by {:.3g} {}", contact_name(model, contact),
                              contact.kind == ContactKind::limit ? "beyond it" : "overlap", -contact.gap,
                              unit_of(model, contact)));
  for (const Touch& touch : touches.touches)
    out.push_back(fmt::format("{}: {}", contact_name(model, touch.contact), name(touch.kind)));
  if (out.empty())
    out.push_back(touches.nearest ? fmt::format("Nothing touches; nearest: {}, {:.3g} {} {}.",
                                                contact_name(model, *touches.nearest), touches.nearest->gap,
                                                unit_of(model, *touches.nearest),
                                                touches.nearest->kind == ContactKind::limit ? "from it" : "apart")
                                  : std::string("Nothing touches."));
  return out;
}

std::string still_document(const Scene& scene, const TouchReport& touches, const RunInfo& info) {
  std::string text = run_document(run_of(scene, touches, info));
  JsonWriter more;
  more.begin_object();
  more.texts("still", touch_sentences(scene.model, touches));
  std::vector<int> shapes;
  for (const Contact& contact : touches.overlaps)
    if (contact.kind == ContactKind::surfaces) shapes.insert(shapes.end(), {contact.shape_a, contact.shape_b});
  more.list("overlapping", shapes, [&](int shape) { more.number(shape); });
  // Before the brace that closes the document.
  text.pop_back();
  return text + "," + more.result().substr(1) + "}";
}

}  // namespace routh::internal
