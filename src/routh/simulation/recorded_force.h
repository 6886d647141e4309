// The contact forces that a run shows: λ_n ≥ 0 and within the friction cone wherever such forces exist for the motion.
//
// The motion follows from forces of least norm without regard to inequalities (contact_motion.h). Where contacts are
// redundant other forces give the same motion, and the least that obey the laws of contact are shown. Nothing of this
// acts back on the motion. Whether contacts are redundant is judged here anew: where rows depend on one another within
// rounding, the motion does not need to know. Private to the module.
#pragma once

#include "routh/contacts/admissible_force.h"
#include "routh/simulation/contact_motion.h"

namespace routh::internal {

class RecordedForce {
 public:
  // Of the held contacts, after `compute`. Where no forces of this motion obey the laws, those of `motion`.
  const Eigen::VectorXd& find(Dimension dimension, ContactMotion& motion);

 private:
  bool redundant(const ContactMotion& motion, const std::vector<std::size_t>& group);
  bool obeys(const ContactMotion& motion, const std::vector<std::size_t>& group) const;
  void replace(Dimension dimension, const ContactMotion& motion, const std::vector<std::size_t>& group);
  bool wedged(const ContactMotion& motion, const std::vector<std::size_t>& group);

  Eigen::Index rows_ = 2;
  Eigen::MatrixXd generators_, response_;
  Eigen::VectorXd force_, own_, other_;
  FrictionContactProblem problem_;
  AdmissibleForce admissible_;
};

}  // namespace routh::internal
