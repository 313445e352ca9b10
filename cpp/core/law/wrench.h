// Loads (18): tensions along the segments -> one wrench per touched body.

#ifndef MUJOCABLE_CORE_LAW_WRENCH_H_
#define MUJOCABLE_CORE_LAW_WRENCH_H_

#include "core/math/inline.h"
#include "core/record.h"

namespace mujocable {

// force, and moment about the reference point of the body's kinematic tree
struct Wrench {
  Vec3 force, moment;
};

MUJOCABLE_INLINE inline void AddForce(Wrench& wrench, const Vec3& force, const Vec3& point,
                                      const Vec3& about) {
  wrench.force += force;
  wrench.moment += Cross(point - about, force);
}

// Adds the cable's pull on every element. slot[i]: wrench of element i, negative = fixed in the
// world; about(k): reference point of wrench k.
template <typename About>
void AddLoads(const Record& record, const int* slot, const About& about, Wrench* wrench) {
  const int n = record.ncontact;
  // neighbors often ride on one body: what it collects stays at hand until the next body's turn
  Wrench sum;
  Vec3 center;
  int here = -1;
  const auto turn_to = [&](int k) MUJOCABLE_INLINE {
    if (k == here) return;
    if (here >= 0) wrench[here] = sum;
    here = k;
    if (k < 0) return;
    sum = wrench[k];
    center = about(k);
  };
  turn_to(slot[0]);
  Vec3 pull = record.tension()[0] * record.Direction(0);  // of the segment that leaves
  if (here >= 0) AddForce(sum, pull, Load(record.ends()), center);
  for (int i = 0; i < n; ++i) {
    const Vec3 before = pull;
    pull = record.tension()[i + 1] * record.Direction(i + 1);
    if (slot[i + 1] < 0 || !record.Touching(i)) continue;
    turn_to(slot[i + 1]);
    if (record.arc()[i] == 0) {
      AddForce(sum, pull - before, record.Entry(i), center);
    } else {
      AddForce(sum, -before, record.Entry(i), center);
      AddForce(sum, pull, record.Exit(i), center);
    }
  }
  turn_to(slot[n + 1]);
  if (here >= 0) AddForce(sum, -pull, Load(record.ends() + 3), center);
  turn_to(-1);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_WRENCH_H_
