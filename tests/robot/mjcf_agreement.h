// What the reader makes of a file, number by number, beside what MuJoCo makes of it.
#pragma once

#include "mjcf_reference.h"
#include "routh/model/model.h"
#include "routh/robot/robot.h"

namespace mjcf_agreement {

constexpr double agreement = 1e-9;

double scale_of(const Eigen::MatrixXd& m);

// Masses, frames of bodies and geoms, mass matrices and gravity forces at `postures` random postures, of what both know
// by the same name.
void expect_mujocos_machine(const routh::RobotFile& robot, const routh::Model& model, mjcf_reference::Mujoco& peer,
                            std::uint64_t seed, int postures);

}  // namespace mjcf_agreement
