#include "routh/robot/xml.h"

#include <fmt/format.h>

#include <algorithm>

#include "routh/robot/xml_characters.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

std::string shown(std::string_view text) { return "'" + printable(std::string(text.substr(0, 256))) + "'"; }

// One pass from the beginning to the end; elements that are open stand in a list, not on the stack of calls.
class XmlParser {
 public:
  XmlParser(std::string_view text, const std::string& file, const XmlLimits& limits)
      : text_(text), file_(std::make_shared<const std::string>(file)), limits_(limits) {}

  XmlElement parse() {
    check_characters();
    while (at_ < text_.size()) step();
    if (!open_.empty())
      fail_at(open_.back().line, open_.back().column,
              fmt::format("<{}> is not closed by the end of the text", printable(open_.back().name)),
              fmt::format("add </{}>; the text may have been cut off", printable(open_.back().name)));
    if (!done_) fail("the text holds no element", "write the robot as XML");
    return std::move(root_);
  }

 private:
  [[noreturn]] void fail_at(int line, int column, const std::string& message, const std::string& remedy) const {
    throw InputError({*file_, line, column}, message, remedy);
  }
  [[noreturn]] void fail(const std::string& message, const std::string& remedy) const {
    fail_at(line_, column(at_), message, remedy);
  }
  [[noreturn]] void fail_cut_off(const char* what) const {
    fail(fmt::format("{} is not closed by the end of the text", what), "close it; the text may have been cut off");
  }
  int column(std::size_t offset) const { return static_cast<int>(offset - line_start_) + 1; }
  bool ahead(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  bool ended() const { return at_ >= text_.size(); }

  // Moves on by `count` bytes, of which some may end lines.
  void advance(std::size_t count) {
    for (const std::size_t end = std::min(at_ + count, text_.size()); at_ < end; ++at_)
      if (text_[at_] == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      }
  }
  void skip_blanks() {
    while (!ended() && is_blank(text_[at_])) advance(1);
  }

  // Comments may be in any encoding: nobody reads them.
  enum class Bytes { utf8, any };

  void check_character(Bytes bytes) {
    const std::size_t length = character_size(text_, at_);
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (length == 0 && bytes == Bytes::utf8)
      fail(fmt::format("the byte 0x{:02x} is not valid UTF-8", byte), "save the file as UTF-8");
    const bool control = (byte < 0x20 && !is_blank(text_[at_])) || byte == 0x7f;
    if (control) fail(fmt::format("found the control character 0x{:02x}", byte), "save the file as UTF-8 text");
    advance(std::max<std::size_t>(length, 1));
  }

  // To the end of the text where it never ends; parsing refuses that.
  void check_until(std::string_view end, Bytes bytes) {
    const std::size_t stop = std::min(text_.find(end, at_), text_.size());
    while (at_ < stop) check_character(bytes);
  }

  void check_characters() {
    if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff"))
      fail("the text is UTF-16", "save the file as UTF-8");
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
    if (text_.size() > limits_.max_bytes)
      throw InputError({*file_, 0, 0}, fmt::format("the text has more than {} bytes", limits_.max_bytes),
                       "make it smaller");
    while (!ended()) {
      if (ahead("<!--"))
        check_until("-->", Bytes::any);
      else if (ahead("<![CDATA["))
        check_until("]]>", Bytes::utf8);
      else if (ahead("<?"))
        check_until("?>", Bytes::utf8);
      else
        check_character(Bytes::utf8);
    }
    at_ = line_start_ = 0;
    line_ = 1;
  }

  void step() {
    if (text_[at_] != '<') return read_text();
    if (ahead("<!--")) return skip_past("<!--", "-->", "a comment");
    if (ahead("<![CDATA[")) return read_cdata();
    if (ahead("<?")) return skip_past("<?", "?>", "a processing instruction");
    if (ahead("<!DOCTYPE")) return skip_document_type();
    if (ahead("<!")) fail("found '<!' that begins no comment", "remove it");
    if (ahead("</")) return close_element();
    open_element();
  }

  void skip_past(std::string_view begin, std::string_view end, const char* what) {
    const std::size_t found = text_.find(end, at_ + begin.size());
    if (found == std::string_view::npos) fail_cut_off(what);
    advance(found + end.size() - at_);
  }

  // Its name, and where its rules would stand, say nothing here; rules of its own could.
  void skip_document_type() {
    if (!open_.empty() || done_) fail("found a document type (DOCTYPE) behind the first element", "remove it");
    char quote = 0;
    std::size_t end = at_;
    for (; end < text_.size() && (quote != 0 || text_[end] != '>'); ++end) {
      if (quote == 0 && (text_[end] == '[' || text_[end] == '<') && end > at_)
        fail("a document type (DOCTYPE) with rules of its own is not read",
             "remove it; entities of one's own are not allowed");
      if (quote != 0 ? text_[end] == quote : text_[end] == '"' || text_[end] == '\'')
        quote = quote != 0 ? '\0' : text_[end];
    }
    if (end == text_.size()) fail_cut_off("a document type (DOCTYPE)");
    advance(end + 1 - at_);
  }

  void read_cdata() {
    constexpr std::string_view begin = "<![CDATA[", end = "]]>";
    if (open_.empty()) fail("found text outside of the outermost element", "remove it");
    const std::size_t first = at_ + begin.size(), found = text_.find(end, first);
    if (found == std::string_view::npos) fail_cut_off("a CDATA section");
    open_.back().text += text_.substr(first, found - first);
    advance(found + end.size() - at_);
  }

  void read_text() {
    if (open_.empty()) {
      skip_blanks();
      if (!ended() && text_[at_] != '<')
        fail(fmt::format("found {} outside of the outermost element", shown(text_.substr(at_, 1))),
             done_ ? "remove what follows the last closing tag" : "an XML text begins with '<'");
      return;
    }
    while (!ended() && text_[at_] != '<') read_character(open_.back().text);
  }

  // A character or a reference to one, as in text and in values.
  void read_character(std::string& out) {
    if (text_[at_] == '&') return read_reference(out);
    if (text_[at_] != '\r') out += text_[at_];
    advance(1);
  }

  void read_reference(std::string& out) {
    constexpr std::size_t longest = 12;  // &#x0010FFFF;
    const std::size_t length = text_.substr(at_, longest).find(';');
    if (length == std::string_view::npos)
      fail("'&' begins no entity that ends with ';'", "write &amp; for the character itself");
    const std::string_view name = text_.substr(at_ + 1, length - 1);
    static constexpr std::pair<std::string_view, char> entities[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    const auto* entity =
        std::find_if(std::begin(entities), std::end(entities), [&](const auto& pair) { return pair.first == name; });
    if (entity != std::end(entities))
      out += entity->second;
    else if (const unsigned code = referred_character(name))
      append_utf8(out, code);
    else if (name.starts_with('#'))
      fail(fmt::format("{} stands for no character", shown(text_.substr(at_, length + 1))), "write the character");
    else
      fail(fmt::format("the entity {} is not known", shown(text_.substr(at_, length + 1))),
           "known are &amp; &lt; &gt; &quot; &apos; and numbers as in &#176;");
    advance(length + 1);
  }

  std::string read_name(const char* what) {
    const std::size_t begin = at_;
    if (ended() || !begins_name(text_[at_])) {
      if (ended()) fail(fmt::format("the text ends where {} is expected", what), "the text may have been cut off");
      fail(fmt::format("found {} where {} is expected", shown(text_.substr(at_, 1)), what),
           "names begin with a letter; write &lt; for the character '<' itself");
    }
    while (!ended() && continues_name(text_[at_])) ++at_;  // no line ends within a name
    if (at_ - begin > limits_.max_token) fail(fmt::format("{} is too long", what), "make it shorter");
    return std::string(text_.substr(begin, at_ - begin));
  }

  void open_element() {
    if (open_.empty() && done_) fail("found a second outermost element", "keep one robot in a file");
    if (static_cast<int>(open_.size()) >= limits_.max_depth)
      fail(fmt::format("elements are nested more than {} deep", limits_.max_depth), "make the file flatter");
    if (++elements_ > limits_.max_elements)
      fail(fmt::format("the text holds more than {} elements", limits_.max_elements), "make it smaller");
    XmlElement element;
    element.line = line_;
    element.column = column(at_);
    element.file = file_;
    ++at_;
    element.name = read_name("the name of an element");
    read_attributes(element);
    const bool empty = ahead("/");
    advance(empty ? 1 : 0);
    if (!ahead(">")) {
      if (ended()) fail_at(element.line, element.column, "a tag is not closed by the end of the text", "add '>'");
      fail(fmt::format("found {} in the tag <{}>", shown(text_.substr(at_, 1)), printable(element.name)),
           "write attributes as name=\"value\" and end the tag with '>' or '/>'");
    }
    advance(1);
    open_.push_back(std::move(element));
    if (empty) close_last();
  }

  void read_attributes(XmlElement& element) {
    while (true) {
      skip_blanks();  // there may be none, as other readers allow
      if (ended() || !begins_name(text_[at_])) return;
      if (++attributes_ > limits_.max_attributes)
        fail(fmt::format("the text holds more than {} attributes", limits_.max_attributes), "make it smaller");
      element.attributes.push_back(read_attribute());
      check_twin(element);
    }
  }

  void check_twin(const XmlElement& element) const {
    constexpr std::size_t most = 256;  // comparing each with each stays quick
    const XmlAttribute& added = element.attributes.back();
    if (element.attributes.size() > most)
      fail_at(added.line, added.column, fmt::format("an element has more than {} attributes", most), "use elements");
    for (const XmlAttribute& other : element.attributes)
      if (&other != &added && other.name == added.name)
        fail_at(added.line, added.column,
                fmt::format("the attribute {} is given twice, first in line {} column {}", shown(added.name),
                            other.line, other.column),
                "keep one of them");
  }

  XmlAttribute read_attribute() {
    XmlAttribute attribute;
    attribute.line = line_;
    attribute.column = column(at_);
    attribute.name = read_name("the name of an attribute");
    skip_blanks();
    const bool equals = ahead("=");
    advance(equals ? 1 : 0);
    skip_blanks();
    if (!equals || ended() || (text_[at_] != '"' && text_[at_] != '\''))
      fail(fmt::format("the attribute {} has no value in quotes", shown(attribute.name)),
           fmt::format("write {}=\"value\"", printable(attribute.name)));
    const char quote = text_[at_];
    advance(1);
    attribute.value_line = line_;
    attribute.value_column = column(at_);
    while (!ended() && text_[at_] != quote) {
      if (text_[at_] == '<') fail("found '<' in the value of an attribute", "close the quote before, or write &lt;");
      const bool blank = is_blank(text_[at_]);
      read_character(attribute.value);
      if (blank && !attribute.value.empty() && is_blank(attribute.value.back())) attribute.value.back() = ' ';
      if (attribute.value.size() > limits_.max_token)
        fail(fmt::format("a value has more than {} bytes", limits_.max_token), "make it shorter");
    }
    if (ended())
      fail_at(attribute.line, attribute.column,
              fmt::format("the value of the attribute {} is not closed by the end of the text", shown(attribute.name)),
              "close the quote; the text may have been cut off");
    advance(1);
    return attribute;
  }

  void close_element() {
    const int line = line_, place = column(at_);
    at_ += 2;
    const std::string name = read_name("the name of an element");
    skip_blanks();
    if (!ahead(">")) fail(fmt::format("the closing tag </{} does not end", printable(name)), "add '>'");
    advance(1);
    if (open_.empty())
      fail_at(line, place, fmt::format("</{}> closes nothing", printable(name)), "remove it, or open it before");
    const XmlElement& element = open_.back();
    if (element.name != name)
      fail_at(line, place,
              fmt::format("</{}> closes <{}> of line {} column {}", printable(name), printable(element.name),
                          element.line, element.column),
              fmt::format("write </{}>", printable(element.name)));
    close_last();
  }

  void close_last() {
    XmlElement element = std::move(open_.back());
    open_.pop_back();
    const auto& text = element.text;
    const auto first = std::find_if_not(text.begin(), text.end(), is_blank);
    const auto last = std::find_if_not(text.rbegin(), text.rend(), is_blank).base();
    element.text = first < last ? std::string(first, last) : std::string();
    if (open_.empty()) {
      root_ = std::move(element);
      done_ = true;
    } else {
      open_.back().children.push_back(std::move(element));
    }
  }

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  const XmlLimits& limits_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
  std::size_t elements_ = 0, attributes_ = 0;
  std::vector<XmlElement> open_;
  XmlElement root_;
  bool done_ = false;
};

}  // namespace

const XmlAttribute* XmlElement::attribute(std::string_view wanted) const {
  for (const XmlAttribute& candidate : attributes)
    if (candidate.name == wanted) {
      candidate.used = true;
      return &candidate;
    }
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& candidate : children)
    if (candidate.name == wanted) {
      candidate.used = true;
      return &candidate;
    }
  return nullptr;
}

std::vector<const XmlElement*> XmlElement::all(std::string_view child_name) const {
  std::vector<const XmlElement*> found;
  for (const XmlElement& candidate : children)
    if (candidate.name == child_name) {
      candidate.used = true;
      found.push_back(&candidate);
    }
  return found;
}

XmlElement parse_xml(std::string_view text, const std::string& name, const XmlLimits& limits) {
  return XmlParser(text, name, limits).parse();
}

XmlElement read_xml_file(const std::string& path, const XmlLimits& limits) {
  return parse_xml(read_text_file(path, limits.max_bytes), path, limits);
}

}  // namespace routh::internal
