// [Aghili 2019]: nonsmooth mechanics by oblique projection, on a worked case of our own: a quadruped with a closed loop
// lands on four feet with four restitutions. Each formula is evaluated here as it stands in the paper, by
// pseudo-inverse from a singular value decomposition, beside the library's answer.
#include <Eigen/Dense>
#include <map>

#include "papers/evaluator.h"
#include "papers/scene.h"
#include "papers/tolerances.h"
#include "routh/contact/contact.h"
#include "routh/contact/contact_problem.h"
#include "routh/math/column_space.h"
#include "routh/solvability/energy_consistency.h"

namespace routh {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double common_restitution = 0.5;

MatrixXd pseudo_inverse(const MatrixXd& a) {
  const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  VectorXd inverse = svd.singularValues();
  for (double& s : inverse) s = s > tolerances::pseudo_inverse_rank * svd.singularValues()[0] ? 1 / s : 0;
  return svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
}

double energy(const MatrixXd& M, const VectorXd& v) { return 0.5 * v.dot(M * v); }

// The paper's matrices, as it defines them.
struct Matrices {
  MatrixXd M, A, A_inverse, P, M_c, S, E;
  VectorXd v;

  explicit Matrices(const SimultaneousProblem& problem) : M(problem.mass_matrix), v(problem.velocity) {
    const Eigen::Index n = M.rows(), loops = problem.bilateral.rows(), contacts = problem.normal.rows();
    A.resize(loops + contacts, n);
    A << problem.bilateral, problem.normal;
    A_inverse = pseudo_inverse(A);
    const MatrixXd I = MatrixXd::Identity(n, n);
    P = I - A_inverse * A;
    const MatrixXd M_o = P * M * P;
    M_c = M_o + M_o.trace() / P.trace() * (I - P);
    S = I - M_c.inverse() * P * M;
    VectorXd e = VectorXd::Zero(A.rows());
    for (Eigen::Index k = 0; k < contacts; ++k) e[loops + k] = problem.restitution[static_cast<std::size_t>(k)].normal;
    E = e.asDiagonal();
  }
};

using Values = std::map<std::string, OurValue>;

struct Projector {
  MatrixXd matrix;  // orthogonal, onto the space of some columns
  int rank = 0;
};

Projector projector_onto(const MatrixXd& columns) {
  ColumnSpace space(static_cast<int>(columns.rows()), static_cast<int>(columns.cols()));
  space.clear();
  for (const auto column : columns.colwise()) space.add(column);
  space.finish();
  Projector onto{MatrixXd::Identity(columns.rows(), columns.rows()), space.rank()};
  for (auto column : onto.matrix.colwise()) space.project_on(column);
  return onto;
}

// In the coordinates Lᵀq̇, M = L Lᵀ, whose length is the energy, the library projects at right angles: S = L⁻ᵀ Π Lᵀ
// with Π onto the columns L⁻¹Aᵀ.
void add_projector(Values& values, const Matrices& m) {
  const Eigen::LLT<MatrixXd> factor(m.M);
  const MatrixXd I = MatrixXd::Identity(m.M.rows(), m.M.rows());
  const Projector struck = projector_onto(factor.matrixL().solve(m.A.transpose()));
  const MatrixXd S = factor.matrixU().solve(struck.matrix * MatrixXd(factor.matrixU())), R = I - 2 * S;
  const MatrixXd P = I - projector_onto(m.A.transpose()).matrix, M_o = P * m.M * P;
  const double n = static_cast<double>(m.M.rows());
  const MatrixXd M_c = M_o + M_o.trace() / (n - struck.rank) * (I - P);
  values["trace_S"] = {S.trace(), {}, m.S.trace()};
  values["rank"] = {static_cast<double>(struck.rank), {}, m.A.rows() > 0 ? (MatrixXd(m.A_inverse * m.A)).trace() : 0};
  values["trace_R2"] = {(R * R).trace(), {}, n};
  values["trace_PMMcP"] = {(P * m.M * M_c.inverse() * P).trace(), {}, (m.M * m.M_c.inverse()).trace()};
  values["projected_energy"] = {energy(m.M, S * m.v), {}, energy(m.M, m.S * m.v)};
}

// Some entries of a vector, by the names that expected.yaml has for them: `q27[2]`.
void add_entries(Values& values, const std::string& quantity, const VectorXd& ours, const VectorXd& paper,
                 std::initializer_list<Eigen::Index> entries) {
  for (const Eigen::Index k : entries) values[quantity + "[" + std::to_string(k) + "]"] = {ours[k], {}, paper[k]};
}

SimultaneousProblem with_common(SimultaneousProblem problem, double e) {
  for (Restitution& restitution : problem.restitution) restitution.normal = e;
  return problem;
}

// One e for all: (25) to (32) and (34).
void add_common_restitution(Values& values, const Matrices& m, const SimultaneousProblem& problem) {
  const double e = common_restitution;
  const SimultaneousResult result = solve_simultaneous(with_common(problem, e));
  const MatrixXd I = MatrixXd::Identity(m.M.rows(), m.M.rows()), R = I - 2 * m.S;
  const VectorXd after = m.v - (1 + e) * m.S * m.v;
  const std::initializer_list<Eigen::Index> few = {2, 3, 4, 6};  // the trunk rises, rolls, pitches; a thigh
  add_entries(values, "q27", result.velocity, after, few);
  add_entries(values, "q28a", solve_simultaneous(with_common(problem, 1)).velocity, R * m.v, few);
  add_entries(values, "q28c", solve_simultaneous(with_common(problem, 0)).velocity, (I - m.S) * m.v, few);
  add_entries(values, "q28d", result.velocity, (e * R + (1 - e) * (I - m.S)) * m.v, few);
  add_entries(values, "i30", result.impulse, -(1 + e) * m.S.transpose() * m.M * m.v, few);
  // Both sides of (25), ours with the velocity of the library.
  const VectorXd left = m.P * m.M * m.P * result.velocity;
  add_entries(values, "p25", left, (e + 1) * m.P * m.M * m.v - e * m.P * m.M * m.P * m.v, few);
  values["W_32"] = {result.energy_change, {}, -0.5 * (1 - e * e) * m.v.dot(m.S.transpose() * m.M * m.S * m.v)};
  // (34): the struck part has no more energy than the whole; ours from what the library loses with e = 0.
  values["struck_34"] = {
      -solve_simultaneous(with_common(problem, 0)).energy_change, {}, 0.5 * m.v.dot(m.S.transpose() * m.M * m.S * m.v)};
  values["whole_34"] = {result.energy_change / (result.ratio - 1), {}, energy(m.M, m.v)};
  values["gamma_35"] = {result.ratio, {}, energy(m.M, after) / energy(m.M, m.v)};
}

// Each its own e: (42), (49), (50), (53). The normal impulses are A⁺ᵀ i_f, which is all there is where rank is full.
void add_own_restitutions(Values& values, const Matrices& m, const SimultaneousProblem& problem) {
  const SimultaneousResult result = solve_simultaneous(problem);
  const MatrixXd grown = m.A_inverse * m.E * m.A + MatrixXd::Identity(m.M.rows(), m.M.rows());
  const VectorXd after = m.v - m.S * grown * m.v, i_f = -m.M * m.S * grown * m.v;
  add_entries(values, "q49", result.velocity, after, {2, 3, 4, 6});
  add_entries(values, "i50", result.impulse, i_f, {2, 3, 4, 6});
  const Eigen::Index contacts = problem.normal.rows();
  VectorXd departure(contacts), normal(contacts);
  for (Eigen::Index k = 0; k < contacts; ++k) {
    const SimultaneousContactResult& contact = result.contacts[static_cast<std::size_t>(k)];
    departure[k] = contact.departure, normal[k] = contact.normal_impulse;
  }
  const VectorXd asked = -(m.E * m.A * m.v).tail(contacts);
  const VectorXd multipliers = (m.A_inverse.transpose() * i_f).tail(contacts);
  add_entries(values, "phi42", departure, asked, {0, 1, 2, 3});
  add_entries(values, "lambda50", normal, multipliers, {0, 1, 2, 3});
  values["loop50"] = {result.bilateral_impulse[0], {}, (m.A_inverse.transpose() * i_f)[0]};
  const MatrixXd G = m.S * m.A_inverse, Q = G.transpose() * m.M * G;
  const VectorXd rate = m.A * m.v;
  values["W_53"] = {result.energy_change, {}, 0.5 * rate.dot((m.E * Q * m.E - Q) * rate)};
  values["gamma"] = {result.ratio, {}, energy(m.M, after) / energy(m.M, m.v)};
}

void add_consistency(Values& values, const Matrices& m, const SimultaneousProblem& problem) {
  RestitutionQuestion question;
  question.mass_matrix = m.M;
  question.fixed = problem.bilateral;
  question.striking = problem.normal;
  question.restitution = m.E.diagonal().tail(problem.normal.rows());
  const RestitutionAnswer answer = examine_restitution(question);
  const MatrixXd G = m.S * m.A_inverse, Q = G.transpose() * m.M * G;
  values["largest_55"] = {answer.printed_eigenvalue,
                          {},
                          Eigen::SelfAdjointEigenSolver<MatrixXd>(m.E * Q * m.E - Q).eigenvalues().maxCoeff()};
}

// A table on four feet, of which any three decide the fourth: A has rank three. Restitutions of its own that do not
// fit together (42) are met in the sense of least squares, by (49) and by ours alike, since its rows are alike. And an
// external impulse: (25), (26), (27), (30), (31).
void add_table(Values& values, const SimultaneousProblem& own, const VectorXd& i_u) {
  const Matrices m(own);
  values["flat_rank"] = {static_cast<double>(solve_simultaneous(own).rank), {}, (MatrixXd(m.A_inverse * m.A)).trace()};
  const SimultaneousResult apart = solve_simultaneous(own);
  const MatrixXd I = MatrixXd::Identity(m.M.rows(), m.M.rows()), E = m.A_inverse * m.E * m.A;
  const VectorXd after = m.v - m.S * (E + I) * m.v;
  add_entries(values, "flat49", apart.velocity, after, {2, 3, 4});
  VectorXd departure(4);
  for (Eigen::Index k = 0; k < 4; ++k) departure[k] = apart.contacts[static_cast<std::size_t>(k)].departure;
  add_entries(values, "flat46", departure, -m.A * E * m.v, {0, 1, 2, 3});
  add_entries(values, "flat42", departure, -m.E * m.A * m.v, {0, 3});
  values["flat_W52"] = {
      apart.energy_change, {}, -0.5 * m.v.dot((I - E.transpose()) * m.S.transpose() * m.M * m.S * (I + E) * m.v)};

  const double e = common_restitution;
  SimultaneousProblem pushed = with_common(own, e);
  pushed.external_impulse = i_u;
  const SimultaneousResult result = solve_simultaneous(pushed);
  const MatrixXd M_o = (I - m.S) * m.M.inverse();  // (11e): M_o⁺
  add_entries(values, "push27", result.velocity, m.v - (1 + e) * m.S * m.v + M_o * i_u, {0, 3, 5});
  const VectorXd struck = (e + 1) * m.P * m.M * m.v - e * m.M_c * m.v;
  add_entries(values, "push26", result.velocity, m.M_c.inverse() * (struck + m.M_c.inverse() * m.P * i_u), {0});
  add_entries(values, "push26P", result.velocity, m.M_c.inverse() * (struck + m.P * i_u), {0});
  add_entries(values, "push25", m.P * m.M * m.P * result.velocity,
              (e + 1) * m.P * m.M * m.v - e * m.P * m.M * m.P * m.v + m.P * i_u, {0, 5});
  add_entries(values, "push30", result.impulse, -(e + 1) * m.S.transpose() * m.M * m.v - m.S.transpose() * i_u,
              {2, 3, 4});
  const VectorXd reached = m.v - (1 + e) * m.S * m.v + M_o * i_u;
  values["push_W31"] = {result.energy_change,
                        {},
                        -0.5 * (1 - e * e) * m.v.dot(m.S.transpose() * m.M * m.S * m.v) + 0.5 * i_u.dot(M_o * i_u) +
                            m.v.dot((I - m.S.transpose()) * i_u)};
  values["push_K"] = {result.energy_change, {}, energy(m.M, reached) - energy(m.M, m.v)};
}

SimultaneousProblem struck_problem(const Scene& scene) {
  Workspace workspace(scene.model);
  std::vector<Contact> contacts;
  for (const Touch& touch : find_touches(scene.model, scene.state, scene.touch, workspace).touches)
    contacts.push_back(touch.contact);
  return simultaneous_problem(scene.model, scene.state, contacts, TangentialRows::none, workspace);
}

class Projection : public TabulatedPaper {
 public:
  explicit Projection(const PaperFiles& files) {
    const SimultaneousProblem problem = struck_problem(read_paper_scene(files, "quadruped.yaml"));
    const Matrices matrices(problem);
    add_projector(values_, matrices);
    add_common_restitution(values_, matrices, problem);
    add_own_restitutions(values_, matrices, problem);
    add_consistency(values_, matrices, problem);
    VectorXd i_u(6);
    i_u << 3, 0, -1, 0.2, 0.1, 0.3;
    add_table(values_, struck_problem(read_paper_scene(files, "table.yaml")), i_u);
  }
};

}  // namespace

std::unique_ptr<PaperEvaluator> projection_evaluator(const PaperFiles& files) {
  return std::make_unique<Projection>(files);
}

}  // namespace routh
