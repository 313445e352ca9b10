// A Bowden sheath: a housing of constant length from one site to another, with friction over all
// that it bends (23).

#ifndef MUJOCABLE_CORE_PATH_SHEATH_H_
#define MUJOCABLE_CORE_PATH_SHEATH_H_

#include "core/record.h"

namespace mujocable {

// a sheath at its current pose (world)
struct Sheath {
  double length = 0;  // of the cable inside                                              [m]
  double bend = -1;   // by which it turns in all; negative: as its two ends stand         [rad]
  Vec3 in, out;       // unit vectors along which the cable enters and leaves
};

// The cable in a sheath from a to b: contact `contact` of the record is its entry, the next its
// exit, `memory` its place there. Ends further apart than it is long stretch a straight piece
// between, which then pulls like any segment, and show as overrun of the entry.
// before: the direction in which the cable comes.
void WriteSheath(const Sheath& s, const Vec3& a, const Vec3& b, const Vec3& before, int contact,
                 double* memory, const Record& record);

// a point on the way through, 0 <= u <= 1: for drawing
Vec3 PointInSheath(const Sheath& s, const Vec3& a, const Vec3& b, double u);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SHEATH_H_
