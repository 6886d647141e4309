// Opens routh::internal to the library's own sources, the program, the Python module and the tests; the build includes
// it before everything else (cmake/RouthFlags.cmake). Not installed: a user of the public headers sees `routh` alone,
// and a public header that needs an internal name must spell out `internal::`, which tests/consumer finds out.
#pragma once

namespace routh::internal {}

namespace routh {
using namespace internal;
}
