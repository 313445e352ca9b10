// A cable as it stands, for whoever only looks: its record as MuJoCo's sensor shows it.

#ifndef MUJOCABLE_PLUGIN_BORDER_SHOWN_H_
#define MUJOCABLE_PLUGIN_BORDER_SHOWN_H_

#include "plugin/ask.h"
#include "plugin/step/mujoco_cable.h"

namespace mujocable {

// The record from sensordata; evaluated anew, and aside, where no sensor has it.
class ShownCable {
 public:
  ShownCable(const mjModel* m, mjData* d, const Member& member)
      : world_(m, d),
        scratch_(d),
        cable_(world_, member, scratch_,
               IsShown(m, *member.config) ? MujocoCable::Use::kRead : MujocoCable::Use::kAside) {
    if (!IsShown(m, *member.config)) cable_.Evaluate();
  }
  const Record& record() const { return cable_.record(); }
  Cable& cable() { return cable_.cable(); }
  Scratch& scratch() { return scratch_; }

 private:
  static bool IsShown(const mjModel* m, const CableConfig& c) {
    return c.record_adr >= 0 && AnyStage(m);
  }

  World world_;
  Scratch scratch_;
  MujocoCable cable_;
};

// Picture of a cable in every MuJoCo viewer: the solved path, colored by tension.
void DrawCable(const mjModel* m, mjData* d, const mjvOption* options, mjvScene* scene,
               const Member& member);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_BORDER_SHOWN_H_
