#include "routh/record/run_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "routh/base/error.h"
#include "routh/record/compare_contacts.h"
#include "routh/record/event_fields.h"
#include "routh/record/run_fields.h"

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

std::string shown(std::uint32_t bits) {
  std::string list;
  for (unsigned k = 0; k < warning_count; ++k)
    if ((bits & 1u << k) != 0) list += (list.empty() ? "" : ", ") + std::string(name(static_cast<Warning>(1u << k)));
  return list.empty() ? "none" : list;
}

std::string shown(const std::string& text) { return quoted(text); }
std::string shown(bool value) { return value ? "true" : "false"; }
template <class E>
requires std::is_enum_v<E> std::string shown(E value) { return std::string(name(value)); }
template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : "none";
}

class Comparison {
 public:
  Comparison(const RunData& a, const RunData& b, const CompareOptions& options) : a_(a), b_(b), options_(options) {}

  CompareReport run() {
    add_notes();
    if (same_names("coordinates", a_.info.coordinate_names, b_.info.coordinate_names) &&
        same_names("velocities", a_.info.velocity_names, b_.info.velocity_names)) {
      compare_samples();
      SampleContacts(a_, b_).compare([this](double time, double x, double y, double scale, const auto& sentence) {
        if (!close(x, y, scale)) differ(time, sentence());
      });
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
    add_note("engine", name(x.engine), name(y.engine));
    add_note("tolerance", fmt::format("{}", x.tolerance), fmt::format("{}", y.tolerance));
    add_note("seed", fmt::format("{}", x.seed), fmt::format("{}", y.seed));
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
    for (const AccountField& field : account_fields) {
      if (std::min(a_.info.schema, b_.info.schema) < field.since) continue;
      const auto value = [account = field.account](const Sample& s) { return s.energy.*account; };
      all.push_back({fmt::format("{} energy", field.name), "J", value, value});
      // What nothing drives is rounding: it is seen on the scale of the energies.
      if (field.account == &EnergyAccount::corrected || field.account == &EnergyAccount::gained)
        all.back().size = [value](const Sample& s) { return std::max(s.energy.turnover(), std::abs(value(s))); };
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

  static double larger(double scale, const Eigen::VectorXd& values) {
    for (const double value : values) scale = larger(scale, value);
    return scale;
  }
  static double larger(double scale, const ContactVector& v) { return larger(larger(larger(scale, v.n), v.t1), v.t2); }

  static std::string contact_list(const Event& event) {
    std::string list;
    for (const EventContact& contact : event.contacts) list += (list.empty() ? "" : ", ") + quoted(contact.name);
    return list.empty() ? "none" : list;
  }

  // What a field is judged by: the largest of both runs, or zero where each pair has its own scale.
  template <class Row>
  using Scales = std::array<double, row_field_count<Row>>;
  template <class Row>
  void enlarge(Scales<Row>& scales, const Row& row) const {
    auto scale = scales.begin();
    for_each_field(row, [&]<class T>(const FieldInfo& field, const T& value) {
      if constexpr (std::is_same_v<T, double> || std::is_same_v<T, ContactVector> || std::is_same_v<T, Eigen::VectorXd>)
        if (field.judge == FieldJudge::by_largest) *scale = larger(*scale, value);
      ++scale;
    });
  }

  bool comparable(const FieldInfo& field) const {
    return field.judge != FieldJudge::never && std::min(a_.info.schema, b_.info.schema) >= field.judged_since;
  }

  void compare_events() {
    Scales<Event> scales{};
    Scales<EventContact> contact_scales{};
    for (const std::vector<Event>* events : {&a_.events, &b_.events})
      for (const Event& event : *events) {
        enlarge(scales, event);
        for (const EventContact& contact : event.contacts) enlarge(contact_scales, contact);
      }
    for (std::size_t k = 0; k < std::min(a_.events.size(), b_.events.size()); ++k) {
      const Event &x = a_.events[k], &y = b_.events[k];
      // Events after one that is missing in the other run do not correspond: their values say nothing.
      if (x.kind != y.kind || contact_list(x) != contact_list(y)) {
        differ(std::min(x.time, y.time),
               fmt::format("event {}: {} of {} at t = {} s against {} of {} at t = {} s", k, name(x.kind),
                           contact_list(x), x.time, name(y.kind), contact_list(y), y.time));
        report_.notes.push_back(fmt::format("events after number {} were not compared", k));
        return;
      }
      if (!close(x.time, y.time, scales[0]))
        differ(std::min(x.time, y.time), fmt::format("time of event {} ({} of {}): {}", k, name(x.kind),
                                                     contact_list(x), values(x.time, y.time, "s")));
      for_each_field_number<EventContact>([&](auto number) {
        for (std::size_t c = 0; c < x.contacts.size(); ++c)
          compare_field<decltype(number)::value>(x.contacts[c], y.contacts[c], contact_scales, k,
                                                 quoted(x.contacts[c].name));
      });
      for_each_field_number<Event>([&](auto number) {
        if constexpr (decltype(number)::value > 0)
          compare_field<decltype(number)::value>(x, y, scales, k, fmt::format("event {}", k));
      });
      note_phases(k);
    }
  }

  // Field `number` of the same row in both runs; `whose` is its owner in a sentence.
  template <std::size_t number, class Row>
  void compare_field(const Row& x, const Row& y, const Scales<Row>& scales, std::size_t k, const std::string& whose) {
    const auto p = std::get<number>(fields_of(x)), q = std::get<number>(fields_of(y));
    using T = std::remove_cvref_t<decltype(p.value)>;
    if (!comparable(p.info)) return;
    const double time = a_.events[k].time, first = std::min(time, b_.events[k].time);
    const auto compare = [&](const std::string& what, double i, double j) {
      const double scale = p.info.judge == FieldJudge::by_itself ? larger(larger(0, i), j) : scales[number];
      const std::string unit = p.info.unit == std::string("1") ? "" : p.info.unit;
      if (!close(i, j, scale))
        differ(first, fmt::format("{} of {} at t = {} s (event {}): {}", what, whose, time, k, values(i, j, unit)));
    };
    if constexpr (std::is_same_v<T, double>) compare(p.info.name, p.value, q.value);
    if constexpr (std::is_same_v<T, ContactVector>) {
      compare(std::string("normal ") + p.info.name, p.value.n, q.value.n);
      compare(std::string("first tangential ") + p.info.name, p.value.t1, q.value.t1);
      compare(std::string("second tangential ") + p.info.name, p.value.t2, q.value.t2);
    }
    if constexpr (std::is_same_v<T, Eigen::VectorXd>) compare_vectors(p.info, p.value, q.value, compare);
    if constexpr (!std::is_same_v<T, double> && !std::is_same_v<T, ContactVector> &&
                  !std::is_same_v<T, Eigen::VectorXd>)
      if (p.value != q.value)
        differ(first, fmt::format("{} of {} at t = {} s ({} of {}): {} against {}", p.info.name, whose, time,
                                  name(a_.events[k].kind), contact_list(a_.events[k]), shown(p.value), shown(q.value)));
  }

  // Coordinates belong together by their names.
  template <class Compare>
  void compare_vectors(const FieldInfo& field, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                       const Compare& compare) const {
    const bool positions = field.axis == FieldAxis::coordinates;
    const std::vector<std::string>& names = positions ? a_.info.coordinate_names : a_.info.velocity_names;
    const auto at = matched(names, positions ? b_.info.coordinate_names : b_.info.velocity_names);
    if (x.size() != y.size()) return compare(field.name, static_cast<double>(x.size()), static_cast<double>(y.size()));
    if (static_cast<std::size_t>(x.size()) != names.size()) return;  // none was recorded
    for (std::size_t k = 0; k < names.size(); ++k)
      compare(fmt::format("{} of {}", field.name, routh::quoted(names[k])), x[static_cast<Eigen::Index>(k)],
              y[static_cast<Eigen::Index>(at[k])]);
  }

  // Rounding decides whether slip that nearly halts does, so other phases are a difference only where every bit counts;
  // the first are noted.
  void note_phases(std::size_t k) {
    if (phases_noted_ || std::min(a_.info.schema, b_.info.schema) < schema_of_phases) return;
    const auto kinds = [](const EventContact& contact) {
      std::string list;
      for (const Phase& phase : contact.phases) list += (list.empty() ? "" : ", ") + std::string(name(phase.kind));
      return list.empty() ? "none" : list;
    };
    const Event &x = a_.events[k], &y = b_.events[k];
    for (std::size_t c = 0; c < x.contacts.size(); ++c) {
      const std::string i = kinds(x.contacts[c]), j = kinds(y.contacts[c]);
      if (i == j) continue;
      phases_noted_ = true;
      if (options_.rtol == 0 && options_.atol == 0) differ(x.time, fmt::format("phases of event {}", k));
      report_.notes.push_back(fmt::format("phases of {} at t = {} s (event {}): {} against {}",
                                          quoted(x.contacts[c].name), x.time, k, i, j));
      return;
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
    if (a_.outcome.status != b_.outcome.status) {
      report_.notes.push_back(
          fmt::format("status: {} against {}", quoted(shown(a_.outcome.status)), quoted(shown(b_.outcome.status))));
      differ(std::numeric_limits<double>::infinity(), report_.notes.back());
    }
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
  bool phases_noted_ = false;
};

}  // namespace

CompareReport compare_runs(const RunData& a, const RunData& b, const CompareOptions& options) {
  return Comparison(a, b, options).run();
}

}  // namespace routh
