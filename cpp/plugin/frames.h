// mjModel and mjData -> core: poses, velocities; core -> mjData: generalized loads.

#ifndef MUJOCABLE_PLUGIN_FRAMES_H_
#define MUJOCABLE_PLUGIN_FRAMES_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "config.h"
#include "core/kinematics.h"
#include "scratch.h"

namespace mujocable {

struct Pose {
  Vec3 pos;
  Mat3 rot;
};

Pose Compose(const Pose& parent, const Pose& child);
Pose LocalGeom(const mjModel* m, int geom);

// poses of all bodies at qpos0, from the model alone
std::vector<Pose> HomePoses(const mjModel* m);

// the surface of a wrap at qpos0
Surface HomeSurface(const mjModel* m, const CableConfig& c, const ElementConfig& e,
                    const std::vector<Pose>& home);

// a wrap, but for its pose
WrapNode PrepareWrap(const mjModel* m, const CableConfig& c, const ElementConfig& e);

// elements of a cable at qpos0; wraps: room for nwrap, elements point there
void PoseAtHome(const mjModel* m, const CableConfig& c, const std::vector<Pose>& home, Wrap* wraps,
                Element* elements);

// a wrap where its body is now
Wrap PoseWrap(const mjModel* m, const mjData* d, const CableConfig& c, const WrapNode& w);

// elements of a cable where the bodies are now
void PoseElements(const mjModel* m, const mjData* d, const CableConfig& c, Wrap* wraps,
                  Element* elements);

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

// Sum over the dofs of a cable of value^2 times their mobility at qpos0; four sums at a time, since
// each waits for the one before.
inline double MobilityAlong(const mjModel* m, const CableConfig& c, const double* value) {
  const int n = static_cast<int>(c.dofs.size());
  const int* dof = c.dofs.data();
  const auto term = [&](int i) { return value[i] * value[i] * m->dof_invweight0[dof[i]]; };
  double sum[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int j = 0; j < 4; ++j) sum[j] += term(i + j);
  }
  for (; i < n; ++i) sum[i % 4] += term(i);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Generalized load of the tensions in `record`, one entry per dof of the cable: per-body wrenches,
// then one backward pass over the touched bodies (18).
template <typename Count>
void GeneralizedLoad(const mjData* d, const CableConfig& c, const BasicRecord<Count>& record,
                     Scratch& scratch, double* load);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_FRAMES_H_
