#include "loads.h"

#include <algorithm>

#include "core/wrench.h"

namespace mujocable {
namespace {

// leaves first: projects the wrench of each body on its dofs and hands the rest to the parent
void Project(const mjData* d, const CableConfig& c, Wrench* wrench, double* load) {
  for (int s = static_cast<int>(c.slots.size()) - 1; s >= 0; --s) {
    const BodySlot& body = c.slots[s];
    const mjtNum* cdof = d->cdof + 6 * c.dofs[body.first_dof];  // of a body they follow each other
    double* to = load + body.first_dof;
    for (int k = 0; k < body.ndof; ++k, cdof += 6) {
      to[k] = Dot(Load(cdof), wrench[s].moment) + Dot(Load(cdof + 3), wrench[s].force);
    }
    if (body.parent >= 0) {
      wrench[body.parent].force += wrench[s].force;
      wrench[body.parent].moment += wrench[s].moment;
    }
  }
}

}  // namespace

void GeneralizedLoad(const mjData* d, const CableConfig& c, const Record& record, Scratch& scratch,
                     double* load) {
  const size_t nslot = c.slots.size();
  Wrench* wrench = scratch.Take<Wrench>(nslot);
  std::fill(wrench, wrench + nslot, Wrench{});
  const auto about = [&](int s) { return Load(d->subtree_com + 3 * c.slots[s].root); };
  AddLoads(record, c.slot_of_element.data(), about, wrench);
  Project(d, c, wrench, load);
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

}  // namespace mujocable
