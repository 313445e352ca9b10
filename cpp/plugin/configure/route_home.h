// The path at qpos0: whether the route can start, and what the solver remembers of it.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_HOME_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_HOME_H_

#include "plugin/configure/config.h"

namespace mujocable {

// Fills nodes, home length and the memory of the wraps; refuses a route that has no path.
void RouteHome(const mjModel* m, CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_HOME_H_
