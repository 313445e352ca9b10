#include "plugin/step/stages.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/cable.h"
#include "plugin/engine.h"
#include "plugin/step/cells.h"
#include "plugin/step/frames.h"
#include "plugin/step/loads.h"
#include "plugin/step/tell.h"

namespace mujocable {
void CableStage::UseDefaults() {
  double* block = scratch_.Take<double>(StateSize(c_.ncontact, c_.nwrap));
  ResetState(c_, block);
  state_ = State{block, c_.ncontact, c_.nwrap};
}

bool CableStage::Located() const { return kept_ && PassiveEnabled(m_); }

void CableStage::Pose() {
  if (elements_) return;
  elements_ = scratch_.Take<Element>(c_.elements.size());
  PoseElements(m_, d_, c_, scratch_.Take<Wrap>(c_.nwrap), scratch_.Take<Sheath>(c_.sheaths.size()),
               elements_);
}

const Element* CableStage::elements() {
  Pose();
  return elements_;
}

void CableStage::Locate() {
  const Velocities twists{d_, c_};
  const bool warm = state_.steps() != 0;
  Pose();
  mujocable::Locate(elements_, static_cast<int>(c_.elements.size()), twists, state_.memory(),
                    warm ? Start::kWarm : Start::kReset, c_.limits, record_, state_.slack());
  record_.derailments() += state_.derailments();
}

// puts take-up and its rate into the record; returns the command (the tension, where it is one)
MUJOCABLE_INLINE inline double CableStage::TakeUpCommand() {
  const TakeUp& t = c_.take_up;
  double position = 0, rate = 0;
  if (t.kind == TakeUpKind::kSpoolJoint) {
    position = d_->qpos[c_.joint_qpos] - c_.joint_reference;
    rate = d_->qvel[c_.joint_dof];
  } else if (t.Commanded()) {
    if (c_.act >= 0) {
      position = d_->act[c_.act];
      rate = d_->act_dot[c_.act];
    } else {
      position = Control(m_, d_, c_.ctrl);
      // the motor moved here from where it was in the step before
      if (state_.steps() != 0) rate = (position - state_.take_up() / t.Gain()) / m_->opt.timestep;
    }
  }
  if (t.kind == TakeUpKind::kTendon) position = TendonPull();
  const bool tension = t.Tension();
  record_.take_up() = tension ? 0 : t.Gain() * position;
  record_.take_up_rate() = tension ? 0 : t.Gain() * rate;
  return position;
}

void CableStage::ShowStretch(const AxialStep& step) {
  const double e = step.commanded ? 0 : record_.length() - step.total;
  record_.rest_length() = step.commanded ? record_.length() : step.total - step.axial.reserve;
  record_.stretch() = e;
  record_.slack() = std::max(0.0, -e);
}

// whether a cable is taut, or will be at the end of the step if both its ends fall apart freely
bool CableStage::WithinReach(const AxialStep& step) const {
  const double fall = 2 * step.step * step.step * mju_norm3(m_->opt.gravity);
  const double end = record_.stretch() + step.step * record_.length_rate() + step.motor + fall;
  return std::max(record_.stretch(), end) > 0 && std::isfinite(end);
}

// friction without memory: one tension, and ratios to it as the slip is now
double CableStage::Slide(double command, double* unit_load) {
  const AxialParameters axial = AxialOf(c_, state_);
  const double tension =
      c_.take_up.Tension()
          ? PullCommanded(command, axial.max_tension, c_.friction, state_.friction(), record_)
          : Pull(axial, c_.friction, state_.friction(), record_);
  if (!MayPull(tension, record_)) return 0;
  if (unit_load) GeneralizedLoad(d_, c_, record_, scratch_, unit_load);
  ScaleTensions(tension, record_);
  ShowSliding(m_->opt.timestep, state_.slip_total(), record_);
  return tension;
}

// friction with memory, as the bodies stand: tensions of the cells, or of the one there is
double CableStage::Carry(const AxialStep& step, Material& material, double* unit_load) {
  double tension;
  if (material.n > 1) {
    double* longer = scratch_.Take<double>(material.n);
    double* grown = scratch_.Take<double>(material.n);
    std::fill(longer, longer + material.n, 0.0);
    for (int j = 0; j < material.n; ++j) grown[j] = step.step * material.rate[j];
    FindTensions(step, longer, grown, material);
    MoveMaterial(step, state_, nullptr, material, record_);
    tension = record_.source_tension();
  } else {
    tension = TightenOneCell(step, state_, record_);
  }
  if (!MayPull(tension, record_)) return 0;
  if (!unit_load) return tension;
  if (tension > 0) {
    GeneralizedLoad(d_, c_, record_, scratch_, unit_load);
    const double inverse = 1 / tension;
    for (size_t k = 0; k < c_.dofs.size(); ++k) unit_load[k] *= inverse;
  } else {
    UnitLoad(unit_load);  // the moment arms stay, whatever pulls
  }
  return tension;
}

// the cells of a cable that rubs; of any other there is one, which needs no room
Material CableStage::Cells(const AxialStep& step, int pieces) {
  if (pieces == 1) return {};
  Material material = TakeMaterial(c_, scratch_);
  Lay(d_, c_, state_, step, record_, material);
  return material;
}

// the load of a tension of 1 everywhere, where the cable has none yet
void CableStage::UnitLoad(double* unit_load) {
  double* tension = record_.tension();
  std::fill(tension, tension + c_.ncontact + 1, 1.0);
  GeneralizedLoad(d_, c_, record_, scratch_, unit_load);
  std::fill(tension, tension + c_.ncontact + 1, 0.0);
}

// Whether the tension waits for the end of the stage, to be found with the motion: the step may not
// resolve the cable (22). Lays the cells if it must know them; `unit_load` is scratch.
bool CableStage::Waits(const AxialStep& step, int pieces, Material& material, double* unit_load) {
  if (!unit_load || !c_.implicit || !kept_ || !CouplingIntegrator(m_)) return false;
  if (step.commanded ? pieces == 1 || !(step.command > 0) : !WithinReach(step)) return false;
  if (IsDiscrete(m_)) return true;  // takes every spring at the end of the step
  const double undone = UndoneBy(c_, step), spool = SpoolMobility(m_, c_);
  if (pieces == 1) {
    UnitLoad(unit_load);
    return undone * (MobilityAlong(m_, c_, unit_load) + spool) > kMostUndone;
  }
  // cells are stiffer than the cable by as much as they are shorter, and one is as short as this
  const double most = undone * (state_.mobility() + spool);
  if (most * pieces > kMostUndone) return true;
  material = Cells(step, pieces);
  return most * step.length > kMostUndone * ShortestCell(step, material);
}

double CableStage::Tighten(double* unit_load) {
  const double command = TakeUpCommand();
  const AxialStep step = StepOf(m_, c_, state_, record_, command);
  ShowStretch(step);
  record_.coupled() = record_.solves() = 0;
  if (!Sound(record_) || !std::isfinite(command)) [[unlikely]] {
    mujocable::Slacken(state_, record_);
    return 0;
  }
  const int pieces = CountPieces(c_, state_, record_);
  Material material;
  if (Waits(step, pieces, material, unit_load)) {
    // until it is found
    record_.coupled() = 1;
    record_.source_tension() = step.commanded ? std::min(step.command, step.axial.max_tension) : 0;
    return 0;
  }
  if (material.n == 0) material = Cells(step, pieces);
  const double tension =
      Slides(c_, state_) ? Slide(command, unit_load) : Carry(step, material, unit_load);
  if (!MayPull(tension, record_)) {
    mujocable::Slacken(state_, record_);
    return 0;
  }
  return tension;
}

void CableStage::Await() { ShowNoForce(state_, record_); }

void CableStage::Slacken() { mujocable::Slacken(state_, record_); }

void CableStage::ApplyPassive() {
  double* load = scratch_.Take<double>(c_.dofs.size());
  const double tension = Tighten(load);
  if (tension == 0 || record_.Coupled()) return;  // the last cable applies those
  AddPassive(m_, d_, c_, tension, load);
}

// motor with lag or rate limit: MuJoCo integrates act, the cable says how fast
void CableStage::DriveMotor() {
  if (!c_.take_up.Filtered() || c_.take_up.kind == TakeUpKind::kSpoolRate) return;
  d_->act_dot[c_.act] =
      MotorRate(c_.take_up, Control(m_, d_, c_.ctrl), d_->act[c_.act], m_->opt.timestep);
}

void CableStage::ApplyActuator() {
  const int ndof = static_cast<int>(c_.dofs.size()), out = c_.out;
  DriveMotor();
  // moment row: load per unit of tension
  double* row = OwnRow(d_, c_);
  double* load = row ? row : scratch_.Take<double>(ndof);
  double tension = 0;
  if (ActuatorDisabled(m_, c_.actuator)) {
    TakeUpCommand();
    Slacken();
  } else {
    tension = Tighten(load);
  }
  // a site has no gear: its length runs against the cable's, as that of any pull
  const double gear = c_.moment_adr >= 0 ? -1 : m_->actuator_gear[6 * out];
  d_->actuator_force[out] = tension;
  d_->actuator_length[out] = gear * record_.length();
  d_->actuator_velocity[out] = gear * record_.length_rate();
  if (tension == 0 && !record_.Coupled()) {
    double* begin = d_->actuator_moment + d_->moment_rowadr[out];
    std::fill(begin, begin + d_->moment_rownnz[out], 0.0);
  } else if (!row && !record_.Coupled()) {
    WriteMoment(d_, c_, load);
  }
}

void CableStage::ShowParts() {
  for (const SensorCopy& s : c_.sensors) {
    double* to = d_->sensordata + s.adr;
    const double* from = record_.block + s.offset;
    std::copy(from, from + s.size, to);
    std::fill(to + s.size, to + s.dim, 0.0);
  }
}

void CableStage::Evaluate() {
  Locate();
  bool off = !PassiveEnabled(m_);
  if (c_.actuator >= 0) {
    off = (m_->opt.disableflags & mjDSBL_ACTUATION) || ActuatorDisabled(m_, c_.actuator);
  } else if (c_.tendon >= 0) {
    off = false;  // TendonPull knows what is disabled
  }
  if (off) {
    TakeUpCommand();
    Slacken();
  } else {
    Tighten(nullptr);
  }
}

void OpenRecord(mjData* d, const CableConfig& c) {
  if (c.record_adr >= 0) RecordOf(d, c).open() = 1;
}

namespace {

MUJOCABLE_INLINE inline void Remember(const CableConfig& c, const Record& record, double* block) {
  const State state{block, c.ncontact, c.nwrap};
  if (state.fingerprint() != c.fingerprint) ResetState(c, block);
  state.steps() = 1;
  state.take_up() = record.take_up();
  state.derailments() = record.derailments();
  state.slack() = record.slack();
  const int n = c.ncontact, cells = state.CellRoom();
  std::copy(record.rubbing(), record.rubbing() + n, state.rubbing());
  std::copy(record.slip_total(), record.slip_total() + n, state.slip_total());
  std::copy(record.cell(), record.cell() + cells, state.cell());
  std::copy(record.mark(), record.mark() + cells - 1, state.mark());
  std::copy(record.footing(), record.footing() + kFooting * c.nwrap, state.footing());
  for (int i = 0; i < c.nwrap; ++i) {
    const int at = kWrapMemory * i;
    std::memcpy(state.memory() + at, record.memory() + at, kWrapMemory * sizeof(double));
  }
}

MUJOCABLE_COLD void EvaluateAndRemember(const mjModel* m, mjData* d, int instance,
                                        const CableConfig& c) {
  Scratch scratch(d);
  CableStage stage(m, d, instance, c, scratch);
  stage.Evaluate();
  Remember(c, stage.record(), StateBlock(m, d, instance));
  if (stage.record().status() != 0) Tell(m, d, instance, c, stage.record());
}

}  // namespace

void AdvanceState(const mjModel* m, mjData* d, int instance, const CableConfig& c) {
  // after a Runge-Kutta step the bodies stand where its last stage put them
  if (c.record_adr >= 0 && m->opt.integrator != mjINT_RK4) {
    const Record record = RecordOf(d, c);
    Remember(c, record, StateBlock(m, d, instance));
    if (record.status() != 0) [[unlikely]]
      Tell(m, d, instance, c, record);
    if (record.solves() < 0) [[unlikely]]
      TellUnbalanced(m, d, instance, c);
  } else {
    EvaluateAndRemember(m, d, instance, c);
  }
}

}  // namespace mujocable
