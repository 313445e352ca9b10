// The step of coupled cables (19)-(21): tensions that are found together with the motion they
// cause.
//
// A tension is evaluated where its cells are at l + h J (a v+ + b (v+ - v)), with v+ the velocity
// at the end of the step. a = 0, b = 1/4 is Newmark's average acceleration written for this step:
// an oscillation keeps its amplitude, however stiff. `a` looks to the end of the step and settles
// what the step cannot resolve. In between the law is made of lines, so Newton's method ends as
// soon as it knows which contacts slip.

#ifndef MUJOCABLE_CORE_LAW_COUPLE_H_
#define MUJOCABLE_CORE_LAW_COUPLE_H_

#include "core/law/material.h"
#include "core/law/swing.h"

namespace mujocable {

// a of (20) for a mode of this frequency times the step, squared. Below 4 even an explicit step
// would represent it, and it is left alone: a = 0. Far above, it comes to rest within a step,
// without turning around, since a cable that turned around would go slack: a = 1. Where the cable
// becomes taut within the step the law must see that too, or the bodies fly on into a stretch that
// nobody paid for. stretch [m], and how much it grows in the step [m].
inline double LookAhead(double frequency, double stretch, double grows) {
  const double onset = grows > 0 ? std::min(std::max(1 - stretch / grows, 0.0), 1.0) : 0;
  return std::max(onset, frequency > 4 ? 1 - 4 / frequency : 0);
}
// b of (19): with a = 0 that of the average acceleration; the map of a mode has the determinant
// (1 + b f) / (1 + (a + b) f), and is stable for every f
inline double Average(double ahead) { return 0.25 * (1 - ahead); }

// places of a row, from `begin` to before `end`
struct Range {
  int begin, end;
};

// A cable in the motion of its bodies. A piece is the path from one contact that rubs to the next;
// rows say how it grows with the dofs (5), which are columns of its own.
struct CoupledCable {
  AxialStep step;
  Material material;
  double ahead = 0;              // a of (20)
  double average = 0.25;         // b of (19)
  int pieces = 0;                //
  int columns = 0;               //
  int undamped = -1;             // of the first piece, which the damper does not see, -1: none
  const int* place = nullptr;    // of each column among the dofs of the motion  [columns]
  const double* row = nullptr;   // set in its range                             [pieces, columns]
  const Range* range = nullptr;  //                                              [pieces]
  int* piece = nullptr;          // of each cell, -1: it lies on one body        [cells]
  const double* pull = nullptr;  // load per unit of tension where the ratios of the tensions are
                                 // given, with one cell; else nullptr           [width]
  const Swinging* swings = nullptr;  // its segments that swing                   [nswing]
  int nswing = 0;                    //
};

// What else acts on the dofs, as a function of the acceleration; nothing, where there is none.
class OtherForces {
 public:
  virtual void Evaluate(const double* acceleration, double* force) = 0;
  virtual void AddSlopes(int width, double* matrix) = 0;  // less the derivative of that force

 protected:
  ~OtherForces() = default;
};

// Motion of the step on n dofs: base x + loads(turned x) = force + others(x). Matrices are stored
// by rows [n, width], vectors [width], zero beyond n.
struct CoupledMotion {
  int n = 0, width = 0;
  double step = 0;                 //                                             [s]
  const double* base = nullptr;    // inertia, or what the integrator makes of it
  const double* turned = nullptr;  // from the unknown to the change of velocity per step; nullptr:
                                   // they are the same
  const double* force = nullptr;   //
  OtherForces* others = nullptr;   //
  const double* velocity = nullptr;  // at the beginning of the step; nullptr: no segment swings
  const double* at_rest = nullptr;  // loads where no velocity changes, if the cables were evaluated
                                    // there last; nullptr: they were not
  double* start = nullptr;          // where to begin, and where it ended
  CoupledCable** cables = nullptr;  //
  int ncable = 0;                   //
};

// numbers of scratch that SolveCoupled needs
int CoupledScratch(int n);

// Tensions of the cables where the velocity changes by step times `change`, nullptr: not at all;
// adds what they take away from the force on each dof to `load`.
void EvaluateCables(const CoupledMotion& motion, const double* change, double* load);

// Tensions of the stretch that cables had one step ago, where they are lengthening: what they gain
// at this speed the motion may take back within the step. Returns whether any does; the others have
// those where no velocity changes.
bool EvaluateOlder(const CoupledMotion& motion);

// Newton's method with the slopes of the law. Leaves the tensions in the cables' material. Returns
// the number of linear systems solved, less than 0 where the balance was not found: then the
// tensions are those of the law where it was best, so they pull, lie in their cones and lose energy
// there.
int SolveCoupled(CoupledMotion& motion, double* scratch);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_COUPLE_H_
