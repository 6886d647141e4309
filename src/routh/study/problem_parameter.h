// A number of a problem file by its path, found once and set as often as wanted.
//
//   friction, friction.static, friction.kinetic          friction alone sets both
//   restitution, restitution.normal, .tangential, .alpha   restitution alone makes it a constant
//   velocity[i], external_impulse[i], force[i]
//   contact_velocity[i], surface_velocity[i], free_acceleration[i], drift[i]; also .n, .t1, .t2
//   mass_matrix[i][j], delassus[i][j]                    both mirrored entries
//   jacobian[i][j], bilateral[i][j]
#pragma once

#include "routh/problem/problem_file.h"
#include "routh/study/path.h"

namespace routh::internal {

// A number of a pair of surfaces by its path from `first` on; null where there is none.
struct SurfaceNumber {
  std::string_view word, part;  // the part may be empty
  void (*set)(Friction& friction, Restitution& restitution, double value);
  double (*get)(const Friction& friction, const Restitution& restitution);
};
const SurfaceNumber* find_surface_number(const StudyPath& path, std::size_t first);

class ProblemParameter {
 public:
  // Throws InputError at the path when the problem has no such number. A vector that the problem may have and does not
  // (surface_velocity, external_impulse) is added to it as zeros.
  static ProblemParameter find(const StudyPath& path, ProblemFile& problem);

  void set(ProblemFile& problem, double value) const;

 private:
  const SurfaceNumber* surface_ = nullptr;  // one of the three
  std::vector<double> ProblemFile::*vector_ = nullptr;
  NumberTable ProblemFile::*matrix_ = nullptr;
  std::size_t entry_ = 0, mirror_ = 0;
};

}  // namespace routh::internal
