// The driver: one cable in one world, and the only place that orders a step.
//
//   positions and velocities known  Locate   pose -> route -> rates
//   commands known                  Tighten  take-up -> lay -> tension -> move -> wrenches
//   ... left to the coupled solve   Tighten  take-up -> lay
//                                   Reopen   lay, for whoever solves it with the motion
//                                   Settle   move
//   ... not known yet, switched off Await, Rest
//   the step is taken               Remember record -> state

#ifndef MUJOCABLE_CORE_CABLE_H_
#define MUJOCABLE_CORE_CABLE_H_

#include "core/bodies.h"
#include "core/law/material.h"
#include "core/law/pieces.h"
#include "core/law/wrench.h"
#include "core/math/simd.h"
#include "core/model.h"
#include "core/workspace.h"

namespace mujocable {

// what moves the source of a cable, as it is read in one world
struct Command {
  double value = 0;      // of the motor or spool [m] or [rad], or the tension [N]
  double rate = 0;       //                                                    [m/s], [rad/s]
  bool at_once = false;  // the motor went there within this step, at the rate that follows
};

// what a cable pulls with
struct Pull {
  double tension = 0;  // of the source segment                                              [N]
  double unit = 1;     // times the wrenches that came with it: those of 1 N
};

// Whoever can solve a tension together with the motion of the step it acts in. Mobilities are those
// at qpos0.
class Coupling {
 public:
  virtual bool Always() const = 0;           // however soft a cable is
  virtual double SpoolMobility() const = 0;  // of a spool of its own                [1/kg]
  // at which a slack cable may become taut, at most, by gravity and what pushes from outside
  // [m/s^2]
  virtual double Tautening() const = 0;
  // of the bodies, along these wrenches times `unit`, which are those of 1 N         [1/kg]
  virtual double Mobility(Wrench* wrench, double unit) = 0;
  // the sum of those along its pieces, each over its part of the length; stops beyond `enough`
  virtual double Mobility(const Piece* piece, int pieces, double enough) = 0;
  // how much of its swing a segment undoes within the step, at this tension (24); where that is no
  // more than kMostSwing, at most
  virtual double Swung(int segment, double tension) = 0;

 protected:
  ~Coupling() = default;
};

// One cable for the length of one evaluation: the record is its result, the state is only read.
// Model, bodies and workspace are those of the caller.
class Cable {
 public:
  Cable(const CableModel& model, const Bodies& bodies, const State& state, const Record& record,
        Workspace& workspace)
      : model_(model), bodies_(bodies), state_(state), record_(record), workspace_(workspace) {}

  void Locate();

  // Wrenches: one per slot of the model; nullptr: not wanted. Where nothing pulls they are zero, or
  // those of 1 N if a coupling may ask or a tendon is carried. `coupling`: nullptr: never waits; it
  // wants the wrenches.
  Pull Tighten(const Command& command, Coupling* coupling, Wrench* wrench);

  // where Tighten left the tension open: the law of this step, the cells, and the ratios of all
  // tensions to that of the source where the law has no memory; then, with tensions found in the
  // material, what the record says of them
  AxialStep Reopen(Material& material);
  void Settle(const AxialStep& step, Material& material);

  void Await();                       // no force until the command is known
  void Rest(const Command& command);  // no force, though there is a command
  void Slacken();                     // no force at all: the material stays as it was

  // wrenches of a tension of 1 everywhere, where the cable has none yet
  void UnitWrenches(Wrench* wrench) const;

  // its path between contacts that rub with memory; how many pieces there are
  const Piece* Pieces(int& n);

  // Calls visit(segment), from the distal end on, for those that may swing more than the step
  // resolves (24) at these tensions, as far as the levers of the joints between their ends reach:
  // most cannot. Returns true as soon as that does.
  template <typename Visit>
  bool VisitSwings(const double* tensions, const Visit& visit) const;

  // load on the joint that takes it in, at this tension of the source, per unit of that
  double SpoolGain(double tension) const;

  // friction without memory, at some contact
  bool Slides() const { return model_.sliding && Rough(); }
  bool Rubs() const;  // at some contact that touches now

  const Element* elements();  // at their poses
  const State& state() const { return state_; }
  const Record& record() const { return record_; }

 private:
  friend class Bundle;  // takes the same steps for several cables

  bool Rough() const;
  struct Taken {
    double in, rate;  // [m], [m/s]
  };
  Taken TakeUp(const Command& command) const;
  AxialStep Open(const Command& command, bool rubs);
  bool MayOpen(const Command& command) const;
  double MostHold(double stiffness) const;
  double SquareOfSteps() const;
  AxialStep StepOf(bool rubs, double command) const;
  void ShowStretch(const AxialStep& step);
  Material Lay(const AxialStep& step);
  bool WithinReach(double motor, const Coupling& coupling) const;
  bool MayWait(const Command& command, double motor, bool several, const Coupling& coupling) const;
  bool Stiff(const AxialStep& step, bool several, Coupling& coupling);
  double MostMobility(const AxialStep& step, const Piece* piece, int pieces, double spool) const;
  bool StiffAlong(const AxialStep& step, const Coupling& coupling, double mobility) const;
  bool MaySwing(const double* tensions) const;
  bool Swings(Coupling& coupling) const;
  Pull Wait(const AxialStep& step);
  Pull NoPull(Wrench* wrench);
  Pull Slide(const AxialStep& step, Wrench* wrench);
  Pull Carry(const AxialStep& step, bool several, bool asked, Wrench* wrench);
  void Ratios(bool commanded);
  void Wrenches(Wrench* wrench) const;
  void NoWrenches(Wrench* wrench) const;

  const CableModel& model_;
  const Bodies& bodies_;
  const State state_;
  Record record_;
  Workspace& workspace_;
  Element* elements_ = nullptr;
};

template <typename Visit>
bool Cable::VisitSwings(const double* tensions, const Visit& visit) const {
  if (!MaySwing(tensions)) return false;
  const double most = kMostSwing / (bodies_.timestep * bodies_.timestep);
  const bool own = state_.mobility() == model_.mobility;  // of these bodies
  const double *lengths = record_.segment(), *touching = record_.touching();
  const double *levers = model_.levers.data(), *turns = model_.turns.data();
  double lever = 0, turn = 0;  // a segment ends at the next contact that is touched
  for (int i = model_.ncontact; i >= 0; --i) {
    if (i < model_.ncontact && touching[i] != 0) lever = turn = 0;
    lever += levers[i];
    turn += turns[i];
    const double tension = tensions[i], length = lengths[i];
    if (!(tension > 0 && length > 0)) continue;
    if (own && tension * (lever * lever + turn * length) <= most * length) continue;
    if (visit(i)) return true;
  }
  return false;
}

// Wrenches of the tensions in `record`, one per slot; reference: as in Bodies.
void BodyWrenches(const CableModel& model, const double* reference, const Record& record,
                  Wrench* wrench);

// writes every slot of a state: parameters as configured, path as routed at home
void ResetState(const CableModel& model, double* block);

// record -> state, at the end of a step of this size
inline void Remember(const CableModel& model, const Record& record, double step, double* block) {
  const State state{block, model.ncontact, model.nwrap};
  if (state.fingerprint() != model.fingerprint) ResetState(model, block);
  state.step() = step;
  state.take_up() = record.take_up();
  state.derailments() = record.derailments();
  state.slack() = record.slack();
  state.stretching() = record.length_rate() + record.take_up_rate();
  // from there on they lie behind one another in both
  CopyNumbers(record.slip_total(), static_cast<int>(state.end() - state.slip_total()),
              state.slip_total());
}

// most numbers that the stages of one evaluation take from a workspace
size_t StepRoom(const CableModel& model);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_CABLE_H_
