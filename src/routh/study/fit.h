// Friction and restitution from measured impacts, law by law, and which law fits best.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "routh/study/fit_data.h"
#include "routh/study/least_squares.h"

namespace routh::internal {

// What the energetic law may have beside friction and restitution (compliant/compliant_impact.h).
enum class Refinement {
  none,
  tangents,  // that yield: tangential_compliance η²
  slip,      // with which restitution falls: slip_loss
  both,
};
constexpr auto names_of(Refinement) {
  return name_table<Refinement>({{Refinement::none, "none"},
                                 {Refinement::tangents, "tangents"},
                                 {Refinement::slip, "slip"},
                                 {Refinement::both, "both"}});
}

struct FitOptions {
  std::vector<Law> laws{std::begin(all_laws), std::end(all_laws)};
  bool tangential = false;          // seek e_t too, under the unified law
  bool refined = false;             // seek η² and slip loss too, under the energetic law: one by one, and both
  double confidence = 0.95;         // of the intervals
  double largest_friction = 10;     // of the search; beyond it an interval is open
  double largest_compliance = 10;   // of η²; elastic half spaces have 1 to 1.5, a ball that comes back 3.5
  std::function<void()> look = {};  // called before each evaluation of all rows; may throw to end the fit
};

// How well one law fits, and with which coefficients.
struct LawFit {
  Law law = Law::energetic;
  Refinement refinement = Refinement::none;
  LeastSquaresFit fit;             // parameters: friction (kinetic), restitution, and what else was sought
  std::vector<std::string> names;  // of them
  double rms = 0;                  // of the residuals, each divided by its deviation
  double information = 0;          // AICc: less is better
  double behind = 0;               // information above that of the best law
  std::size_t unanswered = 0;      // impacts for which the law has no answer at the estimate
  // Mean over the impacts of ‖residuals‖/‖change‖, and the same with each impact at the estimate from the other four
  // fifths; none with few impacts.
  double unexplained = 0;
  std::optional<double> held_out;
  std::vector<double> residuals;  // measured − model, divided by the deviation, in the order of the data
};

// `energetic`, `energetic+slip`.
std::string title(const LawFit& law);

struct FitReport {
  std::size_t impacts = 0, approaching = 0, measurements = 0;
  std::vector<LawFit> laws;     // the best first
  std::optional<double> least;  // what the best impulse of each impact leaves of its change; none where it fits all
  // What the numbers mean, in sentences: what the data cannot tell, which laws they cannot tell apart.
  std::vector<std::string> remarks;
};

// Throws InputError when there are too few measurements for the parameters.
FitReport fit_laws(const FitData& data, const FitOptions& options);

}  // namespace routh::internal
