#include "routh/problem/writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace routh::internal {

namespace {

void write_vector(JsonStream& json, std::string_view key, const ContactVector& v, Dimension dimension) {
  const std::array entries{v.n, v.t1, v.t2};
  json.numbers(key, std::span(entries).first(dimension == Dimension::spatial ? 3 : 2));
}

void write_phases(JsonStream& json, const ImpactResult& result, Dimension dimension) {
  json.objects("phases", result, [&](const Phase& phase) {
    json.text("kind", name(phase.kind));
    json.text("stage", name(phase.stage));
    json.number("normal_impulse", phase.normal_impulse);
    write_vector(json, "contact_velocity", phase.velocity, dimension);
    const std::array direction{phase.direction_t1, phase.direction_t2};
    json.numbers("direction", std::span(direction).first(dimension == Dimension::spatial ? 2 : 1));
  });
}

void write_stretch(JsonStream& json, std::string_view key, const IncrementStretch& stretch,
                   const Eigen::VectorXd& velocity, Dimension dimension) {
  json.begin_object(key);
  json.text("kind", name(stretch.kind));
  json.number("zeta", stretch.zeta);
  json.number("epsilon", stretch.epsilon);
  write_vector(json, "ratio", stretch.ratio, dimension);
  if (velocity.size() > 0) json.numbers("L", velocity);
  json.end_object();
}

// The letters of the paper, since it is its readers who look for them.
void write_increment(JsonStream& json, const LawAnswer& law, Dimension dimension) {
  const IncrementNumbers& n = *law.increment;
  json.begin_object("increment");
  write_stretch(json, "first", n.first, law.first_velocity_per_impulse, dimension);
  write_stretch(json, "last", n.last, law.last_velocity_per_impulse, dimension);
  json.number("I_nh", n.halt_impulse);
  json.number("I_np", n.slip_compression_impulse);
  json.number("I_nf", n.slip_end_impulse);
  json.number("I_nc", n.compression_impulse);
  json.number("W_nc", n.compression_work);
  json.number("W_nR", n.restitution_work);
  json.end_object();
}

// Whether a name of an input or output is of the plane: neither t2 nor what couples with it.
bool is_planar(std::string_view name) {
  return !name.ends_with("t2") && name != "c2" && name != "b12" && name != "b22";
}

void write_derivatives(JsonStream& json, const LawAnswer& law, Dimension dimension) {
  const ImpactDerivatives& d = *law.derivatives;
  const auto told = [&](std::string_view name) { return dimension == Dimension::spatial || is_planar(name); };
  json.begin_object("derivatives");
  json.text("status", name(d.status));
  json.text("border", name(d.border));
  json.text("explanation", explain(d.border));
  json.number("validity", d.validity);
  json.number("compression_speed", d.compression_speed);
  json.begin_object("of");
  for (const ImpactOutput output : all_values<ImpactOutput>) {
    if (!told(name(output))) continue;
    json.begin_object(name(output));
    for (const ImpactInput input : all_values<ImpactInput>)
      if (told(name(input))) json.number(name(input), d.at(output, input));
    json.end_object();
  }
  json.end_object();
  if (law.velocity.size() > 0)
    json.list("velocity_by_velocity", law.velocity_by_velocity.rowwise(), [&](const auto& row) { json.numbers(row); });
  json.end_object();
}

// A bound that may have no finite value, the name under which `reasons` explains it, and why.
struct Reason {
  double value;
  std::string_view name;
  std::string_view text;
};

void write_reasons(JsonStream& json, const ImpactBounds& b, double normal_velocity) {
  const bool approaches = normal_velocity < 0;
  const Reason reasons[] = {
      {b.stick_friction, "critical_friction.stick", "it exceeds the range of a double"},
      {b.impact_friction, "critical_friction.impact",
       approaches ? "the impulse that would stop the slip would pull, or cannot be reached: no friction makes this "
                    "impact stick"
                  : "the contact does not approach: there is no sticking impulse"},
      {b.impact_friction_printed, "critical_friction.impact_printed", "G v has no normal part"},
      {b.jamming_friction, "jamming_friction", "friction does not push along the normal here (c = 0): nothing jams"},
      {b.restitution_bound, "restitution_bound",
       normal_velocity == 0 ? "the normal velocity is zero: restitution does nothing"
                            : "it exceeds the range of a double"},
      {b.restitution_bound_any, "restitution_bound_any", "it exceeds the range of a double"},
      {b.condition, "condition", "the inertia is singular: some impulse changes no velocity"},
  };
  if (std::all_of(std::begin(reasons), std::end(reasons), [](const Reason& each) { return std::isfinite(each.value); }))
    return;
  json.begin_object("reasons");
  for (const Reason& reason : reasons)
    if (!std::isfinite(reason.value)) json.text(reason.name, reason.text);
  json.end_object();
}

void write_bounds(JsonStream& json, const ProblemAnswer& answer) {
  const ImpactBounds& b = answer.bounds;
  json.begin_object("critical_friction");
  json.number("stick", b.stick_friction);
  json.number("impact", b.impact_friction);
  json.number("impact_printed", b.impact_friction_printed);
  json.flag("slip_unavoidable", b.slip_unavoidable);
  json.end_object();
  json.number("jamming_friction", b.jamming_friction);
  json.number("restitution_bound", b.restitution_bound);
  json.number("restitution_bound_any", b.restitution_bound_any);
  json.number("condition", b.condition);
  write_reasons(json, b, answer.problem.velocity.n - answer.problem.surface_velocity.n);
}

void write_warnings(JsonStream& json, const ImpactResult& result) {
  json.begin_list("warnings");
  for (int bit = 0; bit < warning_count && result.warnings != 0; ++bit) {
    const auto warning = static_cast<Warning>(1u << bit);
    if (!result.has(warning)) continue;
    json.begin_object();
    json.text("code", name(warning));
    json.text("message", explain(warning));
    json.end_object();
  }
  json.end_list();
}

}  // namespace

void write_ledger(JsonStream& json, const EnergyLedger& energy) {
  json.begin_object("energy");
  json.number("normal_work", energy.normal_work);
  json.number("tangential_work", energy.tangential_work);
  json.number("supplied", energy.supplied);
  json.number("change", energy.change);
  json.flag("consistent", energy.consistent);
  json.end_object();
}

void begin_result(JsonStream& json, IdKind kind, const std::string& id) {
  json.begin_object();
  json.integer("schema", result_schema);
  switch (kind) {
    case IdKind::none:
      return;
    case IdKind::number:
      return json.raw("id", id);
    case IdKind::text:
      return json.text("id", id);
  }
}

void write_result(JsonStream& json, const ProblemAnswer& answer, const LawAnswer& law) {
  const ImpactResult& result = law.result;
  const Dimension dimension = answer.problem.inertia.dimension;
  json.text("law", name(result.law));
  json.text("mode", name(result.mode));
  json.text("status", name(result.status));
  if (!usable(result.status)) json.text("explanation", explain(result.status));
  if (law.velocity.size() > 0) json.numbers("velocity", law.velocity);
  write_vector(json, "contact_velocity", result.velocity, dimension);
  write_vector(json, "relative_velocity", result.relative_velocity, dimension);
  write_vector(json, "impulse", result.impulse, dimension);
  json.number("restitution", result.restitution);
  write_ledger(json, result.energy);
  write_phases(json, result, dimension);
  if (law.increment) write_increment(json, law, dimension);
  if (law.derivatives) write_derivatives(json, law, dimension);
  write_bounds(json, answer);
  if (law.multipliers.size() > 0) {
    json.numbers("loop_impulse", law.loop_impulse);
    json.numbers("multipliers", law.multipliers);
  }
  write_warnings(json, result);
}

void append_answer(std::string& out, const ProblemFile& file, const ProblemAnswer& answer) {
  JsonStream json(out);
  begin_result(json, file.id_kind, file.id);
  if (answer.count == 1)
    write_result(json, answer, answer.laws[0]);
  else
    json.objects("results", answer.answers(), [&](const LawAnswer& law) { write_result(json, answer, law); });
  json.end_object();
}

void append_error(std::string& out, long long line, const InputError& error, IdKind kind, const std::string& id) {
  JsonStream json(out);
  begin_result(json, kind, id);
  json.integer("line", line);
  json.begin_object("error");
  json.text("message", error.message());
  json.text("remedy", error.remedy());
  if (error.where().column > 0)
    json.integer("column", error.where().column);
  else
    json.null("column");
  json.end_object();
  json.end_object();
}

}  // namespace routh::internal
