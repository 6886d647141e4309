// One event as a page reads it (viewer/FORMAT.md).
#pragma once

#include <functional>

#include "routh/report/json_writer.h"
#include "routh/report/placed_machine.h"
#include "routh/simulation/event.h"

namespace routh::internal {

// Whether the event is an impact of one contact, which has a path.
bool has_path(const Event& event);

// What depends on where the event is shown.
struct EventContext {
  std::function<long long(const EventContact&)> row;  // of `contacts` of the document
  std::function<const char*()> against_path;          // why the path is not shown; empty: it is
};

// Moves the machine to where the event was.
void write_event(const Event& event, long long sample, PlacedMachine& machine, const EventContext& context,
                 JsonWriter& json);

}  // namespace routh::internal
