#include "routh/solvability/hold_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

// Contacts whose thresholds, and whose names, are told one by one.
constexpr std::size_t contacts_told = 6;
constexpr std::size_t names_told = 4;
constexpr std::size_t remedies_told = 2;

std::string spoken(double value) { return value == 0 ? "0" : fmt::format("{:.4g}", value); }

std::string listed(const std::vector<std::string>& items, const char* last) {
  std::string text;
  for (std::size_t k = 0; k < items.size(); ++k)
    text += (k == 0 ? "" : k + 1 == items.size() ? std::string(" ") + last + " " : std::string(", ")) + items[k];
  return text;
}

class Words {
 public:
  Words(const HoldReport& report, const HoldNames& names, const std::vector<PostureHint>& hints)
      : report_(report), names_(names), hints_(hints) {
    common_ = report.friction.empty() ? 0 : report.friction[0].static_coefficient;
    for (const Friction& f : report.friction)
      if (f.static_coefficient != common_) common_ = 0;
  }

  std::vector<std::string> all() {
    add_verdict();
    if (report_.slipping) {
      add_jamming();
      return std::move(out_);
    }
    if (report_.verdict != HoldVerdict::unknown || report_.rest || std::isfinite(report_.factor.rest_from))
      add_friction();
    add_contacts();
    add_remedies();
    return std::move(out_);
  }

 private:
  std::string those(ContactMode mode) const {
    std::vector<std::string> found;
    for (std::size_t c = 0; c < report_.modes.size(); ++c)
      if (report_.modes[c] == mode) found.push_back(names_.contacts[c]);
    if (found.size() > names_told) return fmt::format("{} contacts", found.size());
    return listed(found, "and");
  }
  bool single(ContactMode mode) const { return std::count(report_.modes.begin(), report_.modes.end(), mode) == 1; }

  // "a and b slip, c lets go"
  std::string motion() const {
    std::vector<std::string> parts;
    const auto add = [&](ContactMode mode, const char* one, const char* many) {
      if (const std::string who = those(mode); !who.empty()) parts.push_back(who + (single(mode) ? one : many));
    };
    add(ContactMode::slip, " slips", " slip");
    add(ContactMode::free, " lets go", " let go");
    add(ContactMode::stick, " stays", " stay");
    return listed(parts, "and");
  }

  void add_verdict() {
    const std::size_t count = names_.contacts.size();
    switch (report_.verdict) {
      case HoldVerdict::must_hold:
        out_.push_back(fmt::format("Must hold: rest is all that the {} contacts allow together.", count));
        if (!report_.all_motions && report_.factor.rest_from > 0)
          out_.emplace_back("(Directions of slip were searched; that none was missed is not proved.)");
        break;
      case HoldVerdict::can_hold:
        if (report_.motion == true)
          out_.push_back(fmt::format(
              "Can hold, but need not: rest obeys the laws, and so does a motion in which {}. Rigid bodies with this "
              "friction leave open which of the two happens.",
              motion()));
        else
          out_.push_back(
              fmt::format("Can hold: forces within the friction cones keep all {} contacts at rest. Whether a motion "
                          "would obey the laws, too, is not known: not every one can be tried.",
                          count));
        break;
      case HoldVerdict::slides:
        out_.push_back(fmt::format("Slides: {}.", motion()));
        break;
      case HoldVerdict::tips:
        out_.push_back(fmt::format("Tips: {}.", motion()));
        break;
      case HoldVerdict::lets_go:
        out_.push_back(fmt::format("Lets go: all {} contacts part.", count));
        break;
      case HoldVerdict::jams:
        out_.emplace_back(
            "Jams: contacts slip, and no finite forces obey the laws (dynamic wedging). An impact follows.");
        break;
      case HoldVerdict::unknown:
        out_.push_back(
            fmt::format("Undecided: no forces that obey the laws were found for the {} contacts together, "
                        "which is no proof that there are none.",
                        count));
        break;
    }
  }

  void add_jamming() {
    if (!report_.jam_factor) return;
    const std::string at = of_all(*report_.jam_factor);
    if (report_.verdict == HoldVerdict::jams)
      out_.push_back(fmt::format("To free it: lower {} below {}.", all_friction(), at));
    else
      out_.push_back(fmt::format("It would jam if {} rose to {}.", all_friction(), at));
  }

  // A factor, or where all contacts have the same friction that times it.
  std::string of_all(double factor) const {
    return common_ > 0 ? spoken(factor * common_) : fmt::format("{} times what it is", spoken(factor));
  }
  std::string all_friction() const { return common_ > 0 ? "friction" : "all friction"; }
  std::string now() const { return common_ > 0 ? fmt::format(" (now {})", spoken(common_)) : ""; }

  static bool same(double a, double b) {
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= tolerances::same_threshold_relative * std::max(std::abs(a), std::abs(b));
  }

  void add_friction() {
    const HoldThreshold& all = report_.factor;
    if (all.rest_from == 0 && all.attained) {
      out_.emplace_back("Rest needs no friction, and nothing else is possible at any friction.");
      return;
    }
    if (std::isinf(all.rest_from)) {
      out_.emplace_back("No friction holds it: the other forces and the posture are the cause.");
      return;
    }
    std::string text;
    if (all.rest_from == 0)
      text =
          "Rest is possible with every friction, however small: the contacts can press against one another as hard as "
          "it takes";
    else if (all.attained)
      text = fmt::format("Rest is possible from {} {} on{}", all_friction(), of_all(all.rest_from), now());
    else
      text = fmt::format(
          "Rest is possible above {} {}{}, towards which the contacts press against one another without "
          "bound",
          all_friction(), of_all(all.rest_from), now());
    if (const std::optional<double> only = all.only_rest_from())
      text += std::isinf(*only)            ? "; but a motion is possible, too, however great the friction"
              : same(*only, all.rest_from) ? "; then nothing else is"
              : all.rest_from == 0
                  ? fmt::format("; nothing else is above {} {}{}", all_friction(), of_all(*only), now())
                  : fmt::format("; nothing else is above {}", of_all(*only));
    out_.push_back(text + ".");
  }

  std::string of_contact(std::size_t c) const {
    const HoldThreshold& own = report_.contacts[c];
    std::string text = names_.contacts[c] + " ";
    if (std::isinf(own.rest_from))
      text += "cannot bring rest with any friction";
    else if (own.rest_from == 0)
      text += own.attained ? "needs none" : "needs some, however little";
    else
      text += fmt::format("needs {} {}", own.attained ? "at least" : "more than", spoken(own.rest_from));
    if (std::isfinite(own.rest_from) && own.motions)
      for (const MotionRange& range : *own.motions) {
        if (range.to <= own.rest_from || same(range.to, own.rest_from)) continue;
        const bool low = range.from <= own.rest_from, high = std::isinf(range.to);
        text += ", a motion is possible, too, ";
        text += low && high ? "with any"
                : low       ? fmt::format("up to {}", spoken(range.to))
                : high      ? fmt::format("from {} on", spoken(range.from))
                            : fmt::format("from {} to {}", spoken(range.from), spoken(range.to));
      }
    return text + fmt::format(" (now {})", spoken(report_.friction[c].static_coefficient));
  }

  void add_contacts() {
    const bool needs_none = report_.factor.rest_from == 0 && report_.factor.attained;
    if (report_.contacts.size() > contacts_told || needs_none || std::isinf(report_.factor.rest_from)) return;
    std::vector<std::string> parts;
    for (std::size_t c = 0; c < report_.contacts.size(); ++c) parts.push_back(of_contact(c));
    std::string text;
    for (std::size_t k = 0; k < parts.size(); ++k) text += (k == 0 ? "" : "; ") + parts[k];
    out_.push_back("For rest, with the friction of the others as it is: " + text + ".");
  }

  // Ends of loads, the nearest to none first.
  std::vector<std::string> load_remedies() const {
    struct End {
      double size;
      std::string words;
    };
    std::vector<End> ends;
    for (std::size_t k = 0; k < report_.loads.size() && k < names_.loads.size(); ++k) {
      const HoldRange& range = report_.loads[k];
      if (!range.exists || (std::isinf(range.low) && std::isinf(range.high))) continue;
      const auto amount = [&](double value) { return spoken(value) + " " + names_.units[k]; };
      if (report_.rest) {
        if (std::isfinite(range.high))
          ends.push_back(
              {std::abs(range.high), fmt::format("more than {} along {}", amount(range.high), names_.loads[k])});
        if (std::isfinite(range.low))
          ends.push_back(
              {std::abs(range.low), fmt::format("less than {} along {}", amount(range.low), names_.loads[k])});
        continue;
      }
      const double least = std::min(std::abs(range.low), std::abs(range.high));
      const std::string which = std::isinf(range.low)    ? fmt::format("at most {}", amount(range.high))
                                : std::isinf(range.high) ? fmt::format("at least {}", amount(range.low))
                                : same(range.low, range.high)
                                    ? amount(range.low)
                                    : fmt::format("{} to {}", spoken(range.low), amount(range.high));
      ends.push_back({least, fmt::format("{} along {}", which, names_.loads[k])});
    }
    std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.size < b.size; });
    std::vector<std::string> words;
    for (const End& end : ends)
      if (words.size() < remedies_told) words.push_back(end.words);
    return words;
  }

  std::string posture_remedy() const {
    std::vector<std::string> parts;
    for (const PostureHint& hint : hints_)
      if (parts.size() < remedies_told)
        parts.push_back(fmt::format("{} {} {} {}", hint.joint, hint.to < hint.from ? "below" : "above", spoken(hint.to),
                                    hint.unit));
    return parts.empty() ? "" : "move " + listed(parts, "or");
  }

  void add_remedies() {
    std::vector<std::string> ways;
    const HoldThreshold& all = report_.factor;
    const std::optional<double> only = all.only_rest_from();
    // At rest with any friction, but with less of it not necessarily.
    if (report_.rest && all.rest_from == 0 && only && *only > 0 && *only < 1)
      ways.push_back(fmt::format("lower {} below {}, where it may move", all_friction(), of_all(*only)));
    if (report_.rest && all.rest_from > 0) {
      const bool earlier = only && std::isfinite(*only) && !same(*only, all.rest_from);
      ways.push_back(fmt::format("lower {} below {}{}", all_friction(), of_all(all.rest_from),
                                 earlier ? fmt::format(" (below {} it may move)", of_all(*only)) : ""));
    }
    if (!report_.rest && std::isfinite(all.rest_from))
      ways.push_back(fmt::format("raise {} to {}", all_friction(), of_all(all.rest_from)));
    if (const std::string posture = posture_remedy(); !posture.empty()) ways.push_back(posture);
    if (const std::vector<std::string> loads = load_remedies(); !loads.empty())
      ways.push_back("add a force: " + listed(loads, "or"));
    if (!ways.empty()) out_.push_back(fmt::format("To {} it: {}.", report_.rest ? "free" : "hold", listed(ways, "or")));
    if (report_.any_load)
      out_.emplace_back("No added force makes rest impossible: wedged like this the contacts can hold any load.");
    else if (report_.rest && std::isfinite(all.rest_from) && all.rest_from > 0)
      out_.emplace_back("The same forces, all greater or smaller by one factor, change nothing.");
  }

  const HoldReport& report_;
  const HoldNames& names_;
  const std::vector<PostureHint>& hints_;
  double common_ = 0;  // friction of all contacts; 0: they differ, or have none
  std::vector<std::string> out_;
};

}  // namespace

std::vector<std::string> hold_sentences(const HoldReport& report, const HoldNames& names,
                                        const std::vector<PostureHint>& hints) {
  return Words(report, names, hints).all();
}

}  // namespace routh::internal
