// Compared as texts that spell out every bit, by a walk of its own through the structures.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "random_run.h"

namespace testing_support {

namespace {

using namespace routh;

class Spelling {
 public:
  void put(const char* what, double value) {
    lines_.push_back(fmt::format("{}{} {:016x}", prefix, what, std::bit_cast<std::uint64_t>(value)));
  }
  void put(const char* what, const std::string& text) { lines_.push_back(fmt::format("{}{} {}", prefix, what, text)); }
  void put_int(const char* what, long long value) { lines_.push_back(fmt::format("{}{} {}", prefix, what, value)); }
  void put(const char* what, const ContactVector& v) { put(what, v.n), put(what, v.t1), put(what, v.t2); }
  void put(const char* what, const Vector3& v) { put(what, v.x), put(what, v.y), put(what, v.z); }
  void put(const char* what, ContactId id) { put_int(what, id.pair), put_int(what, id.feature); }
  template <class List>
  void put_all(const char* what, const List& list) {
    put_int(what, static_cast<long long>(list.size()));
    for (const auto& x : list) put(what, x);
  }
  void put(const char* what, const State& s) { put_all(what, s.q), put_all(what, s.v), put(what, s.time); }
  void put(const EnergyAccount& e) {
    for (const double x : {e.kinetic, e.potential, e.dissipated, e.supplied, e.corrected, e.gained, e.initial})
      put("energy", x);
  }

  std::string prefix;
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

void spell(Spelling& out, const RunInfo& i) {
  for (const std::string& text :
       {i.program_version, i.scene_name, i.scene_path, i.scene_text, i.created, i.options_json})
    out.put("text", text);
  out.put_int("schema", i.schema);
  out.put_int("seed", i.seed);
  out.put_int("engine", static_cast<int>(i.engine));
  out.put("tolerance", i.tolerance);
  out.put("interval", i.sample_interval);
  out.put_all("coordinate", i.coordinate_names);
  out.put_all("coordinate unit", i.coordinate_units);
  out.put_all("velocity", i.velocity_names);
  out.put_all("velocity unit", i.velocity_units);
  out.put_int("dimension", static_cast<int>(i.dimension));
}

void spell(Spelling& out, const Sample& s) {
  out.put("state", s.state);
  out.put(s.energy);
  out.put_int("active", static_cast<long long>(s.active.size()));
  for (const ActiveContact& a : s.active) {
    out.put("id", a.contact.id);
    out.put_int("kind", static_cast<int>(a.contact.kind));
    out.put_int("dof", a.contact.dof);
    out.put("direction", a.contact.direction);
    out.put("gap", a.contact.gap);
    out.put("point", a.contact.point);
    out.put("normal", a.contact.normal);
    out.put("tangent1", a.contact.tangent1);
    out.put_int("mode", static_cast<int>(a.mode));
    out.put("slip", a.direction.t1);
    out.put("slip", a.direction.t2);
    out.put("force", a.force);
    out.put("slip margin", a.slip_margin.value_or(-1e9));
    out.put("jam margin", a.jam_margin.value_or(-1e9));
  }
}

// Members are counted by the compiler: one that is added must be spelled, or reading it back is not tested.
void spell(Spelling& out, const Event& e) {
  [[maybe_unused]] const auto& [time, kind, rule, law, contacts, label, energy, warnings, before, after, position,
                                bound, duration] = e;
  out.put("time", e.time);
  for (const int code : {static_cast<int>(e.kind), static_cast<int>(e.rule), static_cast<int>(e.law)})
    out.put_int("code", code);
  out.put("label", e.label);
  for (const double x : {e.energy.normal_work, e.energy.tangential_work, e.energy.supplied, e.energy.change})
    out.put("work", x);
  out.put_int("consistent", e.energy.consistent);
  out.put_int("warnings", e.warnings);
  out.put_all("before", e.velocity_before);
  out.put_all("after", e.velocity_after);
  out.put_all("position", e.position);
  out.put("bound", e.error_bound);
  out.put("duration", e.duration);
  out.put_int("contacts", static_cast<long long>(e.contacts.size()));
  for (const EventContact& c : e.contacts) {
    [[maybe_unused]] const auto& [id, name, v_before, v_after, impulse, mode, restitution, friction, phases, path] = c;
    out.put("id", c.id);
    // Nameless contacts get a plain name in the file.
    if (c.id.feature != 2) out.put("name", c.name);
    out.put("before", c.velocity_before);
    out.put("after", c.velocity_after);
    out.put("impulse", c.impulse);
    out.put_int("mode", static_cast<int>(c.mode));
    out.put("restitution", c.restitution);
    out.put("friction", c.friction);
    out.put_int("phases", static_cast<long long>(c.phases.size()));
    for (const auto& [phase_kind, stage, normal_impulse, direction_t1, direction_t2, velocity] : c.phases) {
      out.put_int("kind", static_cast<int>(phase_kind)), out.put_int("stage", static_cast<int>(stage));
      for (const double x : {normal_impulse, direction_t1, direction_t2}) out.put("phase", x);
      out.put("velocity", velocity);
    }
    out.put_int("path", static_cast<long long>(c.path.size()));
    for (const auto& [normal_impulse, velocity, stage] : c.path) {
      out.put("point", normal_impulse), out.put("velocity", velocity), out.put_int("stage", static_cast<int>(stage));
    }
  }
}

void spell(Spelling& out, const Checkpoint::Crowd& c) {
  const auto& [under_way, begin, calm_since, wait, followed_since, tangential_work, dissipated, supplied, energy, time,
               last_dissipated, stretch_begin, stretch_steps, stretch_time, velocity, shares, recent] = c;
  out.put_int("under way", under_way);
  for (const double x : {begin, calm_since, wait, followed_since, tangential_work, dissipated, supplied, energy, time,
                         last_dissipated, stretch_begin, stretch_time})
    out.put("crowd", x);
  out.put_int("stretch", stretch_steps);
  out.put_all("velocity", velocity);
  for (const auto& [id, impulse] : shares) out.put("share", id), out.put("share", impulse);
  for (const auto& [when, id] : recent) out.put("recent", when), out.put("recent", id);
}

void spell(Spelling& out, const Checkpoint& c) {
  [[maybe_unused]] const auto& [state, step, accounts, closed, released, bounces, pending, implicit, stiff_count,
                                initial_energy, gained, calm_until, burst_start, resolve_time, in_burst, resolves,
                                events, steps, blows, origin, count, acceleration, crowd] = c;
  out.put("state", c.state);
  for (const double x : {step, initial_energy, gained, calm_until, burst_start, resolve_time, origin})
    out.put("number", x);
  out.put_all("accounts", c.accounts);
  out.put_all("acceleration", c.acceleration);
  spell(out, c.crowd);
  for (const Checkpoint::Closed& x : c.closed) {
    out.put("closed", x.id), out.put_int("mode", static_cast<int>(x.mode));
    out.put("closed", x.direction_t1), out.put("closed", x.direction_t2), out.put_int("beginning", x.beginning);
    out.put("closed", x.force);
  }
  out.put_all("released", c.released);
  for (const Checkpoint::Bounce& x : c.bounces) {
    out.put("bounce", x.id), out.put_all("times", x.times), out.put_all("speeds", x.speeds);
  }
  for (const Checkpoint::Pending& x : c.pending) {
    out.put("pending", x.time), out.put("pending", x.id), out.put("pending", x.error_bound);
    out.put("pending", static_cast<double>(x.warnings));
  }
  for (const int x : {static_cast<int>(implicit), stiff_count, in_burst, resolves}) out.put_int("count", x);
  for (const long x : {events, steps, blows, count}) out.put_int("count", x);
}

void spell(Spelling& out, const RunOutcome& o) {
  out.put_int("status", static_cast<int>(o.status));
  out.put("message", o.message);
  out.put("time", o.time);
  out.put(o.energy);
  const auto& [steps, rejected, evaluations, implicit_steps, events, impacts, mode_searches, largest_gap, largest_loop,
               largest_residual, unsolved_steps, steps_gained, steps_lost, crowds, crowd_time, crowd_energy, warnings] =
      o.statistics;
  for (const long x :
       {steps, rejected, evaluations, implicit_steps, events, impacts, mode_searches, unsolved_steps, crowds})
    out.put_int("count", x);
  for (const long x : warnings) out.put_int("warnings", x);
  out.put("gap", largest_gap);
  out.put("loop", largest_loop);
  out.put("residual", largest_residual);
  out.put("steps", steps_gained);
  out.put("steps", steps_lost);
  out.put("crowds", crowd_time);
  out.put("crowds", crowd_energy);
  out.put("state", o.state);
  out.prefix = "checkpoint ";
  spell(out, o.checkpoint);
}

std::vector<std::string> spelled(const RunData& run) {
  Spelling out;
  out.prefix = "info ";
  spell(out, run.info);
  for (std::size_t k = 0; k < run.samples.size(); ++k) {
    out.prefix = fmt::format("sample {} ", k);
    spell(out, run.samples[k]);
  }
  for (std::size_t k = 0; k < run.events.size(); ++k) {
    out.prefix = fmt::format("event {} ", k);
    spell(out, run.events[k]);
  }
  out.prefix = "outcome ";
  spell(out, run.outcome);
  return out.lines();
}

}  // namespace

std::string first_unequal(const routh::RunData& a, const routh::RunData& b) {
  const std::vector<std::string> x = spelled(a), y = spelled(b);
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k)
    if (x[k] != y[k]) return x[k].substr(0, 300) + " against " + y[k].substr(0, 300);
  return x.size() == y.size() ? "" : fmt::format("{} fields against {}", x.size(), y.size());
}

}  // namespace testing_support
