// Runs of guides: where no surface lies between, the cable is straight from node to node.

#ifndef MUJOCABLE_CORE_GUIDES_H_
#define MUJOCABLE_CORE_GUIDES_H_

#include <algorithm>

#include "lanes.h"
#include "route.h"

namespace mujocable {

// Segments `first` ... `last` - 1 between nodes at `from`, the elements between, and `to`: lengths,
// directions, and the angle at every node where two segments meet, segment `first` - 1 included.
inline void SolveGuides(const Element* elements, const Vec3& from, const Vec3& to, int first,
                        int last, Record& record) {
  const auto position = [&](int node) { return node < last ? elements[node].pos : to; };
  Vec3 here = from, before = first > 0 ? record.Direction(first - 1) : Vec3{};
  double total = *record.length;
  for (int at = first; at < last; at += kLanes) {
    // four segments at once; past the end of the run they have no length
    const Vec3 p[kLanes] = {position(at + 1), position(at + 2), position(at + 3), position(at + 4)};
    const Lanes px = {p[0].x, p[1].x, p[2].x, p[3].x};
    const Lanes py = {p[0].y, p[1].y, p[2].y, p[3].y};
    const Lanes pz = {p[0].z, p[1].z, p[2].z, p[3].z};
    Lanes x = px - Shift(here.x, px), y = py - Shift(here.y, py), z = pz - Shift(here.z, pz);
    const Lanes length = Sqrt(x * x + y * y + z * z);
    const Lanes scale = Select(0 - length, 1 / length, length);  // 0 where there is no length
    x = x * scale, y = y * scale, z = z * scale;

    // and the angles between each of them and the one before
    const Lanes ox = Shift(before.x, x), oy = Shift(before.y, y), oz = Shift(before.z, z);
    const Lanes a = oy * z - oz * y, b = oz * x - ox * z, c = ox * y - oy * x;
    const Lanes angle = AngleOf(Sqrt(a * a + b * b + c * c), ox * x + oy * y + oz * z);

    const int count = std::min(kLanes, last - at);
    for (int j = 0; j < count; ++j) {
      const int segment = at + j;
      Store(record.direction + 3 * segment, {x[j], y[j], z[j]});
      record.segment[segment] = length[j];
      if (segment > 0) record.wrap_angle[segment - 1] = angle[j];
      total += length[j];
    }
    here = p[kLanes - 1];
    before = {x[kLanes - 1], y[kLanes - 1], z[kLanes - 1]};
  }
  *record.length = total;
}

// contact i is a guide at p
inline void WriteGuide(int i, const Vec3& p, Record& record) {
  record.touching[i] = 1;
  record.arc[i] = record.overrun[i] = 0;
  Store(record.entry + 3 * i, p);
  Store(record.exit + 3 * i, p);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_GUIDES_H_
