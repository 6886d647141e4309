// An engine as its user sees it: another one, which computes in the machine's own units, and what it shows converted.
// Private to the module.
#pragma once

#include "routh/simulation/engine_base.h"

namespace routh::internal {

class OwnUnitsEngine final : public EngineBase {
 public:
  OwnUnitsEngine(const Model& model, const State& start, const SimulationOptions& options);
  OwnUnitsEngine(const Model& model, const Checkpoint& from, const SimulationOptions& options);
  OwnUnitsEngine(const OwnUnitsEngine&) = delete;
  OwnUnitsEngine& operator=(const OwnUnitsEngine&) = delete;

  SimulationStatus advance(double until) override;
  std::vector<ActiveContact> active() const override;
  Eigen::VectorXd acceleration() const override;
  EnergyAccount energy() const override;
  std::string message() const override { return engine_->message(); }
  Checkpoint last_boundary() const override;
  void set_force(const Eigen::Ref<const Eigen::VectorXd>& value) override;
  void add_user_event(UserEvent event) override;
  void sample_every(double interval, double origin, std::function<void(const Sample&)> call) override;
  void inject(FaultInjection faults) override;

 private:
  using Way = OwnUnits::Way;
  OwnUnitsEngine(const Model& model, const SimulationOptions& options, const Units& units);
  template <class From>
  void make_engine(From from);
  void show();
  void hand_on(Event event);

  const Model own_model_;
  const OwnUnits units_;
  std::unique_ptr<EngineBase> engine_;
};

}  // namespace routh::internal
