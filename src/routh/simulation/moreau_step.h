// One step of fixed length: Moreau and Jean's scheme at the level of velocities. Private to the module.
//
//   M̂ (v⁺ − v) = h (F(q_m, v_m) − c h K v) + Jᵀ p + Aᵀ λ      q_m = q + ½h w     M̂ = M(q_m) + c h C + c² h² K
//   A v⁺ = 0                                                   loops
//   K ∋ p ⊥ û ∈ K*      û from v⁺ = J q̇⁺ − v_s, with v_n⁺ + g/h in place of v_n⁺        contacts, g: gap ≥ 0
//   q⁺ = q + h w        w = v + c (v⁺ − v): c = 1 on trees where contacts act or that are stiff, ½ on others
//
// C and K are the damping and stiffness of joints, drives and springs between bodies (step_springs.h), whose forces are
// taken at q + c h w and w: at the end of the step where contacts act or h ω is large, else in its middle. Along the
// path w they then do at most the work that their energy loses, whatever h ω: stiff ones are stable, damped where a
// step does not resolve them, and none gains. Springs couple the trees they join. v_m = ½ (v + v⁺), and Coriolis forces
// are taken along the path w (find_free_velocity): where nothing touches, the scheme is of order two, and what spins or
// swings keeps its energy; with contacts it is of order one and loses energy: the sum over a step of −p·v⁺ and ½‖v⁺ −
// v‖²_M. What carries load on curved surfaces has its normal where the other forces are, in the middle of the step, or
// what is stretched over them would swing ever more (centre). Contacts at a distance g stop their approach at the
// surface, not before: v_n⁺ ≥ −g/h.
//
// Strikes. A contact that closes within the step and whose rebound would outlast the step (e s > ½ h × pull) strikes:
// the step is cut at that time, the impact solved by the law of the surfaces (one contact) or by the compliant march
// (a few that act on one another; crowds by Newton's rule within the bounds of energy), and the rest of the step goes
// on. All others lose their approach without rebound.
//
// [Moreau 1988, Unilateral contact and dry friction in finite freedom dynamics; Jean 1999; Acary and Brogliato 2008]
#pragma once

#include "routh/contact/contact_problem.h"
#include "routh/contact/contact_search.h"
#include "routh/contacts/friction_contact.h"
#include "routh/march/together.h"
#include "routh/model/scales.h"
#include "routh/simulation/accounts.h"
#include "routh/simulation/fault_injection.h"
#include "routh/simulation/simulator.h"
#include "routh/simulation/step_rest.h"
#include "routh/simulation/step_rows.h"
#include "routh/simulation/step_springs.h"

namespace routh::internal {

// All that one step hands on to the next beside the state.
struct StepMemory {
  Eigen::VectorXd acceleration;  // (v⁺ − v)/h of the last step, without strikes: what users see
  struct Known {
    ContactId id;
    ContactVector force;  // [N]
  };
  std::vector<Known> forces;  // of the last step, ordered by id: where the solver begins
};

class MoreauStep {
 public:
  MoreauStep(const Model& model, const SimulationOptions& options);

  // Moves the state on by h, under a generalised force besides the machine's own. Anything but `ready`: see `trouble`.
  SimulationStatus take(double h, const Eigen::VectorXd& force, State& state, StepMemory& memory, Workspace& workspace);

  std::vector<Event>& events() { return events_; }                      // impacts of the step
  const Accounts& accounts() const { return accounts_; }                // of the step, without its impacts
  const std::vector<ActiveContact>& active() const { return active_; }  // with their mean forces over the last part
  std::vector<ActiveContact> least_forces() const;                      // the same, of redundant contacts the least
  const std::string& trouble() const { return trouble_; }
  double residual() const { return residual_; }  // largest of the step's contact problems
  double overlap() const { return overlap_; }    // deepest that was met [m], before it was projected out
  double loop_gap() const { return loop_gap_; }  // largest |φ| that was met
  void inject(const FaultInjection* faults) { faults_ = faults; }

 private:
  struct StepContact {
    ContactVector velocity;       // relative, at the beginning
    ContactVector free_velocity;  // if no contact acted, at the end
    ContactVector after;
    ContactVector surface_velocity;
    ContactVector impulse;
    double friction = 0;
    double strikes_at = -1;  // [s] from the beginning of the part; −1: not in it
    bool chosen = false;
    bool wedged = false;  // it slips where no force holds it
    bool solved = false;  // `impulse` is that of an earlier round
  };

  // Contacts of an island that may share their load in other ways.
  struct Share {
    FrictionContactProblem problem;
    Eigen::VectorXd force;
    std::vector<ActiveContact> contacts;
  };

  double take_part(double left, bool last, const Eigen::VectorXd& force, State& state, StepMemory& memory);
  void look(const State& state);
  void find_speeds();
  double speed_of(const Contact& contact) const;
  void take_up(std::size_t contact, const Eigen::VectorXd& v);
  void find_far(double length);
  bool join_far(double length);
  bool joins(std::size_t contact, double length);
  bool turns(const Contact& contact) const;
  void centre(double length, const State& state);
  double overlap_left() const;
  bool project(State& state);
  bool factorise(const Eigen::VectorXd& q, double h);
  bool find_free_velocity(double h, const Eigen::VectorXd& force, const State& state);
  void expect(double length, const State& state, const StepMemory& memory);
  void find_pushed(const State& state);
  void follow_path();
  void find_bias();
  bool bends(double h, const State& state);
  void find_touched(double length);
  void press_trees(std::size_t contact);
  void mark_touched();
  void find_load(double h, const Eigen::VectorXd& force, const State& state);
  void find_change(double h, const State& state);
  bool find_saturated(double h, const State& state);
  const std::optional<DriveDescription>& drive_of(std::size_t dof) const;
  double coordinate(std::size_t dof) const;
  double wanted(std::size_t dof, const State& state, double h) const;
  double longest_turn() const;
  double expected_depth(double length) const;
  double shorten_approach(double length) const;
  void find_wedged(double length, const Eigen::VectorXd& force, const State& state);
  bool jams(std::size_t contact, bool closed, const Eigen::VectorXd& force, const State& state);
  double find_first_strike(double length, const StepMemory& memory);
  void choose(double length);
  void set_friction(std::size_t contact);
  bool slides(const StepContact& contact) const;
  void choose_near(double length);
  void solve(double length, const StepMemory& memory);
  double solve_island(double length, std::span<const std::size_t> island, const StepMemory& memory, int sweeps);
  bool problem_is_finite() const;
  void keep_at_rest(double length);
  bool leaves_rest(std::size_t contact, double length, double least) const;
  void keep_island(double length, const std::vector<std::size_t>& island);
  void keep_shares(double length);
  double solve_problem(std::span<const std::size_t> island, double residual, std::span<const double> start, int sweeps);
  double sweep(std::span<const std::size_t> island, double residual, int sweeps);
  void respond(std::span<const std::size_t> island, double sign);
  void move(double length, const Eigen::VectorXd& force, State& state);
  bool stretches(double length, const State& state);
  void remember(double length, StepMemory& memory);
  void remember_forces(double length, StepMemory& memory);
  bool strike(State& state);
  void strike_island(const std::vector<std::size_t>& island, State& state);
  bool strike_one(std::size_t index, State& state, Event& event);
  void strike_several(const std::vector<std::size_t>& island, State& state, Event& event);
  bool march(const std::vector<std::size_t>& island, Event& event);
  void strike_crowd(const std::vector<std::size_t>& island, Event& event);
  ContactVector relative(std::size_t contact, const Eigen::VectorXd& v) const;
  double stiffness(std::size_t dof, double& damping) const;
  void find_stiff(double h, const State& state, const StepMemory& memory);
  bool regroups(double length);

  const Model& model_;
  SimulationOptions options_;
  Scales scales_;
  Workspace* workspace_ = nullptr;
  const StepMemory* memory_ = nullptr;  // of the step under way
  StepSprings springs_;
  MassFactor factor_;
  ColumnSpace loops_;
  StepRows rows_;
  ContactSearch search_;
  ContactProblemBuilder builder_;
  FrictionContactSolver solver_;
  ContactSweeps sweeps_;
  StepRest rest_;
  ResponseColumns columns_;
  FrictionContactProblem problem_;
  bool implicit_ = false;                                 // some spring, damper or drive
  bool powered_ = false;                                  // something beside contacts gives or takes energy
  double step_ = 0;                                       // whole length of the step under way
  std::vector<Contact> contacts_;                         // that may close in the step
  std::vector<std::pair<std::size_t, Contact>> centred_;  // of `contacts_`, that `centre` changes, as they were found
  std::vector<Contact> far_;                              // farther than their shapes' speeds at the beginning reach
  std::vector<double> reach_;                             // of each shape [m], where no plane moves
  bool all_reached_ = false;                              // a plane moves: contacts were sought within one reach of all
  std::vector<ContactId> known_;                          // of `contacts_`, in order
  std::vector<StepContact> step_contacts_;
  std::vector<std::size_t> chosen_, wedging_, resting_;
  std::vector<ContactId> striking_;   // contacts that strike at the end of the part
  std::vector<char> pressed_;         // by tree: contacts act on it
  std::vector<int> closed_on_;        // by tree: contacts that are closed or close
  std::vector<char> touched_;         // by degree of freedom: contacts act on its tree, or it is stiff
  std::vector<char> solved_touched_;  // likewise, in the velocity that was found last
  std::vector<double> share_;         // c, by degree of freedom
  std::vector<double> stiffness_;     // by tree: the trace of h²ω²
  std::vector<char> saturated_;       // by degree of freedom: its drive gives its limit
  std::vector<double> start_;
  Eigen::VectorXd island_impulse_;  // of the contacts of an island
  std::vector<double> radius_;      // about each shape; 0 of planes
  std::vector<double> arm_;         // about the origin of its link; infinite of planes
  std::vector<double> speed_;       // of its fastest point [m/s]
  State looked_;                    // where the contacts were found
  State before_;                    // of the part under way
  double turning_ = 0;              // of the fastest link there [rad/s]
  double depth_ = 0;                // deepest overlap there [m]
  Eigen::VectorXd free_, half_, velocity_, middle_, rate_;
  Eigen::VectorXd change_;                     // of v in the step, without strikes
  Eigen::VectorXd expected_;                   // v⁺, before the part is solved
  bool pushed_known_ = false;                  // from a solution
  Eigen::VectorXd pushed_, path_, load_path_;  // of v⁺, what contacts add; w; the one that load_ knows
  Eigen::VectorXd load_, bias_, loop_, loop_gap_rows_;
  Eigen::VectorXd impulse_, belt_;  // of contacts that strike at once
  Eigen::MatrixXd loop_rows_;
  std::vector<Event> events_, choices_;
  std::vector<Share> shares_;
  Accounts accounts_;
  std::vector<ActiveContact> active_;
  std::string trouble_;
  SimulationStatus status_ = SimulationStatus::ready;
  double residual_ = 0, overlap_ = 0, loop_gap_ = 0;
  const FaultInjection* faults_ = nullptr;
};

}  // namespace routh::internal
