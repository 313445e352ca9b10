// mjModel and mjData -> core: poses, velocities.

#ifndef MUJOCABLE_PLUGIN_STEP_FRAMES_H_
#define MUJOCABLE_PLUGIN_STEP_FRAMES_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <vector>

#include "core/law/kinematics.h"
#include "plugin/configure/shapes.h"

namespace mujocable {

// turn about a cylinder that coaxial hinges explain, as in Wrap
inline double HingeBias(const mjModel* m, const mjData* d, const WrapNode& w) {
  double bias = 0;
  for (const Hinge& h : w.hinges) bias += h.sign * (d->qpos[h.qpos] - m->qpos0[h.qpos]);
  return bias;
}

// a wrap where its body is now
Wrap PoseWrap(const mjModel* m, const mjData* d, const CableConfig& c, const WrapNode& w);

// elements of a cable where the bodies are now
void PoseElements(const mjModel* m, const mjData* d, const CableConfig& c, Wrap* wraps,
                  Sheath* sheaths, Element* elements);

// velocities of the bodies that own the elements
struct Velocities {
  const mjData* d;
  const CableConfig& c;
  MUJOCABLE_INLINE Twist operator[](int i) const {
    const Node& node = c.nodes[i];
    if (!node.moves) return {nullptr, nullptr, nullptr};
    const double* cvel = d->cvel + 6 * node.body;
    return {cvel, cvel + 3, d->subtree_com + 3 * node.root};
  }
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_FRAMES_H_
