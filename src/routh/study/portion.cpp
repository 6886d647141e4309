#include "routh/study/portion.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "routh/study/bytes.h"

namespace routh::internal {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

bool wants_quantiles(const StudyMeasure& measure) { return !measure.reduce.quantiles.empty(); }

}  // namespace

StudyWorker::StudyWorker(const Study& study, const std::atomic<bool>* stop)
    : study_(study),
      stop_(stop),
      runner_(study.subject->make_runner()),
      slots_(study.first_quantity() + study.subject->quantity_count()),
      values_(study.measures.size()) {
  for (std::vector<double>& values : values_) values.resize(study.block_size());
  runner_->stop_by(stop);
  if (!study.exact_quantiles()) sketches_.resize(study.measures.size());
}

void StudyWorker::compute_sample(std::uint64_t index, std::size_t row, Portion& portion) {
  const std::size_t parameters = study_.parameters.size();
  const std::span<double> slots(slots_);
  slots_[0] = static_cast<double>(index);
  study_.sampler->sample(index, slots.subspan(1, parameters));
  const Fault fault = runner_->run(slots.subspan(1, parameters), slots.subspan(study_.first_quantity()), reason_);
  ++portion.faults[static_cast<std::size_t>(fault)];
  if (fault != Fault::none && portion.failures.size() < max_failures)
    portion.failures.push_back({index, fault, reason_.substr(0, 500)});
  for (std::size_t m = 0; m < study_.measures.size(); ++m) {
    const double value = fault == Fault::none ? study_.measures[m].value.evaluate(slots_) : missing;
    values_[m][row] = std::isfinite(value) ? value + 0.0 : missing;  // no negative zero
  }
  if (!study_.table) return;
  portion.rows.insert(portion.rows.end(), slots_.begin() + 1,
                      slots_.begin() + 1 + static_cast<std::ptrdiff_t>(parameters));
  for (std::size_t m = 0; m < study_.measures.size(); ++m) portion.rows.push_back(values_[m][row]);
  portion.rows.push_back(static_cast<double>(fault));
}

void StudyWorker::reduce_block(std::uint64_t first, std::size_t count, Portion& portion) {
  for (std::size_t m = 0; m < study_.measures.size(); ++m) {
    const StudyMeasure& measure = study_.measures[m];
    MeasurePortion& part = portion.measures[m];
    const std::span<const double> values(values_[m].data(), count);
    part.blocks.push_back(block_moments(values, first));
    if (const auto bins = measure.bins()) {
      part.bins.resize(static_cast<std::size_t>(bins->bins) + 2);
      for (const double value : values)
        if (!std::isnan(value)) ++part.bins[static_cast<std::size_t>(bins->bin(value) + 1)];
    }
    if (!wants_quantiles(measure)) continue;
    for (const double value : values) {
      if (std::isnan(value)) continue;
      if (study_.exact_quantiles())
        part.values.push_back(value);
      else
        sketches_[m].add(value);
    }
  }
}

void StudyWorker::compute_block(std::uint64_t first, std::uint64_t count, Portion& portion) {
  for (std::uint64_t k = 0; k < count; ++k) {
    if (stopped()) return;
    compute_sample(first + k, static_cast<std::size_t>(k), portion);
  }
  reduce_block(first, static_cast<std::size_t>(count), portion);
}

Portion StudyWorker::compute(std::uint64_t first_block, std::uint64_t blocks) {
  assert(!stop_);
  return *compute_unless_stopped(first_block, blocks);
}

std::optional<Portion> StudyWorker::compute_unless_stopped(std::uint64_t first_block, std::uint64_t blocks) {
  Portion portion;
  portion.first_block = first_block;
  portion.blocks = blocks;
  portion.measures.resize(study_.measures.size());
  for (std::uint64_t b = first_block; b < first_block + blocks; ++b) {
    const std::uint64_t first = b * study_.block_size();
    compute_block(first, std::min(study_.block_size(), study_.samples() - first), portion);
  }
  for (std::size_t m = 0; m < sketches_.size(); ++m) {
    if (!wants_quantiles(study_.measures[m])) continue;
    portion.measures[m].buckets = sketches_[m].buckets();
    sketches_[m].clear();
  }
  if (stopped()) return {};
  return portion;
}

std::string to_bytes(const Portion& portion) {
  ByteWriter out;
  out.put(portion.first_block);
  out.put(portion.blocks);
  out.put(static_cast<std::uint64_t>(portion.measures.size()));
  for (const MeasurePortion& part : portion.measures) {
    out.put(part.blocks);
    out.put(part.bins);
    out.put(static_cast<std::uint64_t>(part.buckets.size()));
    for (const auto& [key, count] : part.buckets) {
      out.put(key);
      out.put(count);
    }
    out.put(part.values);
  }
  out.put(portion.faults);
  out.put(static_cast<std::uint64_t>(portion.failures.size()));
  for (const Failure& failure : portion.failures) {
    out.put(failure.sample);
    out.put(failure.fault);
    out.put(failure.reason);
  }
  out.put(portion.rows);
  return out.take();
}

Portion portion_from_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  Portion portion;
  portion.first_block = in.get<std::uint64_t>();
  portion.blocks = in.get<std::uint64_t>();
  const auto measures = in.get<std::uint64_t>();
  for (std::uint64_t m = 0; m < measures; ++m) {
    MeasurePortion part;
    part.blocks = in.list<Moments>();
    part.bins = in.list<std::uint64_t>();
    const auto buckets = in.get<std::uint64_t>();
    for (std::uint64_t k = 0; k < buckets; ++k) {
      const auto key = in.get<std::uint32_t>();
      part.buckets.emplace_back(key, in.get<std::uint64_t>());
    }
    part.values = in.list<double>();
    portion.measures.push_back(std::move(part));
  }
  portion.faults = in.get<std::array<std::uint64_t, fault_count>>();
  const auto failures = in.get<std::uint64_t>();
  for (std::uint64_t k = 0; k < failures; ++k) {
    Failure failure;
    failure.sample = in.get<std::uint64_t>();
    failure.fault = in.get<Fault>();
    failure.reason = in.text();
    portion.failures.push_back(std::move(failure));
  }
  portion.rows = in.list<double>();
  return portion;
}

}  // namespace routh::internal
