#include "routh/report/kinds.h"

#include <algorithm>

#include "routh/impact/bound_words.h"
#include "routh/impact/simultaneous.h"
#include "routh/march/simultaneous_rule.h"
#include "routh/solvability/diagnosis.h"

namespace routh::internal {

namespace {

struct KindWords {
  std::string label;
  const char* category = "other";
};

// A name of a file as words.
std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

const char* category(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
    case EventKind::tangential_impact:
    case EventKind::limit:
    case EventKind::impulse:
    case EventKind::crowd:
      return "impulse";
    case EventKind::slip:
      return "slip";
    case EventKind::stick:
      return "stick";
    case EventKind::detach:
    case EventKind::zeno:
    case EventKind::profile:
    case EventKind::user:
      return "other";
  }
  return "other";
}

const char* label(ContactMode mode) {
  switch (mode) {
    case ContactMode::free:
      return "free";
    case ContactMode::stick:
      return "sticking";
    case ContactMode::slip:
      return "slipping";
  }
  return "";
}

KindWords words(PhaseKind kind) {
  switch (kind) {
    case PhaseKind::slip:
      return {"slip", "slip"};
    case PhaseKind::jam:
      return {"jam", "impulse"};
    case PhaseKind::stick:
      return {"stick", "stick"};
    case PhaseKind::reversal:
      return {"slip again", "slip"};
  }
  return {};
}

// In the plane slip that starts again is reversed; in space it takes any direction.
std::string label(ImpactMode mode, Dimension dimension) {
  if (mode == ImpactMode::none) return "no impulse";
  return mode_words(mode, dimension == Dimension::planar ? "slip reverses" : "slip restarts");
}

const char* remark(ContactRole role) {
  return role == ContactRole::released ? "Released: to stay in contact it would have to pull." : "";
}

// How the answer of a rule is headed, and what all answers are of that it was asked for.
struct RuleWords {
  const char* title;
  const char* sentence;
};
RuleWords words(SimultaneousRule rule) {
  switch (rule) {
    case SimultaneousRule::run:
      return {"As in a run",
              "First what a run does, then each law: Newton’s by projection, the others through slip and stick."};
    case SimultaneousRule::simultaneous:
      return {"Without friction",
              "One impulse for all, each contact leaving by Newton’s rule with its own restitution."};
    case SimultaneousRule::together:
      return {"Through slip and stick",
              "All advanced together in one impulse parameter, each with its own slip, stick and restitution."};
  }
  return {};
}

const char* answer_title(Law law) {
  switch (law) {
    case Law::poisson:
      return "Poisson’s law";
    case Law::energetic:
      return "Energetic law";
    case Law::newton:
      return "Newton’s law";
    case Law::unified:
      return "Unified law";
    case Law::classical:
      return "Classical law";
  }
  return "";
}

// A list with an entry for each value, in the order of the enumeration; `more` adds to the entry.
template <class E, class Words, class More>
void write_kinds(const char* key, JsonWriter& json, Words words_of, More more) {
  json.objects(key, all_values<E>, [&](E value) {
    const KindWords words = words_of(value);
    json.text("name", name(value));
    json.text("label", words.label);
    json.text("category", words.category);
    more(value);
  });
}

constexpr auto nothing_more = [](auto) {};

void write_impact_modes(JsonWriter& json) {
  write_kinds<ImpactMode>(
      "impact_mode", json, [](ImpactMode mode) { return KindWords{label(mode, Dimension::planar)}; },
      [&](ImpactMode mode) { json.text("label_in_space", label(mode, Dimension::spatial)); });
}

void write_phases(JsonWriter& json) {
  write_kinds<PhaseKind>(
      "phase", json, [](PhaseKind kind) { return words(kind); }, nothing_more);
}

// By the keys under which a result has them.
void write_bounds(JsonWriter& json) {
  json.objects("bound", all_bound_words, [&](const BoundWords& words) {
    json.text("name", words.key);
    json.text("label", words.symbol);
    json.text("category", "other");
    json.text("meaning", words.meaning);
  });
}

// What a result of several contacts holds, by the keys under which it does (problem/several_contacts.h), in the order
// in which it is shown.
void write_answers(JsonWriter& json) {
  const auto answer = [&](std::string_view key, const char* title) {
    json.begin_object();
    json.text("name", key);
    json.text("label", title);
    json.text("category", "other");
    json.end_object();
  };
  json.begin_list("answer");
  answer(name(SimultaneousRule::run), words(SimultaneousRule::run).title);
  answer("smooth", words(SimultaneousRule::simultaneous).title);
  answer("sticking", "Without slip");
  answer(name(SimultaneousRule::together), words(SimultaneousRule::together).title);
  for (const Law law : all_laws)
    if (marches(law)) answer(name(law), answer_title(law));
  json.end_list();
}

// The plots of the contacts of a kind: what each is called, and its unit.
void write_contact_kind(ContactKind kind, JsonWriter& json) {
  const bool surfaces = kind == ContactKind::surfaces;
  const auto plot = [&](const char* key, const char* title, const char* unit) {
    json.begin_object(key);
    json.text("title", title);
    json.text("unit", unit);
    json.end_object();
  };
  json.begin_object();
  json.text("name", name(kind));
  // The limit of an angle has angles and moments, that of a length has lengths and forces.
  plot("gap", surfaces ? "Gaps" : "Gaps of joint limits", surfaces ? "m" : "m or rad");
  if (surfaces) plot("slip_speed", "Slip speed", "m/s");
  plot("normal_force", surfaces ? "Normal force" : "Force of joint limits", surfaces ? "N" : "N or N m");
  if (surfaces) {
    plot("slip_margin", "Share of friction left", "1");
    plot("jam_margin", "Distance from a jam, A/a", "1");
  }
  json.end_object();
}

}  // namespace

std::string mode_words(ImpactMode mode, const std::string& again) {
  switch (mode) {
    case ImpactMode::none:
      return "none";
    case ImpactMode::sliding:
      return "slides";
    case ImpactMode::stick:
      return "sticks";
    case ImpactMode::stick_in_compression:
      return "sticks in compression";
    case ImpactMode::stick_in_restitution:
      return "sticks in restitution";
    case ImpactMode::reverse_in_compression:
      return again + " in compression";
    case ImpactMode::reverse_in_restitution:
      return again + " in restitution";
    case ImpactMode::mean_slip_zero:
      return "mean slip zero";
  }
  return {};
}

void write_run_kinds(JsonWriter& json) {
  json.begin_object("kinds");
  write_kinds<EventKind>(
      "event", json,
      [](EventKind kind) {
        return KindWords{spoken(name(kind)), category(kind)};
      },
      nothing_more);
  json.begin_list("contact");
  for (const ContactKind kind : {ContactKind::surfaces, ContactKind::limit}) write_contact_kind(kind, json);
  json.end_list();
  write_kinds<ContactMode>(
      "contact_mode", json,
      [](ContactMode mode) {
        return KindWords{label(mode), name(mode)};
      },
      [&](ContactMode mode) { json.text("friction", mode == ContactMode::slip ? "kinetic" : "static"); });
  write_impact_modes(json);
  write_phases(json);
  json.end_object();
}

void write_impact_kinds(JsonWriter& json) {
  json.begin_object("kinds");
  write_kinds<ImpactStatus>(
      "status", json,
      [](ImpactStatus status) {
        return KindWords{spoken(name(status)), status == ImpactStatus::ok ? "good" : usable(status) ? "plain" : "bad"};
      },
      [&](ImpactStatus status) { json.text("sentence", explain(status)); });
  write_impact_modes(json);
  write_phases(json);
  write_kinds<ContactRole>(
      "role", json, [](ContactRole role) { return KindWords{name(role)}; },
      [&](ContactRole role) { json.text_or_null("remark", remark(role)); });
  write_bounds(json);
  write_kinds<SimultaneousRule>(
      "rule", json, [](SimultaneousRule rule) { return KindWords{spoken(name(rule))}; },
      [&](SimultaneousRule rule) { json.text("sentence", words(rule).sentence); });
  write_answers(json);
  json.end_object();
}

void write_diagnosis_kinds(JsonWriter& json) {
  json.begin_object("kinds");
  write_impact_modes(json);
  write_kinds<SlipEntry>(
      "slip_entry", json, [](SlipEntry entry) { return KindWords{explain(entry)}; }, nothing_more);
  json.end_object();
}

const char* tone(ContactVerdict verdict) {
  switch (verdict) {
    case ContactVerdict::slides:
    case ContactVerdict::sticks:
      return "good";
    case ContactVerdict::false_cohesion:
    case ContactVerdict::jams:
    case ContactVerdict::unsolvable:
      return "bad";
    case ContactVerdict::strikes:
    case ContactVerdict::separates:
    case ContactVerdict::detaches:
    case ContactVerdict::starts_slipping:
    case ContactVerdict::unknown:
      return "plain";
  }
  return "plain";
}

const char* tone(HoldVerdict verdict) {
  switch (verdict) {
    case HoldVerdict::must_hold:
      return "good";
    case HoldVerdict::jams:
    case HoldVerdict::unknown:
      return "bad";
    case HoldVerdict::can_hold:
    case HoldVerdict::slides:
    case HoldVerdict::tips:
    case HoldVerdict::lets_go:
      return "plain";
  }
  return "plain";
}

const char* tone(SimulationStatus status) {
  return failed(status) || status == SimulationStatus::stopped ? "bad" : "good";
}

std::string ending(SimulationStatus status) {
  if (status == SimulationStatus::user_stop) return "stopped by a user event";
  return spoken(name(status));
}

}  // namespace routh::internal
