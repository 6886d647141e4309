// From a model to what the other engines get.
#pragma once

#include "peers/tree.h"
#include "routh/model/model.h"

namespace peers {

// The bodies of the model must be in depth-first order, as the engines number them.
Tree make_tree(const routh::Model& model, const std::string& foot, const routh::Vector3& foot_point);

}  // namespace peers
