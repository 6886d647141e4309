// The result of a study as HDF5, CSV and JSON. The same study gives the same bytes: no times, no numbers of threads.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "routh/study/row_file.h"
#include "routh/study/totals.h"

namespace routh::internal {

inline constexpr int study_result_schema = 1;  // of the summary as JSON
inline constexpr int study_file_schema = 2;    // of HDF5; 2 brought `summary_csv` and `words`, which exports need

// One statistic of a measure, for tables and files.
struct Statistic {
  enum class Shape { number, quantile, bin };  // how it is shown
  std::string name;                            // mean, std, min, max, fraction, quantile, count, below, above, missing
  std::string detail;                          // of a quantile its share, of a bin its range or name
  std::optional<double> value;
  std::optional<std::uint64_t> sample;  // where a minimum or maximum was found
  Shape shape = Shape::number;

  std::string label() const;  // where it is shown by itself: `mean`, `quantile 0.9`, `below 0`
};
// A value for people.
std::string shown(const std::optional<double>& value);
std::vector<Statistic> statistics(const StudyMeasure& measure, const MeasureResult& result);

// {"schema": 1, "name": …, "samples": …, "failed": …, "measures": {…}, "faults": {…}, "failures": […]}
std::string study_json(const Study& study, const StudyResult& result);

// One HTML file that needs nothing else: tables, pictures of the distributions and, with rows, of what depends on what.
std::string study_page(const Study& study, const StudyResult& result, const RowFile* rows);

// measure,statistic,detail,value,sample
std::string study_csv(const Study& study, const StudyResult& result);
// Every sample: sample,fault,parameters…,measures…; names for codes, nothing for what is missing.
void write_sample_csv(const std::string& path, const Study& study, const RowFile& rows);
// A row of it; `words` are the names of each column's codes, none for numbers.
void append_sample(std::uint64_t sample, std::string_view fault, std::span<const double> values,
                   std::span<const std::vector<std::string>> words, std::string& text);

// out.csv → out.samples.csv
std::string samples_path(const std::string& csv);

// docs/study-file.md. `rows` may be null. Throws RuntimeFailure; whole or not at all.
void write_study_file(const std::string& path, const Study& study, const StudyResult& result, const RowFile* rows);

// Where a result goes; empty: not there.
struct StudyFiles {
  std::string hdf5, csv, html;
};
// Throws RuntimeFailure where one of them could not be written: to be known before anything is computed. With the study
// also where no table could stand beside.
void check_places(const StudyFiles& files);
void check_places(const StudyFiles& files, const Study& study);
// Each file whole or not at all. Throws RuntimeFailure.
void write_results(const StudyFiles& files, const Study& study, const StudyResult& result, const RowFile* rows);

}  // namespace routh::internal
