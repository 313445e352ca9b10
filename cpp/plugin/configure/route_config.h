// The three ways to author a route: explicit string, seed tendon, tuple of references.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CONFIG_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CONFIG_H_

#include "plugin/configure/attributes.h"
#include "plugin/configure/config.h"

namespace mujocable {

// Elements of the route with their options: one for each contact that a wrap may have, two of a
// sheath.
std::vector<ElementConfig> ReadRoute(const Attributes& a);

// the joint of a spool or the tendon to carry, by key or by reference in the tuple; -1: none
int ReferredTo(const Attributes& a, mjtObj type, const char* key);

// "wrap 2 'pulley'" for messages
std::string Describe(const mjModel* m, const ElementConfig& e);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CONFIG_H_
