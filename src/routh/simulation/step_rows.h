// The contacts of a step as sparse rows: J and Y = L⁻ᵀJᵀ along the paths of the tree alone, D = YᵀY by blocks. Private
// to the module.
//
// A contact moves with the degrees of freedom between its two bodies and the world, and so do its columns of Y, for L
// keeps the zeros of the tree [Featherstone 2005]; springs that act at the end of a step join trees to one. Contacts
// without a degree of freedom in common do not act on one another: D has no block for them, and contacts that hang
// together by no chain of blocks are islands, problems of their own. Trees that loops join are one: Y = (1 − QQᵀ)L⁻ᵀJᵀ
// has all their degrees of freedom, and no others.
#pragma once

#include <span>

#include "routh/contact/contact.h"
#include "routh/contacts/friction_contact.h"
#include "routh/contacts/sweeps.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/math/column_space.h"

namespace routh::internal {

class StepRows {
 public:
  // `parents` of the elimination of M, by degree of freedom.
  StepRows(const Model& model, std::span<const int> parents);

  // J of these contacts. After compute_kinematics.
  void set_contacts(const Model& model, const Workspace& workspace, std::span<const Contact> contacts);
  void add_contacts(const Model& model, const Workspace& workspace, std::span<const Contact> contacts);  // behind them
  // In place of one with the same two bodies.
  void replace_contact(const Model& model, const Workspace& workspace, std::size_t index, const Contact& contact);
  std::size_t contacts() const { return begin_.empty() ? 0 : begin_.size() - 1; }
  // J v of one contact.
  ContactVector velocity(std::size_t contact, const Eigen::VectorXd& v) const;

  // Y, with M = LᵀL and the loops.
  void respond(const MassFactor& factor, const ColumnSpace& loops, std::span<const std::size_t> chosen);
  // Groups of the chosen contacts that act on one another, each in order; a contact that nothing moves is in none.
  const std::vector<std::vector<std::size_t>>& islands(std::span<const std::size_t> chosen);
  // D of an island. Dense where most blocks are there, by blocks otherwise.
  void inertia(std::span<const std::size_t> island, FrictionContactProblem& problem);
  // Y of an island, of which D need not be formed.
  void response(std::span<const std::size_t> island, ResponseColumns& response) const;
  // half += Y p: L times the change of q̇.
  void add_response(std::size_t contact, const ContactVector& impulse, Eigen::VectorXd& half) const;
  // visit(tree) for each tree that the contact moves.
  template <class Visit>
  void visit_trees(std::size_t contact, const Visit& visit) const {
    int last = -1;
    for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k)
      if (const int tree = tree_of(dofs_[k]); tree != last) visit(static_cast<std::size_t>(last = tree));
  }

  int trees() const { return trees_; }
  int tree_of(int dof) const { return tree_of_[static_cast<std::size_t>(dof)]; }

 private:
  void find_looped(const Model& model);
  bool add_dof(int dof);
  void add_looped(std::size_t first);
  void take_scattered(std::size_t first, std::size_t last);
  void add_body(const Model& model, const Workspace& workspace, const Contact& contact, int body, double sign);
  double* values(std::vector<double>& of, std::size_t k) const { return of.data() + rows_ * k; }
  const double* values(const std::vector<double>& of, std::size_t k) const { return of.data() + rows_ * k; }
  void block(std::size_t contact, double* to) const;
  int find(int tree);

  std::size_t rows_;  // of a contact
  int trees_ = 0;
  std::vector<int> parents_;                   // by degree of freedom
  std::vector<int> tree_of_;                   // likewise
  std::vector<std::size_t> begin_;             // of a contact's entries below; one more than there are contacts
  std::vector<int> dofs_;                      // ascending within a contact
  std::vector<double> jacobian_;               // `rows_` numbers for each entry of dofs_
  std::vector<double> half_;                   // Y likewise
  std::vector<int> looped_of_;                 // by tree: the group of trees that loops join, or −1
  std::vector<std::vector<int>> looped_dofs_;  // by group
  std::vector<int> place_;                     // by degree of freedom, −1: for MassFactor
  std::vector<char> has_;                      // by degree of freedom: the contact under way has an entry there
  std::vector<double> scatter_;                // n · rows_: J or Y of one contact, zero elsewhere
  std::vector<int> parent_;                    // of trees, for the islands
  std::vector<std::vector<std::size_t>> islands_;
  std::vector<int> island_of_;                     // by tree
  std::vector<std::vector<std::size_t>> of_tree_;  // contacts of an island, by tree, as places in it
  std::vector<std::size_t> neighbours_;
  Eigen::VectorXd column_;
};

}  // namespace routh::internal
