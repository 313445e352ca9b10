// The route of a cable: read in one of three ways (explicit string, seed tendon, tuple of
// references), checked, and solved at home.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CONFIG_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CONFIG_H_

#include "plugin/configure/attributes.h"
#include "plugin/configure/shapes.h"

namespace mujocable {

// Elements of the route with their options: one for each contact that a wrap may have, two of a
// sheath.
std::vector<ElementConfig> ReadRoute(const Attributes& a);

// Checks every element, by itself and beside the others; finds its mesh, and the fixed nodes that
// ride on a drum.
void CheckRoute(const mjModel* m, const Home& home, CableConfig& c);

// Fills nodes, home length and the memory of the wraps; refuses a route that has no path at qpos0.
void RouteHome(const mjModel* m, Home& home, CableConfig& c);

// the joint of a spool or the tendon to carry, by key or by reference in the tuple; -1: none
int ReferredTo(const Attributes& a, mjtObj type, const char* key);

// "wrap 2 'pulley'" for messages
std::string Describe(const mjModel* m, const ElementConfig& e);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CONFIG_H_
