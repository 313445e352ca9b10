// Where an arc lies on the body that it rubs on, so that the next step knows how far it has moved
// there.

#ifndef MUJOCABLE_CORE_LAW_FOOTING_H_
#define MUJOCABLE_CORE_LAW_FOOTING_H_

#include <cmath>

#include "core/math/inline.h"
#include "core/math/pair.h"

namespace mujocable {

// Length, entry, tangent there, exit, tangent there (body frame), into `now`. Returns by how much
// the entry has moved along the arc over its body since `then`.
MUJOCABLE_INLINE inline double PlaceFooting(const double* then, double arc, const Pair3& point,
                                            const Pair3& tangent, double* now) {
  now[0] = arc;
  Store(now + 1, point.First());
  Store(now + 4, tangent.First());
  Store(now + 7, point.Second());
  Store(now + 10, tangent.Second());
  // how far each end has moved follows from where it was and is, and from the tangents there: exact
  // on a circle
  const auto both = [](const double* at) { return PairOf(Load(at), Load(at + 6)); };
  const Pair3 before = both(then + 4), mean = before + tangent, turn = tangent - before;
  const Pair size = Sqrt(Dot(mean, mean)), along = Dot(point - both(then + 1), mean);
  const Pair chord = 0.5 * Sqrt(Dot(turn, turn));
  const Pair half = Select(chord - 1, chord, Both(1));  // sine of half the turn
  Pair bend = 1 + half * half / Both(6);
  for (int k = 0; k < 2; ++k) {
    if (half[k] > 1e-4) bend[k] = std::asin(half[k]) / half[k];
  }
  // where it has turned around there is no way to tell how far
  const Pair carried = Select(1e-3 - size, bend * along / size, Both(0));
  // the exit has moved by that and the growth of the arc; both ends have a say, so that nothing
  // depends on which of them is called the first
  return (carried[0] + carried[1] - (arc - then[0])) / 2;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_FOOTING_H_
