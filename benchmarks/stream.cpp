#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench.h"
#include "routh/problem/stream.h"
#include "support/random_problems.h"
#include "timing.h"

namespace {

void write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count <= 0) {
      std::perror("error: writing the benchmark's input");
      std::exit(1);
    }
    done += static_cast<std::size_t>(count);
  }
}

// Problems per second through the stream, reading and printing included: best of a few runs.
double throughput(const std::string& lines, long long count) {
  char name[] = "/tmp/routh-bench-XXXXXX";
  const int input = mkstemp(name);
  const int sink = open("/dev/null", O_WRONLY);
  if (input < 0 || sink < 0) {
    std::perror("error: opening the benchmark's input");
    std::exit(1);
  }
  unlink(name);
  write_all(input, lines);
  double best = 0;
  const std::atomic<bool> stop{false};
  for (int round = 0; round < 5; ++round) {
    lseek(input, 0, SEEK_SET);
    const double begin = bench::cpu_seconds();
    const routh::StreamReport report = routh::stream_problems(input, sink, {}, stop);
    if (report.problems != count || report.bad_lines != 0) {
      std::fprintf(stderr, "error: the stream refused %lld of %lld lines\n", report.bad_lines, report.problems);
      std::exit(1);
    }
    best = std::max(best, static_cast<double>(count) / (bench::cpu_seconds() - begin));
  }
  close(input);
  close(sink);
  return best;
}

}  // namespace

void bench::run_stream() {
  testing_support::Random random(13);
  constexpr int count = 100000;
  std::string planar, spatial;
  for (int i = 0; i < count; ++i) {
    const routh::ImpactProblem p = testing_support::random_planar(random);
    planar += fmt::format(R"({{"delassus": [[{}, {}], [{}, {}]], "contact_velocity": [{}, {}], )", p.inertia.a,
                          p.inertia.c1, p.inertia.c1, p.inertia.b11, p.velocity.n, p.velocity.t1);
    planar += fmt::format(R"("friction": {{"static": {}, "kinetic": {}}}, "restitution": {}, "law": "energetic"}})",
                          p.friction.static_coefficient, p.friction.kinetic_coefficient, p.restitution.normal);
    planar += '\n';
    const routh::ImpactProblem s = testing_support::random_spatial(random);
    const routh::ContactInertia& d = s.inertia;
    spatial += fmt::format(R"({{"delassus": [[{}, {}, {}], [{}, {}, {}], [{}, {}, {}]], )", d.a, d.c1, d.c2, d.c1,
                           d.b11, d.b12, d.c2, d.b12, d.b22);
    spatial +=
        fmt::format(R"("contact_velocity": [{}, {}, {}], "friction": {{"static": {}, "kinetic": {}}}, )", s.velocity.n,
                    s.velocity.t1, s.velocity.t2, s.friction.static_coefficient, s.friction.kinetic_coefficient);
    spatial += fmt::format(R"("restitution": {}, "law": "energetic"}})", s.restitution.normal);
    spatial += '\n';
  }
  std::printf("JSON Lines through the stream of `routh impact -`, full digits, reading and printing included\n");
  std::printf("  planar        %8.0f problems per second\n", throughput(planar, count));
  std::printf("  spatial       %8.0f problems per second\n\n", throughput(spatial, count));
}
