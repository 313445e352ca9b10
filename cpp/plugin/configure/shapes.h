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

// Where everything of a model stands at qpos0, from the model alone.
class Home {
 public:
  explicit Home(const mjModel* m);
  const Pose& Body(int body) const { return body_[body]; }
  Pose Site(int site) const;
  Pose Geom(int geom) const;
  Pose Of(const ElementConfig& e) const { return e.OnGeom() ? Geom(e.frame) : Site(e.frame); }
  // what a cable refers to, as its driver sees it; valid until the next call
  Bodies View(const CableConfig& c);

 private:
  const mjModel* m_;
  std::vector<Pose> body_;
  std::vector<double> site_pos_, site_rot_, geom_pos_, geom_rot_;
};

// the surface of a wrap from its geom and its options, but for its pose
void SetShape(const mjModel* m, double cable_radius, ElementConfig& e);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_SHAPES_H_
