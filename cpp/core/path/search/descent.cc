#include "core/path/search/descent.h"

#include <algorithm>

#include "core/path/follow/neighbors.h"
#include "core/path/search/tighten.h"

namespace mujocable {

Tightened TightenOne(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n, int i,
                     Budget& budget) {
  const SpanWrap& w = wraps[i];
  if (!IsSmooth(*w.surface)) return {TightenRound(a, b, wraps, n, i)};
  return TightenSmooth(Before(a, wraps, i), After(b, wraps, n, i), w, budget);
}

double Descend(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Budget& budget) {
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    const Touch old = wraps[i].touch;
    Touch& now = wraps[i].touch;
    const auto [found, solved] = TightenOne(a, b, wraps, n, i, budget);
    now = found;
    double move = 0;
    if (solved && old.touching && now.touching) {
      move = std::max(Norm(now.p - old.p), Norm(now.q - old.q)) / wraps[i].surface->radius;
    } else if (!solved || old.touching != now.touching) {
      move = 1;
    }
    largest = std::max(largest, move);
  }
  return largest;
}

bool Settled(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Budget& budget) {
  bool settled = true;
  for (int i = 0; i < n; ++i) {
    Touch& touch = wraps[i].touch;
    if (touch.touching) {
      touch.way = Follow(*wraps[i].surface, Before(a, wraps, i), After(b, wraps, n, i), touch.way);
    } else {
      const auto [now, solved] = TightenOne(a, b, wraps, n, i, budget);
      settled = settled && solved && !now.touching;
      touch = now;
    }
  }
  return settled;
}

}  // namespace mujocable
