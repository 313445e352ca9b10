// Work that a search may still do. One object goes through all of it, and every try is paid from
// it.

#ifndef MUJOCABLE_CORE_PATH_BUDGET_H_
#define MUJOCABLE_CORE_PATH_BUDGET_H_

#include "core/path/tolerance.h"

namespace mujocable {

struct Budget {
  int tries = 0;   // of Newton's method or of a move downhill, over anything but a closed form
  int sweeps = 0;  // of block descent over smooth surfaces
  int ring_sweeps = kRingSweeps;      // of knots over rings
  int iterations = kGroupIterations;  // of Newton's method over a group

  bool Spent() const { return tries <= 0; }
  void Pay(int price) { tries -= price; }
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_BUDGET_H_
