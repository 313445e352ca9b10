// One cable on MuJoCo's data: points the driver at mjData, reads the command, applies the load.

#ifndef MUJOCABLE_PLUGIN_STEP_MUJOCO_CABLE_H_
#define MUJOCABLE_PLUGIN_STEP_MUJOCO_CABLE_H_

#include <mujoco/mujoco.h>

#include "core/bundle/lanes.h"
#include "core/cable.h"
#include "plugin/configure/registry.h"
#include "plugin/scratch.h"

namespace mujocable {

// what all cables of a callback work on
struct World {
  World(const mjModel* m, mjData* d);
  const mjModel* m;
  mjData* d;
  Bodies bodies;
};

// A cable at work on one mjData, for the length of one callback.
class MujocoCable final : private Coupling {
 public:
  // kCompute: into the record, unless it shall show another evaluation; kRead: the record as it
  // was last shown; kAside: into scratch memory
  enum class Use { kCompute, kRead, kAside };
  MujocoCable(const World& world, int instance, const CableConfig& c, Scratch& scratch,
              Use use = Use::kCompute);

  // the record holds what the velocity stage found, so it need not be solved again
  bool Located() const;

  // What a stage asks of a cable: the load to qfrc_passive; force and moment of its actuator; along
  // this cable instead of its tendon, spring and damper of that, and its actuators' moment.
  enum class Part { kPassive, kActuator, kTendonPassive, kTendonActuators };
  void Apply(Part part) {
    if (Open(part)) Close(part, cable_.Tighten(command_, coupling_, wrench_));
  }
  // the same in two, with the tension between: false: there is none to find, and nothing to close
  bool Open(Part part);
  void Close(Part part, const Pull& pull);
  const Command& command() const { return command_; }
  Coupling* coupling() const { return coupling_; }
  Wrench* wrench() const { return wrench_; }
  // between the two: its load of a newton, one of the lanes
  void Take(const LaneRow& load, int lane) {
    for (size_t i = 0; i < c_.dofs.size(); ++i) load_[i] = load.Of(lane, static_cast<int>(i));
    projected_ = true;
  }

  void Evaluate();  // everything, without applying it
  void Rest();      // no force: it is switched off
  // record -> sensors that show a part of it
  void Show() {
    if (c_.sensors.empty() || (c_.record_adr >= 0 && !kept_)) return;
    ShowParts();
  }

  Cable& cable() { return cable_; }
  const CableConfig& config() const { return c_; }
  const Record& record() const { return cable_.record(); }

 private:
  bool Always() const override;
  double SpoolMobility() const override;
  double Mobility(Wrench* wrench, double unit) override;
  double Mobility(const Piece* piece, int pieces, double enough) override;
  double Swung(int segment, double tension) override;
  Command ReadCommand() const;
  double TendonPull() const;         // what the tendon asks of this cable [N]; negative: a push
  double TendonPassivePull() const;  // its spring and damper alone
  double TendonActivePull() const;   // its actuators alone
  void DriveMotor();
  bool OpenActuator();
  void CloseActuator(double tension);
  bool OpenTendonPassive();
  void CloseTendonActuators(double tension);
  void ShowParts();

  const mjModel* m_;
  mjData* d_;
  const CableConfig& c_;
  Scratch& scratch_;
  const bool kept_;  // the record is the one in sensordata and stays there
  Cable cable_;
  Command command_;
  Coupling* coupling_ = nullptr;  // itself, where its tension may be found with the motion
  Wrench* wrench_ = nullptr;      // of 1 / unit newtons
  double* load_ = nullptr;        // of a newton, per dof of c
  bool projected_ = false;        // that is the load of those wrenches already
};

// An evaluation begins: unless it is one of the inner ones of a Runge-Kutta step, it is what the
// record shall show.
void BeginEvaluation(const mjModel* m, const mjData* d, const CableConfig& c);

// At the end of a step whose record is not that of its beginning, or not in sensordata: one more
// evaluation, into the state.
void EvaluateAndRemember(const mjModel* m, mjData* d, int instance, const CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_MUJOCO_CABLE_H_
