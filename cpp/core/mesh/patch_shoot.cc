#include <algorithm>
#include <cmath>

#include "core/math/root.h"
#include "core/mesh/field.h"
#include "core/mesh/tolerance.h"

namespace mujocable {
namespace {

// the patch that a curve leaving x along t runs over: on a join the direction decides
int PatchAlong(const MeshField& f, const Vec3& x, const Vec3& t) {
  int patch = PatchAt(f, x);
  const std::int64_t at = f.Near(x);
  for (int k = f.first[at]; k < f.first[at + 1]; ++k) {
    const Join& join = f.join[f.near[k]];
    if (patch != join.patch[0] && patch != join.patch[1]) continue;
    Vec3 gradient;
    if (std::abs(Beyond(join, x, gradient)) > kOnJoin * f.extent) continue;
    patch = join.patch[Dot(gradient, t) > 0 ? 1 : 0];
  }
  return patch;
}

// Where a geodesic of length h from y leaves its patch over a join: the length until there, h where
// it does not. `fresh`: it has just come over the same join.
double LeavesAt(const Primitive& s, const Join& join, double side, const ode::State& y, double h,
                const ode::State& end, bool fresh, double exact) {
  using ode::First;
  Vec3 gradient;
  const auto beyond = [&](const ode::State& at, double& slope) {
    const double value = side * Beyond(join, First(at.x), gradient);
    slope = side * Dot(gradient, First(at.t));
    return value;
  };
  double bending, slope0, slope1;
  const double value0 = beyond(y, slope0);
  double value1 = beyond(end, slope1);
  if (value0 > exact) return slope0 > 0 ? 0 : h;
  double high = h;
  if (!(value1 > exact)) {
    // over and back again?
    if (!(slope0 > 0 && slope1 < 0)) return h;
    if (!(std::min(value0 + slope0 * h, value1 - slope1 * h) > exact)) return h;
    const auto slope_at = [&](double u) {
      double slope;
      value1 = beyond(Advance(s, y, u, bending), slope);
      return slope;
    };
    high = RootBetween(0, h, slope0, slope1, 1e-9 * h, slope_at);
    slope_at(high);
    if (!(value1 > exact)) return h;
  }
  double low = 0;
  if (value0 > -exact) {
    // from the join itself: first into the patch, then out again
    for (double in = 0.5 * high; low == 0 && in > 1e-6 * h; in *= 0.5) {
      double slope;
      const double value = beyond(Advance(s, y, in, bending), slope);
      if (value < -exact) low = in;
      if (value > exact) high = in;
    }
    if (low == 0) return fresh ? h : 0;
  }
  // Newton, kept between what is before and what is beyond
  double at = low > 0 ? 0.5 * (low + high) : high * value0 / (value0 - value1);
  for (int i = 0; i < 60; ++i) {
    double slope;
    const double value = beyond(Advance(s, y, at, bending), slope);
    (value > 0 ? high : low) = at;
    if (std::abs(value) <= kMeetsJoin * exact || high - low <= 1e-16 * h) break;
    const double next = slope > 0 ? at - value / slope : -1;
    at = next > low && next < high ? next : 0.5 * (low + high);
  }
  return at;
}

}  // namespace

void ShootOverPatches(const MeshField& f, double length, Geodesic& g) {
  using ode::First;
  g.length = length;
  ode::State y = {ode::With(g.p, 1), ode::With(g.t_p, 1), All<Lanes>(0)};
  double left = length;
  int patch = PatchAlong(f, g.p, First(y.t)), crossed = -1;
  g.at_p = ode::BendOf(JetOf(f.patch[patch], g.p), g.t_p, g.n_p);
  const double exact = kOnJoin * f.extent;
  for (int piece = 0; piece < kMaxPieces && left > 0; ++piece) {
    const Vec3 x = First(y.x);
    const Primitive& s = f.patch[patch];
    Vec3 node;
    const std::int64_t at = f.Near(x, node);
    const double alone = f.reach[at] - Norm(x - node);
    const bool near = !(alone > kEventStep * f.cell);
    double h = std::min({left, StepOf(s, x), near ? kEventStep * f.cell : alone});
    if (piece + 1 == kMaxPieces) h = left;
    double bending;
    ode::State next = Advance(s, y, h, bending);
    int across = -1;
    if (near) {
      for (int k = f.first[at]; k < f.first[at + 1]; ++k) {
        const Join& join = f.join[f.near[k]];
        if (patch != join.patch[0] && patch != join.patch[1]) continue;
        const double until = LeavesAt(s, join, patch == join.patch[0] ? 1 : -1, y, h, next,
                                      f.near[k] == crossed, exact);
        if (until < h) {
          h = until;
          next = Advance(s, y, h, bending);
          across = f.near[k];
        }
      }
    }
    y = next;
    g.least_bending = std::min(g.least_bending, bending);
    left -= h;
    crossed = across;
    if (across >= 0) {
      const Join& join = f.join[across];
      patch = join.patch[patch == join.patch[0] ? 1 : 0];
    }
  }
  const Primitive& s = f.patch[patch];
  g.q = FootOn(s, First(y.x), g.n_q);
  Finish(y, g);
  g.at_q = ode::BendOf(JetOf(s, g.q), g.t_q, g.n_q);
}

}  // namespace mujocable
