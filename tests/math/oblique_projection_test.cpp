// The identities of [Aghili 2019, sections 2 and 3], misprints corrected, and its motions against a KKT solve.
//
// Tolerances. An identity between matrices that the library made from the same bases holds to rounding times the
// condition number of M, whatever that of A: `tolerance`. Against an oracle the condition number of the unit rows comes
// in too, since the bases themselves are known only so well: `forward`.
#include "routh/math/oblique_projection.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "constrained_cases.h"

namespace {

using namespace constrained_cases;
using routh::ObliqueProjection;
using routh::ProjectionPath;
using testing_support::scaled;

constexpr double epsilon = 2.3e-16;

struct Trial {
  Case c;
  MatrixXd I, P, M_c, M_o_inverse, S, R;
  double nu = 0;
  double tolerance = 0;
  double forward = 0;
  const ObliqueProjection* projection = nullptr;

  const MatrixXd& M() const { return c.M; }
  int n() const { return static_cast<int>(c.M.rows()); }
  int m() const { return static_cast<int>(c.A.rows()); }
};

// Every kind of Jacobian, by each path that can take it.
template <class Check>
void for_every_trial(std::uint64_t seed, Check check) {
  Random random(seed);
  const int count = scaled(60, 6);
  for (int k = 0; k < kind_count * count; ++k) {
    Trial t;
    t.c = random_case(random, static_cast<Kind>(k % kind_count));
    const int n = t.n();
    t.I = MatrixXd::Identity(n, n);
    for (const ProjectionPath path : {ProjectionPath::projector, ProjectionPath::cholesky}) {
      ObliqueProjection projection(n, t.m());
      if (path == ProjectionPath::cholesky && projection.compute(t.M(), t.c.A).path != path) continue;
      SCOPED_TRACE(fmt::format("seed {}, case {}, kind {}, path {}", seed, k, k % kind_count, static_cast<int>(path)));
      ASSERT_TRUE(projection.compute_by(path, t.M(), t.c.A).usable());
      ASSERT_EQ(projection.report().path, path);
      ASSERT_EQ(projection.report().rank, t.c.rank);
      t.projection = &projection;
      t.P = projection.P();
      t.M_c = projection.M_c();
      t.M_o_inverse = projection.M_o_inverse();
      t.S = projection.S();
      t.R = projection.R();
      t.nu = projection.nu();
      t.tolerance = 20 * n * epsilon * t.c.mass_condition;
      // The normal equations of the fast path square κ(Yᵀ), which its switch keeps below 40/κ(L).
      if (path == ProjectionPath::cholesky) t.tolerance += 1e-12;
      t.forward = t.tolerance * t.c.row_condition;
      check(t, random);
      if (testing::Test::HasFailure()) return;
    }
  }
}

void expect_same(const MatrixXd& X, const MatrixXd& Y, double tolerance, const char* what) {
  ASSERT_TRUE(X.allFinite()) << what;
  const double size = std::max({X.size() ? X.norm() : 0, Y.size() ? Y.norm() : 0, 1e-30});
  EXPECT_LE((X - Y).norm(), tolerance * size) << what;
}

// X is zero beside `size`.
void expect_zero(const MatrixXd& X, double size, double tolerance, const char* what) {
  ASSERT_TRUE(X.allFinite()) << what;
  EXPECT_LE(X.norm(), tolerance * size) << what;
}

double least_eigenvalue(const MatrixXd& X) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>((X + X.transpose()) / 2).eigenvalues()(0);
}

// A motion that the constraints allow.
VectorXd allowed(const Trial& t, Random& random) { return t.P * random_vector(random, t.n()); }

// Λ = −A⁺ȦP, Ω = Λ − Λᵀ (6, sign corrected), from the oracle.
MatrixXd omega(const Trial& t) {
  LongMatrix rate = t.c.A_rate.cast<long double>();
  for (Eigen::Index i = 0; i < rate.rows(); ++i)
    if (t.c.A.row(i).norm() > 0) rate.row(i) /= t.c.A.row(i).cast<long double>().norm();
  const LongMatrix lambda = -pseudo_inverse(unit_rows(t.c.A), 1e-10L) * rate * oracle_P(t.c);
  return (lambda - lambda.transpose()).cast<double>();
}

TEST(ObliqueProjection, ProjectorAgainstThePseudoInverse) {
  for_every_trial(9001, [](const Trial& t, Random&) {
    expect_zero(t.P - oracle_P(t.c).cast<double>(), 1, t.forward, "P");
    expect_zero(t.P * t.P - t.P, 1, t.tolerance, "P² = P");
    expect_zero(t.P - t.P.transpose(), 1, t.tolerance, "P = Pᵀ");
    expect_same(t.M_o_inverse, oracle_M_o_inverse(t.c).cast<double>(), t.forward * t.c.mass_condition, "M_o⁺");
  });
}

TEST(ObliqueProjection, ConstraintInertia) {
  for_every_trial(9002, [](const Trial& t, Random& random) {
    const MatrixXd PMP = t.P * t.M() * t.P, inverse = t.M_c.fullPivLu().inverse();
    const double size = t.M().norm();
    EXPECT_GT(least_eigenvalue(t.M_c), 0) << "(9a)";
    expect_zero(t.P * t.M_c - PMP, size, t.tolerance, "(9b)");
    expect_zero(t.M_c * t.P - PMP, size, t.tolerance, "(9b)");
    if (t.c.rank < t.n()) {
      expect_same(t.P * inverse, t.M_o_inverse, t.tolerance, "(9c)");
      expect_same(inverse * t.P, t.M_o_inverse, t.tolerance, "(9c)");
      expect_same(t.P * inverse * t.P, t.M_o_inverse, t.tolerance, "(9c)");
    }
    expect_zero(t.P * t.M() * inverse * t.P - t.P, 1, t.tolerance, "(9d), corrected");
    const VectorXd turned = omega(t) * allowed(t, random);
    expect_zero(t.nu * inverse * turned - turned, turned.norm(), t.forward, "(9e)");
    expect_zero(t.S - (t.I - inverse * t.P * t.M()), t.S.norm() + 1, t.tolerance, "(10)");
    expect_zero(t.S - (t.I - t.M_o_inverse * t.M()), t.S.norm() + 1, t.tolerance, "(10)");
  });
}

TEST(ObliqueProjection, NuGivesTheLeastCondition) {
  for_every_trial(9003, [](const Trial& t, Random& random) {
    const int free = t.n() - t.c.rank;
    const auto condition = [&](double nu) {
      const VectorXd e =
          Eigen::SelfAdjointEigenSolver<MatrixXd>(MatrixXd(t.P * t.M() * t.P + nu * (t.I - t.P))).eigenvalues();
      return e(t.n() - 1) / e(0);
    };
    if (free == 0) return expect_zero(t.M_c - t.nu * t.I, t.nu, t.tolerance, "nothing moves");
    const LongMatrix P = oracle_P(t.c);
    const VectorXd e =
        Eigen::SelfAdjointEigenSolver<MatrixXd>((P * t.M().cast<long double>() * P).cast<double>()).eigenvalues();
    const double least = e(t.n() - free), largest = e(t.n() - 1);
    EXPECT_GE(t.nu, least * (1 - t.forward)) << "(9f)";
    EXPECT_LE(t.nu, largest * (1 + t.forward)) << "(9f)";
    EXPECT_NEAR(condition(t.nu), largest / least, 1e-6 * largest / least) << "(9f)";
    for (int k = 0; k < 5; ++k)
      EXPECT_GE(condition(t.nu * std::pow(10, random.uniform(-5, 5))), condition(t.nu) * (1 - 1e-9)) << "(9f)";
  });
}

TEST(ObliqueProjection, ObliqueProjector) {
  for_every_trial(9004, [](const Trial& t, Random&) {
    const MatrixXd I_S = t.I - t.S;
    const double size = t.S.norm() + 1, mass = t.M().norm() * size;
    expect_zero(t.S * t.S - t.S, size * size, t.tolerance, "S² = S");
    expect_zero(t.S * t.P, size, t.tolerance, "(11a)");
    expect_zero(t.P * t.S.transpose(), size, t.tolerance, "(11a)");
    expect_zero(t.S * (t.I - t.P) - t.S, size, t.tolerance, "(11b)");
    expect_zero((t.I - t.P) * t.S - (t.I - t.P), size, t.tolerance, "(11c)");
    expect_zero(t.M() * t.S - t.S.transpose() * t.M(), mass, t.tolerance, "(11d)");
    expect_zero(t.M() * t.S - t.S.transpose() * t.M() * t.S, mass * size, t.tolerance, "(11d)");
    const MatrixXd inverse = t.M().fullPivLu().inverse();
    expect_zero(I_S * inverse - t.M_o_inverse, inverse.norm() * size, t.tolerance, "(11e)");
    expect_zero(inverse * I_S.transpose() - t.M_o_inverse, inverse.norm() * size, t.tolerance, "(11e)");
    expect_zero(t.R * t.R - t.I, size * size, t.tolerance, "(28b)");
    // The range of S is M⁻¹R(Aᵀ).
    expect_zero(t.P * t.M() * t.S, mass, t.tolerance, "range of S");
    EXPECT_GE(least_eigenvalue(t.S.transpose() * t.M() * t.S), -t.tolerance * mass * size) << "(33a)";
    EXPECT_GE(least_eigenvalue(t.M() - t.S.transpose() * t.M() * t.S), -t.tolerance * mass * size) << "(33b)";
    MatrixXd transposed(t.n(), t.n());
    for (int j = 0; j < t.n(); ++j) t.projection->apply_S_transposed(t.I.col(j), transposed.col(j));
    expect_zero(transposed - t.S.transpose(), size, t.tolerance, "apply_S_transposed");
  });
}

TEST(ObliqueProjection, AccelerationAndForceAgainstKkt) {
  for_every_trial(9005, [](const Trial& t, Random& random) {
    const VectorXd velocity = allowed(t, random), force = random_vector(random, t.n());  // force = u − h
    const VectorXd b = -t.c.A_rate * velocity, turned = omega(t) * velocity;
    const KktSolution expected = solve_kkt(t.c, force, -t.c.A_rate.cast<long double>() * velocity.cast<long double>());
    const VectorXd unconstrained = t.M().fullPivLu().solve(force);
    const double size = expected.motion.norm() + unconstrained.norm() + t.S.norm() * turned.norm();
    const VectorXd acceleration = (t.I - t.S) * unconstrained + t.S * turned;
    expect_zero(acceleration - expected.motion, size, t.forward, "(13)");
    const VectorXd reaction = -t.S.transpose() * force + t.S.transpose() * (t.M() * turned);
    const double force_size = t.S.norm() * (force.norm() + t.M().norm() * turned.norm()) + 1e-300;
    expect_zero(reaction - expected.reaction, force_size, t.forward, "(14)");
    VectorXd y(t.n());
    t.projection->accelerate(force, b, y);
    expect_zero(y - expected.motion, size, t.forward, "accelerate");
    t.projection->reach(b, y);
    expect_zero(y - t.S * turned, size, t.forward, "reach = S Ω q̇");
    VectorXd lambda(t.m());
    t.projection->multipliers(reaction, lambda);
    expect_zero(t.c.A.transpose() * lambda - reaction, reaction.norm() + force_size, t.forward, "Aᵀλ = f");
  });
}

// Impacts (27)–(41): one coefficient of restitution, an external impulse, bilateral rows among the others.
struct Impact {
  VectorXd before, after, reaction, external, mean;
  double e = 0;
  double energy_before = 0, energy_after = 0;
};

Impact impact_of(const Trial& t, const VectorXd& before, const VectorXd& external, double e) {
  Impact i;
  i.e = e;
  i.before = before;
  i.external = external;
  i.after = before - (1 + e) * t.S * before + t.M_o_inverse * external;                     // (27)
  i.reaction = -(1 + e) * t.S.transpose() * (t.M() * before) - t.S.transpose() * external;  // (30)
  i.mean = (i.before + i.after) / 2;
  i.energy_before = before.dot(t.M() * before) / 2;
  i.energy_after = i.after.dot(t.M() * i.after) / 2;
  return i;
}

TEST(ObliqueProjection, ImpactAgainstKkt) {
  for_every_trial(9006, [](const Trial& t, Random& random) {
    const double e = random.uniform();
    const Impact i = impact_of(t, random_vector(random, t.n()), random_vector(random, t.n()), e);
    const KktSolution expected =
        solve_kkt(t.c, t.M() * i.before + i.external,
                  -static_cast<long double>(e) * (t.c.A.cast<long double>() * i.before.cast<long double>()));
    const double size = t.S.norm() * i.before.norm() + i.before.norm() + t.M_o_inverse.norm() * i.external.norm();
    expect_zero(i.after - expected.motion, size, t.forward, "(27)");
    const double impulse_size = (t.S.norm() + 1) * (t.M().norm() * i.before.norm() + i.external.norm());
    expect_zero(i.reaction - expected.reaction, impulse_size, t.forward, "(30)");
    // (31)
    const VectorXd taken = t.S * i.before;
    const double change = -(1 - e * e) / 2 * taken.dot(t.M() * taken) + i.external.dot(t.M_o_inverse * i.external) / 2 +
                          i.before.dot((t.I - t.S.transpose()) * i.external);
    const double energy = t.M().norm() * size * size;
    EXPECT_NEAR(i.energy_after - i.energy_before, change, t.tolerance * energy) << "(31)";
    // Remarks 2 and 4
    const VectorXd z = random_vector(random, t.n()), held = t.S.transpose() * z, passed = z - held;
    expect_zero(t.M_o_inverse * held, t.M_o_inverse.norm() * (t.S.norm() + 1) * z.norm(), t.tolerance, "Remark 2");
    expect_zero(t.S.transpose() * passed, (t.S.norm() + 1) * (t.S.norm() + 1) * z.norm(), t.tolerance, "Remark 4");
    const Impact quiet = impact_of(t, t.M().fullPivLu().solve(passed), passed, e);
    expect_zero(quiet.reaction, (t.S.norm() + 1) * (t.S.norm() + 1) * z.norm(), 4 * t.tolerance, "Remark 4");
  });
}

TEST(ObliqueProjection, EnergyOfAnImpact) {
  for_every_trial(9007, [](const Trial& t, Random& random) {
    // Bilateral rows hold before: q̇⁻ is in their null space. The others strike.
    const int bilateral = t.m() > 0 ? random.below(t.m()) : 0, striking = t.m() - bilateral;
    const LongMatrix B = unit_rows(t.c.A.topRows(bilateral));
    const MatrixXd hold = (LongMatrix::Identity(t.n(), t.n()) - pseudo_inverse(B, 1e-10L) * B).cast<double>();
    const double e = random.uniform(0, 0.99);
    const Impact i = impact_of(t, hold * random_vector(random, t.n()), VectorXd::Zero(t.n()), e);
    if (i.before.norm() < 1e-9) return;  // the bilateral rows allow nothing
    const VectorXd taken = t.S * i.before, p = t.M() * i.before;
    const double size = t.M().norm() * std::pow((t.S.norm() + 1) * i.before.norm(), 2), ms = taken.dot(t.M() * taken);
    const double near = t.tolerance * size;
    expect_zero(e * t.R * i.before + (1 - e) * (i.before - taken) - i.after, (t.S.norm() + 1) * i.before.norm(),
                t.tolerance, "(28d)");
    expect_zero(t.c.A * (i.before - taken), t.c.A.norm() * (t.S.norm() + 1) * i.before.norm(), t.tolerance, "(28c)");
    expect_zero(t.M() * i.after - (p - (1 + e) * t.S.transpose() * p),
                t.M().norm() * (t.S.norm() + 1) * i.before.norm(), t.tolerance, "(29)");
    expect_zero(t.M() * i.after - (e * t.R.transpose() * p + (1 - e) * (p - t.S.transpose() * p)),
                t.M().norm() * (t.S.norm() + 1) * i.before.norm(), t.tolerance, "(29)");
    const double loss = -(1 - e * e) / 2 * ms, gamma = i.energy_after / i.energy_before;
    EXPECT_NEAR(i.energy_after - i.energy_before, loss, near) << "(32)";
    EXPECT_NEAR(gamma, 1 + loss / i.energy_before, near / i.energy_before) << "(35)";
    EXPECT_GE(gamma, 0) << "(36)";
    EXPECT_LE(gamma, 1 + near / i.energy_before) << "(36)";
    EXPECT_NEAR(i.reaction.dot(i.mean), loss, near) << "(38)";
    EXPECT_NEAR(i.reaction.dot(i.mean), i.energy_after - i.energy_before, near) << "(39)";
    VectorXd lambda(t.m());
    t.projection->multipliers(i.reaction, lambda);
    const VectorXd mean = t.c.A * i.mean, rate = t.c.A * i.before;
    // Multipliers of nearly dependent rows are large and cancel.
    const double far = near + t.forward * t.c.A.norm() * lambda.norm() * (t.S.norm() + 1) * i.before.norm();
    EXPECT_NEAR(lambda.dot(mean), loss, far) << "(40)";
    EXPECT_NEAR(lambda.tail(striking).dot(mean.tail(striking)), loss, far) << "(40)";
    EXPECT_NEAR(lambda.tail(striking).dot(rate.tail(striking)), -(1 + e) * ms, far) << "(41)";
    EXPECT_LE(lambda.tail(striking).dot(rate.tail(striking)), far) << "(41)";
  });
}

}  // namespace
