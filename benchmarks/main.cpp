#include <cstdio>
#include <cstring>

#include "bench.h"

int main(int argc, char** argv) {
  struct Part {
    const char* name;
    void (*run)();
    bool asked_for = false;  // runs only by name
  };
  const Part parts[] = {{"planar", bench::run_planar},
                        {"spatial", bench::run_spatial},
                        {"dynamics", bench::run_dynamics},
                        {"derivatives", bench::run_derivatives},
                        {"solvability", bench::run_solvability},
                        {"contacts", bench::run_contacts},
                        {"geometry", bench::run_geometry},
                        {"stream", bench::run_stream},
                        {"simulation", bench::run_simulation},
                        {"stepping", bench::run_stepping},
                        {"study", bench::run_study},
                        {"robots", bench::run_robots},
                        {"contact-curves", bench::run_curves, true},
#ifdef ROUTH_PYTHON_PACKAGE
                        {"python", bench::run_python}
#endif
  };
  if (argc == 1) {
    for (const Part& part : parts)
      if (!part.asked_for) part.run();
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    bool known = false;
    for (const Part& part : parts)
      if (std::strcmp(argv[i], part.name) == 0) {
        part.run();
        known = true;
      }
    if (!known) {
      std::fprintf(
          stderr,
          "error: unknown part '%s'; the parts are planar, spatial, dynamics, derivatives, solvability, contacts, "
          "contact-curves, geometry, stream, simulation, stepping, robots, study, and python where the Python "
          "package is built\n",
          argv[i]);
      return 2;
    }
  }
  return 0;
}
