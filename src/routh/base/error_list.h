// Errors of one text that are told together: what does not depend on a part that is wrong is read on.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "routh/base/error.h"

namespace routh::internal {

// Several errors as one; place, message and remedy are those of the first, `what()` has a line for each.
class InputErrors final : public InputError {
 public:
  explicit InputErrors(std::vector<InputError> all);
  const char* what() const noexcept override { return text_.c_str(); }
  const std::vector<InputError>& all() const { return all_; }

 private:
  std::vector<InputError> all_;
  std::string text_;
};

class ErrorList {
 public:
  static constexpr std::size_t most = 20;  // a screen of them; reading stops there

  // Whether `read` went well. What it refuses is kept.
  template <class Read>
  bool attempt(Read&& read) {
    try {
      read();
      return true;
    } catch (const InputError& error) {
      add(error);
      return false;
    }
  }
  void add(const InputError& error);
  bool empty() const { return errors_.empty(); }
  // Throws what was kept: one error as it is, several as InputErrors in the order of the text.
  void finish();

 private:
  std::vector<InputError> errors_;
};

}  // namespace routh::internal
