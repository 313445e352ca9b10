// The stages of a step for one cable, on MuJoCo's data.

#ifndef MUJOCABLE_PLUGIN_STEP_STAGES_H_
#define MUJOCABLE_PLUGIN_STEP_STAGES_H_

#include <mujoco/mujoco.h>

#include "core/law/material.h"
#include "core/math/inline.h"
#include "core/state.h"
#include "plugin/ask.h"
#include "plugin/configure/find.h"
#include "plugin/scratch.h"

namespace mujocable {

// Whether this evaluation is the one that MuJoCo's sensors show. A Runge-Kutta step has three more
// after it, for which MuJoCo asks no sensor: the record then keeps what the step started from.
inline bool Shown(const mjModel* m, const mjData* d, const CableConfig& c) {
  if (m->opt.integrator != mjINT_RK4 || (m->opt.disableflags & mjDSBL_SENSOR)) return true;
  return RecordOf(d, c).open() != 0;
}

// A cable at work on one mjData, for the length of one callback.
class CableStage {
 public:
  enum class Use { kCompute, kRead };  // kRead: the record as it was last shown
  CableStage(const mjModel* m, mjData* d, int instance, const CableConfig& c, Scratch& scratch,
             Use use = Use::kCompute);

  // the record holds what the velocity stage found, so it need not be solved again
  bool Located() const;

  void Locate();                      // path and rates
  double Tighten(double* unit_load);  // tensions; load per unit of source tension, per dof of c
  void ApplyPassive();                // Tighten and add to qfrc_passive
  void ApplyActuator();               // Tighten and set actuator force and moment
  void ApplyTendonPassive();          // spring and damper of a tendon, along this cable instead
  void ApplyTendonActuators();        // moment of the tendon's actuators, along this cable
  void Await();                       // no force until the command is known
  void Slacken();                     // no force at all: tensions and losses zero
  void Evaluate();                    // everything, without applying it
  // record -> sensors that show a part of it; the last word or not
  void Show(bool complete) {
    if (c_.record_adr >= 0 && !kept_) return;
    if (complete) record_.open() = 0;
    if (!c_.sensors.empty()) ShowParts();
  }

  const Record& record() const { return record_; }
  const Element* elements();  // posed, for drawing

 private:
  void ShowParts();
  void UseDefaults();  // in place of a foreign state
  void Pose();
  void DriveMotor();
  double TakeUpCommand();
  double Slide(double command, double* unit_load);  // Tighten by the law without memory
  double Carry(const AxialStep& step, Material& material, double* unit_load);  // by the one with
  void UnitLoad(double* unit_load);
  Material Cells(const AxialStep& step, int pieces);
  bool Waits(const AxialStep& step, int pieces, Material& material, double* unit_load);
  void ShowStretch(const AxialStep& step);  // stretch of the whole cable, into the record
  double TendonPull() const;         // what the tendon asks of this cable [N]; negative: a push
  double TendonPassivePull() const;  // its spring and damper alone
  double PullWith(double pull, double* unit_load);  // tensions for that pull; load as in Tighten
  bool WithinReach(const AxialStep& step) const;

  const mjModel* m_;
  mjData* d_;
  const CableConfig& c_;
  Scratch& scratch_;
  State state_;  // what to read: plugin_state, or defaults where that is foreign
  bool kept_;    // the record is the one in sensordata and stays there
  Record record_;
  Element* elements_ = nullptr;
};

MUJOCABLE_INLINE inline CableStage::CableStage(const mjModel* m, mjData* d, int instance,
                                               const CableConfig& c, Scratch& scratch, Use use)
    : m_(m),
      d_(d),
      c_(c),
      scratch_(scratch),
      state_(State{StateBlock(m, d, instance), c.ncontact, c.nwrap}),
      kept_(c.record_adr >= 0 && (use == Use::kRead || Shown(m, d, c))),
      record_(Record{kept_ ? d->sensordata + c.record_adr
                           : scratch_.Take<double>(RecordSize(c.ncontact, c.nwrap)),
                     c.ncontact, c.nwrap}) {
  if (state_.fingerprint() != c.fingerprint) [[unlikely]]
    UseDefaults();
}

// MuJoCo is about to evaluate what its sensors show
void OpenRecord(mjData* d, const CableConfig& c);

// record -> state, at the end of a step
void AdvanceState(const mjModel* m, mjData* d, int instance, const CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_STAGES_H_
