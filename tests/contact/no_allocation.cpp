// After the first call nothing allocates: malloc and its kin are replaced here by counting ones.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "routh/contact/contact.h"
#include "routh/model/builder.h"
#include "support/count_allocations.h"

namespace {

using namespace routh;
using testing_support::count_allocations;

TEST(NoAllocation, FindingAndMovingContacts) {
  ModelBuilder machine(Dimension::spatial);
  const char* bodies[] = {"a", "b", "c", "d"};
  for (const char* body : bodies) machine.body(body).mass(1).inertia(1, 1, 1).free();
  machine.shape("box").on("a").box(1, 1, 1);
  machine.shape("cylinder").on("b").cylinder(0.5, 1);
  machine.shape("ellipsoid").on("c").ellipsoid(1, 0.8, 0.6);
  machine.shape("capsule").on("d").capsule(0.3, 1);
  machine.shape("floor").half_space().at(0, 0, -1);
  const Model model = machine.build();
  State state = rest_state(model);
  for (int i = 0; i < 4; ++i) state.q[7 * i] = 0.9 * i, state.v[6 * i + 2] = -1;
  Workspace workspace(model);
  std::vector<Contact> contacts;
  Eigen::MatrixXd J(3, model.velocities);
  const auto look = [&] {
    compute_velocities(model, state.q, state.v, workspace);
    find_contacts(model, workspace, state.q, 0.5, contacts);
    double sum = 0;
    for (const Contact& contact : contacts) {
      contact_jacobian(model, workspace, contact, J);
      sum += J(0, 0) + contact_velocity(model, workspace, state.v, contact).n +
             contact_drift(model, workspace, state.v, contact).n + surface_velocity(model, workspace, contact, 0).t1 +
             contact_restitution(model, contact).normal;
    }
    return sum;
  };
  EXPECT_TRUE(std::isfinite(look()));
  EXPECT_GT(contacts.size(), 10u);
  if (!testing_support::counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  EXPECT_EQ(count_allocations([&] { look(); }), 0);
  EXPECT_GT(count_allocations([&] { contacts.reserve(2 * contacts.capacity()); }), 0) << "the count does not count";
}

}  // namespace
