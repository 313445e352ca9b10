// Picture of a cable in every MuJoCo viewer: the solved path, colored by tension.

#ifndef MUJOCABLE_PLUGIN_BORDER_VISUAL_H_
#define MUJOCABLE_PLUGIN_BORDER_VISUAL_H_

#include <mujoco/mujoco.h>

#include "plugin/configure/config.h"

namespace mujocable {

void DrawCable(const mjModel* m, mjData* d, const mjvOption* options, mjvScene* scene, int instance,
               const CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_BORDER_VISUAL_H_
