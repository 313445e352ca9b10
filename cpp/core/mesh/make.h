// From samples to a field: its grid, how far each node is from the surface and which sample is
// nearest to it, then a spline or patches.

#ifndef MUJOCABLE_CORE_MESH_MAKE_H_
#define MUJOCABLE_CORE_MESH_MAKE_H_

#include <algorithm>
#include <functional>
#include <vector>

#include "core/mesh/field.h"
#include "core/mesh/sample.h"

namespace mujocable {

// calls visit(other, square) for all nodes no more than `reach` from one along each axis, itself
// too, with the square of their distance [cells^2]
template <typename Visit>
void VisitAround(const Grid& grid, std::int64_t node, int reach, const Visit& visit) {
  const std::array<int, 3> at = grid.Numbers(node);
  std::array<int, 3> low, high;
  for (int k = 0; k < 3; ++k) {
    low[k] = std::max(-reach, -at[k]);
    high[k] = std::min(reach, grid.n[k] - 1 - at[k]);
  }
  for (int x = low[0]; x <= high[0]; ++x) {
    for (int y = low[1]; y <= high[1]; ++y) {
      for (int z = low[2]; z <= high[2]; ++z) {
        visit(node + x * grid.Slab() + y * grid.Row() + z, x * x + y * y + z * z);
      }
    }
  }
}

// the sample nearest to every node: handed from node to node, forward and backward
std::vector<std::int32_t> NearestOf(const std::vector<Sample>& samples, const Grid& grid);

// Nodes around all samples, `cell` apart, with the nearest sample and the signed distance of each;
// false where there would be too many.
bool MakeGrid(const std::vector<Sample>& samples, double cell, MeshField& f);

// each node takes the largest of its neighbors
void Spread(const Grid& grid, std::vector<float>& known);

// Fills the coefficients of a field whose grid and distances are known: value and normal at the
// samples, as smooth as they let it. progress: called with the share that is done.
void FitSpline(const std::vector<Sample>& samples, MeshField& f,
               const std::function<void(double)>& progress);

// The field of a mesh that is all patches, moved out by the offset; false where it is not, or
// where some pair of neighbors does not meet without a jump.
bool MakePatchField(const MeshShape& shape, double offset, MeshField& f);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_MAKE_H_
