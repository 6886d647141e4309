// Arithmetic on whole vector registers, in the compiler's vector type: plain loops over the nodes of a panel get
// shuffled or, where a sum would have to be reordered, are not vectorised at all.
//
// Code that is worth it is written once for 2 or 4 lanes and called through `on_widest_lanes`, which asks the machine.
// The order of every sum is that of four lanes, and nothing is fused, so both ways give the same bits.
#pragma once

#include <cstddef>
#include <type_traits>

namespace routh::internal {

template <std::size_t lanes>
struct LanesOf {
  using type __attribute__((vector_size(lanes * sizeof(double)), may_alias)) = double;
};
template <std::size_t lanes>
using Lanes = typename LanesOf<lanes>::type;

template <std::size_t lanes>
using LaneCount = std::integral_constant<std::size_t, lanes>;

// What the whole library is compiled for.
#ifdef __AVX__
inline constexpr std::size_t own_lanes = 4;
#else
inline constexpr std::size_t own_lanes = 2;
#endif

#if defined(__x86_64__) && !defined(__AVX__)
template <class F>
[[gnu::target("avx2")]] inline auto on_four_lanes(const F& f) {
  return f(LaneCount<4>{});
}

// f(LaneCount<4>) compiled for AVX2 where the machine has it, else f(LaneCount<2>). f must be always inlined.
template <class F>
inline auto on_widest_lanes(const F& f) {
  return __builtin_cpu_supports("avx2") ? on_four_lanes(f) : f(LaneCount<own_lanes>{});
}
template <class F>
[[gnu::target("avx2"), gnu::flatten]] inline void with_avx2(const F& f) {
  f();
}

// f(), compiled for AVX2 where the machine has it together with all it calls that the compiler can see: scalar code
// gains the three-operand instructions. The same bits, since nothing is fused.
template <class F>
inline void on_widest_machine(const F& f) {
  if (__builtin_cpu_supports("avx2"))
    with_avx2(f);
  else
    f();
}
#else
template <class F>
inline auto on_widest_lanes(const F& f) {
  return f(LaneCount<own_lanes>{});
}
template <class F>
inline void on_widest_machine(const F& f) {
  f();
}
#endif

}  // namespace routh::internal
