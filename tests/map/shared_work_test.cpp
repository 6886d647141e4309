// Items shared among threads: each is done once, and what comes out does not depend on the number of threads.
#include "routh/map/shared_work.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace routh::internal {
namespace {

const auto always = [](std::size_t, std::size_t) { return true; };

TEST(SharedWork, EveryItemIsDoneOnce) {
  for (const std::size_t threads : {1u, 2u, 5u})
    for (const std::size_t count : {0u, 1u, 7u, 1000u})
      for (const std::size_t chunk : {1u, 3u, 64u}) {
        std::vector<std::atomic<int>> done(count);
        EXPECT_TRUE(share_items(
            {count, chunk, threads},
            [&](std::size_t worker, std::size_t first, std::size_t last) {
              EXPECT_LT(worker, threads);
              EXPECT_LE(last - first, chunk);
              for (std::size_t k = first; k < last; ++k) ++done[k];
            },
            always));
        for (const std::atomic<int>& each : done) EXPECT_EQ(each, 1);
      }
}

TEST(SharedWork, TheFirstItemThatThrowsComesOut) {
  for (const std::size_t threads : {1u, 2u, 5u})
    for (int k = 0; k < 50; ++k) {
      std::string found;
      try {
        share_items(
            {1000, 4, threads},
            [](std::size_t, std::size_t first, std::size_t last) {
              for (std::size_t item = first; item < last; ++item)
                if (item % 100 == 41) throw std::runtime_error(std::to_string(item));
            },
            always);
      } catch (const std::runtime_error& error) {
        found = error.what();
      }
      EXPECT_EQ(found, "41") << threads;
    }
}

TEST(SharedWork, EndsEarlyWhenToldTo) {
  for (const std::size_t threads : {1u, 3u}) {
    std::atomic<std::size_t> begun = 0;
    EXPECT_FALSE(share_items(
        {100000, 1, threads}, [&](std::size_t, std::size_t, std::size_t) { ++begun; },
        [](std::size_t, std::size_t done) { return done < 20; }));
    EXPECT_GE(begun, 20u);
    EXPECT_LT(begun, 20 + threads);
  }
  const std::atomic<bool> stop = true;
  EXPECT_FALSE(for_each_index(3, 2, &stop, [](std::size_t) { FAIL(); }));
  int calls = 0;
  EXPECT_TRUE(for_each_index(3, 1, nullptr, [&](std::size_t) { ++calls; }));
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace routh::internal
