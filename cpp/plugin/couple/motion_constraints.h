// MuJoCo's own constraints (contacts, limits, equalities, dry friction) as functions of the
// acceleration, in the motion of a step.

#ifndef MUJOCABLE_PLUGIN_COUPLE_MOTION_CONSTRAINTS_H_
#define MUJOCABLE_PLUGIN_COUPLE_MOTION_CONSTRAINTS_H_

#include "plugin/couple/motion.h"

namespace mujocable {

// reference and impedance of the constraints, where MuJoCo has not computed them yet
void PrepareConstraints(const mjModel* m, mjData* d, Phase phase, Scratch& scratch);

// State of the constraints at an acceleration: `out` is their force on the dofs here. full, jar:
// scratch for all dofs and all constraints; `full` holds the accelerations of the other dofs.
void EvaluateConstraints(const Motion& p, const double* a, double* full, double* jar, double* out);

// adds the curvature of the constraints, in the state that was evaluated last; width: of the rows
void AddConstraints(const Motion& p, int width, double* matrix);

// Equalities, whose force -J' D (J a - aref) is linear: adds J' D J to `matrix` and J' D aref to
// `force`. turned: the columns are those of the change of velocity that the damped inertia makes
// of a.
void AddEqualities(const Motion& p, bool turned, double* matrix, double* force);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_MOTION_CONSTRAINTS_H_
