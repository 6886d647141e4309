// viewer/tests/pages_data/run.json, which the tests of the page load, has what the program writes. To renew it, with a
// page.html whose one line is `page_placeholder` (report/page.h):
//   routh report tests/data/runs/rolling.h5 --page page.html -o viewer/tests/pages_data/run.json
#include <gtest/gtest.h>

#include <set>

#include "decode.h"
#include "routh/report/run_document.h"
#include "routh/text/document.h"

namespace {

using testing_support::Json;

// Paths of all members; the elements of a list are one.
void collect_members(const Json& value, const std::string& path, std::set<std::string>& members) {
  if (value.is_array())
    for (const Json& each : value) collect_members(each, path + "[]", members);
  if (!value.is_object()) return;
  for (const auto& [key, each] : value.items()) {
    members.insert(path + "." + key);
    collect_members(each, path + "." + key, members);
  }
}

std::set<std::string> members_of(const std::string& text) {
  std::set<std::string> members;
  collect_members(Json::parse(text), "", members);
  return members;
}

TEST(KeptDocument, HasWhatTheProgramWrites) {
  const std::string kept = ROUTH_TEST_DATA "/../../viewer/tests/pages_data/run.json";
  const std::set<std::string> members = members_of(routh::read_text_file(kept, 1 << 22));
  EXPECT_EQ(members_of(routh::run_document(routh::read_run(ROUTH_TEST_DATA "/runs/rolling.h5"))), members);
  EXPECT_TRUE(members.contains(".contact_samples.gap.base64"));
}

}  // namespace
