// Loads (16)-(17): tensions along the segments -> one wrench per touched body.

#ifndef MUJOCABLE_CORE_WRENCH_H_
#define MUJOCABLE_CORE_WRENCH_H_

#include "record.h"

namespace mujocable {

// force, and moment about the reference point of the body's kinematic tree
struct Wrench {
  Vec3 force, moment;
};

inline void AddForce(Wrench& wrench, const Vec3& force, const Vec3& point, const Vec3& about) {
  wrench.force += force;
  wrench.moment += Cross(point - about, force);
}

// Adds the cable's pull on every element. slot[i]: wrench of element i, negative = fixed in the
// world; about[k]: reference point of wrench k.
inline void AddLoads(const Record& record, const int* slot, const Vec3* about, Wrench* wrench) {
  const int n = record.ncontact;
  if (slot[0] >= 0) {
    AddForce(wrench[slot[0]], record.tension[0] * record.Direction(0), Load(record.ends),
             about[slot[0]]);
  }
  for (int i = 0; i < n; ++i) {
    const int k = slot[i + 1];
    if (k < 0 || !record.Touching(i)) continue;
    const Vec3 before = -record.tension[i] * record.Direction(i);
    const Vec3 after = record.tension[i + 1] * record.Direction(i + 1);
    if (record.arc[i] == 0) {
      AddForce(wrench[k], before + after, record.Entry(i), about[k]);
    } else {
      AddForce(wrench[k], before, record.Entry(i), about[k]);
      AddForce(wrench[k], after, record.Exit(i), about[k]);
    }
  }
  if (slot[n + 1] >= 0) {
    AddForce(wrench[slot[n + 1]], -record.tension[n] * record.Direction(n), Load(record.ends + 3),
             about[slot[n + 1]]);
  }
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_WRENCH_H_
