// The XML reader: what it makes of good texts, and that no text whatever does harm.
#include "routh/robot/xml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "routh/text/document.h"

namespace {

using routh::InputError;
using routh::parse_xml;
using routh::XmlElement;

std::string refusal(std::string_view text) {
  try {
    parse_xml(text, "f");
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, "f");
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    return error.what();
  }
  return "";
}

TEST(Xml, ElementsAttributesAndText) {
  const XmlElement root = parse_xml(
      "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a - comment -- -->\n<a x = '1' y=\"&lt;&#65;&#x3bc;&quot;\">\n"
      "  one <b/>\r\n two<![CDATA[<&]]>\n <c:d e='a\tb\nc'></c:d >\n</a>\n<!-- end -->",
      "f");
  EXPECT_EQ(root.name, "a");
  ASSERT_EQ(root.attributes.size(), 2u);
  EXPECT_EQ(root.attributes[0].value, "1");
  EXPECT_EQ(root.attributes[1].value, "<A\u03bc\"");
  EXPECT_EQ(root.text, "one \n two<&");
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_EQ(root.children[1].name, "c:d");
  EXPECT_EQ(root.children[1].attributes[0].value, "a b c");
}

TEST(Xml, Places) {
  const XmlElement root = parse_xml("<a>\n  <b\n    cc=\"1\"\n d = '2'/>\n</a>", "f");
  const XmlElement& b = root.children.at(0);
  EXPECT_EQ(b.line, 2);
  EXPECT_EQ(b.column, 3);
  EXPECT_EQ(b.attributes[0].line, 3);
  EXPECT_EQ(b.attributes[0].column, 5);
  EXPECT_EQ(b.attributes[0].value_column, 9);
  EXPECT_EQ(b.attributes[1].line, 4);
  EXPECT_EQ(b.attributes[1].value_column, 7);
}

TEST(Xml, Refusals) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "f:1:1: error: the text holds no element"},
      {"<a>", "f:1:1: error: <a> is not closed"},
      {"<a></b>", "f:1:4: error: </b> closes <a> of line 1 column 1"},
      {"<a/><b/>", "f:1:5: error: found a second outermost element"},
      {"<a x='1' x='2'/>", "f:1:10: error: the attribute 'x' is given twice, first in line 1 column 4"},
      {"<a x=1/>", "f:1:6: error: the attribute 'x' has no value in quotes"},
      {"<a x/>", "has no value in quotes"},
      {"<a x='<'/>", "f:1:7: error: found '<' in the value"},
      {"<a>&b;</a>", "f:1:4: error: the entity '&b;' is not known"},
      {"<a>&#0;</a>", "stands for no character"},
      {"<a>&#xd800;</a>", "stands for no character"},
      {"<a>&#x110000;</a>", "stands for no character"},
      {"<a>& b</a>", "begins no entity"},
      {"<!DOCTYPE a [<!ENTITY x 'y'>]><a/>", "f:1:1: error: a document type (DOCTYPE) with rules"},
      {"<!DOCTYPE a><!DOCTYPE b [ ]><a/>", "f:1:13: error: a document type (DOCTYPE) with rules"},
      {"<a/><!DOCTYPE a>", "f:1:5: error: found a document type (DOCTYPE) behind"},
      {"<!DOCTYPE a SYSTEM '><a/>", "f:1:1: error: a document type (DOCTYPE) is not closed"},
      {"<!ELEMENT a><a/>", "f:1:1: error: found '<!' that begins no comment"},
      {"<a>\xff</a>", "f:1:4: error: the byte 0xff is not valid UTF-8"},
      {"<a>\xc0\x80</a>", "is not valid UTF-8"},
      {"<a><![CDATA[<!--\xff-->]]></a>", "f:1:17: error: the byte 0xff"},
      {"<?x <!--?>\xff<a/>", "f:1:11: error: the byte 0xff"},
      {"<a x='<!--\xff-->'/>", "f:1:7: error: found '<' in the value"},
      {"<!--\xff", "f:1:1: error: a comment is not closed"},
      {"<!--\x01--><a/>", "control character 0x01"},
      {"<a>\x01</a>", "control character 0x01"},
      {std::string("<a>\0</a>", 8), "control character 0x00"},
      {"\xff\xfe<", "UTF-16"},
      {"text", "f:1:1: error: found 't' outside of the outermost element"},
      {"<a/>text", "f:1:5: error: found 't' outside"},
      {"<1/>", "f:1:2: error: found '1' where the name of an element is expected"},
      {"</a>", "</a> closes nothing"},
      {"<a><!-- </a>", "f:1:4: error: a comment is not closed"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << "\n" << refusal(text);
}

// As MuJoCo and urdfdom read them.
TEST(Xml, OddTextsOfFilesInUse) {
  const XmlElement root = parse_xml(
      "<!DOCTYPE robot SYSTEM \"a>[b\">\n<!-- caf\xe9 \xc3 -->\n<robot name='a'version=\"1\"x=''><b/></robot>", "f");
  EXPECT_EQ(root.name, "robot");
  ASSERT_EQ(root.attributes.size(), 3u);
  EXPECT_EQ(root.attributes[1].name, "version");
  EXPECT_EQ(root.attributes[1].value, "1");
  EXPECT_EQ(root.attributes[1].column, 16);
  EXPECT_EQ(root.line, 3);
  EXPECT_EQ(parse_xml("<!DOCTYPE robot><robot/>", "f").name, "robot");
}

TEST(Xml, CutOffAnywhereItIsRefused) {
  const std::string text = routh::read_text_file(ROUTH_TEST_DATA "/robots/arm.urdf", 1 << 20);
  ASSERT_FALSE(text.empty());
  const std::size_t end = text.rfind('>');
  for (std::size_t length = 0; length <= end; ++length)
    EXPECT_NE(refusal(std::string_view(text).substr(0, length)), "") << length;
  EXPECT_EQ(refusal(text), "");
}

std::string repeated(std::string_view word, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += word;
  return text;
}

// Each is refused at its bound, by the words that name it.
TEST(Xml, HostileTextsAreRefused) {
  EXPECT_NE(refusal(repeated("<a>", 1'000'000)).find("nested more than 256 deep"), std::string::npos);
  EXPECT_NE(refusal(fmt::format("<a>{}</a>", repeated("<b/>", 300'000))).find("more than 200000 elements"),
            std::string::npos);
  std::string attributes = "<a";
  for (int i = 0; i < 100'000; ++i) attributes += fmt::format(" a{}=''", i);
  EXPECT_NE(refusal(attributes + "/>").find("more than 256 attributes"), std::string::npos);
  EXPECT_NE(refusal(fmt::format("<a x='{}'/>", repeated("y", 100'000))).find("more than 65536 bytes"),
            std::string::npos);
  EXPECT_NE(refusal(fmt::format("<{}/>", repeated("y", 100'000))).find("too long"), std::string::npos);
  EXPECT_NE(refusal(fmt::format("<a>{}</a>", repeated(" ", 17 << 20))).find("more than 16777216 bytes"),
            std::string::npos);
}

}  // namespace
