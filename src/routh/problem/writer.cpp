#include "routh/problem/writer.h"

#include <fmt/format.h>

#include <cmath>

namespace routh::internal {

namespace {

void append_integer(std::string& out, long long value) {
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

// `,"key":` with the comma; the first member of an object is written by hand.
void append_key(std::string& out, std::string_view key) {
  out += ",\"";
  out += key;
  out += "\":";
}

void append_member(std::string& out, std::string_view key, double value) {
  append_key(out, key);
  append_number(out, value);
}

// Only for names that need no escapes.
void append_word(std::string& out, std::string_view key, std::string_view word) {
  append_key(out, key);
  out += '"';
  out += word;
  out += '"';
}

void append_vector(std::string& out, std::string_view key, const ContactVector& v, Dimension dimension) {
  append_key(out, key);
  out += '[';
  append_number(out, v.n);
  out += ',';
  append_number(out, v.t1);
  if (dimension == Dimension::spatial) {
    out += ',';
    append_number(out, v.t2);
  }
  out += ']';
}

void append_list(std::string& out, const Eigen::VectorXd& v) {
  out += '[';
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    if (i > 0) out += ',';
    append_number(out, v(i));
  }
  out += ']';
}

void append_vector(std::string& out, std::string_view key, const Eigen::VectorXd& v) {
  append_key(out, key);
  append_list(out, v);
}

void append_energy(std::string& out, const EnergyLedger& energy) {
  out += ",\"energy\":{\"normal_work\":";
  append_number(out, energy.normal_work);
  append_member(out, "tangential_work", energy.tangential_work);
  append_member(out, "supplied", energy.supplied);
  append_member(out, "change", energy.change);
  append_key(out, "consistent");
  out += energy.consistent ? "true}" : "false}";
}

void append_phases(std::string& out, const ImpactResult& result, Dimension dimension) {
  out += ",\"phases\":[";
  bool first = true;
  for (const Phase& phase : result) {
    out += first ? "{\"kind\":\"" : ",{\"kind\":\"";
    first = false;
    out += name(phase.kind);
    out += '"';
    append_word(out, "stage", name(phase.stage));
    append_member(out, "normal_impulse", phase.normal_impulse);
    append_vector(out, "contact_velocity", phase.velocity, dimension);
    out += ",\"direction\":[";
    append_number(out, phase.direction_t1);
    if (dimension == Dimension::spatial) {
      out += ',';
      append_number(out, phase.direction_t2);
    }
    out += "]}";
  }
  out += ']';
}

void append_stretch(std::string& out, const IncrementStretch& stretch, const Eigen::VectorXd& velocity,
                    Dimension dimension) {
  out += "{\"kind\":\"";
  out += name(stretch.kind);
  out += '"';
  append_member(out, "zeta", stretch.zeta);
  append_member(out, "epsilon", stretch.epsilon);
  append_vector(out, "ratio", stretch.ratio, dimension);
  if (velocity.size() > 0) append_vector(out, "L", velocity);
  out += '}';
}

// The letters of the paper, since it is its readers who look for them.
void append_increment(std::string& out, const LawAnswer& law, Dimension dimension) {
  const IncrementNumbers& n = *law.increment;
  out += ",\"increment\":{\"first\":";
  append_stretch(out, n.first, law.first_velocity_per_impulse, dimension);
  append_key(out, "last");
  append_stretch(out, n.last, law.last_velocity_per_impulse, dimension);
  append_member(out, "I_nh", n.halt_impulse);
  append_member(out, "I_np", n.slip_compression_impulse);
  append_member(out, "I_nf", n.slip_end_impulse);
  append_member(out, "I_nc", n.compression_impulse);
  append_member(out, "W_nc", n.compression_work);
  append_member(out, "W_nR", n.restitution_work);
  out += '}';
}

// Whether a name of an input or output is of the plane: neither t2 nor what couples with it.
bool is_planar(std::string_view name) {
  return !name.ends_with("t2") && name != "c2" && name != "b12" && name != "b22";
}

void append_derivatives(std::string& out, const LawAnswer& law, Dimension dimension) {
  const ImpactDerivatives& d = *law.derivatives;
  out += ",\"derivatives\":{\"status\":\"";
  out += name(d.status);
  out += '"';
  append_word(out, "border", name(d.border));
  append_key(out, "explanation");
  append_text(out, explain(d.border));
  append_member(out, "validity", d.validity);
  append_member(out, "compression_speed", d.compression_speed);
  append_key(out, "of");
  char open = '{';
  for (const ImpactOutput output : all_values<ImpactOutput>) {
    if (dimension == Dimension::planar && !is_planar(name(output))) continue;
    out += open;
    out += '"';
    out += name(output);
    out += "\":";
    open = '{';
    for (const ImpactInput input : all_values<ImpactInput>) {
      if (dimension == Dimension::planar && !is_planar(name(input))) continue;
      out += open;
      out += '"';
      out += name(input);
      out += "\":";
      append_number(out, d.at(output, input));
      open = ',';
    }
    out += '}';
  }
  out += '}';
  if (law.velocity.size() > 0) {
    append_key(out, "velocity_by_velocity");
    open = '[';
    for (Eigen::Index row = 0; row < law.velocity_by_velocity.rows(); ++row) {
      out += open;
      append_list(out, law.velocity_by_velocity.row(row));
      open = ',';
    }
    out += ']';
  }
  out += '}';
}

// A bound that may have no finite value, the name under which `reasons` explains it, and why.
struct Reason {
  double value;
  std::string_view name;
  std::string_view text;
};

void append_reasons(std::string& out, const ImpactBounds& b, double normal_velocity) {
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
  bool first = true;
  for (const Reason& reason : reasons) {
    if (std::isfinite(reason.value)) continue;
    out += first ? ",\"reasons\":{\"" : ",\"";
    first = false;
    out += reason.name;
    out += "\":\"";
    out += reason.text;
    out += '"';
  }
  if (!first) out += '}';
}

void append_bounds(std::string& out, const ProblemAnswer& answer) {
  const ImpactBounds& b = answer.bounds;
  out += ",\"critical_friction\":{\"stick\":";
  append_number(out, b.stick_friction);
  append_member(out, "impact", b.impact_friction);
  append_member(out, "impact_printed", b.impact_friction_printed);
  out += b.slip_unavoidable ? ",\"slip_unavoidable\":true}" : ",\"slip_unavoidable\":false}";
  append_member(out, "jamming_friction", b.jamming_friction);
  append_member(out, "restitution_bound", b.restitution_bound);
  append_member(out, "restitution_bound_any", b.restitution_bound_any);
  append_member(out, "condition", b.condition);
  append_reasons(out, b, answer.problem.velocity.n - answer.problem.surface_velocity.n);
}

void append_warnings(std::string& out, const ImpactResult& result) {
  out += ",\"warnings\":[";
  bool first = true;
  for (int bit = 0; bit < warning_count && result.warnings != 0; ++bit) {
    const auto warning = static_cast<Warning>(1u << bit);
    if (!result.has(warning)) continue;
    out += first ? "{\"code\":\"" : ",{\"code\":\"";
    first = false;
    out += name(warning);
    out += "\",\"message\":";
    append_text(out, explain(warning));
    out += '}';
  }
  out += ']';
}

void append_head(std::string& out) {
  out += "{\"schema\":";
  append_integer(out, result_schema);
  out += ',';
}

}  // namespace

void append_id(std::string& out, IdKind kind, const std::string& id) {
  switch (kind) {
    case IdKind::none:
      return;
    case IdKind::number:
      out += "\"id\":";
      out += id;
      break;
    case IdKind::text:
      out += "\"id\":";
      append_text(out, id);
      break;
  }
  out += ',';
}

void append_result(std::string& out, const ProblemAnswer& answer, const LawAnswer& law) {
  const ImpactResult& result = law.result;
  const Dimension dimension = answer.problem.inertia.dimension;
  out += "\"law\":\"";
  out += name(result.law);
  out += '"';
  append_word(out, "mode", name(result.mode));
  append_word(out, "status", name(result.status));
  if (!usable(result.status)) {
    append_key(out, "explanation");
    append_text(out, explain(result.status));
  }
  if (law.velocity.size() > 0) append_vector(out, "velocity", law.velocity);
  append_vector(out, "contact_velocity", result.velocity, dimension);
  append_vector(out, "relative_velocity", result.relative_velocity, dimension);
  append_vector(out, "impulse", result.impulse, dimension);
  append_member(out, "restitution", result.restitution);
  append_energy(out, result.energy);
  append_phases(out, result, dimension);
  if (law.increment) append_increment(out, law, dimension);
  if (law.derivatives) append_derivatives(out, law, dimension);
  append_bounds(out, answer);
  if (law.multipliers.size() > 0) {
    append_vector(out, "loop_impulse", law.loop_impulse);
    append_vector(out, "multipliers", law.multipliers);
  }
  append_warnings(out, result);
}

void append_answer(std::string& out, const ProblemFile& file, const ProblemAnswer& answer) {
  append_head(out);
  append_id(out, file.id_kind, file.id);
  if (answer.count == 1) {
    append_result(out, answer, answer.laws[0]);
  } else {
    out += "\"results\":[";
    bool first = true;
    for (const LawAnswer& law : answer.answers()) {
      out += first ? "{" : ",{";
      first = false;
      append_result(out, answer, law);
      out += '}';
    }
    out += ']';
  }
  out += '}';
}

void append_error(std::string& out, long long line, const InputError& error) {
  append_error(out, line, error, IdKind::none, "");
}

void append_error(std::string& out, long long line, const InputError& error, IdKind kind, const std::string& id) {
  append_head(out);
  append_id(out, kind, id);
  out += "\"line\":";
  append_integer(out, line);
  out += ",\"error\":{\"message\":";
  append_text(out, error.message());
  append_key(out, "remedy");
  append_text(out, error.remedy());
  append_key(out, "column");
  if (error.where().column > 0)
    append_integer(out, error.where().column);
  else
    out += "null";
  out += "}}";
}

}  // namespace routh::internal
