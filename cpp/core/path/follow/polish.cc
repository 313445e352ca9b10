// The taut string by Newton's method, from a guess nearby.

#include <algorithm>
#include <cmath>

#include "core/path/follow/chain.h"

namespace mujocable {
namespace {

// a touching wrap becomes lifted, remembering where it was
void Lift(Touch& touch) {
  const Vec3 p = touch.p;
  const double clearance = touch.clearance;
  touch = {};
  touch.p = touch.q = p;
  touch.clearance = clearance;
}

// Where a mesh is flat but for its waves, a string that is tangent may still run into the next wave
// or edge: whether the segments before and after arc k do not.
bool EndsClear(const Chain& chain, int k, const Surface& s) {
  const Geodesic& g = chain.arc[k];
  const double deep = kUnderMesh * s.radius;
  const auto flat = [&](const Vec3& x, const Curvature& at) {
    return -at.normal < 2 * Waviness(s, x) + kFlat / s.radius;
  };
  if (flat(g.p, g.at_p) && SegmentDepth(s, g.p - chain.length[k] * chain.direction[k], g.p) > deep)
    return false;
  return !flat(g.q, g.at_q) ||
         SegmentDepth(s, g.q, g.q + chain.length[k + 1] * chain.direction[k + 1]) <= deep;
}

}  // namespace

bool Polish(const Strand& strand, Run& run) {
  run.iterations = 0;
  Chain chains[2];
  for (int round = 0; round <= strand.n; ++round) {
    if (!MakeChain(strand, chains[0])) return false;
    if (round == 0) run.start_error = chains[0].n ? chains[0].error : 0;
    if (chains[0].n == 0) return true;
    double longest = run.longest;
    if (run.descended) longest = Length(chains[0]) * (1 + kLengthRounding * kRounding);
    const Chain& chain = Newton(strand, chains, run);
    if (!(chain.error <= kPathMargin * chain.tolerance)) return false;
    const bool clamped = chain.clamped_start || chain.clamped_end;
    if (!clamped && run.followed && run.folded) return false;
    if (!clamped && run.sign < 0) return false;
    if (Length(chain) > longest) return false;
    // a drum keeps the string that is clamped to it at no arc; at less it leaves
    const auto lifts = [&](int k) {
      const bool drum = (k == 0 && chain.clamped_start) || (k == chain.n - 1 && chain.clamped_end);
      return drum ? chain.arc[k].length < 0 : chain.arc[k].length <= 0;
    };
    bool lifted = false;
    for (int k = 0; k < chain.n; ++k) {
      const Geodesic& g = chain.arc[k];
      const SpanWrap& w = strand[chain.index[k]];
      const double reach = run.reach * w.surface->radius;
      if (Norm(g.p - w.touch.p) > reach) return false;
      if (w.guided && std::abs(g.length - w.touch.arc) > reach) return false;
      // the string leaves both ends outward, and bends to the surface between them
      if (g.length > 0 && IsSmooth(*w.surface) && !w.guided) {
        const Surface& s = *w.surface;
        const double bridge = std::min(
            {g.least_bending, Waviness(s, g.p) - g.at_p.normal, Waviness(s, g.q) - g.at_q.normal});
        if (bridge < -kStraight / s.radius) return false;
        if (s.kind == SurfaceKind::kMesh && !EndsClear(chain, k, s)) return false;
      }
      lifted = lifted || lifts(k);
    }
    StoreTouches(chain, strand);
    if (!lifted) return true;
    for (int k = 0; k < chain.n; ++k) {
      if (lifts(k)) Lift(strand[chain.index[k]].touch);
    }
  }
  return false;
}

}  // namespace mujocable
