// How each measure of a study depends on what varies, as pictures: one parameter, a curve with a band; two, a map;
// more, a panel for each.
#pragma once

#include <optional>
#include <vector>

#include "routh/figure/picture.h"
#include "routh/study/row_file.h"
#include "routh/study/study.h"

namespace routh::internal {

// The samples that did not fail, column by column: parameters, then measures.
struct StudyColumns {
  explicit StudyColumns(const Study& study, const RowFile& rows);
  std::vector<std::vector<double>> columns;
};

// Nothing where there are no values, or nothing varies.
std::optional<Picture> dependence_picture(const Study& study, const StudyColumns& columns, std::size_t measure);

}  // namespace routh::internal
