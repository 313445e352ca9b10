// The three ways to author a route: explicit string, seed tendon, tuple of references.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CONFIG_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CONFIG_H_

#include "plugin/configure/config.h"
#include "plugin/configure/words.h"

namespace mujocable {

// value of a key, "" when absent
std::string ConfigValue(const mjModel* m, int instance, const char* key);

// id of a named object, trying the prefix and suffix that an attach gave this instance; names the
// existing ones when there is none
int FindObject(const mjModel* m, int instance, int type, const std::string& name,
               const std::string& what);

// Elements of the route with their options; `joint` receives a spool joint given by reference.
std::vector<ElementConfig> ReadRoute(const mjModel* m, int instance, int& joint);

// the tendon of MuJoCo whose pull a cable carries, by key or by reference; -1: none
int TendonOf(const mjModel* m, int instance);

// "wrap 2 'pulley'" for messages
std::string Describe(const mjModel* m, const std::vector<ElementConfig>& elements, int i);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_ROUTE_CONFIG_H_
