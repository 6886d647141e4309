// Pictures one below the other.
#pragma once

#include <string>
#include <vector>

#include "routh/figure/picture.h"

namespace routh::internal {

// As wide as the widest; `title` is that of the file, each picture keeps what it draws. Of one picture that one.
Picture stacked(std::vector<Picture> pictures, const std::string& title);

}  // namespace routh::internal
