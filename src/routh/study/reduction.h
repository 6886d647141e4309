// Many values to a few: moments, extremes, counts, quantiles. Whatever the number of threads, the same bits: values are
// reduced in blocks of fixed size, floating-point sums of blocks are joined in the order of the blocks, and everything
// else is counted in whole numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace routh::internal {

// Of the values that are there.
struct Moments {
  std::uint64_t count = 0;
  std::uint64_t missing = 0;
  std::uint64_t nonzero = 0;  // of a condition: how often it holds
  double mean = 0;
  double squares = 0;  // Σ (x − mean)²
  double low = 0, high = 0;
  std::uint64_t low_index = 0, high_index = 0;  // of the first sample that has them

  // Of the sample: divided by count − 1. Of fewer than two values there is none.
  std::optional<double> deviation() const;
};

// Of one block, in two passes; `first` is the index of its first sample. A value that is not finite is missing.
Moments block_moments(std::span<const double> values, std::uint64_t first);
// `next` follows on `sum` [Chan, Golub and LeVeque 1979].
void join(Moments& sum, const Moments& next);

// Equal bins; values outside are counted beside.
struct HistogramPlan {
  double from = 0, to = 1;
  int bins = 10;

  // −1 below, `bins` above; `to` belongs to the last bin.
  int bin(double value) const;
  double edge(int k) const;
};

// Counts of values in buckets that are as wide as their values are large: the sign, the exponent and the first 12 bits
// of the fraction of a double name its bucket. The middle of a bucket differs from each of its values by at most
// 2⁻¹³ = 1.2e-4 of the value. Counts are whole numbers: the order of adding does not matter. Memory: 8 bytes for each
// bucket in use, in pages of 64.
class QuantileSketch {
 public:
  static constexpr double relative_error = 0x1p-13;
  using Bucket = std::pair<std::uint32_t, std::uint64_t>;  // key and count

  QuantileSketch();
  void add(double value) { add(key_of(value), 1); }
  void add(std::uint32_t key, std::uint64_t count);
  // The buckets that are not empty, from the lowest value to the highest.
  std::vector<Bucket> buckets() const;
  void clear();

  static std::uint32_t key_of(double value);
  static double middle(std::uint32_t key);

 private:
  static constexpr int key_bits = 24, page_bits = 6;
  struct Page {
    std::uint64_t counts[1 << page_bits] = {};
  };
  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<std::uint32_t> used_;
};

// Values of at most this many samples are kept, and quantiles are exact.
inline constexpr std::uint64_t max_exact_quantiles = 65536;

// By linear interpolation between neighbours, as most programs do (type 7 of Hyndman and Fan). Nothing when empty.
// `sorted` is in rising order.
std::optional<double> exact_quantile(std::span<const double> sorted, double p);
std::optional<double> sketch_quantile(std::span<const QuantileSketch::Bucket> buckets, const Moments& moments,
                                      double p);

}  // namespace routh::internal
