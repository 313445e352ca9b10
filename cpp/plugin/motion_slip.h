// Tensions and slips of the cables of a group, found with its motion (21), (22): friction sees the
// slip at the end of the step.

#ifndef MUJOCABLE_PLUGIN_MOTION_SLIP_H_
#define MUJOCABLE_PLUGIN_MOTION_SLIP_H_

#include "motion.h"

namespace mujocable {

// The cables of a group as functions of the change of velocity.
class SlidingCables {
 public:
  SlidingCables(const Motion& p, Scratch& scratch);

  // Tensions, slips and their slopes where the velocity changes by the step times z; adds what
  // the cables take away from the force on each dof to `load`. Both are padded.
  void Evaluate(const double* z, double* load);

  // adds the derivative of that load by z, where it was evaluated last; by columns, padded
  void AddSlopes(double* columns);

  double tension(int cable) const { return cables_[cable].tension; }
  // of the contacts that rub, and of the tensions beyond them to that of the source
  double* slips(int cable) const { return cables_[cable].slip; }
  double* ratios(int cable) const { return cables_[cable].ratio; }

 private:
  struct Sliding {
    double tension, tension_slope;
    double* gradient;  // G of (5), the spool's part included                      [dofs]
    double* pull;      // w of (15)                                                [dofs]
    double* row;       // gradients of its pieces, set where they are not zero  [contacts, dofs]
    Range* range;      // there                                                     [contacts]
    double *growth, *slip, *ratio, *slope;  //                                 [contacts]
  };
  // adds a piece of the path to a vector of the dofs
  void AddPiece(const Sliding& s, int j, double scale, double* to) const {
    const double* row = s.row + j * p_.size;
    for (int k = s.range[j].begin; k < s.range[j].end; ++k) to[k] += scale * row[k];
  }

  const Motion& p_;
  Sliding* cables_;
  double *beyond_, *loaded_, *stretching_;  // scratch                              [dofs]
};

// Newton's method over the accelerations, with the constraints as they are in each of its steps.
// Returns the number of steps, negative where it did not converge: then `cables` are where the
// balance was best.
int SolveSlip(const Motion& p, Scratch& scratch, SlidingCables& cables);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_MOTION_SLIP_H_
