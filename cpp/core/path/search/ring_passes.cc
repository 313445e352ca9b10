#include "core/path/search/ring_passes.h"

#include "core/path/tolerance.h"

namespace mujocable {
int RingPasses(const Surface& ring, const Vec3& a, const Vec3& b) {
  const Vec3 axis = ring.rot.Column(2);
  const double from = Dot(a - ring.pos, axis), to = Dot(b - ring.pos, axis);
  if ((from > 0) == (to > 0)) return 0;
  // where it meets the plane of the ring
  const Vec3 out = a + from / (from - to) * (b - a) - ring.pos;
  if (!(Dot(out, out) < ring.size[0] * ring.size[0])) return 0;
  return from > 0 ? -1 : 1;
}

int RingPasses(const Surface& ring, const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n) {
  int count = 0;
  Vec3 from = a;
  const auto go = [&](const Vec3& to) {
    count += RingPasses(ring, from, to);
    from = to;
  };
  for (int i = 0; i < n; ++i) {
    const Touch& touch = wraps[i].touch;
    if (!touch.touching) continue;
    go(touch.p);
    Vec3 t = touch.t_p;
    for (int k = 0; k < kPassPieces && touch.arc > 0; ++k) {
      const Geodesic piece = Shoot(*wraps[i].surface, from, t, touch.arc / kPassPieces);
      t = piece.t_q;
      go(piece.q);
    }
  }
  go(b);
  return count;
}

}  // namespace mujocable
