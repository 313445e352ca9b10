// From samples to a field: its grid, how far each node is from the surface and which sample is
// nearest to it, then a spline or patches.

#ifndef MUJOCABLE_CORE_MESH_MAKE_H_
#define MUJOCABLE_CORE_MESH_MAKE_H_

#include <functional>
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

// Fills the coefficients of a field whose grid and distances are known: value and normal at the
// samples, as smooth as they let it. progress: called with the share that is done, or empty.
void FitSpline(const std::vector<Sample>& samples, const std::function<void(double)>& progress,
               MeshField& f);

// The field of a mesh that is all patches, moved out by the offset; false where it is not, or
// where some pair of neighbors does not meet without a jump.
bool MakePatchField(const MeshShape& shape, double offset, MeshField& f);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_MAKE_H_
