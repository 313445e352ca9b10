// MuJoCo's own constraints (contacts, limits, equalities, dry friction) as functions of the
// acceleration, in the motion of a step.

#ifndef MUJOCABLE_PLUGIN_COUPLE_MOTION_CONSTRAINTS_H_
#define MUJOCABLE_PLUGIN_COUPLE_MOTION_CONSTRAINTS_H_

#include "plugin/couple/motion.h"

namespace mujocable {

// reference and impedance of the constraints, where MuJoCo has not computed them yet
void PrepareConstraints(const mjModel* m, mjData* d, Stage stage, Scratch& scratch);

// The constraints on one group, row by row as MuJoCo's solver sees them: the force of a row depends
// on its residual J a - aref. mj_constraintUpdate knows the same law, but asks all rows and all
// dofs of the model; a hand has five groups and asks each of them dozens of times in a step.
class GroupConstraints final : public OtherForces {
 public:
  GroupConstraints(const Motion& p, Scratch& scratch);
  void Evaluate(const double* a, double* force) override;
  void AddSlopes(int width, double* matrix) override;  // where it was evaluated last

 private:
  const double* Row(int k) const { return jacobian_ + k * width_; }
  // the law of the rows from k on that belong together; returns how many
  int Apply(int k);
  void ApplyCone(int k, const mjContact& contact);
  void Spring(int k);  // a row that resists by itself, both ways

  const mjData* d_;
  const int size_, width_;
  const int n_;       // rows
  const int* row_;    // of the model, each
  double* jacobian_;  //                                                     [n, width]
  double* residual_;  //                                                     [n]
  double* force_;     //                                                     [n]
  double* slope_;     // less its derivative by each of those that change it  [n, kMostRows]
  int* together_;     // how many that are, from this row on: 1, or all of a contact that slides at
                      // its first; 0: none, or it is one of the others                      [n]
};

// Equalities, whose force -J' D (J a - aref) is linear: adds J' D aref to `force`, and J' D J to
// `matrix`, which is that of the change of velocity, from which a = (1 + damping / inertia) of
// that.
void AddEqualities(const Motion& p, double* matrix, double* force);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_MOTION_CONSTRAINTS_H_
