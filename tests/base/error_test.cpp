// What messages show of a text that somebody else wrote.
#include <gtest/gtest.h>

#include "routh/base/error.h"

namespace {

using routh::printable;

TEST(Printable, NothingThatCommandsATerminal) {
  EXPECT_EQ(printable("plain · ü 漢 😀"), "plain · ü 漢 😀");
  EXPECT_EQ(printable("a\x1b[31mb\n\x7f"), "a\\x1b[31mb\\x0a\\x7f");
  EXPECT_EQ(printable("\x9b"
                      "31mX"),
            "\\x9b31mX");  // a control sequence in Latin-1
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // and in UTF-8
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "gpj.exe"),
            "\\u202egpj.exe");  // right to left from here on
  EXPECT_EQ(printable("\xe2\x81\xa6"
                      "a\xd8\x9c"),
            "\\u2066a\\u061c");
  EXPECT_EQ(printable("\xef\xbb\xbf"
                      "a"),
            "\\ufeffa");
  EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80\xf5\xe2\x82"), "\\xc0\\xaf\\xed\\xa0\\x80\\xf5\\xe2\\x82");  // no UTF-8
}

TEST(Printable, NoCharacterIsCutInTwo) {
  const std::string text = "äöü";
  for (std::size_t most = 0; most < 8; ++most) {
    const std::string cut = printable(text, most);
    EXPECT_TRUE(cut == "..." || cut == "ä..." || cut == "äö..." || cut == text) << cut;
  }
}

}  // namespace
