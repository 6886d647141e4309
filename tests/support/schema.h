// A validator for the part of JSON Schema (draft 2020-12) that docs/*.schema.json use. It knows no keyword more:
// an unknown one is an error, so that a test cannot pass because a rule was overlooked.
#pragma once

#include <string>

#include "routh/text/document.h"

namespace testing_support {

class Schema {
 public:
  explicit Schema(const std::string& path) : document_(routh::Document::from_file(path)) {}

  // Why the value does not match; empty when it does.
  std::string complaint(const routh::Node& value) const { return check(document_.root(), value); }

  // The schema that a path such as `$defs/joint/oneOf/1` leads to.
  routh::Node at(const std::string& path) const;

 private:
  std::string check(const routh::Node& schema, const routh::Node& value) const;
  std::string check_keyword(const routh::Node& schema, const routh::Node& keyword, const routh::Node& value) const;
  std::string check_word(const routh::Node& keyword, const std::string& word) const;
  int matches(const routh::Node& schemas, const routh::Node& value) const;

  routh::Document document_;
};

}  // namespace testing_support
