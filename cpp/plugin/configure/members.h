// The cables of an instance by name: which of them its sensors show and its actuators drive.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_MEMBERS_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_MEMBERS_H_

#include "core/state.h"
#include "plugin/configure/attributes.h"

namespace mujocable {

// refuses an instance with a cable without a name or a name twice, and one with an actuator that
// drives none of them
void CheckMembers(const Attributes& a);

// Which cable a sensor of the instance shows, and what of it, nullptr: the whole record. False: a
// name after its last dot that is no field, or no cable of an instance that names its cables.
bool SensorShows(const Attributes& a, int sensor, int& member, const Field*& field);

// the actuator that drives the cable, -1: none; refuses several
int ActuatorOf(const Attributes& a);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_MEMBERS_H_
