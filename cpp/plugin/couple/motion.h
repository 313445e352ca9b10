// The motion of one step as the coupled cables see it: who moves together, inertia, forces.

#ifndef MUJOCABLE_PLUGIN_COUPLE_MOTION_H_
#define MUJOCABLE_PLUGIN_COUPLE_MOTION_H_

#include <mujoco/mujoco.h>

#include <algorithm>

#include "plugin/couple/coupled.h"
#include "plugin/scratch.h"

namespace mujocable {

// How many rows of the constraints, from r on, are one: those of a contact with an elliptic cone.
inline int RowsOf(const mjData* d, int r) {
  return d->efc_type[r] == mjCNSTR_CONTACT_ELLIPTIC ? d->contact[d->efc_id[r]].dim : 1;
}

// things of the model, group by group, ascending in each
struct Sorted {
  int* first;  // of each group, and the end                                  [groups + 1]
  int* at;     //

  // those of a group, and how many
  const int* Of(int group, int& n) const {
    n = first[group + 1] - first[group];
    return at + first[group];
  }
};

// what the integrator treats as implicit like damping: scale row' row
struct Damper {
  double scale;
  const double* value;  //                                                     [nnz]
  const int* column;    // dofs                                                [nnz]
  int nnz;
};

// What moves together: kinematic trees that cables and constraints tie to each other, and dampers
// where the integrator has a place for that.
struct Groups {
  int n;           // groups with cables, in the order of their first ones
  Sorted cables;   // those that wait
  Sorted dofs;     // those that are awake
  Sorted rows;     // of the constraints; all of one constraint are in one group
  int* of_dof;     // group of each dof, -1: of none
  int* local;      // place of a dof within its group
  Damper* damper;  // of the whole model
  int ndamper;
  bool sparse;  // the Jacobian of the constraints
};

Groups FindGroups(const mjModel* m, const mjData* d, const WaitingCable* waiting, int n,
                  Stage stage, Scratch& scratch);

// A dense model of the step of one group: inertia a = force - W T + J' f(J a - aref), and the
// change of velocity h a' with damped a' = inertia a.
struct Motion {
  const mjModel* m;
  mjData* d;
  WaitingCable* waiting;         // all of them
  const int *cable, *dof, *row;  // of this group
  int n;                         // cables
  int size;                      // dofs
  int nrow;                      // rows of the constraints
  int width;                     // of a row of the matrices
  int group;
  const Groups* groups;
  bool bound;       // by constraints other than equalities, whose force is linear
  double* damped;   // inertia with what the integrator treats as implicit  [size, width]
  double* inertia;  // without, where constraints depend on it; else `damped` [size, width]
  double* damping;  // of the joints, in `damped`                            [width]
  double* damper;   // rows of the dampers of the model                      [ndamper, width]
  double* force;    //                                                       [width]
  bool damps;       // the change of velocity differs from the acceleration

  // place of a dof of the model, -1: not here
  int Local(int k) const { return groups->of_dof[k] == group ? groups->local[k] : -1; }
  WaitingCable& Cable(int i) const { return waiting[cable[i]]; }

  // writes what of a sparse row is on these dofs
  void Spread(const double* value, const int* column, int nnz, double* row) const {
    for (int k = 0; k < nnz; ++k) {
      const int at = Local(column[k]);
      if (at >= 0) row[at] = value[k];
    }
  }

  // Calls use(i, j, value) for what a damper has between two dofs of one branch, j not below i: for
  // more the implicit integrators have no place, the fast one only for what the inertia has, and
  // for all six dofs of a free body.
  template <typename Use>
  void OnBranches(int k, const Use& use) const {
    const bool fast = m->opt.integrator == mjINT_IMPLICITFAST;
    const double* value = damper + k * width;
    for (int i = 0; i < size; ++i) {
      if (value[i] == 0) continue;
      const int own = dof[i];
      const bool sparse = fast && m->jnt_type[m->dof_jntid[own]] != mjJNT_FREE;
      const int* at = sparse ? m->M_colind + m->M_rowadr[own] : m->D_colind + m->D_rowadr[own];
      const int* end = at + (sparse ? m->M_rownnz : m->D_rownnz)[own];
      const double scale = groups->damper[k].scale * value[i];
      // the dofs of a tree follow each other
      for (; at < end && *at <= own; ++at) use(i, i - own + *at, scale * value[i - own + *at]);
    }
  }

  // one number per dof, zero
  double* Vector(Scratch& scratch) const {
    double* v = scratch.Take<double>(width);
    std::fill(v, v + width, 0.0);
    return v;
  }
};

// inertia of a group; `force` is not set
Motion MakeMotion(const mjModel* m, mjData* d, WaitingCable* waiting, const Groups& groups,
                  int group, Scratch& scratch);

// What the integrator makes of the acceleration in `d`, on all dofs of the model: the change of
// velocity over the step, as far as that is known before the actuation stage [per unit of step].
const double* ChangeOfVelocity(const mjModel* m, mjData* d, Scratch& scratch);

// Everything that pushes except constraints and the cables themselves, on all dofs of the model.
void SumForces(const mjModel* m, mjData* d, const WaitingCable* waiting, int n, Stage stage,
               Scratch& scratch, double* all);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_MOTION_H_
