// Simple expressions over measured quantities: arithmetic, comparison, a few functions. They are compiled to a short
// list of steps over a stack; nothing in them can run a program, loop or grow without bound.
//
//   sum of      or, and, not; == != < <= > >= (not chained); + -; * /; unary -; ^ (to the right)
//   numbers     12, 0.5, 1e-3, pi, true, false
//   quantities  energy.change, velocity[1], state.position.'left knee'
//   words       mode == stick: names of what a quantity can be
//   functions   min max abs sqrt exp log sin cos tan asin acos atan atan2 hypot floor ceil round sign, if(c, a, b),
//               defined(x)
//
// A condition is 1 or 0. What is missing or not a number stays so through every step but `defined` and the branch of
// `if` that is not taken.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "routh/study/path.h"

namespace routh::internal {

// What a path of an expression stands for.
struct QuantityRef {
  int slot = 0;                                  // where its value is found
  std::span<const std::string_view> words = {};  // what a code of it means; empty: it is a number
  bool condition = false;                        // only 0 or 1
};
// Finds the quantity; throws InputError for one that is not known.
using QuantityFinder = std::function<QuantityRef(const StudyPath& path)>;

class Expression {
 public:
  static constexpr std::size_t max_text = 4096;
  static constexpr int max_depth = 64;  // of brackets and signs within each other
  static constexpr int max_stack = 64;

  // `where` is the place of the first character. Throws InputError with the place of whatever is wrong.
  static Expression compile(std::string_view text, const Location& where, const QuantityFinder& find);

  // The value for these quantities, by slot. NaN: missing.
  double evaluate(std::span<const double> slots) const;

  // A comparison, `and`, `or`, `not`, or a quantity that is a condition.
  bool is_condition() const { return condition_; }
  // A quantity by itself whose values are names.
  std::span<const std::string_view> words() const { return words_; }

  // Of the operands on top of the stack, the last on top.
  using Function = double (*)(const double* operands);
  struct Step {
    Function function = nullptr;  // null: the number, or the quantity of the slot, goes on the stack
    int operands = 0;
    int slot = -1;  // −1: `number`
    double number = 0;
  };

 private:
  std::vector<Step> steps_;
  bool condition_ = false;
  std::span<const std::string_view> words_;
};

}  // namespace routh::internal
