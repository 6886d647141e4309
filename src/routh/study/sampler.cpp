#include "routh/study/sampler.h"

#include <algorithm>
#include <bit>

namespace routh::internal {

namespace {

enum Purpose : std::uint32_t { plain_number = 0, place_in_share = 1, shift_of_sobol = 2 };

}  // namespace

std::uint64_t grid_size(std::span<const Spread> spreads) {
  std::uint64_t size = 1;
  for (const Spread& spread : spreads) {
    const auto levels = static_cast<std::uint64_t>(spread.levels);
    if (levels == 0 || size > max_samples / levels) return 0;
    size *= levels;
  }
  return size;
}

Sampler::Sampler(SamplerPlan plan) : plan_(std::move(plan)) {
  for (std::uint32_t k = 0; k < plan_.spreads.size(); ++k) {
    if (plan_.method == SampleMethod::latin_hypercube) permutations_.emplace_back(plan_.samples, plan_.seed, k);
    if (plan_.method == SampleMethod::sobol) {
      sobol_.emplace_back(static_cast<int>(k));
      shifts_.push_back(plan_.shifted ? random_bits(plan_.seed, 0, k, shift_of_sobol) >> (64 - sobol_bits) : 0);
    }
  }
}

void Sampler::sample_grid(std::uint64_t index, std::span<double> values) const {
  for (std::size_t k = values.size(); k-- > 0;) {
    const auto levels = static_cast<std::uint64_t>(plan_.spreads[k].levels);
    values[k] = plan_.spreads[k].level(static_cast<long long>(index % levels));
    index /= levels;
  }
}

// Point 0 of the sequence is the corner, where a normal distribution has no value. There each number is the middle of
// the cell that the points up to the next power of two leave to it.
double Sampler::sobol_number(std::size_t k, std::uint64_t index) const {
  const std::uint64_t bits = sobol_[k].bits(index) ^ shifts_[k];
  if (bits != 0 || plan_.spreads[k].kind != SpreadKind::normal) return static_cast<double>(bits) * 0x1p-52;
  return 0.5 / static_cast<double>(std::bit_ceil(plan_.samples));
}

void Sampler::sample(std::uint64_t index, std::span<double> values) const {
  switch (plan_.method) {
    case SampleMethod::grid:
      return sample_grid(index, values);
    case SampleMethod::list:
      std::copy_n(plan_.listed.begin() + static_cast<std::ptrdiff_t>(index * values.size()), values.size(),
                  values.begin());
      return;
    case SampleMethod::latin_hypercube:
      for (std::uint32_t k = 0; k < values.size(); ++k) {
        const double share = static_cast<double>(permutations_[k](index));
        const double place = uniform(plan_.seed, index, k, place_in_share);
        values[k] = plan_.spreads[k].at((share + place) / static_cast<double>(plan_.samples));
      }
      return;
    case SampleMethod::sobol:
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = plan_.spreads[k].at(sobol_number(k, index));
      return;
    case SampleMethod::random:
      for (std::uint32_t k = 0; k < values.size(); ++k)
        values[k] = plan_.spreads[k].at(uniform(plan_.seed, index, k, plain_number));
      return;
  }
}

}  // namespace routh::internal
