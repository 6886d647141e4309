// A study run to its end, for tests.
#pragma once

#include <gtest/gtest.h>

#include "routh/study/sweep.h"
#include "routh/study/writer.h"

namespace testing_support {

inline routh::StudyResult run_study(const routh::Study& study, int threads = 1) {
  routh::StudyKeeper keeper(study, {});
  routh::SweepOptions options;
  options.threads = threads;
  EXPECT_EQ(sweep(study, keeper, options), routh::SweepEnd::complete);
  return keeper.totals().result();
}

}  // namespace testing_support
