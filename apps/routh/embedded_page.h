// The page of reports that is compiled into the program.
#pragma once

#include <string>

namespace routh {

// The template: an HTML file with the line @ROUTH_DOCUMENT@. Empty where the program was built without it.
std::string embedded_page();

}  // namespace routh
