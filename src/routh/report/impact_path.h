// The way of the contact velocity through an impact, as a page draws it.
#pragma once

#include <vector>

#include "routh/impact/solve.h"
#include "routh/report/json_writer.h"
#include "routh/simulation/event.h"

namespace routh::internal {

// The path that a run recorded of a contact: from before the impact through the ends of its phases, with the points at
// which slip swerves. The laws that know no phases go from before to after in one step.
std::vector<PathPoint> recorded_path(const EventContact& contact);

// At most `most` points, the first and the last and each end of a stage among them.
std::vector<PathPoint> thinned(const std::vector<PathPoint>& points, std::size_t most);

// "velocity": [[n, t1, t2], …], "impulse": […]
void write_path_points(const std::vector<PathPoint>& points, JsonWriter& json);

}  // namespace routh::internal
