// What can be said about a run, wherever it is said: in the section `simulation` of a scene or `run` of a study, by a
// flag of `routh simulate`, by a keyword of Python, or by the run file that is resumed. `simulation_settings` is the
// one table of it; each of these readers goes through the table.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <tuple>

#include "routh/scene/scene.h"

namespace routh::internal {

class Node;  // text/document.h

// A switch is an enum of two values: it is said by name wherever it is said.
template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;

// Numbers in [low, high]; positive ones where `low` is zero.
struct SettingRange {
  double low = -unlimited, high = unlimited;
  constexpr bool positive() const { return low == 0 && high == unlimited; }
  constexpr bool holds(double value) const { return positive() ? value > 0 : value >= low && value <= high; }
};

enum class KeptByRun { no, yes };  // whether a resumed run goes on with it

// One thing that can be said. Where a name is empty it cannot be said there.
template <class T, class Option>
struct SimulationSetting {
  std::optional<T> SimulationSettings::*member;
  Option SimulationOptions::*option;  // null: the simulator does not need it
  const char* scene;                  // key of the scene's section, and of a run file's options
  const char* study;                  // key of the study's section
  const char* flag;                   // of `routh simulate`
  const char* keyword;                // of Python
  KeptByRun kept;
  SettingRange range;
  const char* placeholder;  // of the flag: `TOL`
  const char* help;         // of the flag; its default or its words are added where it ends in a blank
};

template <class T>
inline constexpr T SimulationOptions::*no_option = nullptr;

// clang-format off
inline constexpr auto simulation_settings = std::tuple{
    SimulationSetting<double, double>{&SimulationSettings::until, no_option<double>, "until", "until", "--until", "until",
        KeptByRun::yes, {}, "T", "end of the run, s; 10 s after its start"},
    SimulationSetting<double, double>{&SimulationSettings::tolerance, &SimulationOptions::tolerance, "tolerance",
        "tolerance", "--tolerance", "tolerance", KeptByRun::yes, {1e-14, 0.2}, "TOL", "error of a step; "},
    SimulationSetting<double, double>{&SimulationSettings::sample_interval, no_option<double>, "sample_interval",
        "interval", "--samples", "sample_interval", KeptByRun::no, {0}, "DT", "time between recorded samples, s"},
    SimulationSetting<EngineKind, EngineKind>{&SimulationSettings::engine, &SimulationOptions::engine, "engine",
        "engine", "--engine", "engine", KeptByRun::yes, {}, "ENGINE", ""},
    SimulationSetting<double, double>{&SimulationSettings::step, &SimulationOptions::step, "step", "step", "--step",
        "step", KeptByRun::yes, {0}, "DT", "length of a step of the engine stepping, s; "},
    SimulationSetting<double, double>{&SimulationSettings::residual, &SimulationOptions::residual, "residual", "residual",
        "--residual", "residual", KeptByRun::yes, {1e-12, 0.1}, "R", "of the contacts of large heaps, engine stepping; "},
    SimulationSetting<double, std::optional<double>>{&SimulationSettings::resolution, &SimulationOptions::resolution, "resolution",
        "resolution", "--resolution", "resolution", KeptByRun::yes, {0}, "DT",
        "events closer than this are stepped through, s"},
    SimulationSetting<Law, std::optional<Law>>{&SimulationSettings::law, &SimulationOptions::law, "law", "", "--law",
        "law", KeptByRun::yes, {}, "LAW", ""},
    SimulationSetting<Integrator, Integrator>{&SimulationSettings::integrator, &SimulationOptions::integrator,
        "integrator", "integrator", "--integrator", "integrator", KeptByRun::yes, {}, "INTEGRATOR", ""},
    SimulationSetting<double, double>{&SimulationSettings::max_step, &SimulationOptions::max_step, "max_step",
        "max_step", "--max-step", "max_step", KeptByRun::yes, {0}, "DT", "longest step, s"},
    SimulationSetting<long, long>{&SimulationSettings::max_events, &SimulationOptions::max_events, "", "max_events",
        "--max-events", "max_events", KeptByRun::no, {1, 1e9}, "N", "stop after so many events"},
    SimulationSetting<long, long>{&SimulationSettings::max_steps, &SimulationOptions::max_steps, "", "max_steps", "",
        "", KeptByRun::no, {1, 1e9}, "", ""},
    // 2⁵³ − 1 is what every reader of JSON keeps exactly.
    SimulationSetting<long long, long long>{&SimulationSettings::seed, no_option<long long>, "seed", "", "", "",
        KeptByRun::no, {0, 9'007'199'254'740'991}, "", ""},
};
// clang-format on

template <class Visit>
constexpr void for_each_setting(Visit&& visit) {
  std::apply([&](const auto&... setting) { (visit(setting), ...); }, simulation_settings);
}

inline constexpr double usual_duration = 10;  // [s] of a run whose end nobody says
inline constexpr double most_samples = 1e8;   // that a run may have
// A thousandth of the duration, rounded to 1, 2 or 5 times a power of ten.
double usual_interval(double duration);

// `first` where it says something, else `second`.
SimulationSettings overlay(const SimulationSettings& first, const SimulationSettings& second);
// ` must be positive`, ` must lie in [1e-14, 0.2]`; empty where the value is allowed.
std::string range_complaint(const SettingRange& range, double value);

// The section `simulation` of a scene's root; everything is absent where it names nothing. `start` is the time of the
// state, which `until` must exceed. Throws InputError, like all that follow.
SimulationSettings read_simulation(const Node& root, double start);
// The section `run` of a study.
SimulationSettings read_run_settings(const Node& section);
// The lines of the section `simulation`; empty where nothing is said.
std::string simulation_section(const SimulationSettings& settings);

// What a run file keeps for those who resume it: {"until", "tolerance", …}; and back, nothing from a text that is none.
std::string options_json(const SimulationOptions& options, double until);
std::optional<SimulationSettings> read_options_json(const std::string& text);

}  // namespace routh::internal
