// The dynamics of three machines against MuJoCo, and Simbody where it is installed, in the same process and in turns.
#include "routh/dynamics/dynamics.h"

#include <Eigen/Cholesky>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "bench.h"
#include "peers/make_tree.h"
#include "peers/peer.h"
#include "routh/contact/contact_problem.h"
#include "routh/scene/scene.h"
#include "scene_text.h"
#include "support/machines.h"
#include "timing.h"

namespace {

using peers::Peer;
using peers::Sample;
using testing_support::BenchmarkMachine;

constexpr int sample_count = 64;
constexpr int rounds = 200;
constexpr double round_seconds = 3e-4;
// What engines may differ by, relative to the largest entry, before their times mean nothing.
constexpr double agreement = 1e-10;

// What the benchmark calls, over and over, with the index of a sample.
using Call = std::function<void(std::size_t)>;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "error: %s\n", what);
  std::exit(1);
}

double seconds_of(const Call& call, int passes) {
  const double begin = bench::cpu_seconds();
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t k = 0; k < sample_count; ++k) call(k);
  return bench::cpu_seconds() - begin;
}

// Least nanoseconds per call of each; the contenders take turns, so that all see the same machine.
std::vector<double> race(const std::vector<Call>& calls) {
  std::vector<int> passes;
  for (const Call& call : calls) {
    const double once = std::min(seconds_of(call, 1), seconds_of(call, 1));
    passes.push_back(std::max(1, static_cast<int>(round_seconds / once)));
  }
  std::vector<double> best(calls.size(), 1e30);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < calls.size(); ++i)
      best[i] = std::min(best[i], seconds_of(calls[i], passes[i]) * 1e9 / (passes[i] * sample_count));
  return best;
}

class Kernels {
 public:
  explicit Kernels(const BenchmarkMachine& machine)
      : machine_(machine),
        model_(build_model(machine.description)),
        workspace_(model_),
        jacobian_(3, model_.velocities),
        foot_(model_.find_body(machine.foot).value()) {
    testing_support::Random random(21);
    for (int k = 0; k < sample_count; ++k) {
      const routh::State state = random_state(random, model_);
      samples_.push_back({state.q, state.v, testing_support::random_vector(random, model_.velocities),
                          testing_support::random_vector(random, model_.velocities)});
    }
    const peers::Tree tree = peers::make_tree(model_, machine.foot, machine.foot_point);
    add_peer(make_mujoco(tree));
    add_peer(make_simbody(tree));
  }

  void run() {
    const routh::Model& m = model_;
    row(
        "mass matrix", 0.35, [&](std::size_t k) { compute_mass_matrix(m, samples_[k].q, workspace_); },
        &Peer::compute_mass_matrix);
    row(
        "inverse dynamics", 0.25,
        [&](std::size_t k) { compute_inverse_dynamics(m, samples_[k].q, samples_[k].v, samples_[k].a, workspace_); },
        &Peer::compute_inverse_dynamics);
    row(
        "forward dynamics", 0.40,
        [&](std::size_t k) { compute_forward_dynamics(m, samples_[k].q, samples_[k].v, samples_[k].tau, workspace_); },
        &Peer::compute_forward_dynamics);
    row(
        "foot Jacobian", 0.08,
        [&](std::size_t k) {
          compute_point_jacobian(m, samples_[k].q, foot_, machine_.foot_point, workspace_, jacobian_);
        },
        &Peer::compute_foot_jacobian);
  }

 private:
  struct Contender {
    std::unique_ptr<Peer> peer;
    std::vector<Sample> samples;  // in its own coordinates
  };

  peers::Results results(const Sample& sample) {
    peers::Results ours;
    compute_mass_matrix(model_, sample.q, workspace_);
    ours.mass_matrix = workspace_.mass_matrix;
    compute_inverse_dynamics(model_, sample.q, sample.v, sample.a, workspace_);
    ours.force = workspace_.force;
    compute_forward_dynamics(model_, sample.q, sample.v, sample.tau, workspace_);
    ours.acceleration = workspace_.acceleration;
    compute_point_jacobian(model_, sample.q, foot_, machine_.foot_point, workspace_, jacobian_);
    ours.foot_jacobian = jacobian_;
    return ours;
  }

  void add_peer(std::unique_ptr<Peer> peer) {
    if (!peer) return;
    Contender contender{std::move(peer), {}};
    for (const Sample& sample : samples_) {
      require(disagreement(*contender.peer, sample, results(sample)) <= agreement, "the engines do not agree");
      contender.samples.push_back(contender.peer->sample(sample));
    }
    contenders_.push_back(std::move(contender));
  }

  void row(const char* kernel, double aim, const Call& ours, void (Peer::*theirs)(const Sample&)) {
    std::vector<Call> calls = {ours};
    for (Contender& contender : contenders_)
      calls.push_back([&contender, theirs](std::size_t k) { (contender.peer.get()->*theirs)(contender.samples[k]); });
    const std::vector<double> ns = race(calls);
    std::printf("  %-10s %-17s %8.0f ns", machine_.description.name.c_str(), kernel, ns[0]);
    for (std::size_t i = 1; i < ns.size(); ++i) {
      const char* name = contenders_[i - 1].peer->name();
      std::printf("   %s %8.0f ns, ratio %5.3f", name, ns[i], ns[0] / ns[i]);
      if (name == std::string("MuJoCo")) std::printf(" (aim %.2f)", aim);
    }
    std::printf("\n");
  }

  const BenchmarkMachine& machine_;
  routh::Model model_;
  routh::Workspace workspace_;
  routh::Jacobian3 jacobian_;
  int foot_;
  std::vector<Sample> samples_;
  std::vector<Contender> contenders_;
};

// The humanoid over a floor, with a point at its foot.
routh::ModelDescription standing(const BenchmarkMachine& machine) {
  routh::ModelDescription description = machine.description;
  routh::ShapeDescription foot, floor;
  foot.name = "sole";
  foot.body = machine.foot;
  foot.at.position = machine.foot_point;
  floor.name = "floor";
  floor.kind = routh::ShapeKind::half_space;
  description.shapes = {foot, floor};
  return description;
}

// D of the foot by dense matrices.
Eigen::MatrixXd dense_inertia(const routh::Model& model, const routh::Contact& contact, const routh::State& state,
                              routh::Workspace& workspace) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, model.velocities);
  compute_kinematics(model, state.q, workspace);
  contact_jacobian(model, workspace, contact, J);
  compute_mass_matrix(model, state.q, workspace);
  return J * workspace.mass_matrix.llt().solve(J.transpose());
}

void run_strike(const BenchmarkMachine& machine) {
  const routh::Model model = build_model(standing(machine));
  routh::Workspace workspace(model);
  routh::ContactProblemBuilder builder(model);
  testing_support::Random random(22);
  std::vector<routh::State> states;
  std::vector<routh::Contact> contacts;
  double worst = 0;
  while (states.size() < sample_count) {
    states.push_back(random_state(random, model));
    compute_kinematics(model, states.back().q, workspace);
    std::vector<routh::Contact> found;
    find_contacts(model, workspace, states.back().q, 100, found);
    require(found.size() == 1, "the humanoid has one contact");
    contacts.push_back(found.front());
    const Eigen::MatrixXd D = dense_inertia(model, found.front(), states.back(), workspace);
    require(builder.prepare(model, states.back(), workspace) < 0, "the mass matrix is positive");
    const routh::ContactInertia inertia = builder.impact_problem(model, workspace, found.front()).inertia;
    Eigen::Matrix3d ours;
    ours << inertia.a, inertia.c1, inertia.c2, inertia.c1, inertia.b11, inertia.b12, inertia.c2, inertia.b12,
        inertia.b22;
    worst = std::max(worst, (ours - D).cwiseAbs().maxCoeff() / D.cwiseAbs().maxCoeff());
  }
  require(worst <= agreement, "D does not agree with J M⁻¹ Jᵀ");
  double kept = 0;
  const std::vector<double> ns =
      race({[&](std::size_t k) {
              builder.prepare(model, states[k], workspace);
              kept += builder.impact_problem(model, workspace, contacts[k]).inertia.a;
            },
            [&](std::size_t k) { compute_forward_dynamics(model, states[k].q, states[k].v, states[k].v, workspace); }});
  bench::keep(kept);
  std::printf("  %-10s %-17s %8.0f ns   forward dynamics %.0f ns, ratio %.2f (aim 1.50)\n",
              machine.description.name.c_str(), "D of the foot", ns[0], ns[1], ns[0] / ns[1]);
}

void run_load(const BenchmarkMachine& machine) {
  const std::string text = bench::scene_text(standing(machine));
  double best = 1e30;
  for (int round = 0; round < rounds; ++round) {
    const double begin = bench::cpu_seconds();
    const routh::Scene scene = routh::read_scene_text(text, "humanoid.yaml");
    best = std::min(best, bench::cpu_seconds() - begin);
    require(scene.model.velocities == 36 && scene.model.pairs.size() == 1, "the scene is the humanoid's");
  }
  std::printf("  %-10s %-17s %8.2f ms   (%zu bytes of YAML; aim 5 ms)\n", machine.description.name.c_str(),
              "loading a scene", 1e3 * best, text.size());
}

}  // namespace

void bench::run_dynamics() {
  std::printf("dynamics, kinematics included, %d random states in turn, least of %d rounds\n", sample_count, rounds);
  const std::vector<BenchmarkMachine> machines = testing_support::benchmark_machines();
  for (const BenchmarkMachine& machine : machines) Kernels(machine).run();
  run_strike(machines.back());
  run_load(machines.back());
  std::printf("\n");
}
