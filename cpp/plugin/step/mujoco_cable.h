// One cable on MuJoCo's data: points the driver at mjData, reads the command, applies the load.

#ifndef MUJOCABLE_PLUGIN_STEP_MUJOCO_CABLE_H_
#define MUJOCABLE_PLUGIN_STEP_MUJOCO_CABLE_H_

#include <mujoco/mujoco.h>

#include "core/bundle/lanes.h"
#include "core/cable.h"
#include "plugin/configure/registry.h"
#include "plugin/scratch.h"

namespace mujocable {

// the stages of a step that ask for forces
enum class Stage { kPassive, kActuation };

// what all cables of a callback work on
struct World {
  World(const mjModel* m, mjData* d);
  const mjModel* m;
  mjData* d;
  Bodies bodies;
  bool couples;   // the integrator leaves room for tensions that are found with the motion
  double weight;  // of the model, as it is now

  // What is pushed from outside: the sum over all dofs and bodies of force times root of mobility.
  // How fast a force f speeds up what has the lever l is l f times the mobility between the two,
  // which is no more than the root of the product of their own.           [N kg^-1/2]
  double Pushed() const;

 private:
  mutable double pushed_ = -1;  // not known yet
};

// Whether this is one of the three evaluations that a Runge-Kutta step makes after the one that the
// record shows: half a step or a step later, and from deeper in MuJoCo's stack.
bool InnerEvaluation(const mjModel* m, const mjData* d, const CableConfig& c);

// A cable at work on one mjData, for the length of one callback.
class MujocoCable final : private Coupling {
 public:
  // kCompute: into the record, unless it shall show another evaluation; kRead: the record as it
  // was last shown; kAside: into scratch memory
  enum class Use { kCompute, kRead, kAside };
  MujocoCable(const World& world, const Member& member, Scratch& scratch, Use use = Use::kCompute)
      : world_(world),
        m_(world.m),
        d_(world.d),
        c_(*member.config),
        scratch_(scratch),
        kept_(c_.record_adr >= 0 && use != Use::kAside && (use == Use::kRead || !Inner())),
        couples_(world.couples && kept_),
        cable_(c_, world.bodies, StateHere(member), RecordHere(), scratch) {}

  // the record holds what the velocity stage found, so it need not be solved again
  bool Located() const;

  // What a stage asks of a cable: the load to qfrc_passive, then force and moment of its actuator;
  // along this cable instead of its tendon, spring and damper of that, then its actuators' moment.
  void Apply(Stage stage) {
    if (Open(stage)) Close(cable_.Tighten(command_, coupling(), wrench()));
  }
  // the same in two, with the tension between: false: there is none to find, and nothing to close
  bool Open(Stage stage) {
    stage_ = stage;
    if (stage == Stage::kPassive && c_.take_up.kind == TakeUpKind::kFixed) return true;
    return OpenOther();
  }
  void Close(const Pull& pull);
  // between the two
  const Command& command() const { return command_; }
  Coupling* coupling() { return couples_ && c_.may_couple ? this : nullptr; }
  Wrench* wrench() { return wrench_ ? wrench_ : wrench_ = scratch_.Take<Wrench>(c_.slots.size()); }
  // its load of a newton, one of the lanes
  void Take(const LaneRow& load, int lane);

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
  double Tautening() const override;
  double Mobility(Wrench* wrench, double unit) override;
  double Mobility(const Piece* piece, int pieces, double enough) override;
  double Swung(int segment, double tension) override;
  bool Inner() const { return m_->opt.integrator == mjINT_RK4 && InnerEvaluation(m_, d_, c_); }
  State StateHere(const Member& member);
  State OtherState(const State& found);
  Record RecordHere();
  double* load() { return load_ ? load_ : load_ = scratch_.Take<double>(c_.dofs.size()); }
  Command ReadCommand() const;
  double TendonPull() const;         // what the tendon asks of this cable [N]; negative: a push
  double TendonPassivePull() const;  // its spring and damper alone
  double TendonActivePull() const;   // its actuators alone
  bool OpenOther();
  bool OpenActuator();
  void CloseActuator(double tension);
  bool OpenTendonPassive();
  void FindTendonPassiveLoad();
  void CloseTendonActuators(double tension);
  void ShowParts();

  const World& world_;
  const mjModel* m_;
  mjData* d_;
  const CableConfig& c_;
  Scratch& scratch_;
  const bool kept_;     // the record is the one in sensordata and stays there
  const bool couples_;  // the tension may be found with the motion, for all that is known of others
  Cable cable_;
  Stage stage_ = Stage::kPassive;
  Command command_;
  Wrench* wrench_ = nullptr;   // of 1 / unit newtons
  double* load_ = nullptr;     // of a newton, per dof of c
  int stride_ = 1;             // from one to the next
  double* applied_ = nullptr;  // what the passive stage has applied already, where that is asked
  bool projected_ = false;     // that is the load of those wrenches already
};

// the state to read: plugin_state, or defaults where that is foreign; with the mobility of now
inline State MujocoCable::StateHere(const Member& member) {
  const State state{StateOf(m_, d_, member), c_.ncontact, c_.nwrap};
  const bool own = state.fingerprint() == c_.fingerprint && world_.weight == c_.weight;
  return own ? state : OtherState(state);
}

inline Record MujocoCable::RecordHere() {
  if (kept_) return RecordOf(d_, c_);
  return {scratch_.Take<double>(RecordSize(c_.ncontact, c_.nwrap)), c_.ncontact, c_.nwrap};
}

// An evaluation begins: unless it is one of the inner ones of a Runge-Kutta step, it is what the
// record shall show.
void BeginEvaluation(const mjModel* m, const mjData* d, const CableConfig& c);

// At the end of a step whose record is not that of its beginning, or not in sensordata: one more
// evaluation, into the state.
void EvaluateAndRemember(const mjModel* m, mjData* d, const Member& member);

// Warnings of MuJoCo, with the cable and the element: of a path that is not valid, and of a step in
// which no motion was found that balances the tensions; unless any cable of this simulation has had
// the same since the reset: its state remembers. For the end of a step, when states change.
void Tell(const mjModel* m, mjData* d, const Member& member, const Record& record);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_MUJOCO_CABLE_H_
