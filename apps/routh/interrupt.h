// Ends that come from outside. What Ctrl-C, the end of a session and a request to end do: at once, or after what is
// under way has been written. And memory that ends where no exception can pass.
#pragma once

#include <atomic>
#include <csignal>
#include <string>

namespace routh {

// An interrupt is SIGINT, SIGTERM or SIGHUP. From now on it removes the unfinished file, if there is one, and ends the
// program with exit code 130. One that the parent process ignores stays ignored.
void watch_for_interrupt();

// From now on an interrupt raises the returned flag instead, and the program has a second to end by itself; then, or at
// the next interrupt, it is ended.
const std::atomic<bool>& defer_interrupt();

// Called by a program that has seen the flag and is ending: it may take longer than the second. The next interrupt
// still ends it at once.
void take_time_to_end();

// Interrupts wait while it lives: for what must not be done by half, as making a file and telling its name.
class HoldInterrupts {
 public:
  HoldInterrupts();
  ~HoldInterrupts();
  HoldInterrupts(const HoldInterrupts&) = delete;
  HoldInterrupts& operator=(const HoldInterrupts&) = delete;

 private:
  sigset_t before_;
};

// Where memory ends while objects are taken down, as nlohmann::json needs some for that, no handler gets the exception.
// From now on the program then removes the unfinished file, says so and ends with exit code 1.
void watch_for_lost_memory();

// The file that such an end removes; empty: none. Paths longer than the system allows are not remembered.
void set_unfinished_file(const std::string& path);

}  // namespace routh
