// Segments that swing: the direction of a tension at the end of the step instead of at its
// beginning.
//
// A tension T holds the ends of a segment of length l like a spring of T / l across it. Where
// bodies are light and segments short, as at the tip of a tentacle, a step does not resolve that
// spring, and an explicit direction makes the bodies flutter (24).

#ifndef MUJOCABLE_PLUGIN_COUPLE_SWING_H_
#define MUJOCABLE_PLUGIN_COUPLE_SWING_H_

#include "plugin/couple/coupled.h"

namespace mujocable {

// The segments of a cable that the step does not resolve.
class Swings {
 public:
  // with the tensions that the material of the cable has
  Swings(const mjModel* m, const mjData* d, const WaitingCable& one, Scratch& scratch);

  bool Any() const { return n_ > 0; }
  void Drop() { n_ = 0; }
  // adds their stiffness to a matrix of the dofs; place: of the columns of the cable there
  void AddStiffness(const int* place, int width, double* matrix) const;
  // tells the cable what they take away from the force, where the step ends with these velocities
  void Settle(const double* velocity, Scratch& scratch, WaitingCable& one) const;

 private:
  struct Segment {
    double tension;  // as far as its direction is taken at the end of the step             [N]
    Sideways sideways;
  };
  double step_;
  Segment* segment_ = nullptr;
  int n_ = 0;
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_SWING_H_
