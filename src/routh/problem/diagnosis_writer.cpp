#include "routh/problem/diagnosis_writer.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "routh/problem/writer.h"

namespace routh::internal {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value == 0 ? 0.0 : value) : Json(nullptr); }

class Writer {
 public:
  explicit Writer(const ContactDiagnosis& diagnosis)
      : in_(diagnosis), spatial_(diagnosis.problem.contact.inertia.dimension == Dimension::spatial) {}

  Json members() const {
    Json out;
    out["verdict"] = name(in_.verdict);
    out["cone_verdict"] = name(in_.cone_verdict);
    if (in_.slip.speed > 0) out["slip"] = slip();
    if (in_.verdict == ContactVerdict::sticks || in_.rest.count > 0) out["rest"] = rest();
    out["free_acceleration"] =
        in_.known == FreeAcceleration::given ? vector(in_.problem.free_acceleration) : Json(nullptr);
    out["friction"] = {{"static", number(in_.problem.contact.friction.static_coefficient)},
                       {"kinetic", number(in_.problem.contact.friction.kinetic_coefficient)}};
    out["thresholds"] = thresholds();
    out["restitution"] = restitution();
    out["cone"] = cone();
    if (in_.has_impact) out["impact"] = impact();
    return out;
  }

 private:
  Json vector(const ContactVector& v) const {
    Json out = {number(v.n), number(v.t1)};
    if (spatial_) out.push_back(number(v.t2));
    return out;
  }
  Json tangent(double t1, double t2) const {
    Json out = Json::array({number(t1)});
    if (spatial_) out.push_back(number(t2));
    return out;
  }

  Json slip() const {
    const SlipVerdict& s = in_.sliding;
    Json out = {{"speed", number(in_.slip.speed)},
                {"direction", tangent(in_.slip.direction.t1, in_.slip.direction.t2)},
                {"A", number(s.A)},
                {"C", tangent(s.C1, s.C2)},
                {"jamming_friction", number(s.direction_friction)}};
    const bool moves = in_.verdict == ContactVerdict::strikes || in_.verdict == ContactVerdict::separates;
    if (in_.known == FreeAcceleration::unknown || moves) return out;
    out["B"] = number(s.B);
    out["D"] = tangent(s.D1, s.D2);
    out["mode"] = name(s.mode);
    out["mode_number"] = static_cast<int>(s.mode) + 1;
    out["admissible"] = s.admissible();
    out["marginal"] = s.marginal;
    out["normal_force"] = number(s.normal_force);
    return out;
  }

  Json rest() const {
    const RestVerdict& r = in_.rest;
    Json solutions = Json::array();
    for (int k = 0; k < r.count; ++k) {
      const RestSolution& s = r.solutions[static_cast<std::size_t>(k)];
      Json solution = {{"mode", name(s.mode)}, {"force", vector(s.force)}, {"acceleration", vector(s.acceleration)}};
      if (s.mode == RestMode::slips) solution["direction"] = tangent(s.direction.t1, s.direction.t2);
      solutions.push_back(solution);
    }
    Json out = {{"unique", r.answer == RestAnswer::unique},
                {"solutions", solutions},
                {"stick_feasible", r.stick_feasible},
                {"friction_demand", number(r.friction_demand)}};
    if (r.stick_exists) out["stick_force"] = vector(r.stick_force);
    return out;
  }

  Json thresholds() const {
    const ImpactBounds& b = in_.bounds;
    return {{"stick_friction", number(b.stick_friction)},
            {"impact_friction", number(b.impact_friction)},
            {"jamming_friction", number(b.jamming_friction)},
            {"condition", number(b.condition)}};
  }

  Json restitution() const {
    const ForAllVelocities& all = in_.every_velocity;
    Json out = {
        {"bound", number(in_.bounds.restitution_bound)},
        {"bound_any", number(in_.bounds.restitution_bound_any)},
        {"every_velocity",
         {{"consistent", all.exact}, {"consistent_printed", all.printed}, {"gains", all.gains}, {"jams", all.jams}}}};
    if (all.gains) {
      out["every_velocity"]["worst_velocity"] = vector(all.worst_velocity);
      out["every_velocity"]["worst_gain"] = number(all.worst_gain);
    }
    if (in_.verdict == ContactVerdict::strikes) {
      out["region"] = name(in_.region);
      out["consistent"] = is_consistent(in_.region);
    }
    return out;
  }

  Json cone() const {
    const FrictionCone& c = in_.cone;
    Json out = {{"dips", c.dips}};
    if (c.form) {
      const int size = spatial_ ? 3 : 2;
      Json form = Json::array();
      for (int r = 0; r < size; ++r) {
        Json row = Json::array();
        for (int k = 0; k < size; ++k) row.push_back(number((*c.form)(r, k)));
        form.push_back(row);
      }
      out["form"] = form;
    } else {
      out["form"] = nullptr;
    }
    if (c.dips) {
      out["jam_direction"] = tangent(c.jam.t1, c.jam.t2);
      out["jam_half_angle"] = number(c.half_angle);
    }
    Json rays = Json::array();
    for (const ContactVector& ray : c.level_rays) rays.push_back(vector(ray));
    out["level_rays"] = rays;
    return out;
  }

  Json impact() const {
    const ImpactResult& r = in_.impact;
    return {{"law", name(r.law)},
            {"status", name(r.status)},
            {"mode", name(r.mode)},
            {"relative_velocity", vector(r.relative_velocity)},
            {"impulse", vector(r.impulse)},
            {"normal_work", number(r.energy.normal_work)},
            {"tangential_work", number(r.energy.tangential_work)}};
  }

  const ContactDiagnosis& in_;
  bool spatial_;
};

}  // namespace

std::string diagnosis_members(const ContactDiagnosis& diagnosis) {
  const std::string text = Writer(diagnosis).members().dump();
  return text.substr(1, text.size() - 2);
}

std::string diagnosis_json(const ProblemFile& file, const ContactDiagnosis& diagnosis) {
  std::string out = "{\"schema\":1,";
  append_id(out, file);
  return out + "\"contacts\":[{" + diagnosis_members(diagnosis) + "}]}";
}

}  // namespace routh::internal
