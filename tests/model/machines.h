// Random machines, and their kinematics and mass matrix straight from the definitions of the joints: poses composed as
// at · motion(q) · in_child⁻¹, M as the sum of Jᵀ I J over the bodies. Shares nothing with the links of a Model.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "routh/model/model.h"
#include "support/random_problems.h"

namespace testing_support {

enum class Masses { full, some_missing };

struct TreeOptions {
  routh::Dimension dimension = routh::Dimension::spatial;
  int bodies = 8;
  Masses masses = Masses::full;
};

// A random tree with all kinds of joints, bodies written in random order. With `some_missing`, some bodies are massless
// and some are point masses, so that M may be singular.
routh::ModelDescription random_tree(Random& random, const TreeOptions& options);

Eigen::Isometry3d to_eigen(const routh::Pose& pose);
Eigen::Vector3d to_eigen(const routh::Vector3& v);
Eigen::Matrix3d to_eigen(const routh::Symmetric3& s);

// A description with its joints' places in q and v, in the order of the model that is built from it.
class Reference {
 public:
  explicit Reference(const routh::ModelDescription& description);

  int coordinates() const { return coordinates_; }
  int velocities() const { return velocities_; }
  std::vector<std::string> dof_names() const;
  // Descendants of a degree of freedom, itself first: those of its joint after it, and of all joints beyond.
  std::vector<int> subtree(int dof) const;

  Eigen::Isometry3d pose(const std::string& body, const Eigen::VectorXd& q) const;
  Eigen::MatrixXd mass_matrix(const Eigen::VectorXd& q) const;
  // Random angles, displacements and quaternions.
  Eigen::VectorXd random_posture(Random& random) const;

 private:
  struct Place {
    const routh::BodyDescription* body;
    const routh::JointDescription* joint;
    int parent;  // index of a place, −1 the world
    int q, v;
  };
  int place_of(const std::string& body) const;
  Eigen::Isometry3d motion(const Place& place, const Eigen::VectorXd& q) const;
  Eigen::Isometry3d joint_frame(int place, const Eigen::VectorXd& q) const;  // of the child, in the world
  Eigen::MatrixXd jacobian(int place, const Eigen::VectorXd& q) const;       // of the com and the turning, 6×n

  std::vector<Place> places_;
  int coordinates_ = 0, velocities_ = 0;
};

}  // namespace testing_support
