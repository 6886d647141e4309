// What two runs say of the contacts that are closed at their samples. Internal to the module.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "routh/record/run_file.h"

namespace routh::internal {

class SampleContacts {
 public:
  SampleContacts(const RunData& a, const RunData& b);
  // Judges two numbers of the scale given, at a time; the sentence says which they are.
  using Judge =
      std::function<void(double time, double x, double y, double scale, const std::function<std::string()>& sentence)>;
  void compare(const Judge& judge) const;

 private:
  void compare_sample(std::size_t k, const Judge& judge) const;

  const RunData& a_;
  const RunData& b_;
  std::map<ContactId, std::string> names_a_, names_b_;
  double force_ = 0, length_ = 0;  // the largest of both runs
};

}  // namespace routh::internal
