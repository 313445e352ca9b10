#include "plugin/step/mujoco_cable.h"

#include <algorithm>
#include <cmath>

#include "core/math/inline.h"
#include "plugin/ask.h"
#include "plugin/engine.h"
#include "plugin/step/loads.h"
#include "plugin/step/path_gradients.h"

namespace mujocable {

bool InnerEvaluation(const mjModel* m, const mjData* d, const CableConfig& c) {
  if (m->opt.integrator != mjINT_RK4) return false;
  const Record record = RecordOf(d, c);
  if (record.shown_depth() == 0 || static_cast<double>(d->pstack) < record.shown_depth()) {
    return false;
  }
  const double h = m->opt.timestep, shown = record.shown_time();
  return d->time == shown + 0.5 * h || d->time == shown + h;
}

namespace {

// where a motor stands, and how fast it goes in this step: no further than its range, if it has one
Command Activation(const mjModel* m, const mjData* d, const CableConfig& c) {
  const double at = d->act[c.act], rate = d->act_dot[c.act], step = m->opt.timestep;
  if (!m->actuator_actlimited[c.actuator]) return {at, rate};
  const double low = m->actuator_actrange[2 * c.actuator];
  const double high = m->actuator_actrange[2 * c.actuator + 1], in = std::clamp(at, low, high);
  return {in, std::clamp(rate, (low - in) / step, (high - in) / step)};
}

}  // namespace

World::World(const mjModel* model, mjData* data)
    : m(model),
      d(data),
      bodies{d->site_xpos,   d->site_xmat, d->geom_xpos, d->geom_xmat,
             m->geom_size,   d->xpos,      d->xmat,      d->cvel,
             d->subtree_com, d->qpos,      m->qpos0,     m->opt.timestep},
      couples(CouplingIntegrator(m)),
      weight(WeightOf(m)) {}

double World::Pushed() const {
  if (pushed_ >= 0) return pushed_;
  double sum = 0;
  for (int k = 0; k < m->nv; ++k) {
    const double force = d->qfrc_applied[k];
    if (force != 0) sum += std::abs(force) * std::sqrt(m->dof_invweight0[k]);
  }
  for (int b = FirstPushed(m, d); b < m->nbody; ++b) {
    // those of a body are means of three axes: of one they are no more than three times that
    const double *force = d->xfrc_applied + 6 * b, *give = m->body_invweight0 + 2 * b;
    sum +=
        Norm(Load(force)) * std::sqrt(3 * give[0]) + Norm(Load(force + 3)) * std::sqrt(3 * give[1]);
  }
  return pushed_ = sum;
}

MUJOCABLE_COLD State MujocoCable::OtherState(const State& found) {
  const int size = StateSize(c_.ncontact, c_.nwrap);
  const State state{scratch_.Take<double>(size), c_.ncontact, c_.nwrap};
  if (found.fingerprint() == c_.fingerprint) {
    CopyNumbers(found.block, size, state.block);
  } else {
    ResetState(c_, state.block);
  }
  FindMobility(m_, c_, state.mobility(), state.turning());
  return state;
}

bool MujocoCable::Located() const { return kept_ && PassiveEnabled(m_); }

MUJOCABLE_INLINE inline Command MujocoCable::ReadCommand() const {
  const TakeUp& t = c_.take_up;
  if (t.kind == TakeUpKind::kSpoolJoint) {
    return {d_->qpos[c_.joint_qpos] - c_.joint_reference, d_->qvel[c_.joint_dof]};
  }
  if (t.kind == TakeUpKind::kTendon) return {TendonPull()};
  if (!t.Commanded()) return {};
  if (c_.act >= 0) return Activation(m_, d_, c_);
  return {Control(m_, d_, c_.actuator), 0, true};
}

// one integrator takes every spring at the end of the step
bool MujocoCable::Always() const { return IsDiscrete(m_); }

double MujocoCable::SpoolMobility() const {
  if (c_.joint_dof < 0) return 0;
  return c_.take_up.Gain() * c_.take_up.Gain() * m_->dof_invweight0[c_.joint_dof];
}

// both its ends may fall apart freely
double MujocoCable::Tautening() const {
  double lever = std::sqrt(SpoolMobility());
  for (size_t k = 0; k < c_.dofs.size(); ++k) {
    lever += c_.reach[k] * std::sqrt(m_->dof_invweight0[c_.dofs[k]]);
  }
  return 2 * Norm(Load(m_->opt.gravity)) + lever * world_.Pushed();
}

double MujocoCable::Mobility(Wrench* wrench, double unit) {
  Project(d_, c_, wrench, unit, load());
  projected_ = wrench == wrench_;
  return MobilityAlong(m_, c_, load_);
}

double MujocoCable::Mobility(const Piece* piece, int pieces, double enough) {
  return MobilityAlong(m_, d_, c_, record(), piece, pieces, enough, scratch_);
}

double MujocoCable::Swung(int segment, double tension) {
  const double most = MostSwungBy(m_, d_, c_, record(), segment, tension);
  if (most <= kMostSwing) return most;
  const Sideways sideways = SidewaysOf(m_, d_, c_, record(), segment, scratch_);
  return sideways.Swung(m_->opt.timestep, tension);
}

void MujocoCable::Rest() {
  Command command = ReadCommand();
  if (c_.act >= 0) command.rate = 0;  // MuJoCo moves no motor that is off, and leaves act_dot alone
  cable_.Rest(command);
}

bool MujocoCable::OpenOther() {
  const bool passive = stage_ == Stage::kPassive;
  if (!passive && !c_.Actuated()) {  // the passive stage is disabled
    Evaluate();
    return false;
  }
  if (c_.actuator >= 0 && passive) {
    (m_->opt.disableflags & mjDSBL_ACTUATION) ? Rest() : cable_.Await();
    return false;
  }
  if (c_.actuator >= 0) return OpenActuator();
  if (c_.tendon >= 0 && passive) return OpenTendonPassive();
  if (c_.tendon >= 0) FindTendonPassiveLoad();
  command_ = ReadCommand();
  return true;
}

// (qfrc_passive takes them from where they are)
void MujocoCable::Take(const LaneRow& load, int lane) {
  projected_ = true;
  if (stage_ == Stage::kPassive) {
    load_ = load.at + lane;
    stride_ = kLanes;
    return;
  }
  double* own = this->load();
  for (size_t i = 0; i < c_.dofs.size(); ++i) own[i] = load.Of(lane, static_cast<int>(i));
}

void MujocoCable::Close(const Pull& pull) {
  const bool passive = stage_ == Stage::kPassive, tendon = c_.tendon >= 0;
  const bool loads = pull.tension > 0 || (tendon && !passive);
  if (loads && !record().Coupled() && !projected_) {
    Project(d_, c_, wrench(), pull.unit, load());
  }
  if (!passive) return tendon ? CloseTendonActuators(pull.tension) : CloseActuator(pull.tension);
  if (pull.tension > 0) {
    AddPassive(m_, d_, cable_, c_, pull.tension, load_, stride_);
  } else if (tendon) {
    cable_.Slacken();
  }
}

bool MujocoCable::OpenActuator() {
  // motor with lag or rate limit: MuJoCo integrates act, the cable says how fast
  if (c_.take_up.Filtered() && c_.take_up.kind != TakeUpKind::kSpoolRate) {
    d_->act_dot[c_.act] =
        MotorRate(c_.take_up, Control(m_, d_, c_.actuator), d_->act[c_.act], m_->opt.timestep,
                  /*now=*/m_->opt.integrator == mjINT_RK4);
  }
  load_ = OwnRow(d_, c_);  // moment row: load per unit of tension
  if (ActuatorDisabled(m_, c_.actuator)) {
    Rest();
    CloseActuator(0);
    return false;
  }
  command_ = ReadCommand();
  return true;
}

void MujocoCable::CloseActuator(double tension) {
  const int out = c_.out;
  double* row = d_->actuator_moment + d_->moment_rowadr[out];
  // a site has no gear: its length runs against the cable's, as that of any pull
  const double gear = c_.moment_adr >= 0 ? -1 : m_->actuator_gear[6 * out];
  d_->actuator_force[out] = tension;
  d_->actuator_length[out] = gear * record().length();
  d_->actuator_velocity[out] = gear * record().length_rate();
  if (tension == 0) {
    std::fill_n(row, d_->moment_rownnz[out], 0.0);
  } else if (load_ != row) {
    WriteMoment(d_, c_, load_);
  }
}

void MujocoCable::ShowParts() {
  for (const SensorCopy& s : c_.sensors) {
    double* to = d_->sensordata + s.adr;
    std::copy_n(record().block + s.offset, s.size, to);
    std::fill(to + s.size, to + s.dim, 0.0);
  }
}

void MujocoCable::Evaluate() {
  cable_.Locate();
  bool off = !PassiveEnabled(m_);
  if (c_.actuator >= 0) {
    off = (m_->opt.disableflags & mjDSBL_ACTUATION) || ActuatorDisabled(m_, c_.actuator);
  } else if (c_.tendon >= 0) {
    off = false;  // the pull of a tendon knows what is disabled
  }
  if (off) {
    Rest();
  } else {
    cable_.Tighten(ReadCommand(), nullptr, nullptr);
  }
}

void BeginEvaluation(const mjModel* m, const mjData* d, const CableConfig& c) {
  if (m->opt.integrator != mjINT_RK4 || c.record_adr < 0 || InnerEvaluation(m, d, c)) return;
  const Record record = RecordOf(d, c);
  record.shown_time() = d->time;
  record.shown_depth() = 1 + static_cast<double>(d->pstack);
}

void EvaluateAndRemember(const mjModel* m, mjData* d, const Member& member) {
  Scratch scratch(d);
  // where no stage of this step called the cable, the record is not written yet
  const auto use = AnyStage(m) ? MujocoCable::Use::kAside : MujocoCable::Use::kCompute;
  const World world(m, d);
  MujocoCable cable(world, member, scratch, use);
  cable.Evaluate();
  cable.Show();
  Remember(*member.config, cable.record(), m->opt.timestep, StateOf(m, d, member));
  Tell(m, d, member, cable.record());
}

}  // namespace mujocable
