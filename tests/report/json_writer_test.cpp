#include "routh/report/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "decode.h"

namespace {

using namespace testing_support;
using routh::JsonWriter;

const std::string hostile =
    "</script><script>alert(1)</script><!-- \"quoted\" \\ & \xE2\x80\xA8 \xE2\x80\xA9 \x01\x1b[31m é 漢 "
    "\xF0\x9F\x98\x80";

TEST(JsonWriter, HostileTextsAreInertAndReadBack) {
  JsonWriter json;
  json.begin_object();
  json.text("a", hostile);
  json.text(hostile, "value");
  json.raw("data", Json{{"name", hostile}}.dump());
  json.texts("list", {hostile, ""});
  json.end_object();
  const std::string& text = json.result();
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xA8"), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xA9"), std::string::npos);
  for (const char c : text) EXPECT_FALSE(static_cast<unsigned char>(c) < 0x20);
  const Json parsed = Json::parse(text);
  EXPECT_EQ(parsed.at("a"), hostile);
  EXPECT_EQ(parsed.at(hostile), "value");
  EXPECT_EQ(parsed.at("data").at("name"), hostile);
  EXPECT_EQ(parsed.at("list"), (Json{hostile, ""}));
}

TEST(JsonWriter, BytesThatAreNoUtf8AreReplaced) {
  const std::string bad[] = {
      "\x80",         "\xC0\xAF", "\xE2\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\xF8\x88\x80\x80\x80",
      "\xE0\x80\x80", "\xC2"};
  for (const std::string& bytes : bad) {
    JsonWriter json;
    json.begin_list();
    json.text("a" + bytes + "b");
    json.end_list();
    const Json parsed = Json::parse(json.result());  // throws where it is no UTF-8
    const std::string text = parsed.at(0);
    EXPECT_EQ(text.front(), 'a');
    EXPECT_EQ(text.back(), 'b');
    EXPECT_NE(text.find("\xEF\xBF\xBD"), std::string::npos);
  }
}

TEST(JsonWriter, NumbersReadBackAndNothingIsNaN) {
  const double values[] = {0, -0.0, 1, -1.5, 0.1, 1e300, 5e-324, 1.0 / 3, 123456789012345678.0};
  JsonWriter json;
  json.begin_object();
  json.begin_list("values");
  for (const double value : values) json.number(value);
  json.end_list();
  json.number("nan", std::nan(""));
  json.number("inf", std::numeric_limits<double>::infinity());
  json.short_number("beyond_float", 1e300);
  json.short_number("short", 0.1);
  json.short_vector("v", routh::ContactVector{1, 0.25, std::nan("")});
  json.flag("yes", true);
  json.null("nothing");
  json.text_or_null("empty", "");
  json.integer("count", -7);
  json.end_object();
  const Json parsed = Json::parse(json.result());
  for (std::size_t k = 0; k < std::size(values); ++k) EXPECT_EQ(parsed.at("values").at(k).get<double>(), values[k]);
  EXPECT_EQ(json.result().find("-0,"), std::string::npos);
  for (const char* key : {"nan", "inf", "nothing", "empty"}) EXPECT_TRUE(parsed.at(key).is_null()) << key;
  EXPECT_EQ(parsed.at("beyond_float").get<double>(), 1e300);
  EXPECT_EQ(parsed.at("short").get<float>(), 0.1f);
  EXPECT_EQ(parsed.at("v"), (Json{1, 0.25, nullptr}));
  EXPECT_EQ(parsed.at("count"), -7);
}

TEST(JsonWriter, PackedListsReadBackInEveryBit) {
  const std::vector<double> doubles = {0, -1.5, 1.0 / 3, std::nan(""), 1e-310};
  const std::vector<float> floats = {1, 2.5f, -3, 4, 5, 0.1f};
  const std::vector<std::int32_t> integers = {-1, 0, 70000};
  const std::vector<std::uint8_t> bytes = {0, 1, 2, 255};
  JsonWriter json;
  json.begin_object();
  json.packed("doubles", doubles);
  json.packed("floats", floats, 2, 3);
  json.packed("none", std::vector<float>{}, 4, 0);
  json.packed("integers", integers);
  json.packed("bytes", bytes);
  json.end_object();
  const Json parsed = Json::parse(json.result());
  const std::vector<double> read = unpack<double>(parsed.at("doubles"), "f64");
  ASSERT_EQ(read.size(), doubles.size());
  EXPECT_EQ(std::memcmp(read.data(), doubles.data(), sizeof(double) * read.size()), 0);
  EXPECT_EQ(unpack<float>(parsed.at("floats"), "f32"), floats);
  EXPECT_EQ(parsed.at("floats").at("shape"), (Json{2, 3}));
  EXPECT_EQ(parsed.at("none").at("shape"), (Json{4, 0}));
  EXPECT_EQ(unpack<std::int32_t>(parsed.at("integers"), "i32"), integers);
  EXPECT_EQ(unpack<std::uint8_t>(parsed.at("bytes"), "u8"), bytes);
}

TEST(Base64, Rfc4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : vectors) EXPECT_EQ(routh::base64(plain), coded);
}

}  // namespace
