// What Ctrl-C does: at once, or after what is under way has been written.
#pragma once

#include <atomic>
#include <string>

namespace routh {

// From now on an interrupt removes the unfinished file, if there is one, and ends the program with exit code 130. An
// interrupt that the parent process ignores stays ignored.
void watch_for_interrupt();

// From now on an interrupt raises the returned flag instead, and the program has a second to end by itself; then, or at
// the next interrupt, it is ended.
const std::atomic<bool>& defer_interrupt();

// Called by a program that has seen the flag and is ending: it may take longer than the second. The next interrupt
// still ends it at once.
void take_time_to_end();

// The file that an interrupt removes; empty: none. Paths longer than the system allows are not remembered.
void set_unfinished_file(const std::string& path);

}  // namespace routh
