// A description that is right, spoiled in one place, and what its refusal must say.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "model/samples.h"

namespace testing_support {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double inf = std::numeric_limits<double>::infinity();

struct Case {
  const char* title;
  std::function<void(routh::ModelDescription&)> spoil;
  int line;
  std::vector<const char*> parts;  // of what() after the place
};

inline void expect_refusals(routh::Dimension dimension, const std::vector<Case>& cases) {
  ASSERT_FALSE(refusal(sample(dimension))) << refusal(sample(dimension))->what();
  for (const Case& spoiled : cases) {
    SCOPED_TRACE(spoiled.title);
    routh::ModelDescription description = sample(dimension);
    spoiled.spoil(description);
    const auto error = refusal(description);
    if (!error) {
      ADD_FAILURE() << "not refused";
      continue;
    }
    EXPECT_EQ(error->where().file, "m.yaml");
    EXPECT_EQ(error->where().line, spoiled.line);
    for (const char* part : spoiled.parts)
      EXPECT_NE(std::string(error->what()).find(part), std::string::npos) << error->what() << "\nlacks: " << part;
  }
}

}  // namespace testing_support
