// Mesh -> field: a spline fitted to vertices and normals by least squares, once per model.

#ifndef MUJOCABLE_CORE_MESH_FIT_H_
#define MUJOCABLE_CORE_MESH_FIT_H_

#include <functional>
#include <string>

#include "core/mesh/field.h"
#include "core/mesh/mesh.h"

namespace mujocable {

struct FitOptions {
  double offset = 0;    // the surface runs this far outside the mesh: the cable's radius   [m]
  double rounding = 0;  // of sharp edges, inside the mesh; 0: as little as the grid resolves [m]
  double cell = 0;      // spacing of the grid; 0: as the mesh asks for                     [m]
  bool patches = true;  // exact surfaces where the mesh consists of them; false: always a spline
  std::function<void(double)> progress;  // called with the share that is done
};

// The field of a welded mesh without faults. Why there is none; "" when there is.
std::string FitField(const TriangleMesh& mesh, const FitOptions& options, MeshField& field);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_FIT_H_
