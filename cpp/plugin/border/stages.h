// The stages of a step, each for all cables of a run.

#ifndef MUJOCABLE_PLUGIN_BORDER_STAGES_H_
#define MUJOCABLE_PLUGIN_BORDER_STAGES_H_

#include "plugin/step/mujoco_cable.h"

namespace mujocable {

// Instances of ours with no other plugin between. MuJoCo calls one after the other; the first does
// the work of all, so that cables of the same kind can be taken together.
struct Run {
  int begin, end;
};

// whether a run begins with this instance; if so, which
inline bool BeginsRun(const mjModel* m, int instance, Run& run) {
  const int ours = m->plugin[instance], n = static_cast<int>(m->nplugin);
  if (instance > 0 && m->plugin[instance - 1] == ours) return false;
  run = {instance, instance + 1};
  while (run.end < n && m->plugin[run.end] == ours) ++run.end;
  return true;
}

// Passive: positions and velocities are known: the path, and the load of cables that wait for no
// command. Actuation: commands are known: the load of the others.
void TakeStage(const mjModel* m, mjData* d, const Run& run, Stage stage);
// the step is taken
void EndOfStep(const mjModel* m, mjData* d, const Run& run);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_BORDER_STAGES_H_
