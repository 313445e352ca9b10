// The motion of one step as the coupled cables see it: who moves together, inertia, forces.

#ifndef MUJOCABLE_PLUGIN_COUPLE_MOTION_H_
#define MUJOCABLE_PLUGIN_COUPLE_MOTION_H_

#include <mujoco/mujoco.h>

#include <algorithm>

#include "plugin/couple/coupled.h"
#include "plugin/scratch.h"

namespace mujocable {

enum class Phase { kPassive, kActuation };

// constraints on a group: none; equalities alone, whose force is linear in the acceleration; others
enum class Bonds { kNone, kEqualities, kAny };

// What moves together: kinematic trees that cables and constraints tie to each other.
struct Groups {
  int n;                 // groups with cables
  int* of_tree;          // group of each tree of the model, -1: no cable reaches it
  Bonds* bonds;          // constraints that act on it                                          [n]
  WaitingCable** cable;  // group by group; within a group they keep their order
  int* first;            // first cable of each group, and the end                      [n + 1]
  int* first_dof;        // first of `dof` of each group, and the end                       [n + 1]
  int* dof;              // awake dofs, group by group, ascending in each
  int* local;            // place of a dof within its group, -1: in none
  int* of_row;           // group of each row of the constraints, -1: of none
};

Groups FindGroups(const mjModel* m, const mjData* d, WaitingCable* waiting, int n,
                  Scratch& scratch);

// A dense model of the step of one group: inertia a = force - W T + J' f(J a - aref), and the
// change of velocity h a' with damped a' = inertia a.
struct Motion {
  const mjModel* m;
  mjData* d;
  WaitingCable* const* waiting;
  int n;           // cables
  int size;        // dofs
  int width;       // of a column of the matrices
  const int* dof;  // of the model, ascending
  const int* local;
  int group;
  const Groups* groups;
  Bonds bonds;      // constraints on these dofs
  double* damped;   // inertia with what the integrator treats implicitly   [size, width]
  double* inertia;  // without, where it is asked for; else `damped`         [size, width]
  double* force;    //                                                       [width]
  bool damps;       // the change of velocity differs from the acceleration

  // place of a dof of the model, -1: not here
  int Local(int k) const {
    const int tree = m->dof_treeid[k];
    return groups->of_tree[tree] == group ? local[k] : -1;
  }

  // one number per dof, zero
  double* Vector(Scratch& scratch) const {
    double* v = scratch.Take<double>(width);
    std::fill(v, v + width, 0.0);
    return v;
  }
};

// inertia of a group; `force` is not set
Motion MakeMotion(const mjModel* m, mjData* d, const Groups& groups, int group, Phase phase,
                  Scratch& scratch);

// What the integrator makes of the acceleration in `d`, on all dofs of the model: the change of
// velocity over the step, as far as that is known before the actuation stage [per unit of step].
const double* ChangeOfVelocity(const mjModel* m, const mjData* d, Scratch& scratch);

// Everything that pushes except constraints and the cables themselves, on all dofs of the model.
void SumForces(const mjModel* m, mjData* d, const WaitingCable* waiting, int n, Phase phase,
               Scratch& scratch, double* all);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_MOTION_H_
