// The steps by which the strings of an instance become a configuration, as BuildInstance calls
// them. Each fills its part, or throws a ConfigError: what was found, what is accepted.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_BUILD_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_BUILD_H_

#include <string>
#include <vector>

#include "core/bodies.h"
#include "core/mesh/field.h"
#include "plugin/configure/attributes.h"
#include "plugin/configure/config.h"

namespace mujocable {

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

// Elements of the route with their options, read in one of three ways (explicit string, seed
// tendon, tuple of references): one for each contact that a wrap may have, two of a sheath.
std::vector<ElementConfig> ReadRoute(const Attributes& a);

// contacts and wraps of a route, as far as they are known; false when there is no route
bool CountElements(const Attributes& a, int& ncontact, int& nwrap);

// Checks every element, by itself and beside the others; finds its shape, and the fixed nodes that
// ride on a drum.
void CheckRoute(const mjModel* m, const Home& home, CableConfig& c);

void ReadFriction(const Attributes& a, CableConfig& c);
void ReadTakeUp(const Attributes& a, CableConfig& c);

// Fills nodes, home length and the memory of the wraps; refuses a route that has no path at qpos0.
void RouteHome(const mjModel* m, Home& home, CableConfig& c);

void ReadAxial(const Attributes& a, CableConfig& c);  // after RouteHome, which finds the length
void ReadIntegration(const Attributes& a, CableConfig& c);

// How much the bodies of a cable can give way to it: the sum over its dofs of their mobility at
// qpos0 times the square of how far each can change the lengths of all segments, added up. An upper
// bound that holds in every pose, but for slides [1/kg]. The same of each segment alone: its
// levers, infinite where a slide makes one longer. And what of that changes with the masses.
void FindLevers(const mjModel* m, const Home& home, CableConfig& c);

// How many cables load the same kinematic trees, for every cable of every instance of a plugin,
// itself included: what each of them undoes within a step adds up. Each route is read once, however
// many there are. Other instances have none; a route that cannot be read shares nothing.
std::vector<std::vector<int>> CountSharing(const mjModel* m, int plugin);

// ---- for several of them

// the surface of a wrap from its geom and its options, but for its pose
void SetShape(const mjModel* m, double cable_radius, ElementConfig& e);

// The field of a mesh at the given cable radius and rounding [m]; nullptr and the reason when the
// mesh is no boundary of a solid or cannot be fitted. Never freed.
//   MUJOCABLE_CACHE      folder for all fitted meshes instead of the user's cache; "off": none
//   MUJOCABLE_PROGRESS   "off": nothing is shown while a mesh takes more than a second
const MeshField* CompileMesh(const mjModel* m, int mesh, double offset, double rounding,
                             std::string& error);

// the joint of a spool or the tendon to carry, by key or by reference in the tuple; -1: none
int ReferredTo(const Attributes& a, mjtObj type, const char* key);

// "wrap 2 'pulley'" for messages
std::string Describe(const mjModel* m, const ElementConfig& e);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_BUILD_H_
