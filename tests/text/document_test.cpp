#include "routh/text/document.h"
#include "routh/base/nearest_word.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace routh {
namespace {

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

// The message of the InputError that `action` throws; empty when it throws none.
template <class Action>
std::string refusal(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string load_refusal(const std::string& text) {
  return refusal([&] { Document::from_text(text, "f"); });
}

TEST(Document, KeepsKindsTextAndPlaces) {
  const Document document = Document::from_text("a: [1, 'x']\nb:\n  c: yes\n  d:\n", "f");
  const Node root = document.root();
  ASSERT_TRUE(root.is_map());
  EXPECT_EQ(root.size(), 2u);
  const Node list = root.require("a");
  ASSERT_TRUE(list.is_sequence());
  EXPECT_EQ(list.child(0).number(), 1);
  EXPECT_FALSE(list.child(0).quoted());
  EXPECT_EQ(list.child(1).text(), "x");
  EXPECT_TRUE(list.child(1).quoted());
  EXPECT_EQ(list.child(1).path(), "a[1]");
  EXPECT_EQ(list.child(1).where().line, 1);
  EXPECT_EQ(list.child(1).where().column, 8);
  const Node inner = root.require("b").require("c");
  EXPECT_EQ(inner.path(), "b.c");
  EXPECT_EQ(inner.where().line, 3);
  EXPECT_EQ(inner.where().column, 6);
  EXPECT_EQ(inner.key_where().column, 3);
  EXPECT_EQ(root.require("b").require("d").kind(), NodeKind::nothing);
  EXPECT_FALSE(root.find("z").has_value());
}

TEST(Document, ReadsJsonAsItIs) {
  const Document document =
      Document::from_text("\xef\xbb\xbf{\"a\":\t[1,-2e0],\"b\":{\"c\":\"\\\"\\/\\u00e9\\ud83d\\ude00\\n\"}}\r\n", "f");
  EXPECT_EQ(document.root().require("a").child(1).number(), -2);
  EXPECT_EQ(document.root().require("b").require("c").text(), "\"/\u00e9\U0001F600\n");
}

TEST(Document, LeavesQuotesAndBracketsInsideTextsAlone) {
  const Document document = Document::from_text(
      "a: rock 'n roll, [ok\n"
      "b: don't # it's [ a comment\n"
      "c: |\n"
      "  [ ' \"\n"
      "\n"
      "  more {\n"
      "d:\n"
      "- e: >-\n"
      "    ' [\n"
      "  f: 'it''s ['\n"
      "- \"\\\"[\"\n",
      "f");
  EXPECT_EQ(document.root().require("a").text(), "rock 'n roll, [ok");
  EXPECT_EQ(document.root().require("b").text(), "don't");
  EXPECT_EQ(document.root().require("c").text(), "[ ' \"\n\nmore {\n");
  EXPECT_EQ(document.root().require("d").child(0).require("f").text(), "it's [");
  EXPECT_EQ(document.root().require("d").child(1).text(), "\"[");
}

TEST(Document, RefusesWhatIsNoText) {
  EXPECT_NE(load_refusal("").find("f:1:1: error: the text is empty"), std::string::npos);
  EXPECT_NE(load_refusal(" \n\t\r\n").find("empty"), std::string::npos);
  EXPECT_NE(load_refusal("\xef\xbb\xbf").find("empty"), std::string::npos);
  EXPECT_NE(load_refusal("\xff\xfe"
                         "a")
                .find("UTF-16"),
            std::string::npos);
  EXPECT_NE(load_refusal("\xfe\xff"
                         "a")
                .find("UTF-16"),
            std::string::npos);
  EXPECT_NE(load_refusal(std::string("a: \0", 4)).find("f:1:4: error: found a NUL"), std::string::npos);
  for (const char* bytes :
       {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5", "\xff"})
    EXPECT_NE(load_refusal(std::string("x\na: ") + bytes).find("f:2:4: error: the byte"), std::string::npos);
  for (const char* bytes : {"\x01", "\x1b[0m", "\x7f",
                            "\xc2\x9b"
                            "31m"})
    EXPECT_NE(load_refusal(std::string("a: ") + bytes).find("f:1:4: error: found the control"), std::string::npos);
  EXPECT_EQ(load_refusal("a: \u00e9\u20ac\U0001F600"), "");
}

TEST(Document, RefusesYamlThatHidesThings) {
  EXPECT_NE(load_refusal("a: &x 1\nb: *x\n").find("f:1:4: error: anchors"), std::string::npos);
  EXPECT_NE(load_refusal("a: !!int 1\n").find("f:1:4: error: tags"), std::string::npos);
  EXPECT_NE(load_refusal("a: !mine [1]\n").find("tags"), std::string::npos);
  EXPECT_NE(load_refusal("a: 1\n---\nb: 1\n").find("f:2:1: error: found more text"), std::string::npos);
  EXPECT_NE(load_refusal("{a: 1} b").find("f:1:8: error: found more text"), std::string::npos);
  EXPECT_NE(load_refusal("a: 1\nb: 2\na: 3\n").find("f:3:1: error: 'a' is given twice, first in line 1"),
            std::string::npos);
  EXPECT_NE(load_refusal("x: {\"a\": 1, a: 2}\n").find("given twice"), std::string::npos);
  EXPECT_NE(load_refusal("? [1]\n: 2\n").find("as the name"), std::string::npos);
  EXPECT_NE(load_refusal("~: 2\n").find("without a name"), std::string::npos);
  EXPECT_NE(load_refusal("# nothing\n").find("nothing but comments"), std::string::npos);
}

TEST(Document, RefusesATextThatWasCutOff) {
  for (const char* text : {"{\"a\": 1", "a: [1, 2", "a: \"x", "a: 'x", "a: 'x\n", "a: \"x\\\"", "[[1], [2"})
    EXPECT_NE(load_refusal(text).find("not closed"), std::string::npos) << text;
}

TEST(Document, BoundsNestingBeforeParsing) {
  for (const char* piece : {"[", "{a: ", "- ", "? ", "[\"]\",", "{\"a\":["}) {
    const std::string message = load_refusal(repeated(piece, 100000));
    EXPECT_FALSE(message.empty()) << piece;
    EXPECT_LT(message.size(), 300u) << piece;
  }
  EXPECT_EQ(load_refusal(repeated("[", 64) + repeated("]", 64)), "");
  EXPECT_NE(load_refusal(repeated("[", 65) + repeated("]", 65)).find("nested more than 64"), std::string::npos);
  EXPECT_EQ(load_refusal(repeated("- ", 64) + "1"), "");
  EXPECT_NE(load_refusal(repeated("- ", 65) + "1").find("nested more than 64"), std::string::npos);
}

TEST(Document, BoundsSizes) {
  const std::string ten_megabytes(10 << 20, '1');
  EXPECT_NE(load_refusal("a: " + ten_megabytes).find("f:1:4: error: one value is longer"), std::string::npos);
  EXPECT_NE(load_refusal("a: \"" + ten_megabytes + "\"").find("one value is longer"), std::string::npos);
  EXPECT_NE(load_refusal("a: |\n  " + ten_megabytes).find("one value is longer"), std::string::npos);
  EXPECT_NE(load_refusal(std::string((16 << 20) + 1, 'x')).find("more than 16777216 bytes"), std::string::npos);
  TextLimits few;
  few.max_nodes = 10;
  EXPECT_NE(refusal([&] { Document::from_text("[1,2,3,4,5,6,7,8,9,10]", "f", few); }).find("more than 10 values"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { Document::from_text("[1,2,3,4,5,6,7,8,9]", "f", few); }), "");
}

TEST(Document, TypedValuesNameTheirPathAndWhatStandsThere) {
  const Document document = Document::from_text("a: {b: [x, '1', 010, 7, {c: 1}, true, 99999999999999999999]}", "f");
  const Node list = document.root().require("a").require("b");
  const auto number = [&](std::size_t i) { return refusal([&] { list.child(i).number(); }); };
  EXPECT_NE(number(0).find("f:1:9: error: a.b[0]: 'x' is not a number"), std::string::npos);
  EXPECT_NE(number(1).find("remove the quotes"), std::string::npos);
  EXPECT_NE(number(2).find("octal"), std::string::npos);
  EXPECT_EQ(number(3), "");
  EXPECT_NE(number(4).find("found a map of 1"), std::string::npos);
  EXPECT_EQ(list.child(3).integer(0, 7), 7);
  EXPECT_NE(refusal([&] { list.child(3).integer(0, 6); }).find("from 0 to 6"), std::string::npos);
  EXPECT_NE(refusal([&] { list.child(2).integer(0, 100); }), "");
  EXPECT_NE(refusal([&] { list.child(6).integer(0, 100); }), "");
  EXPECT_TRUE(list.child(5).boolean());
  EXPECT_NE(refusal([&] { list.child(0).boolean(); }).find("true or false"), std::string::npos);
  EXPECT_NE(refusal([&] { list.text(); }).find("found a list of 7"), std::string::npos);
  EXPECT_NE(refusal([&] { list.expect_map(); }), "");
  EXPECT_NE(refusal([&] { list.child(0).expect_sequence(); }), "");
}

TEST(Document, SuggestsTheNearestKey) {
  const Document document = Document::from_text("fricton: 1\n", "f");
  static constexpr std::array<std::string_view, 3> keys = {"friction", "restitution", "law"};
  const std::string message = refusal([&] { document.root().allow_keys(keys); });
  EXPECT_NE(message.find("f:1:1: error: 'fricton' is not a key of the document"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'friction'?"), std::string::npos) << message;
  EXPECT_EQ(nearest_word("lwa", keys), "");
  EXPECT_EQ(nearest_word("lw", keys), "law");
  EXPECT_EQ(nearest_word("something else", keys), "");
  EXPECT_NE(refusal([&] { document.root().require("law"); }).find("'law' is missing"), std::string::npos);
}

TEST(Document, ShowsHostileKeysHarmlessly) {
  const Document document = Document::from_text("{\"\\e[31m../x\": 1}", "f");
  const std::string message = refusal([&] { document.root().allow_keys({}); });
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_NE(message.find("\\x1b[31m../x"), std::string::npos);
}

TEST(Document, FilesThatCannotBeReadAreFailuresOfTheSurroundings) {
  EXPECT_THROW(Document::from_file("/nonexistent/problem.yaml"), RuntimeFailure);
  EXPECT_THROW(Document::from_file("/"), RuntimeFailure);
  EXPECT_THROW(read_text_file("/dev/zero", 1000), RuntimeFailure);  // devices are not read
  EXPECT_THROW(read_text_file("/dev/null", 1000), RuntimeFailure);
}

TEST(Document, OutlivesMoves) {
  Document first = Document::from_text("a: 1", "f");
  const Node node = first.root().require("a");
  const Document second = std::move(first);
  EXPECT_EQ(node.number(), 1);
  EXPECT_EQ(second.name(), "f");
}

}  // namespace
TEST(Document, AnEmptyValueStandsAtItsKey) {
  const Document document = Document::from_text("first: 1\nempty:\n\n\nlast: 2\n", "file");
  const Node node = document.root().require("empty");
  EXPECT_EQ(node.where().line, 2);
  EXPECT_EQ(node.where().column, 1);
}

}  // namespace routh
