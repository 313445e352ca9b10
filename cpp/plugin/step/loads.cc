#include "plugin/step/loads.h"

#include <algorithm>

#include "core/cable.h"
#include "plugin/ask.h"

namespace mujocable {

void Project(const mjData* d, const CableConfig& c, Wrench* wrench, double unit, double* load) {
  for (int s = static_cast<int>(c.slots.size()) - 1; s >= 0; --s) {
    const BodySlot& body = c.slots[s];
    const mjtNum* cdof = d->cdof + 6 * c.dofs[body.first_dof];  // of a body they follow each other
    double* to = load + body.first_dof;
    for (int k = 0; k < body.ndof; ++k, cdof += 6) {
      to[k] = unit * (Dot(Load(cdof), wrench[s].moment) + Dot(Load(cdof + 3), wrench[s].force));
    }
    if (body.parent >= 0) {
      wrench[body.parent].force += wrench[s].force;
      wrench[body.parent].moment += wrench[s].moment;
    }
  }
}

void Project(const mjModel* m, const mjData* d, const CableConfig* const* c,
             const LaneWrenches& wrench, const Lanes& unit, const LaneRow& load, Lanes& mobility) {
  Lanes sum[kLanes] = {};  // as in MobilityAlong
  const double *cdof[kLanes], *give[kLanes];
  for (int s = static_cast<int>(c[0]->slots.size()) - 1; s >= 0; --s) {
    const BodySlot& body = c[0]->slots[s];
    for (int j = 0; j < kLanes; ++j) {
      const int dof = c[j]->dofs[body.first_dof];
      cdof[j] = d->cdof + 6 * dof;
      give[j] = m->dof_invweight0 + dof;
    }
    const Lanes3 force = wrench.force[s], moment = wrench.moment[s];
    for (int k = 0; k < body.ndof; ++k) {
      const int i = body.first_dof + k;
      const Lanes value =
          unit * (Dot(GatherWide3(cdof, 6 * k), moment) + Dot(GatherWide3(cdof, 6 * k + 3), force));
      load.Set(i, value);
      sum[i % kLanes] += value * value * Gather(give, k);
    }
    if (body.parent < 0) continue;
    wrench.force.Add(body.parent, force);
    wrench.moment.Add(body.parent, moment);
  }
  mobility = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void GeneralizedLoad(const mjData* d, const CableConfig& c, const Record& record, Scratch& scratch,
                     double* load) {
  Wrench* wrench = scratch.Take<Wrench>(c.slots.size());
  BodyWrenches(c, d->subtree_com, record, wrench);
  Project(d, c, wrench, 1, load);
}

// four sums at a time, since each waits for the one before
double MobilityAlong(const mjModel* m, const CableConfig& c, const double* value) {
  const int n = static_cast<int>(c.dofs.size());
  const int* dof = c.dofs.data();
  const auto term = [&](int i) { return value[i] * value[i] * m->dof_invweight0[dof[i]]; };
  double sum[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int j = 0; j < 4; ++j) sum[j] += term(i + j);
  }
  for (; i < n; ++i) sum[i % 4] += term(i);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void AddPassive(const mjModel* m, mjData* d, const Cable& cable, const CableConfig& c,
                double tension, const double* load, int stride) {
  const bool sleeping = m->opt.enableflags & mjENBL_SLEEP;
  for (const int dof : c.dofs) {
    if (!sleeping || Awake(m, d, dof)) d->qfrc_passive[dof] += tension * *load;
    load += stride;
  }
  // reaction of a physical spool
  if (c.joint_dof >= 0 && Awake(m, d, c.joint_dof)) {
    d->qfrc_passive[c.joint_dof] -= tension * cable.SpoolGain(tension);
  }
}

double* OwnRow(mjData* d, const CableConfig& c) {
  const int ndof = static_cast<int>(c.dofs.size()), out = c.out;
  if (c.moment_adr >= 0) {
    d->moment_rowadr[out] = c.moment_adr;
    d->moment_rownnz[out] = ndof;
    std::copy(c.dofs.begin(), c.dofs.end(), d->moment_colind + c.moment_adr);
  }
  // a tendon has a column for every dof of the cable: with as many the row is the load
  return d->moment_rownnz[out] == ndof ? d->actuator_moment + d->moment_rowadr[out] : nullptr;
}

void WriteMoment(mjData* d, const CableConfig& c, const double* load) {
  const int ndof = static_cast<int>(c.dofs.size()), out = c.out;
  if (double* row = OwnRow(d, c)) {
    std::copy(load, load + ndof, row);
    return;
  }
  const int nnz = d->moment_rownnz[out], adr = d->moment_rowadr[out];
  // both column lists ascend
  for (int k = 0, i = 0; k < nnz; ++k) {
    const int column = d->moment_colind[adr + k];
    while (i < ndof && c.dofs[i] < column) ++i;
    d->actuator_moment[adr + k] = i < ndof && c.dofs[i] == column ? load[i] : 0;
  }
}

}  // namespace mujocable
