// The samples of a run as columns of numbers for a page.
#pragma once

#include <span>

#include "routh/report/json_writer.h"
#include "routh/report/machine.h"

namespace routh::internal {

// `samples`: times, poses, coordinates, velocities and energies of the samples with these numbers.
void write_samples(const RunData& run, std::span<const std::size_t> kept, RunMachine& machine, JsonWriter& json);

// `contacts` and `contact_samples`. The gap of a contact that is open is computed from the posture.
void write_contacts(const RunData& run, std::span<const std::size_t> kept, RunMachine& machine, JsonWriter& json);

}  // namespace routh::internal
