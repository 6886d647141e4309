#include "routh/study/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace routh::internal {

namespace {

using Op = Expression::Op;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double truth(bool value) { return value ? 1 : 0; }

// Comparisons know nothing of what is missing; here they do.
double known(double a, double b, double value) { return std::isnan(a) || std::isnan(b) ? missing : value; }

double binary(Op op, double a, double b) {
  switch (op) {
    case Op::plus:
      return a + b;
    case Op::minus:
      return a - b;
    case Op::times:
      return a * b;
    case Op::over:
      return a / b;
    case Op::power:
      return known(a, b, std::pow(a, b));
    case Op::equal:
      return known(a, b, truth(a == b));
    case Op::unequal:
      return known(a, b, truth(a != b));
    case Op::less:
      return known(a, b, truth(a < b));
    case Op::at_most:
      return known(a, b, truth(a <= b));
    case Op::more:
      return known(a, b, truth(a > b));
    case Op::at_least:
      return known(a, b, truth(a >= b));
    case Op::both:
      return known(a, b, truth(a != 0 && b != 0));
    case Op::either:
      return known(a, b, truth(a != 0 || b != 0));
    case Op::least:
      return known(a, b, std::min(a, b));
    case Op::greatest:
      return known(a, b, std::max(a, b));
    case Op::arctangent2:
      return std::atan2(a, b);
    case Op::hypotenuse:
      return known(a, b, std::hypot(a, b));
    default:
      return missing;
  }
}

double unary(Op op, double a) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::opposite:
      return std::isnan(a) ? missing : truth(a == 0);
    case Op::absolute:
      return std::abs(a);
    case Op::root:
      return std::sqrt(a);
    case Op::exponential:
      return std::exp(a);
    case Op::logarithm:
      return std::log(a);
    case Op::sine:
      return std::sin(a);
    case Op::cosine:
      return std::cos(a);
    case Op::tangent:
      return std::tan(a);
    case Op::arcsine:
      return std::asin(a);
    case Op::arccosine:
      return std::acos(a);
    case Op::arctangent:
      return std::atan(a);
    case Op::floor:
      return std::floor(a);
    case Op::ceiling:
      return std::ceil(a);
    case Op::round:
      return std::round(a);
    case Op::sign:
      return std::isnan(a) ? missing : truth(a > 0) - truth(a < 0);
    case Op::defined:
      return truth(!std::isnan(a));
    default:
      return missing;
  }
}

bool is_unary(Op op) {
  return op == Op::negate || op == Op::opposite || op == Op::defined || (op >= Op::absolute && op <= Op::arctangent) ||
         (op >= Op::floor && op <= Op::sign);
}

}  // namespace

double Expression::evaluate(std::span<const double> slots) const {
  std::array<double, max_stack> stack;  // `compile` has seen to it that it suffices
  std::size_t top = 0;
  for (const Step& step : steps_) {
    if (step.op == Op::number) {
      stack[top++] = step.number;
    } else if (step.op == Op::slot) {
      stack[top++] = slots[static_cast<std::size_t>(step.slot)];
    } else if (step.op == Op::choose) {
      top -= 2;
      const double condition = stack[top - 1];
      stack[top - 1] = std::isnan(condition) ? missing : condition != 0 ? stack[top] : stack[top + 1];
    } else if (is_unary(step.op)) {
      stack[top - 1] = unary(step.op, stack[top - 1]);
    } else {
      --top;
      stack[top - 1] = binary(step.op, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

}  // namespace routh::internal
