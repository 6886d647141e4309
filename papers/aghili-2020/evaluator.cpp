// [Aghili 2020]: the admissible pairs of friction and restitution, at the strike of Kane's double pendulum. The paper
// prints formulas and no numbers: each formula is evaluated here as it stands there, beside the library's closed form.
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <map>

#include "papers/evaluator.h"
#include "papers/scene.h"
#include "papers/two_rods.h"
#include "routh/impact/bounds.h"
#include "routh/impact/solve.h"
#include "routh/math/bracket.h"
#include "routh/solvability/energy_consistency.h"

namespace routh {

namespace {

constexpr int map_points = 360;
constexpr double highest_friction = 1.2;
constexpr double sticking_friction = 0.6;
constexpr double slower_slip = 0.8, highest_restitution = 10;

// The largest x in [0, high] up to which the condition holds.
double largest_with(const std::function<bool(double)>& holds, double high) { return bisect({0, high}, 100, holds).low; }

// The paper's matrices in the plane, normal first, from Lagrange's equations of two identical rods: no code of ours but
// the masses, lengths and angles of the scene.
struct Matrices {
  Eigen::Matrix2d D, G, I = Eigen::Matrix2d::Identity();
  Eigen::Vector2d v;

  explicit Matrices(const Scene& scene) {
    const Body& rod = scene.model.bodies.back();
    const double theta1 = scene.state.q[0], theta2 = theta1 + scene.state.q[1];
    const TwoRods rods(rod.mass, -2 * rod.com.y, theta1, theta2);
    D = rods.J * rods.M.inverse() * rods.J.transpose();
    G = D.inverse();
    v = rods.J * Eigen::Vector2d(scene.state.v[0], scene.state.v[0] + scene.state.v[1]);
  }
  static Eigen::Matrix2d E(double e) { return Eigen::Vector2d(e, 0).asDiagonal(); }
  static Eigen::Matrix2d U(double mu) { return Eigen::Vector2d(mu * mu, -1).asDiagonal(); }
  // Eq. 31: G − E G E.
  Eigen::Matrix2d margin(double e) const { return G - E(e) * G * E(e); }
};

using Values = std::map<std::string, OurValue>;

void add_bounds(Values& values, const ImpactProblem& problem, const Matrices& m) {
  const ImpactBounds bounds = compute_bounds(problem);
  values["mu_star"] = {bounds.jamming_friction, {}, m.D(0, 0) / std::abs(m.D(0, 1))};
  values["e_star_v"] = {
      bounds.restitution_bound, {}, largest_with([&](double e) { return m.v.dot(m.margin(e) * m.v) >= 0; }, 10)};
  const auto least_eigenvalue = [&](double e) {
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(m.margin(e)).eigenvalues()[0];
  };
  values["e_star"] = {
      bounds.restitution_bound_any, {}, largest_with([&](double e) { return least_eigenvalue(e) >= 0; }, 1)};
}

// Eqs. 14, 22 and 23 as printed beside what follows from eq. 11a.
void add_discriminator(Values& values, const ImpactProblem& problem, const Matrices& m) {
  const double e = problem.restitution.normal, mu = problem.friction.static_coefficient;
  const Eigen::Matrix2d grown = m.I + Matrices::E(e);
  const Eigen::Vector2d i = -m.G * grown * m.v;  // (11a)
  const double exact = i.dot(Matrices::U(mu) * i);
  const Eigen::Vector2d xi = m.G * m.v;
  values["sigma_14"] = {exact, {}, m.v.dot(m.G * grown * Matrices::U(mu) * grown * m.G * m.v)};
  const double friction = mu * xi[0] * (1 + e);
  values["sigma_22"] = {exact, {}, friction * friction - xi[1] * xi[1]};
  values["mu_cr"] = {compute_bounds(problem).impact_friction, {}, std::abs(xi[1] / xi[0]) / (1 + e)};
}

// The loss of the slipping impact: the change of energy of the unified map beside both lines of eq. 36.
void add_loss(Values& values, const ImpactProblem& problem, const Matrices& m) {
  const ImpactResult result = solve_impact(problem, Law::unified);
  const double e = problem.restitution.normal, mu = problem.friction.kinetic_coefficient;
  const double mean = 0.5 * (m.v[1] + result.velocity.t1), direction = mean < 0 ? -1 : 1;
  const double g = 1 / (m.D(0, 0) - mu * m.D(0, 1) * direction);
  const double normal = (1 - e * e) * m.v[0] * m.v[0], tangential = (1 + e) * mu * std::abs(mean) * m.v[0];
  values["W_loss_36a"] = {result.energy.change, {}, -0.5 * g * (normal - tangential)};
  values["W_loss_36b"] = {result.energy.change, {}, -0.5 * g * normal + g * tangential};
  values["g"] = {result.impulse.n / (-(1 + e) * m.v[0]), {}, g};  // (18a)
}

// The same strike under friction that holds it: (11), (25) to (28), (31) and (34), each as printed beside the unified
// map and the bounds of the library.
void add_sticking(Values& values, const Scene& scene, ImpactProblem problem, const Matrices& m) {
  problem.friction = {sticking_friction, sticking_friction};
  const ImpactResult result = solve_impact(problem, Law::unified);
  const double e = problem.restitution.normal;
  const Eigen::Matrix2d E = Matrices::E(e);
  const Eigen::Vector2d i = -m.G * (E + m.I) * m.v, after = -E * m.v, mean = 0.5 * (m.I - E) * m.v;
  values["stick_i_n"] = {result.impulse.n, {}, i[0]};
  values["stick_i_t"] = {result.impulse.t1, {}, i[1]};
  values["stick_v_n"] = {result.velocity.n, {}, after[0]};
  values["stick_v_n_mean"] = {0.5 * (m.v[0] + result.velocity.n), {}, mean[0]};
  values["stick_v_t_mean"] = {0.5 * (m.v[1] + result.velocity.t1), {}, mean[1]};
  values["W_26"] = {result.energy.change, {}, mean.dot(i)};
  values["W_28a"] = {result.energy.change, {}, -0.5 * m.v.dot((m.I - E) * m.G * (m.I + E) * m.v)};
  values["W_28b"] = {result.energy.change, {}, -0.5 * m.v.dot((m.G - E * m.G * E) * m.v)};
  // (11b) and (34), in the angles of the rods.
  const Body& rod = scene.model.bodies.back();
  const double theta1 = scene.state.q[0], theta2 = theta1 + scene.state.q[1];
  const TwoRods rods(rod.mass, -2 * rod.com.y, theta1, theta2);
  const Eigen::Vector2d before(scene.state.v[0], scene.state.v[0] + scene.state.v[1]);
  const Eigen::Vector2d rates = before - rods.M.inverse() * rods.J.transpose() * m.G * (m.I + E) * rods.J * before;
  values["W_34"] = {result.energy.change, {}, 0.5 * (rates.dot(rods.M * rates) - before.dot(rods.M * before))};
  // The lesser eigenvalue of (31) from our D, with the roots of its characteristic equation.
  const ContactInertia& d = problem.inertia;
  const double det = d.a * d.b11 - d.c1 * d.c1;
  const double p = (1 - e * e) * d.b11 / det, q = -d.c1 / det, r = d.a / det;
  values["margin_31"] = {0.5 * (p + r) - std::sqrt(0.25 * (p - r) * (p - r) + q * q),
                         {},
                         Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(m.margin(e)).eigenvalues()[0]};
  // (25): below e = a − 1 no friction up to one holds the strike; ours where the exact mu_cr is one.
  const Eigen::Vector2d xi = m.G * m.v;
  values["a_25"] = {compute_bounds(problem).impact_friction_printed * (1 + e), {}, std::abs(xi[1] / xi[0])};
}

// The strike with slip a fifth slower, which friction of one holds only above some e (25).
void add_least_restitution(Values& values, ImpactProblem problem, const Matrices& m) {
  const Eigen::Vector2d v(m.v[0], slower_slip * m.v[1]), xi = m.G * v;
  problem.velocity = {v[0], v[1], 0};
  const auto holds = [&](double e) {
    problem.restitution.normal = e;
    return compute_bounds(problem).impact_friction > 1;
  };
  values["least_e_25"] = {largest_with(holds, highest_restitution), {}, std::abs(xi[1] / xi[0]) - 1};
}

class Aghili : public TabulatedPaper {
 public:
  explicit Aghili(const PaperFiles& files) : scene_(read_paper_scene(files, "kane.yaml")) {
    problem_ = ContactProbe(scene_).at(scene_.state);
    const Matrices matrices(scene_);
    add_bounds(values_, problem_.contact, matrices);
    add_discriminator(values_, problem_.contact, matrices);
    add_loss(values_, problem_.contact, matrices);
    add_sticking(values_, scene_, problem_.contact, matrices);
    add_least_restitution(values_, problem_.contact, matrices);
  }

  std::vector<PaperFigure> figures() override {
    return {draw("regions", MapQuantity::admissible), draw("regions-every-velocity", MapQuantity::every_velocity)};
  }

 private:
  PaperFigure draw(const std::string& name, MapQuantity quantity) const {
    const std::vector<MapVariable> variables = map_variables(Dimension::planar);
    const MapVariable friction = find_variable(variables, "friction");
    const MapVariable restitution = find_variable(variables, "restitution");
    const VerdictMap map = compute_map(
        {0, highest_friction, map_points}, {0, 1, map_points},
        contact_map(problem_, FreeAcceleration::unknown, friction, restitution, quantity, Law::energetic), {});
    MapFigure figure;
    set_regions(figure, map);
    figure.x_label = "μ";
    figure.y_label = "e";
    const AdmissibleCurves curves = admissible_curves(problem_.contact, 400);
    if (quantity == MapQuantity::admissible) {
      figure.title = "Aghili 2020: Kane's pendulum at its velocity";
      figure.legend = {{0, "sticks, consistent (33)", "#9ecae1"},
                       {1, "slips, consistent (40)", "#c7e9c0"},
                       {2, "stick gains energy", "#fdae6b"},
                       {3, "slips with μ ≥ μ^{*}", "#d9d9d9"}};
      add_curves_of_velocity(figure, curves);
    } else {
      figure.title = "Aghili 2020: Kane's pendulum at every velocity";
      figure.legend = {{0, "no velocity gains, exact", "#c7e9c0"},
                       {1, "some velocity gains", "#fdae6b"},
                       {2, "none gains, slip can jam", "#d9d9d9"}};
      for (const MapCurve& curve : map.curves) {
        MapLine line{{}, "where the first gains or jams", {.stroke = "#a63603", .width = 2}};
        for (std::size_t k = 0; k < curve.x.size(); ++k) line.points.push_back({curve.x[k], curve.y[k]});
        figure.lines.push_back(std::move(line));
      }
      add_level(figure, "e^{*} (32)", curves.restitution_bound_any, "#7b3294", "7 4");
      add_upright(figure, "μ^{*} (38)", curves.jamming_friction);
    }
    return {name, map_picture(figure)};
  }

  void add_curves_of_velocity(MapFigure& figure, const AdmissibleCurves& curves) const {
    MapLine critical{{}, "μ_{cr}(e), exact", {.stroke = "#08519c", .width = 2}};
    for (const AdmissibleCurvePoint& point : curves.critical)
      critical.points.push_back({point.friction, point.restitution});
    MapLine printed{{}, "μ_{cr}(e) as printed (23)", {.stroke = "#08519c", .width = 1.4, .dash = "2 3"}};
    ImpactProblem at = problem_.contact;
    for (int k = 0; k <= 100; ++k) {
      at.restitution.normal = 0.01 * k;
      printed.points.push_back({compute_bounds(at).impact_friction_printed, at.restitution.normal});
    }
    figure.lines.push_back(std::move(critical));
    figure.lines.push_back(std::move(printed));
    add_level(figure, "e^{*}(v) (30)", curves.restitution_bound, "#a63603", "");
    add_level(figure, "e^{*} (32)", curves.restitution_bound_any, "#7b3294", "7 4");
    add_upright(figure, "μ^{*} (38)", curves.jamming_friction);
  }

  static void add_level(MapFigure& figure, const std::string& label, double e, const std::string& colour,
                        const std::string& dash) {
    figure.lines.push_back({{{0, e}, {highest_friction, e}}, label, {.stroke = colour, .width = 2, .dash = dash}});
  }
  static void add_upright(MapFigure& figure, const std::string& label, double mu) {
    figure.lines.push_back({{{mu, 0}, {mu, 1}}, label, {.stroke = "#252525", .width = 2, .dash = "10 3 2 3"}});
  }

  Scene scene_;
  AccelerationProblem problem_;
};

}  // namespace

std::unique_ptr<PaperEvaluator> aghili_evaluator(const PaperFiles& files) { return std::make_unique<Aghili>(files); }

}  // namespace routh
