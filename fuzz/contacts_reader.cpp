// Any bytes as a contact problem: the reader refuses them with an InputError, or what it read can be solved within few
// steps, and every number of the answer is finite.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "routh/problem/contacts_answer.h"
#include "routh/text/gunzip.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

constexpr int most_contacts = 8, most_steps = 20;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  try {
    constexpr std::size_t most_bytes = std::size_t{1} << 20;
    routh::ContactsFile file =
        routh::read_contacts_text(routh::is_gzip(text) ? routh::gunzip(text, "f", most_bytes) : std::move(text), "f");
    if (file.problem.contacts() > most_contacts || file.problem.bilateral_rows() > most_contacts) return 0;
    file.options.iterations = std::min(file.options.iterations, most_steps);
    file.options.other_starts = std::min(file.options.other_starts.value_or(1), 1);
    routh::FrictionContactSolver solver;
    const routh::ContactsAnswer answer = routh::internal::solve_contacts(file, solver);
    const routh::ContactsSolution& solution = answer.solution;
    require(solution.impulse.allFinite() && solution.velocity.allFinite() && std::isfinite(solution.residual));
    std::string out;
    routh::append_contacts(out, file, answer);
  } catch (const routh::InputError& error) {
    require(!error.message().empty());
  }
  return 0;
}
