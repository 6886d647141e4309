// A machine under the hand: it runs, its numbers are changed while it runs, and it is pulled and poked. What a page for
// a browser calls through play/interface.cpp; natively the same, to the bit.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "routh/play/start_json.h"
#include "routh/report/placed_machine.h"

namespace routh::internal {

// A point of a body and what pulls there.
struct Handle {
  int body = 0;
  Vector3 at;  // in the body's frame
};

class PlaySession {
 public:
  // `start`: the text of start_json. `clock` tells seconds, for budgets. Throws InputError.
  PlaySession(std::string start, std::function<double()> clock);

  const Model& model() const { return machine_->model; }
  const Simulator& simulator() const { return machine_->simulator; }

  // Back to the start as it was last set.
  void reset();
  // {"/description/gravity/1": −9.81, "/options/law": "poisson", "/state/v/0": 2, …}: numbers of the start by JSON
  // pointer. The motion goes on with them from where it is; with a new state it begins there. On InputError nothing has
  // changed.
  void set(const std::string& changes);
  // To the state that changes of `set` would begin at.
  const State& start_state() const { return start_state_; }

  enum class Stop { at_time, after_event };
  // Runs up to the time `until`, or to the end of the first step after `seconds` of computing; then the status is
  // `stopped`, and the next call goes on. May also stop after the first step with an event.
  SimulationStatus advance(double until, double seconds, Stop stop);

  // A hand holds the point and pulls it towards a place in the world, until it is released.
  void grab(const Handle& handle);
  void pull_to(const Vector3& place) { hand_place_ = place; }
  void release() { hand_.reset(); }
  // An impulse at a point, in the world [N s], given as a force over a short time.
  void poke(const Handle& handle, const Vector3& impulse);
  // Of all that moves [kg], and lengths and times of the machine, for whoever chooses an impulse.
  double mass() const { return mass_; }

  // Numbers that change with every frame; see frame_layout in play/README.md. Valid until the next call.
  std::span<const double> frame();
  // {"contacts": [names], "events": [as in viewer/FORMAT.md]}: those since the last call, the latest if there are many.
  std::string take_events();
  // [{"contact", "verdict", "tone", "sentences"}] of the closed contacts, each as if it were alone.
  std::string verdicts();

 private:
  struct Machine {
    Machine(const PlayStart& start, Model made, const State& state);
    Model model;
    PlacedMachine placed;
    Simulator simulator;
  };
  struct Poke {
    Handle handle;
    Vector3 force;
    double end = 0;
  };

  void put(const PlayStart& start, Model model, const State& state);
  long long row_of(const EventContact& contact);
  // The sum of what pulls and pokes at the present state; false: nothing does.
  bool find_force(Eigen::VectorXd& force);

  std::string text_;
  PlayStart start_;
  State start_state_;
  std::function<double()> clock_;
  std::unique_ptr<Machine> machine_;
  double mass_ = 1, length_ = 1, time_ = 1;

  std::optional<Handle> hand_;
  Vector3 hand_place_;
  double stiffness_ = 0, damping_ = 0, interval_ = 0;  // of the hand
  std::vector<Poke> pokes_;
  bool pushed_ = false;  // the simulator has a force set

  std::vector<Event> events_;  // since the last `take_events`
  long event_count_ = 0;
  std::vector<ContactId> rows_;
  std::vector<std::string> row_names_;
  std::vector<double> frame_;
};

}  // namespace routh::internal
