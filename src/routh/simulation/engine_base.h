// What the engines of a run have in common: the state and its listeners, the log of events, the accounts of energy, the
// times of samples and profiles. Private to the module.
#pragma once

#include <deque>

#include "routh/contact/contact.h"
#include "routh/dynamics/dynamics.h"
#include "routh/simulation/accounts.h"
#include "routh/simulation/blows.h"
#include "routh/simulation/fault_injection.h"
#include "routh/simulation/own_units.h"
#include "routh/simulation/simulator.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

class EngineBase {
 public:
  EngineBase(const Model& model, const EngineOptions& options);
  virtual ~EngineBase() = default;

  virtual SimulationStatus advance(double until) = 0;
  virtual std::vector<ActiveContact> active() const = 0;
  virtual Eigen::VectorXd acceleration() const = 0;
  // The same, kept for readers until they ask again. The run does not see it.
  const std::vector<ActiveContact>& shown_active() { return shown_active_ = active(); }
  const Eigen::VectorXd& shown_acceleration() { return shown_acceleration_ = acceleration(); }
  virtual void set_force(const Eigen::Ref<const Eigen::VectorXd>& value) = 0;
  virtual void add_user_event(UserEvent event) = 0;
  virtual void inject(FaultInjection faults) = 0;  // for tests alone

  virtual EnergyAccount energy() const;
  virtual std::string message() const;
  // Of the last step before the present time: where a run that goes on would have begun its next step.
  virtual Checkpoint last_boundary() const { return boundary_; }
  const Accounts& accounts() const { return accounts_; }
  virtual void sample_every(double interval, double origin, std::function<void(const Sample&)> call);
  // State, accounts, statistics and what is to come at which time are those of another engine of the same model.
  void adopt(const EngineBase& other);

  const Model& model;
  EngineOptions options;
  State state;
  SimulationStatus status = SimulationStatus::ready;
  SimulationStatistics statistics;
  std::vector<Event> events;
  std::function<void(const Event&)> on_event;
  std::function<void(const Sample&)> on_sample;
  std::function<bool()> interrupt;
  std::function<bool(const Event&)> absorb;  // sees every event first; one that it takes is not logged
  std::vector<UserEvent> user_events;

 protected:
  SimulationStatus fail(SimulationStatus value, std::string what);
  // What messages say of a time.
  double seconds(double time) const { return time * options.units.time; }
  // Books its ledger.
  void book(const Event& event);
  // Counts it, keeps it in the log and hands it over.
  void log(Event event);
  // An event without impulses at the present state: `user` and `profile`.
  Event plain_event(EventKind kind, const std::string& label) const;
  EnergyAccount account(const Energy& now, const Accounts& accounts) const;
  // Impulses from outside that are due by now act on the state, each with its event. What they change q̇ by together;
  // empty where none is due.
  Eigen::VectorXd strike_blows();
  double next_blow() const { return blows_.time(next_blow_); }
  // What touches at the start. False, with the status set, where numbers are not finite or shapes overlap.
  bool check_start(TouchReport& report);

  // What users see is that of another engine.
  void show(const EngineBase& other);

  double next_sample_time() const;
  bool sampling() const { return on_sample && sample_interval_ > 0; }
  void give_sample(const Sample& sample);

  Workspace workspace_;
  Eigen::VectorXd force_;  // the user's; empty: none
  Accounts accounts_;
  double gained_ = 0, initial_energy_ = 0;
  FaultInjection faults_;
  Checkpoint boundary_;                                        // of the last whole step
  std::vector<std::pair<double, std::string>> profile_times_;  // in order
  std::size_t next_profile_ = 0;
  Blows blows_;
  long next_blow_ = 0;
  double sample_interval_ = 0, sample_start_ = 0;
  long next_sample_ = 0;
  double last_sample_time_ = -tolerances::never;
  std::string trouble_;

 private:
  void collect_profile_times();

  struct Recent {
    double time = 0;
    EventKind kind = EventKind::impact;
    std::string contact;   // the first
    std::size_t more = 0;  // contacts
  };
  std::deque<Recent> last_events_;
  std::vector<ActiveContact> shown_active_;
  Eigen::VectorXd shown_acceleration_;
};

}  // namespace routh::internal
