// mjModel and mjData -> core: poses, velocities.

#ifndef MUJOCABLE_PLUGIN_FRAMES_H_
#define MUJOCABLE_PLUGIN_FRAMES_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <vector>

#include "config.h"
#include "core/kinematics.h"

namespace mujocable {

// depth of a groove that is not given, in radii of the wheel. Chosen: holds a fleet angle of 24
// degrees at the edge; test_grooves would notice.
inline constexpr double kGrooveDepth = 0.1;

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

// turn about a cylinder that coaxial hinges explain, as in Wrap
inline double HingeBias(const mjModel* m, const mjData* d, const WrapNode& w) {
  double bias = 0;
  for (const Hinge& h : w.hinges) bias += h.sign * (d->qpos[h.qpos] - m->qpos0[h.qpos]);
  return bias;
}

// the cylinder or sphere of a simple route where its body is now
MUJOCABLE_INLINE inline RoundSurface PoseSimple(const mjModel* m, const mjData* d,
                                                const CableConfig& c) {
  const int geom = c.simple.geom;
  const mjtNum* size = m->geom_size + 3 * geom;
  RoundSurface s;
  s.kind = c.simple.kind;
  s.radius = size[0] + c.radius;
  s.half_length = size[1];  // of a cylinder
  s.pos = Load(d->geom_xpos + 3 * geom);
  std::copy_n(d->geom_xmat + 9 * geom, 9, s.rot.m);
  return s;
}

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

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_FRAMES_H_
