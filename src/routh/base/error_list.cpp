#include "routh/base/error_list.h"

#include <algorithm>
#include <tuple>

namespace routh::internal {

namespace {

std::string lines_of(const std::vector<InputError>& errors) {
  std::string text;
  for (const InputError& error : errors) text += (text.empty() ? "" : "\n") + std::string(error.what());
  if (errors.size() >= ErrorList::most)
    text += "\n" + std::to_string(ErrorList::most) + " errors; what comes after them was not looked at";
  return text;
}

}  // namespace

InputErrors::InputErrors(std::vector<InputError> all)
    : InputError(all.front()), all_(std::move(all)), text_(lines_of(all_)) {}

void ErrorList::add(const InputError& error) {
  if (const auto* several = dynamic_cast<const InputErrors*>(&error))
    errors_.insert(errors_.end(), several->all().begin(), several->all().end());
  else
    errors_.push_back(error);
  if (errors_.size() >= most) finish();
}

void ErrorList::finish() {
  if (errors_.empty()) return;
  if (errors_.size() == 1) throw InputError(errors_.front());
  std::stable_sort(errors_.begin(), errors_.end(), [](const InputError& a, const InputError& b) {
    return std::tie(a.where().file, a.where().line, a.where().column) <
           std::tie(b.where().file, b.where().line, b.where().column);
  });
  errors_.erase(errors_.begin() + static_cast<std::ptrdiff_t>(std::min(errors_.size(), most)), errors_.end());
  throw InputErrors(std::move(errors_));
}

}  // namespace routh::internal
