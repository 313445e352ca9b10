// Callbacks of the engine plugin.

#include "plugin/border/cable_plugin.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/cable.h"
#include "plugin/border/shown.h"
#include "plugin/border/stages.h"
#include "plugin/configure/attributes.h"
#include "plugin/configure/build.h"
#include "plugin/configure/registry.h"
#include "plugin/engine.h"

namespace mujocable {
namespace {

int StateCount(const mjModel* m, int instance) {
  int ncontact = 0, nwrap = 0;
  CountElements(m, instance, ncontact, nwrap);
  return StateSize(ncontact, nwrap);
}

int SensorSize(const mjModel* m, int instance, int sensor) {
  int ncontact = 0, nwrap = 0;
  CountElements(m, instance, ncontact, nwrap);
  const Field* field;
  if (!SensorField(m, sensor, field)) return 1;  // refused by Init, which can say why
  return field ? field->Size(ncontact, nwrap) : RecordSize(ncontact, nwrap);
}

// How many cables share trees with this one. MuJoCo initializes instances one after the other and
// resets states later: the first cable reads all routes, once, and leaves the numbers in the
// states.
int SharingAtInit(const mjModel* m, mjData* d, int instance) {
  const int plugin = m->plugin[instance], n = static_cast<int>(m->nplugin);
  const auto left = [&](int i) -> double& { return d->plugin_state[m->plugin_stateadr[i]]; };
  if (std::find(m->plugin, m->plugin + n, plugin) == m->plugin + instance) {
    const std::vector<int> sharing = CountSharing(m, plugin);
    for (int i = instance; i < n; ++i) {
      if (m->plugin[i] == plugin) left(i) = sharing[i];
    }
  }
  return static_cast<int>(left(instance));
}

int Init(const mjModel* m, mjData* d, int instance) {
  CableConfig config;
  std::string error;
  if (!BuildConfig(m, instance, config, error, SharingAtInit(m, d, instance))) {
    mju_warning("%s", error.c_str());
    return -1;
  }
  d->plugin_data[instance] = Intern(config);
  if (!d->plugin_data[instance]) {
    mju_warning("cable '%s': too many different cables in this process", config.name.c_str());
    return -1;
  }
  return 0;
}

void Destroy(mjData* d, int instance) { d->plugin_data[instance] = 0; }

void Copy(mjData* dest, const mjModel*, const mjData* src, int instance) {
  dest->plugin_data[instance] = src->plugin_data[instance];
}

void Reset(const mjModel* m, mjtNum* plugin_state, void* plugin_data, int instance) {
  const CableConfig* c = Lookup(reinterpret_cast<uintptr_t>(plugin_data));
  if (c && SameModel(m, instance, *c)) {
    ResetState(*c, plugin_state);
    return;
  }
  // a simulation with a model of its own starts as that model says
  CableConfig config;
  std::string error;
  if (BuildConfig(m, instance, config, error)) {
    // other numbers alone go into the state
    if (c && config.structure == c->structure) config.fingerprint = c->fingerprint;
    ResetState(config, plugin_state);
  } else {
    std::fill(plugin_state, plugin_state + m->plugin_statenum[instance], 0.0);
  }
}

void Compute(const mjModel* m, mjData* d, int instance, int capability) {
  Run run;
  if (!BeginsRun(m, instance, run)) return;
  if (capability & mjPLUGIN_PASSIVE) {
    PassiveStage(m, d, run);
  } else if (capability & mjPLUGIN_ACTUATOR) {
    ActuationStage(m, d, run);
  }
}

void Advance(const mjModel* m, mjData* d, int instance) {
  Run run;
  if (BeginsRun(m, instance, run)) EndOfStep(m, d, run);
}

void Visualize(const mjModel* m, mjData* d, const mjvOption* options, mjvScene* scene,
               int instance) {
  if (const CableConfig* c = FindConfig(m, d, instance))
    DrawCable(m, d, options, scene, instance, *c);
}

}  // namespace

const char* RegisterPlugin() {
  if (mj_version() != mjVERSION_HEADER) {
    return "built for another version of MuJoCo than the one that is loaded";
  }
  static const char* keys[kAttributeCount];
  for (int i = 0; i < kAttributeCount; ++i) keys[i] = kAttributes[i].key;
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = kPluginName;
  plugin.nattribute = kAttributeCount;
  plugin.attributes = keys;
  plugin.capabilityflags = mjPLUGIN_PASSIVE | mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR;
  plugin.needstage = kNoSensorStage;
  plugin.nstate = StateCount;
  plugin.nsensordata = SensorSize;
  plugin.init = Init;
  plugin.destroy = Destroy;
  plugin.copy = Copy;
  plugin.reset = Reset;
  plugin.compute = Compute;
  plugin.advance = Advance;
  plugin.visualize = Visualize;
  mjp_registerPlugin(&plugin);
  return "";
}

}  // namespace mujocable
