// Meshes of a model -> fields, each fitted once: kept by content for the life of the process and,
// where fitting took a while, in a folder of the user.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_MESH_CACHE_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_MESH_CACHE_H_

#include <mujoco/mujoco.h>

#include <string>

#include "core/mesh/field.h"

namespace mujocable {

// The field of a mesh at the given cable radius and rounding [m]; nullptr and the reason when the
// mesh is no boundary of a solid or cannot be fitted. Never freed.
//   MUJOCABLE_CACHE      folder for all fitted meshes instead of the user's cache; "off": none
//   MUJOCABLE_PROGRESS   "off": nothing is shown while a mesh takes more than a second
const MeshField* CompileMesh(const mjModel* m, int mesh, double offset, double rounding,
                             std::string& error);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_MESH_CACHE_H_
