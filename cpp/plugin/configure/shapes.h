// Shapes of the surfaces of a route, and where everything stands at qpos0.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_SHAPES_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_SHAPES_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "core/bodies.h"
#include "plugin/configure/config.h"

namespace mujocable {

// depth of a groove that is not given, in radii of the wheel. Chosen: holds a fleet angle of 24
// degrees at the edge; test_grooves would notice.
inline constexpr double kGrooveDepth = 0.1;

struct Pose {
  Vec3 pos;
  Mat3 rot;
};

// Poses of all bodies at qpos0, from the model alone; then those of a site, and of the geom or the
// site that an element stands on.
std::vector<Pose> HomePoses(const mjModel* m);
Pose HomeSite(const mjModel* m, const std::vector<Pose>& home, int site);
Pose HomeOf(const mjModel* m, const std::vector<Pose>& home, const ElementConfig& e);

// the surface of a wrap at qpos0
Surface HomeSurface(const mjModel* m, const CableConfig& c, const ElementConfig& e,
                    const std::vector<Pose>& home);

// a wrap, but for its pose
WrapNode PrepareWrap(const mjModel* m, const CableConfig& c, const ElementConfig& e);

// The frames of a model at qpos0 that a cable refers to, as its driver sees them.
class HomeBodies {
 public:
  HomeBodies(const mjModel* m, const CableModel& c, const std::vector<Pose>& home);
  Bodies View() const;

 private:
  const mjModel* m_;
  std::vector<double> site_pos_, site_rot_, geom_pos_, geom_rot_;
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_SHAPES_H_
