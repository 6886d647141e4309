// A page: the template with one document in it.
#pragma once

#include <string>
#include <string_view>

namespace routh::internal {

// The line of the template that the document replaces.
inline constexpr std::string_view page_placeholder = "@ROUTH_DOCUMENT@";

// `document` must be safe inside a <script> element, as those of this module are. Throws RuntimeFailure when the line
// does not stand in the template exactly once.
std::string make_page(std::string_view page_template, std::string_view document);

}  // namespace routh::internal
