// How much room a line of text takes, for layout. An estimate that is the same on every machine; the faces that viewers
// and Cairo choose differ from it by a tenth or so.
#pragma once

#include <string_view>

namespace routh::internal {

enum class Markup { none, scripts };

// [px]
double text_width(std::string_view text, double size, Markup markup);

}  // namespace routh::internal
