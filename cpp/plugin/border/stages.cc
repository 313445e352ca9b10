#include "plugin/border/stages.h"

#include <algorithm>

#include "plugin/ask.h"
#include "plugin/configure/ahead.h"
#include "plugin/configure/registry.h"
#include "plugin/couple/couple.h"
#include "plugin/step/mujoco_cable.h"

namespace mujocable {
namespace {

// whether a stage ends with this run, and may leave tensions to be found together
bool Couples(const mjModel* m, const Run& run) {
  const int* end = m->plugin + m->nplugin;
  return CouplingIntegrator(m) && std::find<const int*>(m->plugin + run.end, end, m->plugin[run.begin]) == end;
}

void Passive(const mjModel* m, mjData* d, int instance, const CableConfig& c) {
  Scratch scratch(d);
  MujocoCable cable(m, d, instance, c, scratch);
  cable.cable().Locate();
  if (c.actuator >= 0) {
    const bool off = m->opt.disableflags & mjDSBL_ACTUATION;
    off ? cable.Rest() : cable.cable().Await();
  } else if (c.tendon >= 0) {
    cable.ApplyTendonPassive();  // until its actuators are known
  } else {
    cable.ApplyPassive();
  }
  cable.Show();
}

void Actuate(const mjModel* m, mjData* d, int instance, const CableConfig& c) {
  Scratch scratch(d);
  MujocoCable cable(m, d, instance, c, scratch);
  if (c.Actuated()) {
    if (!cable.Located()) cable.cable().Locate();
    c.tendon >= 0 ? cable.ApplyTendonActuators() : cable.ApplyActuator();
  } else {
    cable.Evaluate();
  }
  cable.Show();
}

}  // namespace

void PassiveStage(const mjModel* m, mjData* d, const Run& run) {
  for (int i = run.begin; i < run.end; ++i) {
    AskForNext(m, d, i);
    const CableConfig* c = FindConfig(m, d, i);
    if (!c) continue;
    BeginEvaluation(m, d, *c);
    Passive(m, d, i, *c);
  }
  if (Couples(m, run)) CouplePassive(m, d, m->plugin[run.begin]);
}

void ActuationStage(const mjModel* m, mjData* d, const Run& run) {
  const bool first = !PassiveEnabled(m);  // of the stages that are called
  for (int i = run.begin; i < run.end; ++i) {
    const CableConfig* c = FindConfig(m, d, i, !first);
    if (!c) continue;
    if (first) BeginEvaluation(m, d, *c);
    if (c->Actuated() || first) Actuate(m, d, i, *c);
  }
  if (Couples(m, run)) CoupleActuation(m, d, m->plugin[run.begin]);
}

void EndOfStep(const mjModel* m, mjData* d, const Run& run) {
  for (int i = run.begin; i < run.end; ++i) {
    const CableConfig* c = FindConfig(m, d, i, /*compared=*/true);
    if (c) AdvanceState(m, d, i, *c);
  }
}

}  // namespace mujocable
