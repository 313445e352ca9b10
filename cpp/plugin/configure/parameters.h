// The numbers and choices of a cable: attributes -> parameters, or a refusal (ConfigError).

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_PARAMETERS_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_PARAMETERS_H_

#include "plugin/configure/config.h"

namespace mujocable {

// a number, checked against a lower bound; `fallback` when absent
double ReadNumber(const mjModel* m, int instance, const char* key, double fallback, double lower,
                  bool strict, bool finite = true);

// one of a list of words, by position
int ReadChoice(const mjModel* m, int instance, const char* key,
               const std::vector<std::string>& choices);

void ReadFriction(const mjModel* m, int instance, CableConfig& c);

// joint: of a spool given by reference, -1: none
void ReadTakeUp(const mjModel* m, int instance, int joint, CableConfig& c);

// after RouteHome, which finds the length at home
void ReadAxial(const mjModel* m, int instance, CableConfig& c);

void ReadIntegration(const mjModel* m, int instance, CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_PARAMETERS_H_
