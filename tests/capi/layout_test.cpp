// What programs in C are compiled with: the values of enumerators and the places of fields stay within a minor version
// (docs/api.md). Whoever adds something adds it at the end, and here; what stands here changes with the minor version.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "routh/capi/routh_c.h"
#include "routh/version.h"

namespace {

// The layout of this minor version.
static_assert(ROUTH_VERSION_MAJOR == 0 && ROUTH_VERSION_MINOR == 3,
              "a new minor version: write its layout below, and what is new into CHANGELOG.md");

template <typename Enum>
std::vector<int> values(std::initializer_list<Enum> enumerators) {
  std::vector<int> all;
  for (const Enum enumerator : enumerators) all.push_back(static_cast<int>(enumerator));
  return all;
}

TEST(Layout, EnumeratorsKeepTheirValues) {
  EXPECT_EQ(values({ROUTH_NEWTON, ROUTH_POISSON, ROUTH_ENERGETIC, ROUTH_UNIFIED, ROUTH_CLASSICAL}),
            (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(values({ROUTH_OK, ROUTH_NO_IMPACT, ROUTH_NO_SOLUTION, ROUTH_UNDEFINED, ROUTH_LOCKED, ROUTH_ILL_CONDITIONED,
                    ROUTH_INVALID, ROUTH_OVERFLOW, ROUTH_NOT_CONVERGED, ROUTH_BAD_ARGUMENT, ROUTH_OUT_OF_MEMORY}),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(values({ROUTH_MODE_NONE, ROUTH_MODE_SLIDING, ROUTH_MODE_STICK, ROUTH_MODE_STICK_IN_COMPRESSION,
                    ROUTH_MODE_STICK_IN_RESTITUTION, ROUTH_MODE_REVERSE_IN_COMPRESSION,
                    ROUTH_MODE_REVERSE_IN_RESTITUTION, ROUTH_MODE_MEAN_SLIP_ZERO}),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(values({ROUTH_WARN_ENERGY_GAIN, ROUTH_WARN_NON_UNIQUE, ROUTH_WARN_ILL_CONDITIONED,
                    ROUTH_WARN_RESTITUTION_OUT_OF_RANGE, ROUTH_WARN_JAMS_IF_PRESSED, ROUTH_WARN_RECOMPRESSION,
                    ROUTH_WARN_TANGENTIAL_RESTITUTION_IGNORED, ROUTH_WARN_BILATERAL_VELOCITY}),
            (std::vector<int>{1, 2, 4, 8, 16, 32, 64, 128}));
}

// Of machines with doubles and pointers of eight bytes and integers of four.
TEST(Layout, FieldsStayInTheirPlaces) {
  if (sizeof(void*) != 8) GTEST_SKIP() << "another machine, another layout";
  EXPECT_EQ((std::vector<std::size_t>{
                offsetof(routh_problem, dimension), offsetof(routh_problem, law), offsetof(routh_problem, delassus),
                offsetof(routh_problem, velocity), offsetof(routh_problem, surface_velocity),
                offsetof(routh_problem, static_friction), offsetof(routh_problem, kinetic_friction),
                offsetof(routh_problem, restitution), offsetof(routh_problem, tangential_restitution),
                offsetof(routh_problem, pressed), sizeof(routh_problem)}),
            (std::vector<std::size_t>{0, 4, 8, 80, 104, 128, 136, 144, 152, 160, 168}));
  EXPECT_EQ((std::vector<std::size_t>{offsetof(routh_energy, normal_work), offsetof(routh_energy, tangential_work),
                                      offsetof(routh_energy, supplied), offsetof(routh_energy, change),
                                      offsetof(routh_energy, consistent), sizeof(routh_energy)}),
            (std::vector<std::size_t>{0, 8, 16, 24, 32, 40}));
  EXPECT_EQ(
      (std::vector<std::size_t>{offsetof(routh_result, status), offsetof(routh_result, mode),
                                offsetof(routh_result, warnings), offsetof(routh_result, velocity),
                                offsetof(routh_result, impulse), offsetof(routh_result, energy), sizeof(routh_result)}),
      (std::vector<std::size_t>{0, 4, 8, 16, 40, 64, 104}));
  EXPECT_EQ((std::vector<std::size_t>{offsetof(routh_machine, coordinates), offsetof(routh_machine, mass_matrix),
                                      offsetof(routh_machine, jacobian), offsetof(routh_machine, velocity),
                                      offsetof(routh_machine, bilateral_rows), offsetof(routh_machine, bilateral),
                                      offsetof(routh_machine, external_impulse), sizeof(routh_machine)}),
            (std::vector<std::size_t>{0, 8, 16, 24, 32, 40, 48, 56}));
}

}  // namespace
