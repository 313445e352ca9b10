// Whether the elements of a route can be what they are, one by one and beside each other.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CHECK_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CHECK_H_

#include "plugin/configure/config.h"

namespace mujocable {

// Checks every element and finds its body, its mesh, and the fixed nodes that ride on a drum.
void CheckRoute(const mjModel* m, CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CHECK_H_
