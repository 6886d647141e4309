// What expressions can compute: functions and operators, each by its name. Comparisons know nothing of what is missing;
// here they do.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "routh/math/elementary.h"
#include "routh/study/expression.h"

namespace routh::internal::expression {

inline constexpr int any = 100;  // arguments: the function is folded over them, two by two
struct Function {
  std::string_view name;
  int least, most;  // arguments
  Expression::Function apply;
};

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
inline double truth(bool value) { return value ? 1 : 0; }
inline double known(double a, double value) { return std::isnan(a) ? missing : value; }
inline double known(const double* x, double value) { return std::isnan(x[0]) ? missing : known(x[1], value); }

// clang-format off
inline constexpr Function functions[] = {
    {"min", 2, any, [](const double* x) { return known(x, std::min(x[0], x[1])); }},
    {"max", 2, any, [](const double* x) { return known(x, std::max(x[0], x[1])); }},
    {"abs", 1, 1, [](const double* x) { return std::abs(*x); }},
    {"sqrt", 1, 1, [](const double* x) { return std::sqrt(*x); }},
    {"exp", 1, 1, [](const double* x) { return elementary::exp(*x); }},
    {"log", 1, 1, [](const double* x) { return elementary::log(*x); }},
    {"sin", 1, 1, [](const double* x) { return elementary::sin(*x); }},
    {"cos", 1, 1, [](const double* x) { return elementary::cos(*x); }},
    {"tan", 1, 1, [](const double* x) { return elementary::tan(*x); }},
    {"asin", 1, 1, [](const double* x) { return elementary::asin(*x); }},
    {"acos", 1, 1, [](const double* x) { return elementary::acos(*x); }},
    {"atan", 1, 1, [](const double* x) { return elementary::atan(*x); }},
    {"atan2", 2, 2, [](const double* x) { return elementary::atan2(x[0], x[1]); }},
    {"hypot", 2, any, [](const double* x) { return known(x, elementary::hypot(x[0], x[1])); }},
    {"floor", 1, 1, [](const double* x) { return std::floor(*x); }},
    {"ceil", 1, 1, [](const double* x) { return std::ceil(*x); }},
    {"round", 1, 1, [](const double* x) { return std::round(*x); }},
    {"sign", 1, 1, [](const double* x) { return known(*x, truth(*x > 0) - truth(*x < 0)); }},
    {"if", 3, 3, [](const double* x) { return known(*x, x[*x != 0 ? 1 : 2]); }},
    {"defined", 1, 1, [](const double* x) { return truth(!std::isnan(*x)); }},
    {"norm", 2, any, [](const double* x) { return known(x, elementary::hypot(x[0], x[1])); }},
};
// In the order in which the parser tries them: `<=` before `<`.
inline constexpr Function comparisons[] = {
    {"==", 2, 2, [](const double* x) { return known(x, truth(x[0] == x[1])); }},
    {"!=", 2, 2, [](const double* x) { return known(x, truth(x[0] != x[1])); }},
    {"<=", 2, 2, [](const double* x) { return known(x, truth(x[0] <= x[1])); }},
    {">=", 2, 2, [](const double* x) { return known(x, truth(x[0] >= x[1])); }},
    {"<", 2, 2, [](const double* x) { return known(x, truth(x[0] < x[1])); }},
    {">", 2, 2, [](const double* x) { return known(x, truth(x[0] > x[1])); }},
};
inline constexpr Function sums[] = {{"+", 2, 2, [](const double* x) { return x[0] + x[1]; }},
                                    {"-", 2, 2, [](const double* x) { return x[0] - x[1]; }}};
inline constexpr Function products[] = {{"*", 2, 2, [](const double* x) { return x[0] * x[1]; }},
                                        {"/", 2, 2, [](const double* x) { return x[0] / x[1]; }}};
inline constexpr Function powers[] = {{"^", 2, 2, [](const double* x) { return known(x, elementary::pow(x[0], x[1])); }}};
inline constexpr Function signs[] = {{"-", 1, 1, [](const double* x) { return -*x; }}};
inline constexpr Function conjunctions[] = {
    {"and", 2, 2, [](const double* x) { return known(x, truth(x[0] != 0 && x[1] != 0)); }}};
inline constexpr Function alternatives[] = {
    {"or", 2, 2, [](const double* x) { return known(x, truth(x[0] != 0 || x[1] != 0)); }}};
inline constexpr Function negations[] = {{"not", 1, 1, [](const double* x) { return known(*x, truth(*x == 0)); }}};
// clang-format on

}  // namespace routh::internal::expression
