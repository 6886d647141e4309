#include "routh/solvability/effort_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

// Efforts that are told one by one; the table has all of them.
constexpr std::size_t efforts_told = 6;

class EffortWords {
 public:
  EffortWords(const EffortReport& report, const EffortNames& names) : report_(report), names_(names) {}

  std::vector<std::string> all() {
    add_verdict();
    add_slips_that_jam();
    out_.push_back("To hold: " + cure(report_.hold, "hold"));
    out_.push_back("To let go: " + cure(report_.let_go, "let go"));
    if (report_.no_jam && names_.contacts.size() > 1)
      out_.push_back("Out of the jam: " + cure(*report_.no_jam, "do it"));
    if (report_.force_rates && !report_.force_rates->unique)
      out_.emplace_back("The forces are not unique: their changes are those of least norm.");
    return std::move(out_);
  }

 private:
  bool one() const { return names_.contacts.size() == 1; }
  std::string who() const {
    return one() ? names_.contacts[0] : fmt::format("the {} contacts", names_.contacts.size());
  }

  std::string said(HoldVerdict verdict) const {
    switch (verdict) {
      case HoldVerdict::must_hold:
        return one() ? "holds, and nothing else is possible" : "hold, and nothing else is possible";
      case HoldVerdict::can_hold:
        return "can hold; that a motion is possible, too, was not excluded";
      case HoldVerdict::slides:
        return one() ? "slides" : "do not all hold: some slip";
      case HoldVerdict::tips:
        return "tip: some let go";
      case HoldVerdict::lets_go:
        return one() ? "lets go" : "let go";
      case HoldVerdict::jams:
        return one() ? "jams: no finite force holds, an impact follows"
                     : "jam: no finite forces hold, an impact follows";
      case HoldVerdict::unknown:
        return one() ? "has no answer that was found" : "have no answer that was found";
    }
    return {};
  }

  void add_verdict() { out_.push_back(fmt::format("As things are {} {}.", who(), said(report_.verdict))); }

  void add_slips_that_jam() {
    for (std::size_t c = 0; c < report_.slips.size(); ++c) {
      if (!report_.slips[c] || report_.slips[c]->A > 0) continue;
      const SlipVerdict& slip = *report_.slips[c];
      out_.push_back(fmt::format(
          "{}{} slips with A = {:.4g} 1/kg, which no effort changes, and B = {:.4g} m/s², which they do: no "
          "effort gives this slide one answer that stays. With B < 0 it jams, with B > 0 it lets go. Only "
          "kinetic friction below {:.4g}, another posture or another slip makes it slide.",
          names_.contacts[c], one() ? "" : ", alone,", slip.A, slip.B, slip.direction_friction));
    }
  }

  std::string changes(const EffortAnswer& answer) const {
    const auto size = static_cast<std::size_t>(answer.effort.size());
    const double largest = answer.effort.size() > 0 ? answer.effort.lpNorm<Eigen::Infinity>() : 0;
    std::string text;
    std::size_t told = 0, left = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const double value = answer.effort[static_cast<Eigen::Index>(k)];
      if (std::abs(value) <= tolerances::effort_untold * largest) continue;
      if (told == efforts_told) {
        ++left;
        continue;
      }
      text += fmt::format("{}{} by {:+.4g} {}", told++ == 0 ? "" : ", ", names_.efforts[k], value, names_.units[k]);
    }
    return left > 0 ? text + fmt::format(" and {} more", left) : text;
  }

  std::string cure(const EffortCure& cure, const char* what) const {
    switch (cure.outcome) {
      case EffortOutcome::needless:
        return "nothing needs to change.";
      case EffortOutcome::found:
        return fmt::format("at least change {}. Then {} {}.", changes(cure.answer), who(), said(cure.after));
      case EffortOutcome::not_unique:
        if (cure.after == HoldVerdict::unknown)
          return "the efforts that would do it leave an answer that was not found.";
        if (&cure == &report_.let_go && cure.after == HoldVerdict::can_hold)
          return fmt::format(
              "with the least change that could, {}, {} can hold, too, and what can hold is taken to "
              "hold. Whether a greater change does it was not looked for.",
              changes(cure.answer), who());
        return fmt::format("no efforts: with those that balance the forces {} {}.", who(), said(cure.after));
      case EffortOutcome::limited:
        return fmt::format("no efforts within the limits; without limits, change {}.", changes(cure.answer));
      case EffortOutcome::none:
        return fmt::format("no change of these efforts makes {} {}.", who(), what);
    }
    return {};
  }

  const EffortReport& report_;
  const EffortNames& names_;
  std::vector<std::string> out_;
};

}  // namespace

std::vector<std::string> effort_sentences(const EffortReport& report, const EffortNames& names) {
  return EffortWords(report, names).all();
}

}  // namespace routh::internal
