// What is known of a study so far: its blocks joined from the first on, in order.
#pragma once

#include "routh/study/bytes.h"
#include "routh/study/portion.h"

namespace routh::internal {

struct QuantileResult {
  double share = 0;
  std::optional<double> value;  // nothing: no values
};

struct MeasureResult {
  Moments moments;
  std::vector<std::uint64_t> bins;  // below, the bins, above; empty without
  std::vector<QuantileResult> quantiles;
};

struct StudyResult {
  std::uint64_t samples = 0;  // done
  std::vector<MeasureResult> measures;
  std::array<std::uint64_t, fault_count> faults = {};  // by Fault; `none` counts those without
  std::vector<Failure> failures;                       // the first of them

  std::uint64_t failed() const { return samples - faults[0]; }
};

class StudyTotals {
 public:
  explicit StudyTotals(const Study& study);

  // The portion must begin with `next_block`.
  void add(const Portion& portion);
  std::uint64_t next_block() const { return next_block_; }
  std::uint64_t samples() const;
  bool complete() const { return next_block_ == study_.blocks(); }
  StudyResult result() const;

  void save(ByteWriter& out) const;
  // Throws std::runtime_error when the bytes are not those of this study.
  void load(ByteReader& in);

 private:
  struct Sum {
    Moments moments;
    std::vector<std::uint64_t> bins;
    std::unique_ptr<QuantileSketch> sketch;
    std::vector<double> values;
  };
  const Study& study_;
  std::uint64_t next_block_ = 0;
  std::vector<Sum> sums_;
  std::array<std::uint64_t, fault_count> faults_ = {};
  std::vector<Failure> failures_;
};

}  // namespace routh::internal
