// Parts of the derivatives of an impact that the laws share. Internal.
//
// A variation is one number's derivative by each of `n` inputs. On a path that is parametrised by the normal impulse I,
// variations are taken at fixed I: with the rate f = d/dI of a quantity, its total derivative at an event that moves by
// δI is δ + f δI, and where the rate jumps from f⁻ to f⁺ the variation at fixed I jumps by (f⁻ − f⁺) δI.
#pragma once

#include <cmath>
#include <cstddef>

#include "routh/impact/impact_derivatives.h"
#include "routh/impact/laws.h"

namespace routh::internal {

template <std::size_t n>
struct Variation {
  alignas(16) double by[n] = {};

  static Variation unit(std::size_t i) {
    Variation v;
    v.by[i] = 1;
    return v;
  }
  double& operator[](std::size_t i) { return by[i]; }
  double operator[](std::size_t i) const { return by[i]; }
  Variation& operator+=(const Variation& o) {
    for (std::size_t i = 0; i < n; ++i) by[i] += o.by[i];
    return *this;
  }
  Variation& operator-=(const Variation& o) {
    for (std::size_t i = 0; i < n; ++i) by[i] -= o.by[i];
    return *this;
  }
  Variation& operator*=(double f) {
    for (std::size_t i = 0; i < n; ++i) by[i] *= f;
    return *this;
  }
  friend Variation operator+(Variation p, const Variation& q) { return p += q; }
  friend Variation operator-(Variation p, const Variation& q) { return p -= q; }
  friend Variation operator*(double f, Variation p) { return p *= f; }
};

// The inputs of a law that answers from the numbers of a StrikeInput; those of the plane come first without gaps in
// `PlanarInput`.
enum CoreInput : std::size_t {
  core_a,
  core_c1,
  core_c2,
  core_b11,
  core_b12,
  core_b22,
  core_n,
  core_t1,
  core_t2,
  core_mu,
  core_e,
  core_inputs_on_path,
  core_stuck1 = core_inputs_on_path,  // v_t⁺ of a stick: maps only
  core_stuck2,
  core_inputs
};

// What a law's variation gives: impulse, normal velocity and works, by the core inputs.
struct CoreVariation {
  using Row = Variation<core_inputs>;
  Row velocity[3];  // relative, after
  Row impulse[3];
  Row normal_work, tangential_work;
  Row speed;  // that compression reached, as e depends on it
  DerivativeStatus status = DerivativeStatus::exact;
  DerivativeBorder border = DerivativeBorder::none;
  double validity = 1;

  void give_up(DerivativeBorder why) {
    status = DerivativeStatus::none;
    border = why;
  }
  void one_sided(DerivativeBorder why) {
    if (status != DerivativeStatus::exact) return;
    status = DerivativeStatus::one_sided;
    border = why;
    validity = 0;
  }
};

// e'(w) of an impact near the speed that its compression reached.
struct RestitutionSlope {
  double coefficient = 0;
  double by_speed = 0;   // de/dw
  bool depends = false;  // on w
};

// What a law's derivatives are taken of.
struct VariationInput {
  StrikeInput strike;
  RestitutionSlope e;
  Variation<core_inputs> size;  // magnitudes of the inputs, for their relative changes
};

// How far a quantity that decides on the sequence of phases is from zero, counted in relative changes of all inputs.
template <std::size_t n>
class Margin {
 public:
  explicit Margin(const Variation<n>& sizes) : size_(sizes) {}
  void note(double distance, const Variation<n>& by) {
    double rate = 0;
    for (std::size_t i = 0; i < n; ++i) rate += size_[i] * std::abs(by[i]);
    if (rate * least_ > std::abs(distance)) least_ = std::abs(distance) / rate;
  }
  double least() const { return least_; }

 private:
  Variation<n> size_;
  double least_ = 1;
};

// Follows NormalMotion: which event ends a stage, and by how much it moves.
template <std::size_t n>
class NormalVariation {
 public:
  NormalVariation(Law law, double approach, const RestitutionSlope& e, std::size_t column_n, std::size_t column_e)
      : law_(law), e_(e), first_velocity_(approach), fastest_(-approach), column_n_(column_n), column_e_(column_e) {
    by_fastest_[column_n] = -1;
  }

  // A point where the approach may be the fastest so far: v_n and its variation there.
  void note_approach(double velocity, const Variation<n>& by) {
    if (!(-velocity > fastest_)) return;
    fastest_ = -velocity;
    by_fastest_ = -1.0 * by;
  }

  // Variations at fixed I, where v_n = 0 is reached at I with the given slope and W_n. Returns δI.
  Variation<n> end_compression(double impulse, double work, double slope, const Variation<n>& velocity,
                               const Variation<n>& by_work) {
    const Variation<n> shift = (-1 / slope) * velocity;
    compression_impulse_ += impulse - stretch_impulse_;
    compression_work_ += work - stretch_work_;
    by_compression_impulse_ += shift - by_stretch_impulse_;
    by_compression_work_ += by_work - by_stretch_work_;  // dW_n/dI = v_n = 0
    Variation<n> by_e = e_.by_speed * by_fastest_;
    by_e[column_e_] += 1;
    const double e = e_.coefficient;
    by_target_velocity_ = -first_velocity_ * by_e;
    by_target_velocity_[column_n_] -= e;
    by_target_impulse_ = shift + e * by_compression_impulse_ + compression_impulse_ * by_e - by_restitution_impulse_;
    by_target_work_ =
        by_work - (e * e) * by_compression_work_ - (2 * e * compression_work_) * by_e - by_restitution_work_;
    target_velocity_ = -e * first_velocity_;
    target_impulse_ = impulse + e * compression_impulse_ - restitution_impulse_;
    target_work_ = work - e * e * compression_work_ - restitution_work_;
    begin_stretch(impulse, work, shift, by_work);
    return shift;
  }

  Variation<n> recompress(double impulse, double work, double slope, const Variation<n>& velocity,
                          const Variation<n>& by_work) {
    const Variation<n> shift = (-1 / slope) * velocity;
    restitution_impulse_ += impulse - stretch_impulse_;
    restitution_work_ += work - stretch_work_;
    by_restitution_impulse_ += shift - by_stretch_impulse_;
    by_restitution_work_ += by_work - by_stretch_work_;
    begin_stretch(impulse, work, shift, by_work);
    return shift;
  }

  // Of an end in restitution at v_n > 0.
  Variation<n> end_impact(double velocity, double slope, const Variation<n>& by_velocity,
                          const Variation<n>& by_work) const {
    switch (law_) {
      case Law::newton:
        return (1 / slope) * (by_target_velocity_ - by_velocity);
      case Law::poisson:
        return by_target_impulse_;
      case Law::energetic:
      case Law::unified:
      case Law::classical:
        break;
    }
    return (1 / velocity) * (by_target_work_ - by_work);
  }

  // e = 0: the impact ends with its compression, and restitution begins with e: v_n²/2 = slope × e² |W_c|.
  Variation<n> end_plastic(double slope, const Variation<n>& compression_end) const {
    Variation<n> shift = compression_end;
    switch (law_) {
      case Law::newton:
        shift[column_e_] += -first_velocity_ / slope;
        break;
      case Law::poisson:
        shift[column_e_] += compression_impulse_;
        break;
      case Law::energetic:
      case Law::unified:
      case Law::classical:
        shift[column_e_] += std::sqrt(2 * std::max(0.0, -compression_work_) / slope);
        break;
    }
    return shift;
  }

  // What is left to the end of a restitution at a halt, and its variation.
  struct Rest {
    double value;
    Variation<n> by;
  };
  Rest rest(double impulse, double velocity, double work, const Variation<n>& by_impulse,
            const Variation<n>& by_velocity, const Variation<n>& by_work) const {
    switch (law_) {
      case Law::newton:
        return {target_velocity_ - velocity, by_target_velocity_ - by_velocity};
      case Law::poisson:
        return {target_impulse_ - impulse, by_target_impulse_ - by_impulse};
      case Law::energetic:
      case Law::unified:
      case Law::classical:
        break;
    }
    return {target_work_ - work, by_target_work_ - by_work};
  }

  double fastest() const { return fastest_; }
  const Variation<n>& by_fastest() const { return by_fastest_; }

 private:
  void begin_stretch(double impulse, double work, const Variation<n>& by_impulse, const Variation<n>& by_work) {
    stretch_impulse_ = impulse;
    stretch_work_ = work;
    by_stretch_impulse_ = by_impulse;
    by_stretch_work_ = by_work;
  }

  Law law_;
  RestitutionSlope e_;
  double first_velocity_, fastest_;
  std::size_t column_n_, column_e_;
  double target_velocity_ = 0, target_impulse_ = 0, target_work_ = 0;
  double stretch_impulse_ = 0, stretch_work_ = 0;
  double compression_impulse_ = 0, compression_work_ = 0;
  double restitution_impulse_ = 0, restitution_work_ = 0;
  Variation<n> by_fastest_;
  Variation<n> by_target_velocity_, by_target_impulse_, by_target_work_;
  Variation<n> by_stretch_impulse_, by_stretch_work_;
  Variation<n> by_compression_impulse_, by_compression_work_;
  Variation<n> by_restitution_impulse_, by_restitution_work_;
};

// One for each solver of laws.h; `out` comes as constructed.
void vary_planar(const VariationInput& in, const ImpactResult& result, CoreVariation& out);
void vary_spatial(const VariationInput& in, const ImpactResult& result, CoreVariation& out);
void vary_average_slip(const VariationInput& in, const ImpactResult& result, CoreVariation& out);

}  // namespace routh::internal
