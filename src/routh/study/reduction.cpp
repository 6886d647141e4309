#include "routh/study/reduction.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace routh::internal {

std::optional<double> Moments::deviation() const {
  if (count < 2) return std::nullopt;
  return std::sqrt(squares / static_cast<double>(count - 1));
}

Moments block_moments(std::span<const double> values, std::uint64_t first) {
  Moments m;
  double sum = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double x = values[k];
    if (!std::isfinite(x)) {
      ++m.missing;
      continue;
    }
    if (m.count == 0 || x < m.low) {
      m.low = x;
      m.low_index = first + k;
    }
    if (m.count == 0 || x > m.high) {
      m.high = x;
      m.high_index = first + k;
    }
    ++m.count;
    if (x != 0) ++m.nonzero;
    sum += x;
  }
  if (m.count == 0) return m;
  m.mean = sum / static_cast<double>(m.count);
  for (const double x : values)
    if (std::isfinite(x)) m.squares += (x - m.mean) * (x - m.mean);
  return m;
}

void join(Moments& sum, const Moments& next) {
  if (next.count > 0 && (sum.count == 0 || next.low < sum.low)) {
    sum.low = next.low;
    sum.low_index = next.low_index;
  }
  if (next.count > 0 && (sum.count == 0 || next.high > sum.high)) {
    sum.high = next.high;
    sum.high_index = next.high_index;
  }
  const double a = static_cast<double>(sum.count), b = static_cast<double>(next.count);
  if (next.count > 0) {
    const double apart = next.mean - sum.mean;
    sum.mean += apart * (b / (a + b));
    sum.squares += next.squares + apart * apart * (a * (b / (a + b)));
  }
  sum.count += next.count;
  sum.missing += next.missing;
  sum.nonzero += next.nonzero;
}

int HistogramPlan::bin(double value) const {
  if (value < from) return -1;
  if (value > to) return bins;
  int k = std::clamp(static_cast<int>((value - from) / (to - from) * bins), 0, bins - 1);
  // The quotient rounds otherwise than the edges, which are what is shown.
  while (k > 0 && value < edge(k)) --k;
  while (k + 1 < bins && value >= edge(k + 1)) ++k;
  return k;
}

double HistogramPlan::edge(int k) const { return k == bins ? to : from + (to - from) * k / bins; }

QuantileSketch::QuantileSketch() : pages_(std::size_t{1} << (key_bits - page_bits)) {}

// The bits of a double, read as a whole number, rise with it once those of negative numbers are turned over.
std::uint32_t QuantileSketch::key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  const std::uint64_t top = std::uint64_t{1} << 63;
  return static_cast<std::uint32_t>(((bits & top) != 0 ? ~bits : bits | top) >> (64 - key_bits));
}

double QuantileSketch::middle(std::uint32_t key) {
  const std::uint64_t top = std::uint64_t{1} << 63;
  const std::uint64_t rising = (std::uint64_t{key} << (64 - key_bits)) | (std::uint64_t{1} << (63 - key_bits));
  if (rising == (top | (std::uint64_t{1} << (63 - key_bits)))) return 0;  // zero and its nearest neighbours
  return std::bit_cast<double>((rising & top) != 0 ? rising & ~top : ~rising);
}

void QuantileSketch::add(std::uint32_t key, std::uint64_t count) {
  const std::uint32_t page = key >> page_bits;
  if (!pages_[page]) {
    pages_[page] = std::make_unique<Page>();
    used_.push_back(page);
  }
  pages_[page]->counts[key & ((1u << page_bits) - 1)] += count;
}

std::vector<QuantileSketch::Bucket> QuantileSketch::buckets() const {
  std::vector<std::uint32_t> order = used_;
  std::sort(order.begin(), order.end());
  std::vector<Bucket> out;
  for (const std::uint32_t page : order)
    for (std::uint32_t k = 0; k < (1u << page_bits); ++k)
      if (const std::uint64_t count = pages_[page]->counts[k]; count > 0)
        out.emplace_back((page << page_bits) | k, count);
  return out;
}

void QuantileSketch::clear() {
  for (const std::uint32_t page : used_) *pages_[page] = {};
}

namespace {

// The value at a rank that may lie between two.
template <class At>
double between(std::uint64_t count, double p, At&& at) {
  const double rank = p * static_cast<double>(count - 1);
  const auto below = static_cast<std::uint64_t>(rank);
  const double low = at(below);
  const double share = rank - static_cast<double>(below);
  return share > 0 && below + 1 < count ? low + share * (at(below + 1) - low) : low;
}

}  // namespace

std::optional<double> exact_quantile(std::span<const double> sorted, double p) {
  if (sorted.empty()) return std::nullopt;
  return between(sorted.size(), p, [&](std::uint64_t k) { return sorted[k]; });
}

std::optional<double> sketch_quantile(std::span<const QuantileSketch::Bucket> buckets, const Moments& moments,
                                      double p) {
  if (moments.count == 0) return std::nullopt;
  return between(moments.count, p, [&](std::uint64_t rank) {
    std::uint64_t seen = 0;
    for (const auto& [key, count] : buckets) {
      seen += count;
      if (rank < seen) return std::clamp(QuantileSketch::middle(key), moments.low, moments.high);
    }
    return moments.high;
  });
}

}  // namespace routh::internal
