// One cable on MuJoCo's data: points the driver at mjData, reads the command, applies the load.

#ifndef MUJOCABLE_PLUGIN_STEP_MUJOCO_CABLE_H_
#define MUJOCABLE_PLUGIN_STEP_MUJOCO_CABLE_H_

#include <mujoco/mujoco.h>

#include "core/cable.h"
#include "plugin/configure/registry.h"
#include "plugin/scratch.h"

namespace mujocable {

// A cable at work on one mjData, for the length of one callback.
class MujocoCable final : private Coupling {
 public:
  // kCompute: into the record, unless it shall show another evaluation; kRead: the record as it
  // was last shown; kAside: into scratch memory
  enum class Use { kCompute, kRead, kAside };
  MujocoCable(const mjModel* m, mjData* d, int instance, const CableConfig& c, Scratch& scratch,
              Use use = Use::kCompute);

  // the record holds what the velocity stage found, so it need not be solved again
  bool Located() const;

  void ApplyPassive();          // tensions, and their load to qfrc_passive
  void ApplyActuator();         // tensions, and actuator force and moment
  void ApplyTendonPassive();    // spring and damper of a tendon, along this cable instead
  void ApplyTendonActuators();  // moment of the tendon's actuators, along this cable
  void Evaluate();              // everything, without applying it
  void Rest();                  // no force: it is switched off
  // record -> sensors that show a part of it
  void Show() {
    if (c_.sensors.empty() || (c_.record_adr >= 0 && !kept_)) return;
    ShowParts();
  }

  Cable& cable() { return cable_; }
  const Record& record() const { return cable_.record(); }

 private:
  bool Always() const override;
  double SpoolMobility() const override;
  double Mobility(Wrench* wrench, double unit) override;
  double Mobility(const Piece* piece, int pieces, double enough) override;
  Command ReadCommand() const;
  double Tighten(const Command& command, double* unit_load);  // load per newton, per dof of c
  double TendonPull() const;         // what the tendon asks of this cable [N]; negative: a push
  double TendonPassivePull() const;  // its spring and damper alone
  void DriveMotor();
  void ShowParts();

  const mjModel* m_;
  mjData* d_;
  const CableConfig& c_;
  Scratch& scratch_;
  const bool kept_;  // the record is the one in sensordata and stays there
  Cable cable_;
  double* load_ = nullptr;             // per dof of c
  const Wrench* projected_ = nullptr;  // the wrenches that it is the load of
};

// An evaluation begins: unless it is one of the inner ones of a Runge-Kutta step, it is what the
// record shall show.
void BeginEvaluation(const mjModel* m, const mjData* d, const CableConfig& c);

// record -> state, at the end of a step
void AdvanceState(const mjModel* m, mjData* d, int instance, const CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_MUJOCO_CABLE_H_
