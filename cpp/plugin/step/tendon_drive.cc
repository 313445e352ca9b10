// A cable that carries the pull of one of MuJoCo's own tendons. The tendon's length, its actuators,
// its spring and its damper stay MuJoCo's; what they pull with acts along this cable instead, with
// its friction and never as a push.

#include <algorithm>

#include "plugin/ask.h"
#include "plugin/step/loads.h"
#include "plugin/step/mujoco_cable.h"

namespace mujocable {
namespace {

// Actuators with less than this part of the pull of spring and damper cannot change how friction
// spreads it by more than rounding.
constexpr double kLeastActive = 1e-9;

// spring and damper force along a tendon as mj_passive applies it; negative pulls          [N]
double SpringDamper(const mjModel* m, const mjData* d, int tendon) {
  double force = 0;
  if (!(m->opt.disableflags & mjDSBL_SPRING)) {
    const double length = d->ten_length[tendon];
    const double lower = m->tendon_lengthspring[2 * tendon];
    const double upper = m->tendon_lengthspring[2 * tendon + 1];
    const double x = length > upper ? length - upper : length < lower ? length - lower : 0;
    double power = x;
    force -= m->tendon_stiffness[tendon] * power;
    for (int i = 0; i < mjNPOLY; ++i) {
      power *= x;
      force -= m->tendon_stiffnesspoly[mjNPOLY * tendon + i] * power;
    }
  }
  if (!(m->opt.disableflags & mjDSBL_DAMPER)) {
    double power = d->ten_velocity[tendon];
    const double speed = std::abs(power);
    force -= m->tendon_damping[tendon] * power;
    for (int i = 0; i < mjNPOLY; ++i) {
      power *= speed;
      force -= m->tendon_dampingpoly[mjNPOLY * tendon + i] * power;
    }
  }
  return force;
}

// Force of the actuators along their tendon, with the limits that MuJoCo applies later: first the
// tendon's, which scales all of them, then each actuator's own                              [N]
double ActuatorForce(const mjModel* m, const mjData* d, const CableConfig& c) {
  if (m->opt.disableflags & mjDSBL_ACTUATION) return 0;
  double scale = 1;
  if (m->tendon_actfrclimited[c.tendon]) {
    double total = 0;
    for (int a : c.drives) {
      const int out = m->actuator_outadr[a];
      total += m->actuator_gear[6 * out] * d->actuator_force[out];
    }
    const double* range = m->tendon_actfrcrange + 2 * c.tendon;
    if (total < range[0]) scale = range[0] / total;
    if (total > range[1]) scale = range[1] / total;
  }
  double total = 0;
  for (int a : c.drives) {
    const int out = m->actuator_outadr[a];
    double force = scale * d->actuator_force[out];
    if (m->actuator_forcelimited[a]) {
      force = std::clamp(force, m->actuator_forcerange[2 * a], m->actuator_forcerange[2 * a + 1]);
    }
    total += m->actuator_gear[6 * out] * force;
  }
  return total;
}

}  // namespace

double MujocoCable::TendonPassivePull() const {
  return -c_.share * SpringDamper(m_, d_, c_.tendon);
}
double MujocoCable::TendonActivePull() const { return -c_.share * ActuatorForce(m_, d_, c_); }

double MujocoCable::TendonPull() const { return TendonPassivePull() + TendonActivePull(); }

bool MujocoCable::OpenTendonPassive() {
  // MuJoCo has applied spring and damper along its own path: take that back, once per tendon
  const double native = SpringDamper(m_, d_, c_.tendon);
  if (native != 0 && c_.first_on_tendon) {
    const int adr = m_->ten_J_rowadr[c_.tendon];
    for (int k = adr; k < adr + m_->ten_J_rownnz[c_.tendon]; ++k) {
      const int dof = m_->ten_J_colind[k];
      if (Awake(m_, d_, dof)) d_->qfrc_passive[dof] -= native * d_->ten_J[k];
    }
  }
  command_ = {TendonPassivePull()};
  if (command_.value > 0 || !c_.Actuated() || !ActuationEnabled(m_)) return true;
  cable_.Await();
  return false;
}

// Friction does not spread a part of the pull along the cable like the whole of it: what the
// passive stage applied is found once more, and the actuators have the rest.
void MujocoCable::FindTendonPassiveLoad() {
  const Command passive{TendonPassivePull()};
  if (!PassiveEnabled(m_) || !(passive.value > 0) || !cable_.Rubs() || cable_.Slides()) return;
  const Pull pull = cable_.Tighten(passive, nullptr, wrench());
  if (!(pull.tension > 0)) return;
  applied_ = scratch_.Take<double>(c_.dofs.size());
  Project(d_, c_, wrench(), pull.unit, applied_);
  for (size_t k = 0; k < c_.dofs.size(); ++k) applied_[k] *= pull.tension;
}

void MujocoCable::CloseTendonActuators(double tension) {
  const int ndof = static_cast<int>(c_.dofs.size());
  const double limit = std::max(0.0, cable_.state().max_tension());
  const double passive = TendonPassivePull();
  const double active = TendonActivePull();
  if (tension == 0) cable_.Slacken();
  const bool valid = record().status() != static_cast<double>(SolveStatus::kInvalid);

  // part of the actuators' pull that the cable passes on: all of it, but for a push or the limit
  double part = valid && std::isfinite(active) ? 1 : 0;
  if (part != 0 && active != 0 && (passive < 0 || passive > limit || tension != command_.value)) {
    part = (tension - std::clamp(passive, 0.0, limit)) / active;
  }
  if (applied_ && part != 0 && std::abs(active) > kLeastActive * passive) {
    for (int i = 0; i < ndof; ++i) load_[i] = (tension * load_[i] - applied_[i]) / active;
    part = 1;
  }
  for (int a : c_.drives) {
    const int out = m_->actuator_outadr[a];
    const double scale = -c_.share * m_->actuator_gear[6 * out] * part;
    const int nnz = d_->moment_rownnz[out], adr = d_->moment_rowadr[out];
    for (int k = 0, i = 0; k < nnz; ++k) {
      const int column = d_->moment_colind[adr + k];
      while (i < ndof && c_.dofs[i] < column) ++i;
      double& moment = d_->actuator_moment[adr + k];
      if (c_.first_on_tendon) moment = 0;
      if (part != 0 && i < ndof && c_.dofs[i] == column) moment += scale * load_[i];
    }
  }
}

}  // namespace mujocable
