// What identification and validation found, as JSON, CSV, and as a page with pictures.
#pragma once

#include <string>
#include <string_view>

#include "routh/recording/identify.h"
#include "routh/recording/validate.h"

namespace routh::internal {

inline constexpr int identify_schema = 1;
// {"schema": 1, "throws": …, "laws": [{"law": …, "parameters": {…}, …}], "remarks": […]}
std::string identify_json(const IdentifyReport& report, const IdentifyOptions& options);
// {"schema": 1, "throws": …, "error": {…}, "bounces": {…}, …}
std::string validate_json(const ValidateReport& report, Dimension dimension);
// throw,error,position,rotation,bounces,…: a row for each throw.
std::string validate_csv(const ValidateReport& report, Dimension dimension);
// One HTML file that needs nothing else.
std::string validate_page(const ValidateReport& report, const std::string& title, Dimension dimension);

// The rows of an identification, to go on from, and back. `fingerprint` tells the data, scene and options apart: rows
// of others, and damaged ones, throw InputError.
inline constexpr std::string_view rows_magic = "routh identify ";
std::string rows_text(const std::vector<ThrowRow>& rows, std::uint64_t fingerprint);
std::vector<ThrowRow> read_rows(const std::string& path, std::uint64_t fingerprint);
std::uint64_t fingerprint_of(const std::string& text);

}  // namespace routh::internal
