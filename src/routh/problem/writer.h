// Results as JSON. No NaN and no infinity is ever written: what is not finite is null, and `reasons` says why.
//
//   {"schema": 1, "id": …, "law": …, "mode": …, "status": …, …}             one law
//   {"schema": 1, "id": …, "results": [{"law": …, …}, …]}                   all laws
//   {"schema": 1, "line": N, "error": {"message", "remedy", "column"}}      a line of a stream that cannot be used
#pragma once

#include <string>

#include "routh/base/error.h"
#include "routh/problem/answer.h"
#include "routh/problem/json_stream.h"
#include "routh/problem/json_text.h"

namespace routh::internal {

inline constexpr int result_schema = 1;

// Each but `begin_result` and `write_result` appends one object without a line break. Vectors have 2 entries in the
// plane and 3 in space.
void append_answer(std::string& out, const ProblemFile& file, const ProblemAnswer& answer);
// Opens the object, with its schema and the `id` of a file, if it has one.
void begin_result(JsonStream& json, IdKind kind, const std::string& id);
// The member `energy`.
void write_ledger(JsonStream& json, const EnergyLedger& energy);
// The members of one law's result, from `law` on.
void write_result(JsonStream& json, const ProblemAnswer& answer, const LawAnswer& law);
// With the `id` of the line, where it has one.
void append_error(std::string& out, long long line, const InputError& error, IdKind kind = IdKind::none,
                  const std::string& id = {});

}  // namespace routh::internal
