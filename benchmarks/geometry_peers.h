// Other libraries on the same geometry: distances of hulls, and which of many spheres are near each other.
#pragma once

#include <memory>
#include <vector>

#include "routh/contact/geometry.h"

namespace bench {

class DistancePeer {
 public:
  virtual ~DistancePeer() = default;
  virtual const char* name() const = 0;
  // A pair of hulls; the number of pairs before it is its index.
  virtual void add(const routh::Polyhedron& a, const routh::Polyhedron& b) = 0;
  // Least distance, or less the depth where they overlap and the library tells it; with the nearest points.
  virtual double distance(std::size_t pair, const routh::Pose& a, const routh::Pose& b) = 0;
};

class BroadPeer {
 public:
  virtual ~BroadPeer() = default;
  virtual const char* name() const = 0;
  // Moves the spheres and returns how many pairs of their boxes overlap.
  virtual std::size_t pairs(const std::vector<routh::Vector3>& centres) = 0;
};

// Null where the library was not there at build time. Spheres have boxes larger by `margin`/2 on every side.
std::unique_ptr<DistancePeer> fcl_distances();
std::unique_ptr<DistancePeer> bullet_distances();
std::unique_ptr<BroadPeer> fcl_broad_phase(double radius, double margin, std::size_t count);
std::unique_ptr<BroadPeer> bullet_broad_phase(double radius, double margin, std::size_t count);

}  // namespace bench
