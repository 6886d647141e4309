// COLLADA (.dae) through assimp.
#include "routh/base/error.h"
#include "routh/mesh/mesh_file.h"

#ifdef ROUTH_ASSIMP

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>
#include <cmath>
#include <filesystem>

namespace routh::internal {

namespace {

// Adds the meshes of a node and those below it, placed by the transformations on the way.
void add_node(const aiScene& scene, const aiNode& node, const aiMatrix4x4& above, TriangleMesh& mesh,
              const std::string& path) {
  const aiMatrix4x4 here = above * node.mTransformation;
  for (unsigned i = 0; i < node.mNumMeshes; ++i) {
    const aiMesh& part = *scene.mMeshes[node.mMeshes[i]];
    const int first = static_cast<int>(mesh.vertices.size());
    if (mesh.triangles.size() + part.mNumFaces > max_mesh_triangles)
      throw InputError({path, 0, 0}, fmt::format("the mesh has more than {} triangles", max_mesh_triangles),
                       "reduce it");
    for (unsigned k = 0; k < part.mNumVertices; ++k) {
      const aiVector3D v = here * part.mVertices[k];
      if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
        throw InputError({path, 0, 0}, fmt::format("vertex {} is not finite", k), "export the mesh again");
      mesh.vertices.push_back({static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)});
    }
    for (unsigned k = 0; k < part.mNumFaces; ++k) {
      const aiFace& face = part.mFaces[k];
      if (face.mNumIndices != 3) continue;  // points and lines
      std::array<int, 3> triangle{};
      for (unsigned j = 0; j < 3; ++j) triangle[j] = first + static_cast<int>(face.mIndices[j]);
      mesh.triangles.push_back(triangle);
    }
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i) add_node(scene, *node.mChildren[i], here, mesh, path);
}

}  // namespace

bool reads_collada() { return true; }

// As in ROS the up axis is not applied: assimp would turn the model so that y is up.
TriangleMesh read_collada(const std::string& path) {
  mesh_file_size(path);
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate);
  if (!scene || !scene->mRootNode)
    throw InputError({path, 0, 0},
                     fmt::format("COLLADA is not understood: {}", printable(importer.GetErrorString(), 200)),
                     "export the mesh again, or convert it to STL or OBJ");
  TriangleMesh mesh;
  add_node(*scene, *scene->mRootNode, aiMatrix4x4(), mesh, path);
  if (mesh.vertices.empty()) throw InputError({path, 0, 0}, "the file holds no mesh", "export it again");
  return mesh;
}

}  // namespace routh::internal

#else

namespace routh::internal {

bool reads_collada() { return false; }

TriangleMesh read_collada(const std::string& path) {
  throw InputError({path, 0, 0}, "this build of Routh does not read COLLADA (.dae)",
                   "convert it to STL or OBJ, or install libassimp-dev and build again");
}

}  // namespace routh::internal

#endif
