// How far closed contacts are from what would end their mode, sample by sample.
//
//   slip   1 − ‖λ_t‖/(μ_s λ_n)    of a contact that sticks: share of friction left; 0: it begins to slip
//   loss   λ_n                    0: it lets go
//   jam    A/a = 1 − μ_k cᵀσ/a    of a contact that slips along σ; 1 − μ_k ‖c‖/a of one that sticks, whichever way it
//                                 would slip; ≤ 0: the normal impulse pulls the bodies together (Painlevé, wedging)
//
// D = [a cᵀ; c b] of the contact as if it were alone, loops closed; forces are those of the sample.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/contact/contact_problem.h"
#include "routh/simulation/simulator.h"

namespace routh::internal {

struct ContactMargin {
  double time = 0;             // [s]
  std::optional<double> slip;  // none where it slips, or where nothing presses
  double normal_force = 0;     // [N]
  double jam = 0;
};

struct ContactMargins {
  ContactId id;
  std::string name;
  std::vector<ContactMargin> samples;  // of the times at which it was closed
  // The least of each, and when; empty samples: nothing.
  struct Least {
    double value = 0, time = 0;
  };
  std::optional<Least> slip() const;
  Least normal_force() const;
  Least jam() const;
};

// Takes samples of a run as they come.
class MarginRecorder {
 public:
  explicit MarginRecorder(const Model& model);
  // Measures its contacts, into the sample and into `contacts`.
  void add(Sample& sample);
  // In the order in which they were first closed.
  const std::vector<ContactMargins>& contacts() const { return contacts_; }

 private:
  const Model& model_;
  ContactProblemBuilder builder_;
  Workspace workspace_;
  std::vector<ContactMargins> contacts_;
};

}  // namespace routh::internal
