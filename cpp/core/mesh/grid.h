// The grid of a field: where its nodes are, how far each is from the surface, which sample is
// nearest to it.

#ifndef MUJOCABLE_CORE_MESH_GRID_H_
#define MUJOCABLE_CORE_MESH_GRID_H_

#include <vector>

#include "core/mesh/field.h"
#include "core/mesh/sample.h"

namespace mujocable {

inline std::int64_t Nodes(const MeshField& f) { return std::int64_t{f.n[0]} * f.n[1] * f.n[2]; }

inline Vec3 NodeAt(const MeshField& f, std::int64_t index) {
  const std::int64_t z = index % f.n[2], y = index / f.n[2] % f.n[1], x = index / f.n[2] / f.n[1];
  return f.origin + Vec3{x * f.cell, y * f.cell, z * f.cell};
}

// nodes around all samples, `cell` apart
void MakeGrid(const std::vector<Sample>& samples, double cell, MeshField& f);

// the sample nearest to every node: handed from node to node, forward and backward
void FindNearest(const std::vector<Sample>& samples, MeshField& f);

// Signed distance at the nodes. Near the surface the side is that of the nearest sample's plane;
// elsewhere what the border reaches is outside.
void FindDistances(const std::vector<Sample>& samples, MeshField& f);

// each node takes the largest of its neighbors
void Spread(const MeshField& f, std::vector<float>& known);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_GRID_H_
