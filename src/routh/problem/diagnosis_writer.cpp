#include "routh/problem/diagnosis_writer.h"

#include <algorithm>

#include "routh/problem/writer.h"
#include "routh/solvability/single_contact.h"

namespace routh::internal {

namespace {

class Writer {
 public:
  explicit Writer(const ContactDiagnosis& diagnosis)
      : in_(diagnosis), spatial_(diagnosis.problem.contact.inertia.dimension == Dimension::spatial) {}

  JsonText members() const {
    JsonText out = JsonText::object();
    out.add("verdict", name(in_.verdict));
    out.add("cone_verdict", name(in_.cone_verdict));
    if (in_.slip.speed > 0) out.add("slip", slip());
    if (in_.verdict == ContactVerdict::sticks || in_.rest.count > 0) out.add("rest", rest());
    out.add("free_acceleration",
            in_.known == FreeAcceleration::given ? vector(in_.problem.free_acceleration) : JsonText());
    out.add("friction", JsonText::object({{"static", json_number(in_.problem.contact.friction.static_coefficient)},
                                          {"kinetic", json_number(in_.problem.contact.friction.kinetic_coefficient)}}));
    out.add("thresholds", thresholds());
    out.add("restitution", restitution());
    out.add("cone", cone());
    out.add("invariant_directions", invariant_directions());
    if (in_.has_impact) out.add("impact", impact());
    return out;
  }

 private:
  JsonText vector(const ContactVector& v) const {
    JsonText out = JsonText::list({json_number(v.n), json_number(v.t1)});
    if (spatial_) out.push_back(json_number(v.t2));
    return out;
  }
  JsonText tangent(double t1, double t2) const {
    JsonText out = JsonText::list({json_number(t1)});
    if (spatial_) out.push_back(json_number(t2));
    return out;
  }

  JsonText invariant_directions() const {
    const double mu = in_.problem.contact.friction.kinetic_coefficient;
    const InvariantSlips all = invariant_slips(in_.problem.contact.inertia, std::min(mu, widest_friction));
    JsonText list = JsonText::list();
    for (int k = 0; k < all.count; ++k) {
      const InvariantSlip& slip = all.slips[static_cast<std::size_t>(k)];
      list.push_back(JsonText::object({{"direction", tangent(slip.direction.t1, slip.direction.t2)},
                                       {"kind", name(slip.attraction)},
                                       {"growth", json_number(slip.growth)},
                                       {"A", json_number(slip.A)}}));
    }
    return list;
  }

  JsonText slip() const {
    const SlipVerdict& s = in_.sliding;
    JsonText out = JsonText::object({{"speed", json_number(in_.slip.speed)},
                                     {"direction", tangent(in_.slip.direction.t1, in_.slip.direction.t2)},
                                     {"A", json_number(s.A)},
                                     {"C", tangent(s.C1, s.C2)},
                                     {"jamming_friction", json_number(s.direction_friction)}});
    const bool moves = in_.verdict == ContactVerdict::strikes || in_.verdict == ContactVerdict::separates;
    if (in_.known == FreeAcceleration::unknown || moves) return out;
    out.add("B", json_number(s.B));
    out.add("D", tangent(s.D1, s.D2));
    out.add("mode", name(s.mode));
    out.add("mode_number", static_cast<int>(s.mode) + 1);
    out.add("admissible", s.admissible());
    out.add("marginal", s.marginal);
    out.add("normal_force", json_number(s.normal_force));
    return out;
  }

  JsonText rest() const {
    const RestVerdict& r = in_.rest;
    JsonText solutions = JsonText::list();
    for (int k = 0; k < r.count; ++k) {
      const RestSolution& s = r.solutions[static_cast<std::size_t>(k)];
      JsonText solution = JsonText::object(
          {{"mode", name(s.mode)}, {"force", vector(s.force)}, {"acceleration", vector(s.acceleration)}});
      if (s.mode == RestMode::slips) solution.add("direction", tangent(s.direction.t1, s.direction.t2));
      solutions.push_back(solution);
    }
    JsonText out = JsonText::object({{"unique", r.answer == RestAnswer::unique},
                                     {"solutions", solutions},
                                     {"stick_feasible", r.stick_feasible},
                                     {"friction_demand", json_number(r.friction_demand)}});
    if (r.stick_exists) out.add("stick_force", vector(r.stick_force));
    return out;
  }

  JsonText thresholds() const {
    const ImpactBounds& b = in_.bounds;
    return JsonText::object({{"stick_friction", json_number(b.stick_friction)},
                             {"impact_friction", json_number(b.impact_friction)},
                             {"jamming_friction", json_number(b.jamming_friction)},
                             {"condition", json_number(b.condition)}});
  }

  JsonText restitution() const {
    const ForAllVelocities& all = in_.every_velocity;
    JsonText every = JsonText::object(
        {{"consistent", all.exact}, {"consistent_printed", all.printed}, {"gains", all.gains}, {"jams", all.jams}});
    if (all.gains) {
      every.add("worst_velocity", vector(all.worst_velocity));
      every.add("worst_gain", json_number(all.worst_gain));
    }
    JsonText out = JsonText::object({{"bound", json_number(in_.bounds.restitution_bound)},
                                     {"bound_any", json_number(in_.bounds.restitution_bound_any)},
                                     {"every_velocity", every}});
    if (in_.verdict == ContactVerdict::strikes) {
      out.add("region", name(in_.region));
      out.add("consistent", is_consistent(in_.region));
    }
    return out;
  }

  JsonText cone() const {
    const FrictionCone& c = in_.cone;
    JsonText out = JsonText::object({{"dips", c.dips}});
    if (c.form) {
      const int size = spatial_ ? 3 : 2;
      JsonText form = JsonText::list();
      for (int r = 0; r < size; ++r) {
        JsonText row = JsonText::list();
        for (int k = 0; k < size; ++k) row.push_back(json_number((*c.form)(r, k)));
        form.push_back(row);
      }
      out.add("form", form);
    } else {
      out.add("form", nullptr);
    }
    if (c.dips) {
      out.add("jam_direction", tangent(c.jam.t1, c.jam.t2));
      out.add("jam_half_angle", json_number(c.half_angle));
    }
    JsonText rays = JsonText::list();
    for (const ContactVector& ray : c.level_rays) rays.push_back(vector(ray));
    out.add("level_rays", rays);
    return out;
  }

  JsonText impact() const {
    const ImpactResult& r = in_.impact;
    return JsonText::object({{"law", name(r.law)},
                             {"status", name(r.status)},
                             {"mode", name(r.mode)},
                             {"relative_velocity", vector(r.relative_velocity)},
                             {"impulse", vector(r.impulse)},
                             {"normal_work", json_number(r.energy.normal_work)},
                             {"tangential_work", json_number(r.energy.tangential_work)}});
  }

  const ContactDiagnosis& in_;
  bool spatial_;
};

}  // namespace

std::string diagnosis_members(const ContactDiagnosis& diagnosis) {
  const std::string text = Writer(diagnosis).members().text();
  return text.substr(1, text.size() - 2);
}

std::string diagnosis_json(const ProblemFile& file, const ContactDiagnosis& diagnosis) {
  std::string out;
  JsonStream json(out);
  begin_result(json, file.id_kind, file.id);
  json.raw("contacts", "[{" + diagnosis_members(diagnosis) + "}]");
  json.end_object();
  return out;
}

}  // namespace routh::internal
