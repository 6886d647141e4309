#include "routh/record/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "routh/base/error.h"

namespace routh {

namespace {

// The order of its members does not count.
std::string sorted_json(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  return json.is_discarded() ? text : json.dump();
}

std::string quoted(const std::string& name) { return "'" + printable(name) + "'"; }

// A number of every sample, for one run and the other.
struct Quantity {
  std::string what;
  std::string units;
  std::function<double(const Sample&)> in_a, in_b;
  std::function<double(const Sample&)> size = {};  // that its scale is made of, where that is not the number itself
};

std::string warning_list(std::uint32_t bits) {
  std::string list;
  for (unsigned k = 0; k < warning_count; ++k)
    if ((bits & 1u << k) != 0) list += (list.empty() ? "" : ", ") + std::string(name(static_cast<Warning>(1u << k)));
  return list.empty() ? "none" : list;
}

class Comparison {
 public:
  Comparison(const RunData& a, const RunData& b, const CompareOptions& options) : a_(a), b_(b), options_(options) {}

  CompareReport run() {
    add_notes();
    if (same_names("coordinates", a_.info.coordinate_names, b_.info.coordinate_names) &&
        same_names("velocities", a_.info.velocity_names, b_.info.velocity_names)) {
      compare_samples();
      compare_events();
      compare_counts();
    }
    return report_;
  }

 private:
  // The earliest difference is the one to be told; at equal times the one found first.
  void differ(double time, const std::string& sentence) {
    if (report_.equal || time < first_time_) {
      report_.first_difference = sentence;
      first_time_ = time;
    }
    report_.equal = false;
  }

  bool close(double x, double y, double scale) {
    if (x == y || (std::isnan(x) && std::isnan(y))) return true;
    const double difference = std::abs(x - y);
    // NaN or infinity on one side differs without measure.
    const double relative = std::isfinite(difference) && scale > 0 ? difference / scale : 1;
    report_.largest_difference = std::max(report_.largest_difference, relative);
    return difference <= options_.atol + options_.rtol * scale;
  }

  static std::string values(double x, double y, const std::string& units) {
    return fmt::format("{} against {}{}{}", x, y, units.empty() ? "" : " ", printable(units));
  }

  void add_note(const char* what, const std::string& x, const std::string& y) {
    if (x != y) report_.notes.push_back(fmt::format("{}: {} against {}", what, routh::quoted(x), routh::quoted(y)));
  }

  void add_notes() {
    const RunInfo &x = a_.info, &y = b_.info;
    if (x.input_hash != y.input_hash) report_.notes.push_back("the scenes differ");
    add_note("program version", x.program_version, y.program_version);
    add_note("options", sorted_json(x.options_json), sorted_json(y.options_json));
    add_note("tolerance", fmt::format("{}", x.tolerance), fmt::format("{}", y.tolerance));
    add_note("seed", fmt::format("{}", x.seed), fmt::format("{}", y.seed));
    add_note("status", name(a_.outcome.status), name(b_.outcome.status));
    if (!both_with_corrections() && std::max(x.schema, y.schema) >= schema_of_corrections)
      report_.notes.push_back("one run was recorded without corrections, friction and warnings: they are not compared");
  }

  bool both_with_corrections() const { return std::min(a_.info.schema, b_.info.schema) >= schema_of_corrections; }

  bool same_names(const char* what, const std::vector<std::string>& x, const std::vector<std::string>& y) {
    std::vector<std::string> in_x = x, in_y = y;
    std::sort(in_x.begin(), in_x.end());
    std::sort(in_y.begin(), in_y.end());
    if (in_x == in_y) return true;
    std::vector<std::string> alone;
    std::set_symmetric_difference(in_x.begin(), in_x.end(), in_y.begin(), in_y.end(), std::back_inserter(alone));
    differ(-std::numeric_limits<double>::infinity(),
           fmt::format("the {} differ: {} and {}, and {} is in one run only", what, x.size(), y.size(),
                       routh::quoted(alone.front())));
    return false;
  }

  // Of equal names the first in one run belongs to the first in the other, and so on.
  static std::vector<std::size_t> matched(const std::vector<std::string>& x, const std::vector<std::string>& y) {
    std::vector<std::size_t> at;
    std::vector<bool> used(y.size(), false);
    for (const std::string& wanted : x)
      for (std::size_t k = 0; k < y.size(); ++k) {
        if (used[k] || y[k] != wanted) continue;
        used[k] = true;
        at.push_back(k);
        break;
      }
    return at;
  }

  using Vector = Eigen::VectorXd State::*;
  void add_vector(std::vector<Quantity>& quantities, const char* what, Vector vector) const {
    const bool positions = vector == &State::q;
    const std::vector<std::string>& names = positions ? a_.info.coordinate_names : a_.info.velocity_names;
    const std::vector<std::string>& units = positions ? a_.info.coordinate_units : a_.info.velocity_units;
    const auto at = matched(names, positions ? b_.info.coordinate_names : b_.info.velocity_names);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k), j = static_cast<Eigen::Index>(at[k]);
      quantities.push_back({fmt::format("{} of {}", what, routh::quoted(names[k])), k < units.size() ? units[k] : "",
                            [=](const Sample& s) { return (s.state.*vector)[i]; },
                            [=](const Sample& s) { return (s.state.*vector)[j]; }});
    }
  }

  std::vector<Quantity> quantities() const {
    const auto time = [](const Sample& s) { return s.state.time; };
    std::vector<Quantity> all = {{"sample time", "s", time, time}};
    add_vector(all, "position", &State::q);
    add_vector(all, "velocity", &State::v);
    const std::pair<const char*, double EnergyAccount::*> energies[] = {
        {"kinetic energy", &EnergyAccount::kinetic},
        {"potential energy", &EnergyAccount::potential},
        {"dissipated energy", &EnergyAccount::dissipated},
        {"supplied energy", &EnergyAccount::supplied}};
    for (const auto& [what, member] : energies) {
      const auto value = [member = member](const Sample& s) { return s.energy.*member; };
      all.push_back({what, "J", value, value});
    }
    if (both_with_corrections()) {
      const auto value = [](const Sample& s) { return s.energy.corrected; };
      const auto size = [](const Sample& s) { return std::max(s.energy.turnover(), std::abs(s.energy.corrected)); };
      all.push_back({"corrected energy", "J", value, value, size});
    }
    return all;
  }

  void compare_samples() {
    const std::size_t count = std::min(a_.samples.size(), b_.samples.size());
    for (const Quantity& quantity : quantities()) {
      double scale = 0;
      const auto size = [&](const auto& itself) { return quantity.size ? quantity.size : itself; };
      for (const Sample& sample : a_.samples) scale = larger(scale, size(quantity.in_a)(sample));
      for (const Sample& sample : b_.samples) scale = larger(scale, size(quantity.in_b)(sample));
      for (std::size_t k = 0; k < count; ++k) {
        const double x = quantity.in_a(a_.samples[k]), y = quantity.in_b(b_.samples[k]);
        if (close(x, y, scale)) continue;
        const double time = a_.samples[k].state.time;
        differ(time,
               fmt::format("{} at t = {} s (sample {}): {}", quantity.what, time, k, values(x, y, quantity.units)));
      }
    }
  }

  static double larger(double scale, double value) {
    return std::isfinite(value) ? std::max(scale, std::abs(value)) : scale;
  }

  static double larger(double scale, const std::vector<Event>& events, const ContactVector EventContact::*vector) {
    for (const Event& event : events)
      for (const EventContact& contact : event.contacts) {
        const ContactVector& v = contact.*vector;
        for (const double x : {v.n, v.t1, v.t2}) scale = larger(scale, x);
      }
    return scale;
  }

  static std::string contact_list(const Event& event) {
    std::string list;
    for (const EventContact& contact : event.contacts) list += (list.empty() ? "" : ", ") + quoted(contact.name);
    return list.empty() ? "none" : list;
  }

  void compare_events() {
    double time_scale = 0;
    for (const Event& event : a_.events) time_scale = larger(time_scale, event.time);
    for (const Event& event : b_.events) time_scale = larger(time_scale, event.time);
    const double impulse_scale =
        larger(larger(0, a_.events, &EventContact::impulse), b_.events, &EventContact::impulse);
    for (std::size_t k = 0; k < std::min(a_.events.size(), b_.events.size()); ++k) {
      const Event &x = a_.events[k], &y = b_.events[k];
      const double first = std::min(x.time, y.time);
      // Events after one that is missing in the other run do not correspond: their values say nothing.
      if (x.kind != y.kind || contact_list(x) != contact_list(y)) {
        differ(first, fmt::format("event {}: {} of {} at t = {} s against {} of {} at t = {} s", k, name(x.kind),
                                  contact_list(x), x.time, name(y.kind), contact_list(y), y.time));
        report_.notes.push_back(fmt::format("events after number {} were not compared", k));
        return;
      }
      if (!close(x.time, y.time, time_scale))
        differ(first, fmt::format("time of event {} ({} of {}): {}", k, name(x.kind), contact_list(x),
                                  values(x.time, y.time, "s")));
      compare_impulses(k, impulse_scale);
      if (both_with_corrections()) compare_friction_and_warnings(k);
    }
  }

  void compare_friction_and_warnings(std::size_t k) {
    const Event &x = a_.events[k], &y = b_.events[k];
    const double first = std::min(x.time, y.time);
    for (std::size_t c = 0; c < x.contacts.size(); ++c) {
      const double i = x.contacts[c].friction, j = y.contacts[c].friction;
      if (!close(i, j, larger(larger(0, i), j)))
        differ(first, fmt::format("friction of {} at t = {} s (event {}): {}", quoted(x.contacts[c].name), x.time, k,
                                  values(i, j, "")));
    }
    if (x.warnings != y.warnings)
      differ(first, fmt::format("warnings of event {} at t = {} s ({} of {}): {} against {}", k, x.time, name(x.kind),
                                contact_list(x), warning_list(x.warnings), warning_list(y.warnings)));
  }

  void compare_impulses(std::size_t k, double scale) {
    const Event &x = a_.events[k], &y = b_.events[k];
    const std::pair<const char*, double ContactVector::*> parts[] = {{"normal", &ContactVector::n},
                                                                     {"first tangential", &ContactVector::t1},
                                                                     {"second tangential", &ContactVector::t2}};
    for (std::size_t c = 0; c < x.contacts.size(); ++c)
      for (const auto& [part, member] : parts) {
        const double i = x.contacts[c].impulse.*member, j = y.contacts[c].impulse.*member;
        if (close(i, j, scale)) continue;
        differ(std::min(x.time, y.time), fmt::format("{} impulse of {} at t = {} s (event {}): {}", part,
                                                     quoted(x.contacts[c].name), x.time, k, values(i, j, "N s")));
      }
  }

  void compare_count(const char* what, std::size_t x, std::size_t y) {
    if (x == y) return;
    const std::string sentence = fmt::format("{} {} against {}", x, what, y);
    report_.notes.push_back(sentence);
    differ(std::numeric_limits<double>::infinity(), sentence);
  }

  void compare_counts() {
    compare_count("samples", a_.samples.size(), b_.samples.size());
    compare_count("events", a_.events.size(), b_.events.size());
    if (!both_with_corrections()) return;
    const auto &x = a_.outcome.statistics.warnings, &y = b_.outcome.statistics.warnings;
    for (unsigned k = 0; k < warning_count; ++k)
      compare_count(fmt::format("events with the warning {}", name(static_cast<Warning>(1u << k))).c_str(),
                    static_cast<std::size_t>(x[k]), static_cast<std::size_t>(y[k]));
  }

  const RunData& a_;
  const RunData& b_;
  CompareOptions options_;
  CompareReport report_;
  double first_time_ = 0;
};

}  // namespace

CompareReport compare_runs(const RunData& a, const RunData& b, const CompareOptions& options) {
  return Comparison(a, b, options).run();
}

}  // namespace routh
