#include <cstdio>
#include <cstring>

#include "bench.h"

int main(int argc, char** argv) {
  struct Part {
    const char* name;
    void (*run)();
  };
  const Part parts[] = {{"planar", bench::run_planar},         {"spatial", bench::run_spatial},
                        {"dynamics", bench::run_dynamics},     {"solvability", bench::run_solvability},
                        {"contacts", bench::run_contacts},     {"stream", bench::run_stream},
                        {"simulation", bench::run_simulation}, {"study", bench::run_study},
                        {"robots", bench::run_robots},         {"stepping", bench::run_stepping},
#ifdef ROUTH_PYTHON_PACKAGE
                        {"python", bench::run_python}
#endif
  };
  if (argc == 1) {
    for (const Part& part : parts) part.run();
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
      std::fprintf(stderr,
                   "error: unknown part '%s'; the parts are planar, spatial, dynamics, solvability, contacts, "
                   "stream, simulation, stepping, robots, study, and python where the Python package is built\n",
                   argv[i]);
      return 2;
    }
  }
  return 0;
}
