// Measured motions of one body that flies and strikes: poses over time, one CSV file for each throw.
//
// Columns: `time` and the coordinates of the body's joint: x, y, z, qw, qx, qy, qz of a free joint; x, y, angle of a
// planar one, where z stands for y and theta for angle as well. Velocities (vx, vy, vz, wx, wy, wz; in the plane w) may
// stand beside them: they are not used for estimates, only held against the poses, which tells mirrored, swapped and
// scaled columns.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "routh/base/error.h"
#include "routh/model/model.h"
#include "routh/study/sample_list.h"

namespace routh::internal {

struct Recording {
  std::string name;                // of the file, without its folder
  std::vector<double> times;       // [s], increasing
  std::vector<Eigen::VectorXd> q;  // coordinates of the model
  std::vector<Eigen::VectorXd> v;  // velocities as given; empty: none
  std::vector<Location> where;     // of the rows

  std::size_t size() const { return times.size(); }
};

enum class BadFiles { refuse, leave_out };

struct Recordings {
  std::vector<Recording> throws;
  std::vector<std::string> left_out;  // `file:line: what is wrong`
  std::string text;                   // of all files, for the fingerprint of a checkpoint
};

// The joint by which the one body of the scene moves. Throws InputError where the model has none or several.
const Joint& thrown_joint(const Model& model, const Location& where);

// A CSV file, or all files *.csv of a folder in the order of their names. Throws InputError with file, line and remedy,
// RuntimeFailure.
Recordings read_recordings(const std::string& path, const Model& model, BadFiles bad);
Recording recording_of(const SampleList& list, const Model& model, const std::string& name);

}  // namespace routh::internal
