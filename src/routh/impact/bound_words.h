// The bounds of an impact (bounds.h) in words, for tables, pages and results alike.
#pragma once

#include <array>

namespace routh::internal {

struct BoundWords {
  const char* key;      // in the JSON of a result; a point leads into an object
  const char* symbol;   // with `_` and `^`
  const char* meaning;  // of a finite value
  const char* none;     // what it means that there is no finite value
};

inline constexpr BoundWords stick_friction_words = {
    "critical_friction.stick", "μ_c", "least static friction that keeps a stick", "no static friction keeps a stick"};
inline constexpr BoundWords impact_friction_words = {"critical_friction.impact", "μ_{cr}",
                                                     "least static friction for this impact to end stuck",
                                                     "no static friction makes this impact end stuck"};
inline constexpr BoundWords jamming_friction_words = {
    "jamming_friction", "μ*", "friction above which some slip direction jams", "no slip direction jams"};
inline constexpr BoundWords restitution_bound_words = {"restitution_bound", "e*(v)",
                                                       "largest e of this impact, stuck, that gains nothing",
                                                       "no e of a sticking impact gains energy"};
inline constexpr BoundWords restitution_bound_any_words = {"restitution_bound_any", "e*", "the same for every velocity",
                                                           "no e of a sticking impact gains energy"};
inline constexpr BoundWords condition_words = {
    "condition", "cond D", "of the inertia: answers may lose that many of 1e16", "the inertia is singular"};

inline constexpr std::array<BoundWords, 6> all_bound_words = {stick_friction_words,        impact_friction_words,
                                                              jamming_friction_words,      restitution_bound_words,
                                                              restitution_bound_any_words, condition_words};

}  // namespace routh::internal
