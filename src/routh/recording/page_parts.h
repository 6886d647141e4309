// What the pages about recordings share: their look, and the size of their pictures.
#pragma once

#include <string>

namespace routh::internal {

inline constexpr double wide = 640, tall = 200, margin = 24;  // [px]

inline constexpr const char* page_look =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#222;"
    "background:#fff}table{border-collapse:collapse}th{text-align:left;font-weight:normal;padding-right:2rem}"
    "td{text-align:right;padding-right:1.5rem;font-variant-numeric:tabular-nums}svg{width:100%;display:block;"
    "margin:.5rem 0}rect.measured{fill:#888}rect.run{fill:#3465a4}polyline{fill:none;stroke-width:2}"
    "polyline.measured{stroke:#888}polyline.run{stroke:#3465a4}polygon.band{fill:#3465a4;opacity:.25}"
    "circle{fill:#3465a4}line{stroke:#bbb}text{font:12px sans-serif;fill:#555}";

// To the heading, with this title.
std::string page_head(const std::string& title);

}  // namespace routh::internal
