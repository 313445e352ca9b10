// The numbers and choices of a cable: attributes -> parameters, or a refusal (ConfigError).

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_PARAMETERS_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_PARAMETERS_H_

#include "plugin/configure/attributes.h"
#include "plugin/configure/config.h"

namespace mujocable {

void ReadFriction(const Attributes& a, CableConfig& c);
void ReadTakeUp(const Attributes& a, CableConfig& c);
void ReadAxial(const Attributes& a, CableConfig& c);  // after RouteHome, which finds the length
void ReadIntegration(const Attributes& a, CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_PARAMETERS_H_
