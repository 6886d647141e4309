#include "routh/report/page.h"

#include <gtest/gtest.h>

#include "routh/base/error.h"

namespace {

TEST(Page, TheDocumentReplacesOneLine) {
  // The words may stand elsewhere in the page, in its own code.
  const std::string page =
      "<script>if (t === '@ROUTH_DOCUMENT@') {}</script>\n<script id=\"d\">\n  @ROUTH_DOCUMENT@\r\n</script>\n";
  EXPECT_EQ(
      routh::make_page(page, "{\"a\":\"$& \\\\1\"}"),
      "<script>if (t === '@ROUTH_DOCUMENT@') {}</script>\n<script id=\"d\">\n  {\"a\":\"$& \\\\1\"}\r\n</script>\n");
  EXPECT_EQ(routh::make_page("@ROUTH_DOCUMENT@", "x"), "x");
}

TEST(Page, AnotherPageIsRefused) {
  for (const char* page : {"", "<html></html>", "a @ROUTH_DOCUMENT@ b", "@ROUTH_DOCUMENT@\n@ROUTH_DOCUMENT@\n"})
    EXPECT_THROW(routh::make_page(page, "{}"), routh::RuntimeFailure) << page;
}

}  // namespace
