// Any bytes as a problem file: the reader refuses them with an InputError, or what it read can be solved and every
// number of the answer is finite.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "routh/problem/reader.h"
#include "routh/problem/writer.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

bool finite(const routh::ContactVector& v) { return std::isfinite(v.n) && std::isfinite(v.t1) && std::isfinite(v.t2); }

void check_result(const routh::LawAnswer& answer) {
  const routh::ImpactResult& result = answer.result;
  require(result.status != routh::ImpactStatus::invalid);
  require(finite(result.velocity) && finite(result.relative_velocity) && finite(result.impulse));
  require(std::isfinite(result.restitution));
  const routh::EnergyLedger& energy = result.energy;
  for (const double work : {energy.normal_work, energy.tangential_work, energy.supplied, energy.change})
    require(std::isfinite(work));
  for (const routh::Phase& phase : result)
    require(std::isfinite(phase.normal_impulse) && finite(phase.velocity) && std::isfinite(phase.direction_t1) &&
            std::isfinite(phase.direction_t2));
  require(answer.velocity.allFinite() && answer.loop_impulse.allFinite() && answer.multipliers.allFinite());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static routh::ProblemSolver solver;
  static routh::ProblemAnswer answer;
  try {
    const routh::ProblemFile file =
        routh::read_problem_text(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
    solver.solve(file, answer);
    require(answer.count == (file.law ? 1 : routh::law_count));
    for (const routh::LawAnswer& law : answer.answers()) check_result(law);
    const routh::ImpactBounds& b = answer.bounds;
    for (const double bound :
         {b.stick_friction, b.impact_friction, b.jamming_friction, b.restitution_bound, b.restitution_bound_any})
      require(!std::isnan(bound));
    std::string out;
    routh::append_answer(out, file, answer);
    require(out.starts_with("{\"schema\":1,") && out.ends_with("}"));
  } catch (const routh::InputError&) {
  }
  return 0;
}
