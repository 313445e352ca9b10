// Callbacks of the engine plugin.

#include <mujoco/mjplugin.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/cable.h"
#include "plugin/border/exports.h"
#include "plugin/border/shown.h"
#include "plugin/border/stages.h"
#include "plugin/configure/attributes.h"
#include "plugin/configure/build.h"
#include "plugin/configure/members.h"
#include "plugin/configure/registry.h"
#include "plugin/engine.h"

namespace mujocable {
namespace {

int StateCount(const mjModel* m, int instance) {
  int size = 0;
  for (Attributes a(m, instance); a.member < a.size(); ++a.member) {
    int ncontact, nwrap;
    CountElements(a, ncontact, nwrap);
    size += StateSize(ncontact, nwrap);
  }
  return size;
}

int SensorSize(const mjModel* m, int instance, int sensor) {
  int ncontact, nwrap;
  const Field* field;
  Attributes a(m, instance);
  if (!SensorShows(a, sensor, a.member, field)) return 1;  // refused by Init, which can say why
  CountElements(a, ncontact, nwrap);
  return field ? field->Size(ncontact, nwrap) : RecordSize(ncontact, nwrap);
}

// How many cables share trees with each of this instance. MuJoCo initializes instances one after
// the other and resets states later: the first one reads all routes, once, and leaves the numbers
// in the states, where each cable has more than one.
const double* SharingAtInit(const mjModel* m, mjData* d, int instance) {
  const int plugin = m->plugin[instance], n = static_cast<int>(m->nplugin);
  if (std::find(m->plugin, m->plugin + n, plugin) == m->plugin + instance) {
    const std::vector<std::vector<int>> sharing = CountSharing(m, plugin);
    for (int i = instance; i < n; ++i) {
      std::ranges::copy(sharing[i], d->plugin_state + m->plugin_stateadr[i]);
    }
  }
  return d->plugin_state + m->plugin_stateadr[instance];
}

int Init(const mjModel* m, mjData* d, int instance) {
  Instance built;
  std::string error;
  if (!BuildInstance(m, instance, built, error, SharingAtInit(m, d, instance))) {
    mju_warning("%s", error.c_str());
    return -1;
  }
  d->plugin_data[instance] = Intern(built);
  if (!d->plugin_data[instance]) {
    mju_warning("cable '%s': too many different cables in this process",
                built.cables[0].name.c_str());
    return -1;
  }
  return 0;
}

void Destroy(mjData* d, int instance) { d->plugin_data[instance] = 0; }

void Copy(mjData* dest, const mjModel*, const mjData* src, int instance) {
  dest->plugin_data[instance] = src->plugin_data[instance];
}

void ResetStates(const Instance& instance, mjtNum* plugin_state) {
  for (const CableConfig& c : instance.cables) ResetState(c, plugin_state + c.state_adr);
}

void Reset(const mjModel* m, mjtNum* plugin_state, void* plugin_data, int instance) {
  const Instance* known = Lookup(reinterpret_cast<uintptr_t>(plugin_data));
  if (known && SameModel(m, instance, *known)) return ResetStates(*known, plugin_state);
  // a simulation with a model of its own starts as that model says
  Instance built;
  std::string error;
  if (!BuildInstance(m, instance, built, error)) {
    mju_warning("%s; its instance pulls nothing", error.c_str());
    std::fill(plugin_state, plugin_state + m->plugin_statenum[instance], 0.0);
    return;
  }
  // other numbers alone go into the state
  if (known && built.structure == known->structure) {
    for (CableConfig& c : built.cables) c.fingerprint = known->fingerprint;
  }
  ResetStates(built, plugin_state);
}

void Compute(const mjModel* m, mjData* d, int instance, int capability) {
  Run run;
  if (!BeginsRun(m, instance, run)) return;
  if (capability & mjPLUGIN_PASSIVE) {
    TakeStage(m, d, run, Stage::kPassive);
  } else if (capability & mjPLUGIN_ACTUATOR) {
    TakeStage(m, d, run, Stage::kActuation);
  }
}

void Advance(const mjModel* m, mjData* d, int instance) {
  Run run;
  if (BeginsRun(m, instance, run)) EndOfStep(m, d, run);
}

void Visualize(const mjModel* m, mjData* d, const mjvOption* options, mjvScene* scene,
               int instance) {
  const Instance* found = FindInstance(m, d, instance);
  if (!found) return;
  for (const CableConfig& c : found->cables) DrawCable(m, d, options, scene, {instance, &c});
}

// registers with MuJoCo; returns why not, "" on success
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

}  // namespace
}  // namespace mujocable

mjPLUGIN_LIB_INIT(mujocable) { mujocable::register_error = mujocable::RegisterPlugin(); }
