// A diagnosis as JSON. What is not finite is null.
#pragma once

#include <string>

#include "routh/problem/problem_file.h"
#include "routh/solvability/diagnosis.h"

namespace routh::internal {

inline constexpr int diagnosis_schema = 1;

// The members about one contact, without the braces: "verdict": …, "acceleration": {"A", "B", "C", "D", …}, …
std::string diagnosis_members(const ContactDiagnosis& diagnosis);

// {"schema": 1, "id": …, "contacts": [{members}]} of a problem file.
std::string diagnosis_json(const ProblemFile& file, const ContactDiagnosis& diagnosis);

}  // namespace routh::internal
