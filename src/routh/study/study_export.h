// The result of a study, read from its file and written in formats that every tool reads.
#pragma once

#include <string>

#include "routh/record/run_file.h"

namespace routh::internal {

// Whether the file is whole and calls itself the result of a study; never throws.
bool is_study_file(const std::string& path);

// CSV: the summary, and the table of samples beside it where the study kept one (`samples_path`), as of `routh sweep
// --csv`. JSON: the summary, as of `routh sweep --json`. NPZ: a column for each parameter and measure of the table, and
// the numbers of the summary. Whole files or none. Throws RuntimeFailure, and InputError for a damaged file.
void export_study(const std::string& file, ExportFormat format, const std::string& output);

}  // namespace routh::internal
