// The frictional contact problem with every cone made a pyramid: a linear complementarity problem with a copositive
// matrix, which Lemke's method solves wherever D is symmetric and surfaces rest [Stewart and Trinkle 1996]. Exact in
// the plane; in space a start for Newton's method. For small problems: its work grows with the cube of their size.
#pragma once

#include <vector>

#include "routh/contacts/contact_system.h"

namespace routh::internal {

// The sides of the pyramids: even at first, then close to where a solution slides.
struct PyramidFans {
  std::vector<double> centre;  // angle of the first side of each contact
  double width = 0;            // between it and the next

  void widen(int contacts);
  void narrow(const std::vector<Vector3>& impulse, const std::vector<Vector3>& velocity);
  double side(int index) const;
};

// False where D is not formed, the problem too large, or Lemke's path ends without a solution.
bool solve_pyramids(const ContactSystem& system, const PyramidFans& fans, std::vector<Vector3>& impulse);

}  // namespace routh::internal
