// Text that comes from outside must not break the document.
#include "routh/figure/svg.h"

#include <gtest/gtest.h>

#include "routh/figure/colour.h"
#include "routh/figure/text_width.h"

namespace routh {
namespace {

TEST(EscapeXml, ReplacesWhatXmlDoesNotAllow) {
  EXPECT_EQ(escape_xml("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
  EXPECT_EQ(escape_xml(std::string("x\x1b[31m\0y", 8)), "x\xEF\xBF\xBD[31m\xEF\xBF\xBDy");
  EXPECT_EQ(escape_xml("μ −"), "μ −");
}

TEST(EscapeXml, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(escape_xml("a\xFF"), "a\xEF\xBF\xBD");
  EXPECT_EQ(escape_xml("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  EXPECT_EQ(escape_xml("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // surrogate
  EXPECT_EQ(escape_xml("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // cut short
}

TEST(SvgDocument, SetsSubscriptsAndComesBackToTheLine) {
  SvgDocument document(10, 10);
  document.text({1, 2}, "v_{t1} [m/s]", {.size = 10});
  const std::string svg = document.finish("t", "d");
  EXPECT_NE(svg.find("v<tspan dy=\"2.6\" font-size=\"7.2\">t1</tspan><tspan dy=\"-2.6\"> [m/s]</tspan></text>"),
            std::string::npos)
      << svg;
}

TEST(SvgDocument, PlainTextHasNoMarkup) {
  SvgDocument document(10, 10);
  document.plain_text({1, 2}, "run_{1}.json", {});
  EXPECT_NE(document.finish("t", "d").find(">run_{1}.json</text>"), std::string::npos);
}

TEST(SvgDocument, AnUnclosedBraceIsPlainText) {
  SvgDocument document(10, 10);
  document.text({1, 2}, "a_{b", {});
  EXPECT_NE(document.finish("t", "d").find(">a_{b</text>"), std::string::npos);
}

TEST(SvgDocument, WritesNoNegativeZeroAndNoTrailingZeros) {
  SvgDocument document(10, 10);
  document.line({-0.001, 1.50}, {2, 3.256}, {.stroke = "#000000"});
  EXPECT_NE(document.finish("t", "d").find("x1=\"0\" y1=\"1.5\" x2=\"2\" y2=\"3.26\""), std::string::npos);
}

TEST(Colour, ParsesHexadecimalDigits) {
  Colour colour;
  ASSERT_TRUE(parse_colour("#0a80FF", colour));
  EXPECT_EQ(colour.red, 10);
  EXPECT_EQ(colour.green, 128);
  EXPECT_EQ(colour.blue, 255);
  ASSERT_TRUE(parse_colour("#f0a", colour));
  EXPECT_EQ(colour.blue, 170);
  for (const char* text : {"", "red", "#12345", "#12345g", "0a80ff#", "none"}) EXPECT_FALSE(parse_colour(text, colour));
}

TEST(TextWidth, CountsCharactersNotBytes) {
  EXPECT_DOUBLE_EQ(text_width("θ̇", 20, Markup::none), text_width("θ", 20, Markup::none));
  EXPECT_DOUBLE_EQ(text_width("μ", 50, Markup::none), 29);
  EXPECT_DOUBLE_EQ(text_width("\x80\xFF", 50, Markup::none), 52);  // each a replacement character
  EXPECT_DOUBLE_EQ(text_width("x_{0}", 100, Markup::scripts), 52 + 0.72 * 58);
  EXPECT_GT(text_width("x_{0}", 100, Markup::none), text_width("x_{0}", 100, Markup::scripts));
}

}  // namespace
}  // namespace routh
