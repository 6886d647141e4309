// Other engines computing the same machine, for tests and benchmark. None of them is needed to build: a peer that was
// not found when the build was configured makes nothing.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "peers/tree.h"

namespace peers {

// A state with an acceleration and a force.
struct Sample {
  Eigen::VectorXd q, v, a, tau;
};

// The calls take a sample in the engine's own coordinates, made once by `sample`, and compute kinematics anew; they are
// what the benchmark measures. The results of the last call are then read in our coordinates.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual const char* name() const = 0;

  // The engine's velocities are S times ours: S is constant in the engine's and our own way to turn a quaternion, or
  // varies with the posture such that Ṡ q̇ = 0.
  virtual Eigen::MatrixXd velocity_map(const Eigen::VectorXd& q) const = 0;
  virtual Eigen::VectorXd coordinates(const Eigen::VectorXd& q) const = 0;
  Sample sample(const Sample& ours) const;

  virtual void compute_mass_matrix(const Sample& sample) = 0;
  virtual void compute_inverse_dynamics(const Sample& sample) = 0;
  virtual void compute_forward_dynamics(const Sample& sample) = 0;
  virtual void compute_foot_jacobian(const Sample& sample) = 0;

  virtual Eigen::MatrixXd mass_matrix() = 0;
  virtual Eigen::VectorXd force() = 0;
  virtual Eigen::VectorXd acceleration() = 0;
  virtual Eigen::MatrixXd foot_jacobian() = 0;
};

// Null when the engine was not found.
std::unique_ptr<Peer> make_mujoco(const Tree& tree);
std::unique_ptr<Peer> make_simbody(const Tree& tree);

// Largest error of a peer's results against ours at one sample, each relative to the largest entry of ours.
struct Results {
  Eigen::MatrixXd mass_matrix;
  Eigen::VectorXd force, acceleration;
  Eigen::MatrixXd foot_jacobian;
};
double disagreement(Peer& peer, const Sample& ours, const Results& results);

}  // namespace peers
