// The interface of the page to the engine: C functions over one session, numbers and JSON text in memory. See README.md.
// An exception never leaves: what failed becomes text in `play_error`.
#include <cstdlib>
#include <memory>
#include <string>

#include "routh/play/impact_question.h"
#include "routh/play/session.h"

#define PLAY_EXPORT(name) extern "C" __attribute__((export_name(#name)))

// Milliseconds of the page's clock; the loader gives it.
extern "C" __attribute__((import_module("env"), import_name("play_clock"))) double play_clock();

namespace {

using routh::Vector3;
using routh::internal::Handle;
using routh::internal::PlaySession;

std::unique_ptr<PlaySession> session;
std::string error, answer;

double seconds() { return 1e-3 * play_clock(); }

// Calls f on the session; false where there is none or f failed, with the reason in `error`.
template <class F>
bool with_session(const F& f) {
  error.clear();
  try {
    if (!session) throw std::logic_error("no machine was opened");
    f(*session);
    return true;
  } catch (const routh::InputError& fault) {
    error = fault.message();
    if (!fault.remedy().empty()) error += "; " + fault.remedy();
  } catch (const std::exception& fault) {
    error = fault.what();
  }
  return false;
}

template <class F>
const char* told(const F& f) {
  answer.clear();
  with_session([&](PlaySession& it) { answer = f(it); });
  return answer.c_str();
}

}  // namespace

// Memory for a text from the page; `play_give_back` frees it.
PLAY_EXPORT(play_take) void* play_take(std::size_t bytes) { return std::malloc(bytes); }
PLAY_EXPORT(play_give_back) void play_give_back(void* memory) { std::free(memory); }

PLAY_EXPORT(play_error) const char* play_error() { return error.c_str(); }

// One impact with other numbers, without a machine (play/impact_question.h): its answer, empty where it failed.
PLAY_EXPORT(play_impact) const char* play_impact(const char* question) {
  error.clear();
  answer.clear();
  try {
    answer = routh::internal::impact_answer(question);
  } catch (const routh::InputError& fault) {
    error = fault.message();
    if (!fault.remedy().empty()) error += "; " + fault.remedy();
  } catch (const std::exception& fault) {
    error = fault.what();
  }
  return answer.c_str();
}

PLAY_EXPORT(play_open) int play_open(const char* start) {
  error.clear();
  try {
    session = std::make_unique<PlaySession>(start, seconds);
    return 1;
  } catch (const routh::InputError& fault) {
    error = fault.message();
  } catch (const std::exception& fault) {
    error = fault.what();
  }
  return 0;
}

PLAY_EXPORT(play_reset) int play_reset() {
  return with_session([](PlaySession& it) { it.reset(); });
}
PLAY_EXPORT(play_set) int play_set(const char* changes) {
  return with_session([&](PlaySession& it) { it.set(changes); });
}

// Returns the status by its place in SimulationStatus, −1 where the call failed.
PLAY_EXPORT(play_advance) int play_advance(double until, double budget, int to_event) {
  int status = -1;
  with_session([&](PlaySession& it) {
    const auto stop = to_event ? PlaySession::Stop::after_event : PlaySession::Stop::at_time;
    status = static_cast<int>(routh::index_of(it.advance(until, budget, stop)));
  });
  return status;
}
PLAY_EXPORT(play_message) const char* play_message() {
  return told([](PlaySession& it) { return it.simulator().message(); });
}

PLAY_EXPORT(play_grab) int play_grab(int body, double x, double y, double z) {
  return with_session([&](PlaySession& it) { it.grab({body, {x, y, z}}); });
}
PLAY_EXPORT(play_pull) int play_pull(double x, double y, double z) {
  return with_session([&](PlaySession& it) { it.pull_to({x, y, z}); });
}
PLAY_EXPORT(play_release) int play_release() {
  return with_session([](PlaySession& it) { it.release(); });
}
PLAY_EXPORT(play_poke) int play_poke(int body, double x, double y, double z, double ix, double iy, double iz) {
  return with_session([&](PlaySession& it) { it.poke({body, {x, y, z}}, {ix, iy, iz}); });
}

PLAY_EXPORT(play_frame) const double* play_frame() {
  const double* numbers = nullptr;
  with_session([&](PlaySession& it) { numbers = it.frame().data(); });
  return numbers;
}
PLAY_EXPORT(play_events) const char* play_events() {
  return told([](PlaySession& it) { return it.take_events(); });
}
PLAY_EXPORT(play_verdicts) const char* play_verdicts() {
  return told([](PlaySession& it) { return it.verdicts(); });
}
