// Files that the program keeps beside an output.
#pragma once

#include <string>
#include <string_view>

namespace routh::internal {

// Whether anything, a link included, has this name. Throws RuntimeFailure when it is no file that begins with `magic`:
// it is somebody's, and is neither read, replaced nor deleted. `what` is what it would be: "a checkpoint of a study".
bool stands_as_ours(const std::string& path, std::string_view magic, const char* what);

}  // namespace routh::internal
