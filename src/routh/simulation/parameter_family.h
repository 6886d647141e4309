// A machine at values of a parameter around its own, and differences of fourth order between them. Private to the
// module.
#pragma once

#include <memory>
#include <vector>

#include "routh/base/error.h"
#include "routh/simulation/sensitivity.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

class ParameterFamily {
 public:
  explicit ParameterFamily(const RunParameter& parameter)
      : size_(parameter.value != 0 ? std::abs(parameter.value) : 1), changes_model_(parameter.changes_model) {
    const double h = tolerances::sensitivity_parameter_step;
    const std::vector<Member> central = {{1, 8.0 / 12}, {-1, -8.0 / 12}, {2, -1.0 / 12}, {-2, 1.0 / 12}};
    const std::vector<Member> aside = {{0, -25.0 / 12}, {1, 4}, {2, -3}, {3, 4.0 / 3}, {4, -0.25}};
    std::vector<Member> back = aside;
    for (Member& each : back) each = {-each.offset, -each.weight};
    if (make(parameter, central, h) || make(parameter, aside, h)) return;
    if (!make(parameter, back, h)) parameter.at(parameter.value + h * size_);  // says what is wrong
  }

  // By which derivatives are scaled: those along p/size.
  double size() const { return size_; }
  // False: the members differ in their starts alone.
  bool changes_model() const { return changes_model_; }

  // Σ weight · f(model, workspace, start), the derivative of f by p/size.
  template <class F>
  auto derivative(const F& f) {
    using Value = std::decay_t<decltype(f(members_[0].made->model, *members_[0].workspace, members_[0].made->start))>;
    Value sum{};
    bool first = true;
    for (Member& each : members_) {
      const Value value = f(each.made->model, *each.workspace, each.made->start);
      if (first)
        sum = each.weight * value;
      else
        sum = sum + each.weight * value;
      first = false;
    }
    return sum;
  }

 private:
  struct Member {
    double offset = 0, weight = 0;
    std::shared_ptr<RunParameter::Case> made = {};
    std::shared_ptr<Workspace> workspace = {};
  };

  bool make(const RunParameter& parameter, std::vector<Member> members, double h) {
    try {
      for (Member& each : members) {
        each.made = std::make_shared<RunParameter::Case>(parameter.at(parameter.value + each.offset * h * size_));
        each.workspace = std::make_shared<Workspace>(each.made->model);
        each.weight /= h;
      }
    } catch (const InputError&) {
      return false;
    }
    members_ = std::move(members);
    return true;
  }

  double size_;
  bool changes_model_;
  std::vector<Member> members_;
};

}  // namespace routh::internal
