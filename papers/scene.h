// A paper's machine as a scene, and its one contact in any posture.
#pragma once

#include <string>

#include "papers/reader.h"
#include "routh/contact/contact_problem.h"
#include "routh/figure/map_figure.h"
#include "routh/scene/diagnosis.h"
#include "routh/scene/map_source.h"
#include "routh/scene/scene.h"

namespace routh {

Scene read_paper_scene(const PaperFiles& files, const std::string& name);

// The contact that touches in the scene's state. Throws InputError when none does.
Contact first_contact(const Scene& scene, Workspace& workspace);
// What is said of it, without a search for other postures.
ContactDiagnosis diagnose_first(const Scene& scene);

// One contact of a scene in whatever state; the machine need not touch there.
class ContactProbe {
 public:
  explicit ContactProbe(const Scene& scene);

  AccelerationProblem at(const State& state);

 private:
  const Scene& scene_;
  Workspace workspace_;
  ContactId contact_;
  ContactProblemBuilder builder_;
};

// By its name on the command line.
MapVariable find_variable(const std::vector<MapVariable>& variables, const std::string& name);

// The grid of a map as the regions of a figure; the map must outlive it.
void set_regions(MapFigure& figure, const VerdictMap& map);

}  // namespace routh
