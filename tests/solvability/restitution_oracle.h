// Random sets of restitution, and impacts solved one by one by other factorisations than the library's.
#pragma once

#include <Eigen/Core>

#include "routh/solvability/energy_consistency.h"
#include "support/random_problems.h"

namespace testing_support {

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns);
Eigen::MatrixXd random_mass(Random& random, Eigen::Index n);

struct QuestionShape {
  Eigen::Index coordinates, fixed, striking, depend;  // `depend` of the striking rows are sums of the others
};
routh::RestitutionQuestion random_question(Random& random, const QuestionShape& shape);

double energy(const routh::RestitutionQuestion& q, const Eigen::VectorXd& v);

// q̇⁺ of independent rows: [M −Aᵀ; A 0] (q̇⁺, λ) = (M q̇⁻, −E A q̇⁻). Linear in v.
Eigen::VectorXd strike_independent(const routh::RestitutionQuestion& q, const Eigen::VectorXd& v);
// Of any rows: impulses λ that make the residuals W(φ̇⁺ + E φ̇⁻) smallest, with W the inverse lengths of the rows.
Eigen::VectorXd strike_any(const routh::RestitutionQuestion& q, const Eigen::VectorXd& v);

// A basis of the motions that the fixed rows allow.
Eigen::MatrixXd allowed(const routh::RestitutionQuestion& q);

// (K⁺ − K⁻) against the energy that a plastic impact takes.
double growth(const routh::RestitutionQuestion& q, const Eigen::VectorXd& v);

// The largest K⁺ − K⁻ of an allowed velocity with K⁻ = 1, independent rows: from the impacts of a whole basis.
double largest_gain(const routh::RestitutionQuestion& q);

}  // namespace testing_support
