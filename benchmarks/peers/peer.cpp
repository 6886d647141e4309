#include "peers/peer.h"

#include <Eigen/Dense>
#include <algorithm>

namespace peers {

Sample Peer::sample(const Sample& ours) const {
  const Eigen::MatrixXd S = velocity_map(ours.q);
  return {coordinates(ours.q), S * ours.v, S * ours.a, S.transpose().inverse() * ours.tau};
}

namespace {

double relative(const Eigen::MatrixXd& theirs, const Eigen::MatrixXd& ours) {
  return (theirs - ours).cwiseAbs().maxCoeff() / (1e-300 + ours.cwiseAbs().maxCoeff());
}

}  // namespace

double disagreement(Peer& peer, const Sample& ours, const Results& results) {
  const Sample theirs = peer.sample(ours);
  const Eigen::MatrixXd S = peer.velocity_map(ours.q);
  peer.compute_mass_matrix(theirs);
  const double mass_matrix = relative(S.transpose() * peer.mass_matrix() * S, results.mass_matrix);
  peer.compute_inverse_dynamics(theirs);
  const double force = relative(S.transpose() * peer.force(), results.force);
  peer.compute_forward_dynamics(theirs);
  const double acceleration = relative(S.inverse() * peer.acceleration(), results.acceleration);
  peer.compute_foot_jacobian(theirs);
  const double jacobian = relative(peer.foot_jacobian() * S, results.foot_jacobian);
  return std::max({mass_matrix, force, acceleration, jacobian});
}

#ifndef ROUTH_HAVE_MUJOCO
std::unique_ptr<Peer> make_mujoco(const Tree&) { return nullptr; }
#endif
#ifndef ROUTH_HAVE_SIMBODY
std::unique_ptr<Peer> make_simbody(const Tree&) { return nullptr; }
#endif

}  // namespace peers
