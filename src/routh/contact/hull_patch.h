// The part of a hull's surface that looks in a direction, and the contacts between two such parts.
#pragma once

#include "routh/contact/brick.h"
#include "routh/contact/fixed_list.h"
#include "routh/contact/posed_hull.h"

namespace routh::internal {

// Faces whose normals lie within the angle of a manifold of the direction, around the vertex farthest along it, with
// their edges and vertices; where no face looks that way, the edges that do, or the vertex alone. Of a surface that is
// all but smooth, those nearest to the vertex.
struct HullPatch {
  static constexpr int max_faces = 48, max_edges = 128, max_vertices = 128;

  const PosedHull* hull = nullptr;
  int faces = 0, edges = 0, vertices = 0;
  std::array<int, max_faces> face;
  std::array<int, max_edges> edge;
  std::array<int, max_vertices> vertex;
};

HullPatch patch_towards(const PosedHull& hull, const Vector3& direction);

Edge edge_of(const PosedHull& hull, int edge);

// Whether the foot of a point lies on a face, with a slack for rounding.
bool covers(const PosedHull& hull, int face, const Vector3& foot, double slack);

// Contacts without a limit to their number but the pool's: to choose from.
class ContactPool {
 public:
  static constexpr int capacity = 256;
  // A face rests on this many of its corners at most.
  static constexpr int chosen = 8;

  // Unless a contact stands within `distance` of it already.
  void add(const PairContact& contact, double distance);
  void exchange();
  // Gives the manifold all, or, of more than `chosen`, the nearest and those that reach farthest in eight directions
  // fixed to the frame, across n.
  void give(const Matrix3& frame, const Vector3& n, Manifold& manifold) const;

  double least_gap() const { return least_; }
  std::span<const PairContact> contacts() const { return contacts_.span(); }

 private:
  double least_ = std::numeric_limits<double>::infinity();
  FixedList<PairContact, capacity> contacts_;
};

// All contacts of corners over faces, faces over corners, edges across edges and corners beside parallel edges whose
// own normals agree with n.
void add_patch_contacts(const HullPatch& a, const HullPatch& b, const Vector3& n, double size, ContactPool& pool);

// The same of one corner of a over the faces of b, and of edges of a across one edge of b.
void add_corner_on_faces(const Vector3& corner, Feature feature, const HullPatch& b, double size, ContactPool& pool);
void add_patch_on_edge(const HullPatch& a, const Edge& edge, const Vector3& n, double size, ContactPool& pool);

}  // namespace routh::internal
