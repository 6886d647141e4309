// By recursive descent; how far it recurses is bounded.
#include "routh/study/expression.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <numbers>

#include "routh/base/number.h"
#include "routh/study/expression_functions.h"

namespace routh::internal {

using namespace expression;

namespace {

using Words = std::span<const std::string_view>;

enum class Type { number, condition, word };

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool goes_on(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

// What stands on the stack after a part of the text.
struct Operand {
  Type type = Type::number;
  Words words = {};
};

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Location& where, const QuantityFinder& find)
      : text_(text), where_(where), find_(find) {}

  Operand parse() {
    const Operand whole = either();
    skip();
    if (at_ < text_.size()) refuse(fmt::format("'{}' is not expected here", next_token()));
    return whole;
  }
  std::vector<Expression::Step> take_steps() { return std::move(steps_); }

 private:
  Location place(std::size_t at) const {
    return {where_.file, where_.line, where_.column > 0 ? where_.column + static_cast<int>(at) : 0};
  }
  [[noreturn]] void refuse(const std::string& message, const std::string& remedy = {}) const {
    refuse_at(at_, message, remedy);
  }
  [[noreturn]] void refuse_at(std::size_t at, const std::string& message, const std::string& remedy = {}) const {
    throw InputError(place(at), "expression: " + message, remedy);
  }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  std::string next_token() const {
    std::size_t end = at_;
    while (end < text_.size() && goes_on(text_[end])) ++end;
    if (end == at_) ++end;
    // A character of several bytes is named as a whole.
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
    return printable(std::string(text_.substr(at_, end - at_)));
  }
  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    if (begins_word(token[0]) && at_ + token.size() < text_.size()) {
      const char after = text_[at_ + token.size()];
      if (goes_on(after) || after == '.' || after == '[' || after == '(') return false;
    }
    at_ += token.size();
    return true;
  }

  void push(const Expression::Step& step) {
    steps_.push_back(step);
    height_ += 1 - step.operands;
    if (height_ > Expression::max_stack) refuse("too much stands within brackets", "split it into several measures");
  }
  void push_number(double value) { push({nullptr, 0, -1, value}); }
  void apply(const Function& function, int operands) { push({function.apply, operands, -1, 0}); }
  void number_only(const Operand& operand, std::size_t at) const {
    if (operand.type == Type::word)
      refuse_at(at, fmt::format("a name cannot be computed with; compare it with one of: {}",
                                fmt::join(operand.words, ", ")));
  }

  template <std::size_t N>
  const Function* take_one(const Function (&among)[N]) {
    for (const Function& each : among)
      if (take(each.name)) return &each;
    return nullptr;
  }
  // `a op b op c …`, from the left.
  template <std::size_t N>
  Operand chain(const Function (&operators)[N], Operand (ExpressionParser::*part)(), Type type) {
    Operand left = (this->*part)();
    for (std::size_t at = at_;; at = at_) {
      const Function* found = take_one(operators);
      if (!found) return left;
      number_only(left, at);
      number_only((this->*part)(), at);
      apply(*found, 2);
      left = {type, {}};
    }
  }

  Operand either() {
    if (++depth_ > Expression::max_depth) refuse("too many brackets within each other");
    const Operand whole = chain(alternatives, &ExpressionParser::conjunction, Type::condition);
    --depth_;
    return whole;
  }
  Operand conjunction() { return chain(conjunctions, &ExpressionParser::opposite, Type::condition); }
  Operand sum() { return chain(sums, &ExpressionParser::product, Type::number); }
  Operand product() { return chain(products, &ExpressionParser::signed_value, Type::number); }

  Operand opposite() {
    const std::size_t at = at_;
    if (!take("not")) return comparison();
    if (++depth_ > Expression::max_depth) refuse("too many brackets within each other");
    number_only(opposite(), at);
    --depth_;
    apply(negations[0], 1);
    return {Type::condition, {}};
  }

  Operand comparison() {
    const Operand left = sum();
    const std::size_t at = at_;
    const Function* found = take_one(comparisons);
    if (!found) {
      skip();
      if (at_ < text_.size() && text_[at_] == '=') refuse("'=' is not expected here", "compare with `==`");
      return left;
    }
    if (left.type == Type::word) {
      if (found->name != "==" && found->name != "!=") refuse_at(at, "names are only equal (==) or not (!=)");
      push_number(word_code(left.words));
    } else {
      const std::size_t right = at_;
      number_only(sum(), right);
    }
    apply(*found, 2);
    if (take_one(comparisons)) refuse("comparisons cannot be chained", "write `a < b and b < c`");
    return {Type::condition, {}};
  }

  double word_code(Words words) {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && goes_on(text_[at_])) ++at_;
    const std::string_view typed = text_.substr(begin, at_ - begin);
    for (std::size_t k = 0; k < words.size(); ++k)
      if (words[k] == typed) return static_cast<double>(k);
    refuse_at(begin, fmt::format("'{}' is none of its names", printable(std::string(typed))),
              known_names(typed, {words.begin(), words.end()}));
  }

  Operand signed_value() {
    const std::size_t at = at_;
    if (!take("-")) return power();
    if (++depth_ > Expression::max_depth) refuse("too many signs in a row");
    number_only(signed_value(), at);
    --depth_;
    apply(signs[0], 1);
    return {};
  }

  Operand power() {
    const std::size_t at = at_;
    const Operand base = atom();
    if (!take("^")) return base;
    number_only(base, at);
    if (++depth_ > Expression::max_depth) refuse("too many powers within each other");
    number_only(signed_value(), at);
    --depth_;
    apply(powers[0], 2);
    return {};
  }

  Operand atom() {
    skip();
    if (at_ == text_.size()) refuse("a value is missing at its end");
    if (take("(")) {
      const Operand inner = either();
      if (!take(")")) refuse("a bracket is left open");
      return inner;
    }
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (begins_word(c)) return name();
    refuse(fmt::format("'{}' is not expected here", next_token()), "a number, a quantity or a function is");
  }

  Operand number() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_], before = at_ > begin ? text_[at_ - 1] : ' ';
      const bool exponent_sign = (c == '+' || c == '-') && (before == 'e' || before == 'E');
      if (!goes_on(c) && c != '.' && !exponent_sign) break;
      ++at_;
    }
    const std::string_view token = text_.substr(begin, at_ - begin);
    const ParsedNumber parsed = parse_number(token);
    if (parsed.fault != NumberFault::none)
      refuse_at(begin, fmt::format("'{}' {}", printable(std::string(token)), explain(parsed.fault)));
    push_number(parsed.value);
    return {};
  }

  Operand name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && goes_on(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (at_ < text_.size() && text_[at_] == '(') return call(word, begin);
    if (word == "and" || word == "or" || word == "not")
      refuse_at(begin, fmt::format("'{}' is not expected here", word));
    if (word == "pi" || word == "true" || word == "false") {
      push_number(word == "pi" ? std::numbers::pi : word == "true" ? 1.0 : 0.0);
      return {word == "pi" ? Type::number : Type::condition, {}};
    }
    return quantity(begin);
  }

  Operand quantity(std::size_t begin) {
    while (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '[')) {
      const bool entry = text_[at_++] == '[';
      const char close = entry ? ']' : at_ < text_.size() && text_[at_] == '\'' ? '\'' : ' ';
      if (close == ' ') {
        while (at_ < text_.size() && goes_on(text_[at_])) ++at_;
        continue;
      }
      const std::size_t end = text_.find(close, at_ + (entry ? 0 : 1));
      if (end == std::string_view::npos) refuse(entry ? "a bracket is left open" : "a quote is left open");
      at_ = end + 1;
    }
    const QuantityRef found = find_(parse_path(text_.substr(begin, at_ - begin), place(begin)));
    push({nullptr, 0, found.slot, 0});
    if (!found.words.empty()) return {Type::word, found.words};
    return {found.condition ? Type::condition : Type::number, {}};
  }

  Operand call(std::string_view word, std::size_t begin) {
    const Function* function = nullptr;
    std::vector<std::string> names;
    for (const Function& each : functions) {
      if (each.name == word) function = &each;
      names.emplace_back(each.name);
    }
    if (!function) {
      refuse_at(begin, fmt::format("there is no function '{}'", printable(std::string(word))),
                known_names(word, names));
    }
    ++at_;
    int count = 0;
    Operand result;
    do {
      const std::size_t at = at_;
      const Operand argument = either();
      if (function->name == "defined")
        result.type = Type::condition;
      else
        number_only(argument, at);
      if (function->name == "if" && count > 0)
        result.type = argument.type == Type::condition && (count == 1 || result.type == Type::condition)
                          ? Type::condition
                          : Type::number;
      ++count;
      if (function->most == any && count > 1) apply(*function, 2);
    } while (take(","));
    if (!take(")")) refuse("a bracket is left open");
    if (count < function->least || count > function->most)
      refuse_at(begin, fmt::format("{} takes {}{} arguments, not {}", word, function->most == any ? "at least " : "",
                                   function->least, count));
    if (function->most != any) apply(*function, count);
    return result;
  }

  std::string_view text_;
  const Location& where_;
  const QuantityFinder& find_;
  std::vector<Expression::Step> steps_;
  std::size_t at_ = 0;
  int depth_ = 0, height_ = 0;
};

Expression Expression::compile(std::string_view text, const Location& where, const QuantityFinder& find) {
  if (text.size() > max_text)
    throw InputError(where, fmt::format("expression: {} characters are too many", text.size()),
                     fmt::format("at most {} are allowed", max_text));
  ExpressionParser parser(text, where, find);
  const Operand whole = parser.parse();
  Expression out;
  out.steps_ = parser.take_steps();
  out.condition_ = whole.type == Type::condition;
  out.words_ = whole.words;
  return out;
}

double Expression::evaluate(std::span<const double> slots) const {
  std::array<double, max_stack> stack;  // `compile` has seen to it that it suffices
  std::size_t top = 0;
  for (const Step& step : steps_) {
    top -= static_cast<std::size_t>(step.operands);
    stack[top] = step.function   ? step.function(&stack[top])
                 : step.slot < 0 ? step.number
                                 : slots[static_cast<std::size_t>(step.slot)];
    ++top;
  }
  return stack[0];
}

}  // namespace routh::internal
