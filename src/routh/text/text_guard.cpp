#include "routh/text/text_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "routh/base/error.h"

namespace routh::internal {

namespace {

struct Fault {
  std::size_t offset;
  std::string message;
  std::string remedy;
};

[[noreturn]] void fail(std::string_view text, const std::string& file, const Fault& fault) {
  const std::string_view before = text.substr(0, fault.offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.find_last_of('\n') + 1;  // npos + 1 is 0: the first line
  throw InputError({file, static_cast<int>(line), static_cast<int>(fault.offset - line_start) + 1}, fault.message,
                   fault.remedy);
}

std::optional<Fault> find_bad_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = character_size(text, i);
    if (length == 0)
      return Fault{i, fmt::format("the byte 0x{:02x} is not valid UTF-8", byte), "save the file as UTF-8"};
    if (byte == 0)
      return Fault{i, "found a NUL byte in a text", "save the file as UTF-8 text, not as UTF-16 or binary"};
    const bool lone_return = byte == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    const bool control = (byte < 0x20 && byte != '\n' && byte != '\t' && byte != '\r') || byte == 0x7f;
    // U+0080 … U+009F steer terminals just as the ASCII controls do.
    const bool high_control = length == 2 && byte == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (lone_return) return Fault{i, "found a carriage return without a line feed", "end lines with a line feed"};
    if (control || high_control)
      return Fault{i, fmt::format("found the control character 0x{:02x}", high_control ? text[i + 1] & 0xff : byte),
                   "remove it, or write it as an escape in double quotes"};
    i += length;
  }
  return std::nullopt;
}

// Follows quotes, comments, block scalars and brackets through a YAML text without building anything.
class Outline {
 public:
  Outline(std::string_view text, const TextLimits& limits) : text_(text), limits_(limits) {}

  std::optional<Fault> scan() {
    while (at_ < text_.size() && !fault_) step();
    if (!fault_ && depth_ > 0)
      fault_ = Fault{open_, "a bracket opened here is not closed by the end of the text",
                     "close it; the text may have been cut off"};
    return std::move(fault_);
  }

 private:
  bool in_flow() const { return depth_ > 0; }
  bool blank_at(std::size_t i) const {
    return i >= text_.size() || text_[i] == ' ' || text_[i] == '\t' || text_[i] == '\n' || text_[i] == '\r';
  }

  void step() {
    const char ch = text_[at_];
    if (ch == '\n') {
      if (!in_flow()) token_next_ = true;
      line_start_ = ++at_;
      block_column_ = -1;
      token_length_ = 0;
    } else if (blank_at(at_)) {
      ++at_;
      if (token_next_) token_length_ = 0;
    } else if (ch == '#' && (at_ == 0 || blank_at(at_ - 1))) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (in_flow() && step_in_flow(ch)) {
      ++at_;
    } else if (token_next_) {
      begin_token(ch);
    } else {
      if (ch == ':' && (blank_at(at_ + 1) || (in_flow() && after_quote_))) token_next_ = true;
      after_quote_ = false;
      count_byte();
    }
  }

  // Brackets, commas and the colon after a quoted key, which inside brackets mean something wherever they stand.
  bool step_in_flow(char ch) {
    switch (ch) {
      case '[':
      case '{':
        open_bracket();
        return true;
      case ']':
      case '}':
        --depth_;
        token_next_ = false;
        after_quote_ = true;
        token_length_ = 0;
        return true;
      case ',':
        token_next_ = true;
        token_length_ = 0;
        return true;
      default:
        return false;
    }
  }

  void begin_token(char ch) {
    const int column = static_cast<int>(std::min<std::size_t>(at_ - line_start_, 1u << 30));
    const bool indicator = (ch == '-' || ch == '?' || ch == ':') && (blank_at(at_ + 1) || (in_flow() && ch == ':'));
    token_length_ = 0;
    after_quote_ = false;
    if (ch == '"' || ch == '\'') {
      note_column(column);
      skip_quoted(ch);
    } else if (ch == '[' || ch == '{') {
      open_bracket();
      ++at_;
    } else if (indicator) {
      if (ch == '-') block_column_ = column;
      dash_ = ch == '-';
      ++at_;
    } else if (ch == '&' || ch == '!') {  // refused by the reader, but what follows still begins a token
      while (at_ < text_.size() && !blank_at(at_)) ++at_;
    } else if ((ch == '|' || ch == '>') && !in_flow()) {
      skip_block_scalar();
    } else {
      note_column(column);
      token_next_ = false;
      count_byte();
    }
  }

  // A key after dashes moves the column that a block scalar must be indented beyond.
  void note_column(int column) {
    if (block_column_ < 0 || dash_) block_column_ = column;
    dash_ = false;
  }

  void open_bracket() {
    if (depth_ == 0) open_ = at_;
    if (++depth_ > limits_.max_depth)
      fault_ = Fault{at_, fmt::format("lists and maps are nested more than {} deep", limits_.max_depth),
                     "write the values without so many brackets"};
    token_next_ = true;
    after_quote_ = false;
    token_length_ = 0;
  }

  void count_byte() {
    if (++token_length_ > limits_.max_token) fault_too_long(at_ + 1 - token_length_);
    ++at_;
  }

  void fault_too_long(std::size_t start) {
    fault_ = Fault{start, fmt::format("one value is longer than {} bytes", limits_.max_token), "shorten it"};
  }

  void skip_quoted(char quote) {
    const std::size_t start = at_++;
    while (at_ < text_.size()) {
      const char ch = text_[at_];
      if (ch == '\\' && quote == '"') {
        at_ += 2;
        continue;
      }
      if (ch == '\n') line_start_ = at_ + 1;
      ++at_;
      if (ch != quote) continue;
      if (quote == '\'' && at_ < text_.size() && text_[at_] == '\'') {  // '' is a quote within single quotes
        ++at_;
        continue;
      }
      if (at_ - start > limits_.max_token) fault_too_long(start);
      token_next_ = false;
      after_quote_ = true;
      return;
    }
    fault_ = Fault{start, fmt::format("a quote ({}) opened here is not closed by the end of the text", quote),
                   "close it; the text may have been cut off"};
  }

  // Skips the header line and every following line that is blank or indented beyond the column of the key or dash.
  void skip_block_scalar() {
    const std::size_t start = at_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    while (at_ < text_.size()) {
      const std::size_t first = text_.find_first_not_of(' ', at_ + 1);
      const bool content = first != std::string_view::npos && text_[first] != '\n' && text_[first] != '\r';
      if (content && static_cast<long long>(first - at_ - 1) <= block_column_) break;
      at_ = std::min(text_.find('\n', at_ + 1), text_.size());
    }
    if (at_ - start > limits_.max_token) fault_too_long(start);
  }

  std::string_view text_;
  const TextLimits& limits_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::size_t open_ = 0;  // the outermost open bracket
  std::size_t token_length_ = 0;
  int depth_ = 0;
  int block_column_ = -1;
  bool dash_ = false;         // a `- ` was the last token of this line
  bool token_next_ = true;    // the next visible character begins a token
  bool after_quote_ = false;  // the last token ended with a quote or bracket: a colon may follow at once
  std::optional<Fault> fault_;
};

int hex_value(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  if (ch >= 'a' && ch <= 'f') return ch - 'a' + 10;
  if (ch >= 'A' && ch <= 'F') return ch - 'A' + 10;
  return -1;
}

// The value of the escape \uXXXX at `offset`, or -1.
int unicode_escape(std::string_view text, std::size_t offset) {
  if (offset + 6 > text.size() || text[offset] != '\\' || text[offset + 1] != 'u') return -1;
  int value = 0;
  for (std::size_t i = 2; i < 6; ++i) {
    const int digit = hex_value(text[offset + i]);
    if (digit < 0) return -1;
    value = 16 * value + digit;
  }
  return value;
}

void join_surrogates(std::string& text) {
  for (std::size_t i = text.find('\\'); i != std::string::npos; i = text.find('\\', i)) {
    const int high = unicode_escape(text, i);
    const int low = high >= 0xd800 && high < 0xdc00 ? unicode_escape(text, i + 6) : -1;
    if (low >= 0xdc00 && low < 0xe000)
      text.replace(i, 12, fmt::format("\\U{:08x}", 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)));
    i += 2;  // past the backslash and what it escapes
  }
}

}  // namespace

// [Unicode, table 3-7]
std::size_t character_size(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : static_cast<unsigned char>(0);
  };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0u) == 0x80u; };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool beyond = first == 0xF4 && byte(1) > 0x8F;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

void guard_text(std::string& text, const std::string& file, const TextLimits& limits) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw InputError({file, 1, 1}, "the text is UTF-16", "save the file as UTF-8");
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError({file, 1, 1}, "the text is empty", "write the values as YAML or JSON");
  if (text.size() > limits.max_bytes)
    throw InputError({file, 0, 0}, fmt::format("the text has more than {} bytes", limits.max_bytes), "make it smaller");
  if (const auto fault = find_bad_character(text)) fail(text, file, *fault);
  if (const auto fault = Outline(text, limits).scan()) fail(text, file, *fault);
  join_surrogates(text);
}

}  // namespace routh::internal
