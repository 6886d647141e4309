// Pages handed to the browser of the desktop; routh-mpi has this, too.
#pragma once

#include <string>

namespace routh {

// Where a page goes that is only to be looked at.
std::string scratch_page();
// Hands the page to the browser of the desktop, and does not wait for it. Says so where there is none.
void open_page(const std::string& path);

}  // namespace routh
