#include "routh/study/totals.h"

#include <algorithm>
#include <cassert>

namespace routh::internal {

namespace {

void add_bins(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& next) {
  sum.resize(std::max(sum.size(), next.size()));
  for (std::size_t k = 0; k < next.size(); ++k) sum[k] += next[k];
}

}  // namespace

StudyTotals::StudyTotals(const Study& study) : study_(study), sums_(study.measures.size()) {
  for (std::size_t m = 0; m < sums_.size(); ++m)
    if (const auto bins = study.measures[m].bins()) sums_[m].bins.resize(static_cast<std::size_t>(bins->bins) + 2);
  if (study.exact_quantiles()) return;
  for (std::size_t m = 0; m < sums_.size(); ++m)
    if (!study.measures[m].reduce.quantiles.empty()) sums_[m].sketch = std::make_unique<QuantileSketch>();
}

std::uint64_t StudyTotals::samples() const { return std::min(next_block_ * study_.block_size(), study_.samples()); }

void StudyTotals::add(const Portion& portion) {
  assert(portion.first_block == next_block_ && portion.measures.size() == sums_.size());
  for (std::size_t m = 0; m < sums_.size(); ++m) {
    const MeasurePortion& part = portion.measures[m];
    Sum& sum = sums_[m];
    for (const Moments& block : part.blocks) join(sum.moments, block);
    add_bins(sum.bins, part.bins);
    if (sum.sketch)
      for (const auto& [key, count] : part.buckets) sum.sketch->add(key, count);
    sum.values.insert(sum.values.end(), part.values.begin(), part.values.end());
  }
  for (std::size_t k = 0; k < fault_count; ++k) faults_[k] += portion.faults[k];
  for (const Failure& failure : portion.failures)
    if (failures_.size() < max_failures) failures_.push_back(failure);
  next_block_ += portion.blocks;
}

StudyResult StudyTotals::result() const {
  StudyResult out;
  out.samples = samples();
  out.faults = faults_;
  out.failures = failures_;
  for (std::size_t m = 0; m < sums_.size(); ++m) {
    const Sum& sum = sums_[m];
    MeasureResult measure{sum.moments, sum.bins, {}};
    std::vector<double> sorted = sum.values;
    std::sort(sorted.begin(), sorted.end());
    const auto buckets = sum.sketch ? sum.sketch->buckets() : std::vector<QuantileSketch::Bucket>();
    for (const double p : study_.measures[m].reduce.quantiles)
      measure.quantiles.push_back(
          {p, sum.sketch ? sketch_quantile(buckets, sum.moments, p) : exact_quantile(sorted, p)});
    out.measures.push_back(std::move(measure));
  }
  return out;
}

void StudyTotals::save(ByteWriter& out) const {
  // As one portion that holds all so far.
  Portion all;
  all.first_block = 0;
  all.blocks = next_block_;
  for (const Sum& sum : sums_) {
    MeasurePortion part;
    part.blocks.push_back(sum.moments);
    part.bins = sum.bins;
    if (sum.sketch) part.buckets = sum.sketch->buckets();
    part.values = sum.values;
    all.measures.push_back(std::move(part));
  }
  all.faults = faults_;
  all.failures = failures_;
  out.put(to_bytes(all));
}

void StudyTotals::load(ByteReader& in) {
  const Portion all = portion_from_bytes(in.text());
  if (all.measures.size() != sums_.size() || all.first_block != 0 || all.blocks > study_.blocks())
    throw std::runtime_error("it belongs to another study");
  for (std::size_t m = 0; m < sums_.size(); ++m) {
    const MeasurePortion& part = all.measures[m];
    if (part.blocks.size() != 1 || part.bins.size() != sums_[m].bins.size())
      throw std::runtime_error("it belongs to another study");
  }
  StudyTotals fresh(study_);
  fresh.add(all);
  next_block_ = fresh.next_block_;
  sums_ = std::move(fresh.sums_);
  faults_ = fresh.faults_;
  failures_ = std::move(fresh.failures_);
  // Joined to nothing, a sum may be rounded anew: it is taken over as it was.
  for (std::size_t m = 0; m < sums_.size(); ++m) sums_[m].moments = all.measures[m].blocks.front();
}

}  // namespace routh::internal
