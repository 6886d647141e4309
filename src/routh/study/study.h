// A study: a subject, what varies, what is measured, how it is reduced. Read from a strict YAML file
// (docs/study-file.md) and compiled: running it parses nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routh/base/names.h"
#include "routh/study/expression.h"
#include "routh/study/reduction.h"
#include "routh/study/sampler.h"
#include "routh/study/subject.h"
#include "routh/text/document.h"

namespace routh::internal {

inline constexpr int study_version = 1;

// What can be asked of a measure: `mean`, or with values `{quantiles: [0.5, 0.9]}`.
enum class ReductionKind { mean, deviation, least, greatest, fraction, counts, quantiles, histogram };
constexpr auto names_of(ReductionKind) {
  return name_table<ReductionKind>({
      {ReductionKind::mean, "mean"},
      {ReductionKind::deviation, "std"},
      {ReductionKind::least, "min"},
      {ReductionKind::greatest, "max"},
      {ReductionKind::fraction, "fraction"},
      {ReductionKind::counts, "counts"},
      {ReductionKind::quantiles, "quantiles"},
      {ReductionKind::histogram, "histogram"},
  });
}
// What is asked of it; what it costs little to know is always known.
struct ReductionPlan {
  bool mean = false, deviation = false, least = false, greatest = false, fraction = false, counts = false;
  std::vector<double> quantiles;  // rising, in [0, 1]
  std::optional<HistogramPlan> histogram;
};

struct StudyMeasure {
  std::string name;
  std::string text;  // of its expression
  Expression value;
  ReductionPlan reduce;
  std::vector<std::string_view> words;  // of the codes it is made of; empty: numbers

  // Bins of counts, if there are any: of a histogram, or one for each name.
  std::optional<HistogramPlan> bins() const;
};

enum class SubjectKind { impact, strike, run };
constexpr auto names_of(SubjectKind) {
  return name_table<SubjectKind>(
      {{SubjectKind::impact, "impact"}, {SubjectKind::strike, "strike"}, {SubjectKind::run, "run"}});
}

struct Study {
  std::string title;
  std::string path;  // of its file
  std::string text;
  std::vector<std::string> sources;  // its file and those it names; what these name says `files_named_by`
  // SHA-256 of everything that decides the numbers: this file, those it names, the version of the library.
  std::string hash;
  SubjectKind kind = SubjectKind::impact;
  SampleMethod method = SampleMethod::random;
  std::uint64_t seed = 0;
  std::vector<std::string> parameters;  // paths of what varies
  std::optional<Sampler> sampler;       // always there
  std::vector<StudyMeasure> measures;
  std::unique_ptr<StudySubject> subject;  // always there
  bool table = false;                     // every sample is kept
  std::vector<std::string> warnings;

  std::uint64_t samples() const { return sampler->size(); }
  std::uint64_t block_size() const { return subject->block_size(); }
  std::uint64_t blocks() const { return (samples() + block_size() - 1) / block_size(); }
  // Of the slots of expressions: the index of the sample, then its parameters, then quantities.
  std::size_t first_quantity() const { return 1 + parameters.size(); }
  bool exact_quantiles() const { return samples() <= max_exact_quantiles; }
};

// Throws InputError with the place of whatever is wrong, RuntimeFailure when a file cannot be read. Files that the
// study names are sought beside it.
Study read_study_file(const std::string& path);
Study read_study_text(std::string text, const std::string& path);

}  // namespace routh::internal
