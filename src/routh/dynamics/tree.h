// The recursions over the tree, in the links' own frames. Private to the module.
//
// A scalar T is `double`, or a vector of lanes that carries several states of one machine at once: nothing below looks
// at a value of type T to decide what to do. Index 0 of the per-link arrays is the world; link i stands at i + 1, its
// parent always before it.
//
//   R, p        rotation to and origin in the parent's frame
//   w, v        angular velocity, velocity of the origin
//   [n; f] = [A B; Bᵀ C] [α; a]       articulated inertia by its blocks, A and C symmetric
#pragma once

#include <vector>

#include "routh/dynamics/chain_jacobian.h"
#include "routh/dynamics/dof_paths.h"
#include "routh/dynamics/state.h"

namespace routh::internal {

template <class T>
struct TreeLink {
  LinkKind kind;
  int parent;  // in the arrays: 0 is the world
  int q, v;
  bool plain_turn;  // a turn without armature: nothing of its inertia about z remains after elimination
  Mat3<T> rotation;
  Vec3<T> offset;
  T mass;
  Vec3<T> moment;
  Sym3<T> inertia;
  T twisting;  // of path_bias
};

template <class T>
struct Tree {
  explicit Tree(const Model& model);

  struct Place {
    Mat3<T> R;
    Vec3<T> p;
  };
  struct Motion {
    Vec3<T> w, al, a;  // angular velocity; angular and linear acceleration, less gravity
    Vec3<T> n, f;      // moment about the origin and force
    Vec3<T> path;      // angular velocity along the path, of path_bias alone
  };
  // All that hangs from a link, and where the link stands: in the frame of the first link of its tree.
  struct Composite {
    Mat3<T> R;
    Vec3<T> p;
    T m;
    Vec3<T> h;
    Sym3<T> I;
  };
  // The motion of one degree of freedom, in that frame.
  struct Screw {
    Vec3<T> w, v;
  };
  struct Articulated {
    Vec3<T> w, v;    // velocity of the link
    Vec3<T> cn, cf;  // velocity product v × S q̇
    Vec3<T> n, f;    // bias force
    Sym3<T> A, C;
    Mat3<T> B;
    Vec3<T> al, a;
  };
  // One degree of freedom of the articulated recursion: U = I S, 1/d, u.
  struct Pivot {
    Vec3<T> Un, Uf;
    T inverse, u;
  };

  int coordinates, velocities;
  Vec3<T> gravity;
  std::vector<TreeLink<T>> links;  // [0] unused, so that indices agree with the arrays
  DofPaths paths;
  std::vector<bool> on_floating;  // by degree of freedom: its path begins with the six of a floating link
  std::vector<T> armature;        // by degree of freedom
  bool has_armature;
  std::vector<T> sine, cosine;  // of every coordinate of `angles`; used of angles only
  std::vector<T> angles;
  std::vector<Place> places;
  std::vector<Motion> motions;
  std::vector<Composite> composites;
  std::vector<Screw> screws;  // by degree of freedom
  std::vector<Articulated> articulated;
  std::vector<Pivot> pivots;  // by degree of freedom

  // Into sine and cosine, unless they are of these coordinates already: one step of a simulation asks for the poses, M
  // and h of one posture.
  void find_angles(const T* q);
  void place(const T* q);
  // τ = M a + h; `a` null: h alone; `v` null: at rest.
  void inverse_dynamics(const T* q, const T* v, const T* a, T* tau);
  // τ = Σ J_pᵀ m_p J̇_p(w) v over all masses, but for moments that do no work, and gravity: what the momentum J_p v of
  // each mass gains along a path whose velocity w need not be v. With w = v it is h; its work v·τ is ½ vᵀ (∂_w M) v,
  // what K gains there.
  void path_bias(const T* q, const T* v, const T* w, T* tau);
  // Into `M`, n×n, whose entries between different branches stay as they are.
  void mass_matrix(const T* q, T* M);
  // The same along the paths alone: row k, from `begin[k]` on, has the entries of k with those on its path.
  void mass_rows(const T* q, const std::size_t* begin, T* rows);
  void forward_dynamics(const T* q, const T* v, const T* tau, T* a);

 private:
  void pass_forces(T* tau);
  void start_composite(std::size_t i, const T* q);
  void set_screws(std::size_t i, const T* q);
  template <class Set>
  void visit_mass(const T* q, const Set& set);
  template <class Set>
  void visit_mass_of(const Composite& all, int dof, const Set& set) const;
  void start_articulated(std::size_t i, const T* v);
  void eliminate(std::size_t i, const T* tau);
  template <int axis>
  void eliminate_dof(Articulated& link, int dof, const T& tau);
  void hand_to_parent(std::size_t i);
  void eliminate_turn(std::size_t i, const T& tau);
  void accelerate(std::size_t i, const T* v, T* a);
};

// The recursions compiled for the machine at hand.
void inverse_dynamics(Tree<double>& tree, const double* q, const double* v, const double* a, double* tau);
void path_bias(Tree<double>& tree, const double* q, const double* v, const double* w, double* tau);
void mass_matrix(Tree<double>& tree, const double* q, double* M);
void mass_rows(Tree<double>& tree, const double* q, const std::size_t* begin, double* rows);
void forward_dynamics(Tree<double>& tree, const double* q, const double* v, const double* tau, double* a);

struct TreeMemory {
  explicit TreeMemory(const Model& model)
      : tree(model), jacobian(model), posed(static_cast<std::size_t>(model.coordinates)) {}
  Tree<double> tree;
  ChainJacobian jacobian;
  std::vector<double> posed;  // q of Workspace::link_poses
  bool has_poses = false;
};

}  // namespace routh::internal
