// A scene as the document of a page that computes (viewer/FORMAT.md).
#pragma once

#include <string>
#include <string_view>

#include "routh/report/documents.h"
#include "routh/scene/scene.h"

namespace routh::internal {

inline constexpr int play_schema = 1;

// JSON that may stand in a <script> element: the machine as it is drawn, what it starts from, and the numbers that a
// reader may change. `engine` is the engine for the page, WebAssembly compressed by gzip; empty: left out.
std::string play_document(const DocumentHead& head, const Scene& scene, std::string_view engine);

}  // namespace routh::internal
