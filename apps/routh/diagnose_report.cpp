#include "reports.h"

#include <fmt/format.h>

#include <cmath>

#include "table.h"

namespace routh {

namespace {

constexpr std::size_t page_width = 80;

std::string number(double value) {
  if (!std::isfinite(value)) return value > 0 ? "∞" : "−∞";
  return value == 0 ? "0" : fmt::format("{:.6g}", value);
}

class Numbers {
 public:
  explicit Numbers(const ContactDiagnosis& diagnosis)
      : in_(diagnosis),
        spatial_(diagnosis.problem.contact.inertia.dimension == Dimension::spatial),
        table_({{12, Align::left}, {30, Align::right}, {36, Align::left}}) {}

  std::string render(const Terminal& terminal) {
    if (in_.slip.speed > 0) add_slip();
    if (in_.rest.count > 0 || in_.rest.stick_exists) add_rest();
    add_friction();
    add_restitution();
    return table_.render(terminal);
  }

 private:
  void row(const std::string& symbol, const std::string& value, const std::string& meaning) {
    table_.add_row({{symbol}, {value}, {meaning, Tone::faint}});
  }
  std::string tangent(double t1, double t2) const {
    return spatial_ ? fmt::format("({}, {})", number(t1), number(t2)) : number(t1);
  }
  std::string vector(const ContactVector& v) const {
    return spatial_ ? fmt::format("({}, {}, {})", number(v.n), number(v.t1), number(v.t2))
                    : fmt::format("({}, {})", number(v.n), number(v.t1));
  }

  void add_slip() {
    const SlipVerdict& s = in_.sliding;
    row("A", number(s.A) + " 1/kg", "v̇_n per normal force while slipping");
    const bool rests = in_.known == FreeAcceleration::given && in_.verdict != ContactVerdict::strikes &&
                       in_.verdict != ContactVerdict::separates;
    if (rests) row("B", number(s.B) + " m/s²", "v̇_n without contact force");
    row("C", tangent(s.C1, s.C2) + " 1/kg", "v̇_t per normal force");
    if (rests) {
      row("D", tangent(s.D1, s.D2) + " m/s²", "v̇_t without contact force");
      row("mode", fmt::format("M{} {}", static_cast<int>(s.mode) + 1, name(s.mode)), "of four [Liu, Table 1]");
      row("admissible", s.admissible() ? "yes" : "no", "in the set Φ [Liu, Definition 1]");
      row("λ_n", number(s.normal_force) + " N", "normal force, by the stated rules");
    }
    row("μ(A = 0)", number(s.direction_friction), "slip in this direction jams above");
  }

  void add_rest() {
    const RestVerdict& r = in_.rest;
    row("f", vector(in_.problem.free_acceleration) + " m/s²", "acceleration without contact force");
    if (r.stick_exists) row("λ", vector(r.stick_force) + " N", "force that would hold it");
    row("‖λ_t‖/λ_n", number(r.friction_demand), "friction that sticking asks for");
    for (int k = 0; k < r.count; ++k) {
      const RestSolution& s = r.solutions[static_cast<std::size_t>(k)];
      row(fmt::format("solution {}", k + 1), name(s.mode),
          fmt::format("λ = {} N{}", vector(s.force), k == 0 && r.count > 1 ? ", taken" : ""));
    }
  }

  void add_friction() {
    const Friction& f = in_.problem.contact.friction;
    row("μ_s, μ_k", fmt::format("{}, {}", number(f.static_coefficient), number(f.kinetic_coefficient)),
        "friction of the pair");
    row("μ*", number(in_.bounds.jamming_friction), "some slip direction jams above");
    row("μ_c", number(in_.bounds.stick_friction), "least that keeps an impact's stick");
    if (in_.verdict == ContactVerdict::strikes)
      row("μ_cr(e)", number(in_.bounds.impact_friction), "least for an impact that ends stuck");
  }

  void add_restitution() {
    if (in_.verdict == ContactVerdict::strikes) {
      row("e*(v)", number(in_.bounds.restitution_bound), "largest e of a stick without gain");
      row("region", name(in_.region), "of the (μ, e) plane [Aghili, eq. 41]");
    }
    row("e*", number(in_.bounds.restitution_bound_any), "the same whatever the velocity");
    const ForAllVelocities& all = in_.every_velocity;
    row("all v", all.exact ? "consistent" : (all.gains ? "some velocity gains" : "none gains"),
        all.gains  ? fmt::format("T up {:.3g} % from v = {}", 100 * all.worst_gain, vector(all.worst_velocity))
        : all.jams ? "by the unified law; but slip can jam"
                   : "no impact gains by the unified law");
  }

  const ContactDiagnosis& in_;
  bool spatial_;
  TextTable table_;
};

}  // namespace

std::string render(const Terminal& terminal, const DiagnosisReport& report) {
  std::string text = paint(terminal, Tone::strong, encode(terminal, report.title)) + "\n";
  for (const std::string& sentence : report.sentences) text += wrapped(terminal, sentence, page_width);
  return text + "\n" + Numbers(*report.diagnosis).render(terminal);
}

}  // namespace routh
