#include "routh/problem/problem_file.h"

namespace routh::internal {

Dimension ProblemFile::dimension() const {
  const int rows = is_machine() ? jacobian.rows : delassus.rows;
  return rows == 2 ? Dimension::planar : Dimension::spatial;
}

Location ProblemFile::where(Field field) const {
  const Mark& mark = marks[static_cast<std::size_t>(field)];
  return {source, mark.line, mark.column};
}

Restitution ProblemFile::make_restitution() const {
  Restitution copy = restitution;
  copy.table = table;
  return copy;
}

void ProblemFile::clear() {
  for (NumberTable* matrix : {&mass_matrix, &jacobian, &bilateral, &delassus}) matrix->clear();
  for (std::vector<double>* vector :
       {&velocity, &external_impulse, &contact_velocity, &surface_velocity, &free_acceleration, &force, &drift})
    vector->clear();
  friction = {};
  restitution = {};
  table.clear();
  contacts.clear();
  law.reset();
  rule.reset();
  load = Load::unknown;
  id_kind = IdKind::none;
  id.clear();
  title.clear();
  given = 0;
  marks.fill({});
}

}  // namespace routh::internal
