// For every degree of freedom, those on the way from the world to it, itself last. Private to the module.
//
// The path of an ancestor is the beginning of the path of its descendant: vectors along paths line up.
#pragma once

#include <cstddef>
#include <vector>

#include "routh/model/model.h"

namespace routh {

struct DofPaths {
  explicit DofPaths(const Model& model) : begin{0} {
    for (std::size_t k = 0; k < model.dofs.size(); ++k) {
      const int parent = model.dofs[k].parent;
      if (parent >= 0) {
        const std::size_t from = begin[static_cast<std::size_t>(parent)],
                          to = begin[static_cast<std::size_t>(parent) + 1];
        for (std::size_t i = from; i < to; ++i) dofs.push_back(dofs[i]);
      }
      dofs.push_back(static_cast<int>(k));
      begin.push_back(dofs.size());
    }
  }

  std::size_t size(std::size_t k) const { return begin[k + 1] - begin[k]; }
  const int* path(std::size_t k) const { return dofs.data() + begin[k]; }

  std::vector<std::size_t> begin;  // of size n + 1
  std::vector<int> dofs;
};

}  // namespace routh
