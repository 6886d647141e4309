// For every degree of freedom, those on the way from the world to it, itself last. Private to the module.
//
// The path of an ancestor is the beginning of the path of its descendant: vectors along paths line up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "routh/model/model.h"

namespace routh::internal {

struct DofPaths {
  explicit DofPaths(const Model& model)
      : DofPaths(model.dofs.size(), [&](std::size_t k) { return model.dofs[k].parent; }) {}
  // Of any forest, in which parents come before children.
  explicit DofPaths(std::span<const int> parents)
      : DofPaths(parents.size(), [&](std::size_t k) { return parents[k]; }) {}

  std::size_t size(std::size_t k) const { return begin[k + 1] - begin[k]; }
  const int* path(std::size_t k) const { return dofs.data() + begin[k]; }

  std::vector<std::size_t> begin;  // of size n + 1
  std::vector<int> dofs;

 private:
  template <class Parent>
  DofPaths(std::size_t n, const Parent& parent) : begin(n + 1, 0) {
    for (std::size_t k = 0; k < n; ++k)
      begin[k + 1] = begin[k] + 1 + (parent(k) < 0 ? 0 : size(static_cast<std::size_t>(parent(k))));
    dofs.resize(begin[n]);
    for (std::size_t k = 0; k < n; ++k) {
      int* const to = dofs.data() + begin[k];
      if (parent(k) >= 0) std::copy_n(path(static_cast<std::size_t>(parent(k))), size(k) - 1, to);
      to[size(k) - 1] = static_cast<int>(k);
    }
  }
};

}  // namespace routh::internal
