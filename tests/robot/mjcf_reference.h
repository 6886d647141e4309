// MuJoCo itself, as the oracle of the reader of its files. It is loaded when the test runs, so that a machine without
// it skips what needs it.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

namespace mjcf_reference {

// A model in MuJoCo at a posture.
class Mujoco {
 public:
  // Null when MuJoCo is not installed. Throws std::runtime_error when it refuses the file.
  static std::unique_ptr<Mujoco> load(const std::string& text);
  virtual ~Mujoco() = default;

  virtual int coordinates() const = 0;
  virtual int velocities() const = 0;
  virtual Eigen::VectorXd reference() const = 0;  // qpos0
  virtual Eigen::VectorXd key() const = 0;        // qpos of the first keyframe

  virtual void set(const Eigen::VectorXd& q) = 0;  // normalises quaternions
  virtual Eigen::MatrixXd mass_matrix() const = 0;
  virtual Eigen::VectorXd gravity_force() const = 0;
  virtual Eigen::VectorXd equality_residual() const = 0;
  virtual bool has_body(const std::string& name) const = 0;
  virtual bool has_geom(const std::string& name) const = 0;
  // Of a body or geom in the world, by name; position, then the rotation by rows.
  virtual Eigen::VectorXd body_frame(const std::string& name) const = 0;
  virtual Eigen::VectorXd geom_frame(const std::string& name) const = 0;
  virtual Eigen::VectorXd geom_size(const std::string& name) const = 0;  // three numbers
  virtual double body_mass(const std::string& name) const = 0;
  // About the centre of mass, in the body's axes. MuJoCo keeps principal moments and finds their axes to some 1e-8
  // only; `set_inertia` puts exact ones in their place, so that everything else can be compared closer.
  virtual Eigen::Matrix3d inertia(const std::string& name) const = 0;
  virtual void set_inertia(const std::string& name, const Eigen::Matrix3d& inertia) = 0;
  // The force that actuators, springs and dampers exert at rest with these controls.
  virtual Eigen::VectorXd applied_force(const Eigen::VectorXd& v, const Eigen::VectorXd& controls) = 0;
  // Pairs of geoms that touch in the posture that was set.
  struct Contact {
    std::string first, second;
    double friction = 0;  // against sliding; 0 when the contact has none
  };
  virtual std::vector<Contact> contacts() const = 0;
};

}  // namespace mjcf_reference
