// Tolerances of play: each with what it bounds, its unit or scale, and its users.
#pragma once

namespace routh::internal::tolerances {

// A pull of the hand is a critically damped spring on the mass that the point has in its lightest direction, of this
// frequency in units of 1/T, T the time scale of the machine: hanging from the hand the machine sags by 1/50 of its
// length. PlaySession::grab.
inline constexpr double hand_frequency = 7;
// The force of the hand is constant for so long, in units of 1/frequency: a tenth keeps the spring stable and damped.
// PlaySession::advance.
inline constexpr double hand_interval = 0.1;
// A poke acts for this part of T: short against the motion, long against the steps. PlaySession::poke.
inline constexpr double poke_duration = 0.02;

}  // namespace routh::internal::tolerances
