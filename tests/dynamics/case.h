// A machine with all that a test needs of it, and the random ones that most tests go through.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "reference.h"
#include "routh/dynamics/state.h"
#include "support/machines.h"

namespace reference {

struct Case {
  explicit Case(routh::ModelDescription made)
      : description(std::move(made)),
        model(routh::build_model(description)),
        machine(description, model),
        workspace(model),
        state(routh::rest_state(model)) {}
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  void set(routh::State next) { state = std::move(next); }
  Vector q() const { return wide(state.q); }
  Vector v() const { return wide(state.v); }
  int n() const { return model.velocities; }
  int body_count() const { return static_cast<int>(model.bodies.size()); }

  routh::ModelDescription description;
  routh::Model model;
  Machine machine;
  routh::Workspace workspace;
  routh::State state;
};

using Check = std::function<void(Case&, testing_support::Random&)>;
// Every kind of joint, one machine in three planar, each in a random state.
void for_random_machines(std::uint64_t seed, int count, testing_support::MachineOptions options, const Check& check);

// The state after the short time t of the motion with velocity v and acceleration a, to second order.
routh::State moved(const Case& c, const Vector& a, Real t);

inline double largest(const Matrix& m) { return m.size() == 0 ? 0 : static_cast<double>(m.cwiseAbs().maxCoeff()); }

// ‖x − y‖∞ ≤ tolerance (1 + ‖y‖∞)
testing::AssertionResult close(const Matrix& x, const Matrix& y, double tolerance);
template <class A, class B>
testing::AssertionResult near(const A& x, const B& y, double tolerance) {
  return close(x.template cast<Real>(), y.template cast<Real>(), tolerance);
}

// d/dt f at t = 0 by the central difference of eighth order.
template <class F>
auto rate(F f, Real h) {
  using Value = decltype(f(h));
  const auto pair = [&](int k) -> Value { return f(k * h) - f(-k * h); };
  return Value((pair(1) * (Real(4) / 5) - pair(2) * (Real(1) / 5) + pair(3) * (Real(4) / 105) - pair(4) / Real(280)) /
               h);
}

}  // namespace reference
