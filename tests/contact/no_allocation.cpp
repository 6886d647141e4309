// After the first call nothing allocates: malloc and its kin are replaced here by counting ones.
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstddef>

#include "routh/contact/contact.h"
#include "routh/model/builder.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define ROUTH_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ROUTH_COUNTS_ALLOCATIONS 0
#else
#define ROUTH_COUNTS_ALLOCATIONS 1
#endif
#else
#define ROUTH_COUNTS_ALLOCATIONS 1
#endif

namespace {

thread_local bool counting = false;
thread_local long allocations = 0;

}  // namespace

#if ROUTH_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  allocations += counting;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  allocations += counting;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  allocations += counting;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  allocations += counting;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  allocations += counting;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}
}
#endif

namespace {

using namespace routh;

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
  counting = true;
  look();
  counting = false;
  EXPECT_EQ(allocations, 0);
  if (!ROUTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "this build does not count allocations";
  counting = true;
  contacts.reserve(2 * contacts.capacity());
  counting = false;
  EXPECT_GT(allocations, 0) << "the count does not count";
}

}  // namespace
