#include "case.h"

namespace reference {

void for_random_machines(std::uint64_t seed, int count, testing_support::MachineOptions options, const Check& check) {
  testing_support::Random random(seed);
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", machine " << k);
    options.dimension = k % 3 == 2 ? routh::Dimension::planar : routh::Dimension::spatial;
    options.bodies = 1 + k % 9;
    Case c(random_machine(random, options));
    c.set(random_state(random, c.model));
    check(c, random);
    if (testing::Test::HasFailure()) return;
  }
}

routh::State moved(const Case& c, const Vector& a, Real t) {
  routh::State next = c.state;
  next.q = advanced(c.model, c.q(), c.v() + a * t / 2, t).cast<double>();
  next.v = (c.v() + a * t).cast<double>();
  return next;
}

testing::AssertionResult close(const Matrix& x, const Matrix& y, double tolerance) {
  if (x.rows() != y.rows() || x.cols() != y.cols()) return testing::AssertionFailure() << "sizes differ";
  const double error = largest(x - y), bound = tolerance * (1 + largest(y));
  if (error <= bound) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "differ by " << error << ", allowed " << bound << "\n"
                                     << x.cast<double>() << "\nexpected\n"
                                     << y.cast<double>();
}

}  // namespace reference
