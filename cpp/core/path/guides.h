// Runs of guides: where no surface lies between, the cable is straight from node to node.

#ifndef MUJOCABLE_CORE_PATH_GUIDES_H_
#define MUJOCABLE_CORE_PATH_GUIDES_H_

#include <algorithm>

#include "core/math/angle.h"
#include "core/path/route.h"

namespace mujocable {

// contact i is a guide at p
inline void WriteGuide(int i, const Vec3& p, Record& record) {
  record.touching()[i] = 1;
  record.arc()[i] = record.overrun()[i] = 0;
  Store(record.entry() + 3 * i, p);
  Store(record.exit() + 3 * i, p);
}

// The direction in which the cable comes to the end of a segment: its own or, where guides lie in
// one place and it has none, that of the segment before them; out of a sheath, that of its exit.
inline Vec3 Arriving(const Element* elements, const Record& record, int segment) {
  for (;; --segment) {
    if (elements[segment].kind == ElementKind::kSheath) return elements[segment].sheath->out;
    const Vec3 e = record.Direction(segment);
    if (segment == 0 || Dot(e, e) > 0) return e;
  }
}

// Segments `first` ... `last` - 1 between nodes at `from`, the guides between, and `to`: guides,
// lengths, directions, and the angle at every node where two segments meet, segment `first` - 1
// included. Four segments at a time; past the end of the run they have no direction.
inline void SolveGuides(const Element* elements, const Vec3& from, const Vec3& to, int first,
                        int last, Record& record) {
  // unit vectors of a stretch of the run, after the one before it
  constexpr int kStretch = 64;
  double ex[kStretch + 1], ey[kStretch + 1], ez[kStretch + 1];
  const Vec3 before = first > 0 ? Arriving(elements, record, first - 1) : Vec3{};
  ex[0] = before.x, ey[0] = before.y, ez[0] = before.z;

  Vec3 here = from;
  double total = record.length();
  for (int begin = first; begin < last; begin += kStretch) {
    const int end = std::min(begin + kStretch, last);
    for (int at = begin; at < end; at += kLanes) {
      Vec3 p[kLanes];
      for (int j = 0; j < kLanes; ++j) {
        const int node = at + j + 1;
        p[j] = node < last ? elements[node].pos : to;
        if (node < last) WriteGuide(node - 1, p[j], record);
      }
      const Lanes3 nodes = LanesOf(p[0], p[1], p[2], p[3]);
      Lanes x = nodes.x - Shift(here.x, nodes.x), y = nodes.y - Shift(here.y, nodes.y);
      Lanes z = nodes.z - Shift(here.z, nodes.z);
      const Lanes length = Sqrt(x * x + y * y + z * z);
      const Lanes scale = InverseLength(length, nodes);
      x = x * scale, y = y * scale, z = z * scale;
      StoreLanes(ex + at - begin + 1, x);
      StoreLanes(ey + at - begin + 1, y);
      StoreLanes(ez + at - begin + 1, z);
      const int count = std::min(kLanes, last - at);
      for (int j = 0; j < count; ++j) {
        Store(record.direction() + 3 * (at + j), {x[j], y[j], z[j]});
        record.segment()[at + j] = length[j];
        total += length[j];
        // the cable turns where it goes on
        if (scale[j] == 0) [[unlikely]] {
          const int i = at + j - begin;
          ex[i + 1] = ex[i], ey[i + 1] = ey[i], ez[i + 1] = ez[i];
        }
      }
      here = p[kLanes - 1];
    }
    for (int at = begin; at < end; at += kLanes) {
      const int i = at - begin;
      const Lanes ox = LoadLanes(ex + i), oy = LoadLanes(ey + i), oz = LoadLanes(ez + i);
      const Lanes x = LoadLanes(ex + i + 1), y = LoadLanes(ey + i + 1), z = LoadLanes(ez + i + 1);
      const Lanes a = oy * z - oz * y, b = oz * x - ox * z, c = ox * y - oy * x;
      const Lanes angle = AngleOf(Sqrt(a * a + b * b + c * c), ox * x + oy * y + oz * z);
      const int count = std::min(kLanes, last - at);
      for (int j = at > 0 ? 0 : 1; j < count; ++j) record.wrap_angle()[at + j - 1] = angle[j];
    }
    const int n = end - begin;
    ex[0] = ex[n], ey[0] = ey[n], ez[0] = ez[n];
  }
  record.length() = total;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_GUIDES_H_
