// Which values the parameters take in each sample of a study. A sample depends on its index alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "routh/base/names.h"
#include "routh/study/random.h"
#include "routh/study/sobol.h"
#include "routh/study/spread.h"

namespace routh::internal {

enum class SampleMethod {
  grid,             // every combination of levels, the last parameter fastest
  latin_hypercube,  // each parameter once in each of `samples` equal shares
  sobol,            // Sobol's sequence, with a seed shifted by random bits
  random,
  list,  // rows of a table
};
constexpr auto names_of(SampleMethod) {
  return name_table<SampleMethod>({
      {SampleMethod::grid, "grid"},
      {SampleMethod::latin_hypercube, "latin_hypercube"},
      {SampleMethod::sobol, "sobol"},
      {SampleMethod::random, "random"},
      {SampleMethod::list, "csv"},
  });
}

struct SamplerPlan {
  SampleMethod method = SampleMethod::random;
  std::vector<Spread> spreads;  // one per parameter; of a list only their number counts
  std::uint64_t samples = 0;    // of a grid: the product of its levels
  std::uint64_t seed = 0;
  bool shifted = false;        // sobol: by the seed
  std::vector<double> listed;  // of a list: row by row
};

inline constexpr std::uint64_t max_samples = std::uint64_t{1} << 50;

// The number of combinations, or nothing above `max_samples`: 0.
std::uint64_t grid_size(std::span<const Spread> spreads);

// Const and free of allocation once made: threads may share one.
class Sampler {
 public:
  explicit Sampler(SamplerPlan plan);

  std::uint64_t size() const { return plan_.samples; }
  std::size_t parameters() const { return plan_.spreads.size(); }
  const SamplerPlan& plan() const { return plan_; }
  // `index` < size(); `values` has an entry for each parameter.
  void sample(std::uint64_t index, std::span<double> values) const;

 private:
  void sample_grid(std::uint64_t index, std::span<double> values) const;
  double sobol_number(std::size_t k, std::uint64_t index) const;

  SamplerPlan plan_;
  std::vector<Permutation> permutations_;  // of a Latin hypercube
  std::vector<SobolDimension> sobol_;
  std::vector<std::uint64_t> shifts_;
};

}  // namespace routh::internal
