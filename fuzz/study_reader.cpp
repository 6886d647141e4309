// Any bytes as a study: the reader refuses them with an InputError, or a block of it can be computed and every number
// of its result is finite or missing. Files are not read: names of files lead nowhere.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "routh/study/portion.h"
#include "routh/study/totals.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  // What stands in a file beside the study is not ours to read.
  if (text.find("scene") != std::string::npos || text.find("file") != std::string::npos) return 0;
  try {
    const routh::Study study = routh::read_study_text(text, "/nonexistent/fuzz");
    require(study.samples() > 0 && !study.measures.empty());
    std::vector<double> point(study.parameters.size());
    for (std::uint64_t k = 0; k < std::min<std::uint64_t>(study.samples(), 8); ++k) {
      study.sampler->sample(k, point);
      for (const double value : point) require(std::isfinite(value));
    }
    if (study.samples() > 64) return 0;
    routh::StudyTotals totals(study);
    totals.add(routh::portion_from_bytes(routh::to_bytes(routh::StudyWorker(study).compute(0, study.blocks()))));
    const routh::StudyResult result = totals.result();
    require(result.samples == study.samples());
    for (const routh::MeasureResult& measure : result.measures)
      require(measure.moments.count + measure.moments.missing == result.samples && !std::isnan(measure.moments.low));
  } catch (const routh::InputError& error) {
    require(!error.message().empty());
  }
  return 0;
}
