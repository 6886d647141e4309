// "Did you mean …?"
#pragma once

#include <string>
#include <vector>

namespace routh {

// "; did you mean 'x'?" when a candidate is near what was typed, or nothing: to end a message with.
std::string did_you_mean(const std::string& typed, const std::vector<std::string>& candidates);

}  // namespace routh
