// [Aghili 2019]: nonsmooth mechanics by oblique projection, on a worked case of our own: a quadruped with a closed loop
// lands on four feet with four restitutions. Each formula is evaluated here as it stands in the paper, by
// pseudo-inverse from a singular value decomposition, beside the library's answer.
#include <Eigen/Dense>
#include <map>

#include "papers/evaluator.h"
#include "papers/scene.h"
#include "papers/tolerances.h"
#include "routh/contact/contact_problem.h"
#include "routh/contact/touches.h"
#include "routh/math/column_space.h"
#include "routh/solvability/restitution_set.h"

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

void add_common_restitution(Values& values, const Matrices& m, SimultaneousProblem problem) {
  for (Restitution& restitution : problem.restitution) restitution.normal = common_restitution;
  const SimultaneousResult result = solve_simultaneous(problem);
  const double e = common_restitution;
  const VectorXd after = m.v - (1 + e) * m.S * m.v;
  values["v_27"] = {result.velocity.norm(), {}, after.norm()};
  values["i_30"] = {result.impulse.norm(), {}, ((1 + e) * m.S.transpose() * m.M * m.v).norm()};
  values["W_32"] = {result.energy_change, {}, -0.5 * (1 - e * e) * m.v.dot(m.S.transpose() * m.M * m.S * m.v)};
  values["gamma_35"] = {result.ratio, {}, energy(m.M, after) / energy(m.M, m.v)};
}

void add_own_restitutions(Values& values, const Matrices& m, const SimultaneousProblem& problem) {
  const SimultaneousResult result = solve_simultaneous(problem);
  const MatrixXd grown = m.A_inverse * m.E * m.A + MatrixXd::Identity(m.M.rows(), m.M.rows());
  const VectorXd after = m.v - m.S * grown * m.v;
  values["v_49"] = {result.velocity.norm(), {}, after.norm()};
  values["i_50"] = {result.impulse.norm(), {}, (m.M * m.S * grown * m.v).norm()};
  const MatrixXd G = m.S * m.A_inverse, Q = G.transpose() * m.M * G;
  const VectorXd rate = m.A * m.v;
  values["W_53"] = {result.energy_change, {}, 0.5 * rate.dot((m.E * Q * m.E - Q) * rate)};
  values["gamma"] = {result.ratio, {}, energy(m.M, after) / energy(m.M, m.v)};
  double residual = 0;
  for (const SimultaneousContactResult& contact : result.contacts)
    residual = std::max(residual, std::abs(contact.residual));
  values["loop_rate"] = {(problem.bilateral * result.velocity).norm() < tolerances::loop_rate_zero ? 1.0 : 0.0, {}, 1};
  values["attained"] = {residual < tolerances::restitution_departure_zero ? 1.0 : 0.0, {}, 1};
}

void add_consistency(Values& values, const Matrices& m, const SimultaneousProblem& problem) {
  RestitutionQuestion question;
  question.mass_matrix = m.M;
  question.fixed = problem.bilateral;
  question.striking = problem.normal;
  question.restitution = m.E.diagonal().tail(problem.normal.rows());
  const RestitutionAnswer answer = examine_restitution(question);
  const MatrixXd G = m.S * m.A_inverse, Q = G.transpose() * m.M * G;
  const double largest = Eigen::SelfAdjointEigenSolver<MatrixXd>(m.E * Q * m.E - Q).eigenvalues().maxCoeff();
  values["largest_55"] = {
      answer.consistent_printed ? 1.0 : 0.0, {}, largest <= tolerances::eigenvalue_zero ? 1.0 : 0.0};
}

class Projection : public TabulatedPaper {
 public:
  explicit Projection(const PaperFiles& files) {
    const Scene scene = read_paper_scene(files, "quadruped.yaml");
    Workspace workspace(scene.model);
    std::vector<Contact> contacts;
    for (const Touch& touch : find_touches(scene.model, scene.state, scene.touch, workspace).touches)
      contacts.push_back(touch.contact);
    const SimultaneousProblem problem =
        simultaneous_problem(scene.model, scene.state, contacts, TangentialRows::none, workspace);
    const Matrices matrices(problem);
    add_projector(values_, matrices);
    add_common_restitution(values_, matrices, problem);
    add_own_restitutions(values_, matrices, problem);
    add_consistency(values_, matrices, problem);
  }
};

}  // namespace

std::unique_ptr<PaperEvaluator> projection_evaluator(const PaperFiles& files) {
  return std::make_unique<Projection>(files);
}

}  // namespace routh
