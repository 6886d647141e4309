// Follows a run with the columns of its sensitivity: the work behind sensitivity.h, whose equations it has.
//   sensitivity.cpp          begins, integrates between events, and keeps what events tell
//   sensitivity_strikes.cpp  jumps of the columns at impacts
//   sensitivity_modes.cpp    jumps where contacts change their modes
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "routh/math/dormand_prince.h"
#include "routh/simulation/mode_flow.h"
#include "routh/simulation/parameter_family.h"
#include "routh/simulation/reset_derivative.h"
#include "routh/simulation/reset_map.h"
#include "routh/simulation/sensitivity.h"

namespace routh::internal {

class SensitivityFollower : public OdeRates {
 public:
  SensitivityFollower(const Model& model, double until, const SimulationOptions& options,
                      const std::vector<RunParameter>& parameters, StartTangents tangents);
  RunSensitivity run(const State& start, const std::function<bool()>& interrupt);
  // Motion, then the columns.
  bool operator()(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dy) override;

 private:
  // A condition g = 0 that ends a piece of the motion: its rate along the motion, and δg by columns.
  struct Guard {
    double rate = 0;
    Eigen::RowVectorXd change;
  };
  // δt = −δg/ġ
  static Eigen::RowVectorXd times(const Guard& guard) { return -guard.change / guard.rate; }
  // What decides that a contact leaves its mode.
  struct Trigger {
    enum class Kind { none, halt, grip, load } kind = Kind::none;
    std::size_t contact = 0;
    double value = std::numeric_limits<double>::infinity();  // of the guard, relative to what it is made of
  };

  void begin(const State& start, const Simulator& simulator, const std::vector<Event>& happened);
  void strike_at_start(const State& start, const std::vector<Event>& happened);
  void keep_closed();
  void carry(double to);
  void cross(const std::vector<Event>& events, const Simulator& simulator);
  void keep(const Event& event);
  void narrow(double time, const Eigen::RowVectorXd& change);
  void finish();

  ModeFlow::Residual change_with(std::size_t family, const ModeFlow& flow, const State& state);
  void note(SensitivityDoubt doubt, double time, std::string text);
  void lose(SensitivityDoubt doubt, double time, std::string text);
  static bool strikes(const Event& event) { return is_strike(event.kind) && event.rule != ImpactRule::none; }
  static std::vector<ModeContact> held_by(const Simulator& simulator);

  bool was_held(ContactId id) const;
  Guard gap_guard(ContactId id);
  void strike(const std::vector<Event>& strikes);
  void apply(const std::vector<Event>& strikes, const std::vector<ContactId>& ending);
  std::optional<Eigen::MatrixXd> exact_jump(const std::vector<Event>& strikes, const std::vector<ContactId>& ending,
                                            const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dv);
  std::optional<Eigen::VectorXd> along(const ResetMap& map, const Eigen::VectorXd& base, const Eigen::VectorXd& dq,
                                       const Eigen::VectorXd& dv);
  Eigen::VectorXd scale_of(const Eigen::VectorXd& base) const;
  void end_bounces(ContactId id, const Eigen::VectorXd& base, const Eigen::MatrixXd& jump, Eigen::Index at);

  std::vector<Trigger> find_triggers() const;
  double static_friction(std::size_t k) const;
  double guard_of(const Trigger& trigger, const ModeFlow::Response& change) const;
  Guard guard_with(const Trigger& trigger);
  void switch_modes(const std::vector<Event>& events);

  const Model& model_;
  double until_;
  SimulationOptions options_;
  Workspace workspace_;
  ModeFlow before_, after_;
  Eigen::Index start_columns_, columns_ = 0, n_;
  std::vector<ParameterFamily> families_;
  State state_, next_;
  Eigen::MatrixXd x_;  // parameters by p/size
  Eigen::RowVectorXd changes_, last_change_;
  double last_time_ = 0;
  bool known_ = true;
  double steps_ = 0;
  std::map<ContactId, Eigen::RowVectorXd> ends_;  // of sequences of bounces
  std::map<ContactId, double> strikes_of_;        // when each contact struck last
  RunSensitivity out_;
};

}  // namespace routh::internal
