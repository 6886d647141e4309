#include "interrupt.h"

#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "options.h"

namespace routh {

namespace {

// Only what a signal handler may touch: lock-free atomics and a plain buffer that the handler reads while the flag
// beside it is up.
std::atomic<bool> deferred{false};
std::atomic<bool> interrupted{false};
std::atomic<bool> has_unfinished{false};
char unfinished[PATH_MAX];
static_assert(std::atomic<bool>::is_always_lock_free);

constexpr int interrupts[] = {SIGINT, SIGTERM, SIGHUP};

[[noreturn]] void end_interrupted() {
  if (has_unfinished.load()) unlink(unfinished);
  _exit(static_cast<int>(ExitCode::interrupted));
}

extern "C" void handle_interrupt(int signal) {
  if (signal == SIGALRM || !deferred.load() || interrupted.exchange(true)) end_interrupted();
  alarm(1);
}

// Without memory: no streams, no strings.
[[noreturn]] void end_terminated() {
  try {
    if (const std::exception_ptr current = std::current_exception()) std::rethrow_exception(current);
  } catch (const std::bad_alloc&) {
    constexpr char message[] = "routh: error: out of memory\n";
    if (has_unfinished.load()) unlink(unfinished);
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    _exit(static_cast<int>(ExitCode::runtime_failure));
  } catch (...) {
  }
  std::abort();
}

}  // namespace

void watch_for_lost_memory() { std::set_terminate(end_terminated); }

void watch_for_interrupt() {
  // Without SA_RESTART: a read that waits for input returns.
  struct sigaction action {};
  action.sa_handler = handle_interrupt;
  sigemptyset(&action.sa_mask);
  for (const int signal : interrupts) {
    struct sigaction present {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  sigaction(SIGALRM, &action, nullptr);
}

HoldInterrupts::HoldInterrupts() {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : interrupts) sigaddset(&held, signal);
  sigaddset(&held, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

HoldInterrupts::~HoldInterrupts() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

const std::atomic<bool>& defer_interrupt() {
  deferred = true;
  return interrupted;
}

void take_time_to_end() { alarm(0); }

void set_unfinished_file(const std::string& path) {
  has_unfinished = false;
  if (path.empty() || path.size() >= sizeof unfinished) return;
  std::memcpy(unfinished, path.c_str(), path.size() + 1);
  has_unfinished = true;
}

}  // namespace routh
