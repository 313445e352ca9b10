#include "core/math/geodesic_ode.h"
#include "core/math/root.h"
#include "core/mesh/field.h"
#include "core/mesh/tolerance.h"
#include "core/surface/shapes.h"
#include "core/surface/tolerance.h"

namespace mujocable::mesh {
namespace {

// From outside the grid its border hides what is nearest: look from where the line to what is known
// so far leaves the grid.
Vec3 Outlook(const MeshField& f, const Vec3& x, Vec3 y) {
  for (int i = 0; i < kMaxLooks; ++i) {
    const Vec3 d = x - y, from = y - f.origin;
    double share = 1;
    for (int k = 0; k < 3; ++k) {
      const double border = d[k] > 0 ? (f.n[k] - 1) * f.cell : 0;
      if (std::abs(d[k]) > 0) share = std::min(share, (border - from[k]) / d[k]);
    }
    if (!(share < 1)) break;
    const Vec3 next = SampleNear(f, y + share * d);
    if (!(Norm(x - next) < Norm(d))) break;
    y = next;
  }
  return y;
}

// From a sample near the point nearest to x to that point, over as many joins as lie between; the
// sample itself where that leads elsewhere.
Vec3 OnPatches(const MeshField& f, const Vec3& x, const Vec3& sample) {
  int patch = PatchAt(f, sample);
  for (int i = 0; i < kMaxLooks; ++i) {
    Vec3 n;
    const Vec3 foot = FootOn(f.patch[patch], x, n);
    if (Norm(foot - sample) > kFootReach * f.cell) break;
    const int beyond = PatchAt(f, foot);
    if (beyond == patch) return Norm(x - foot) <= Norm(x - sample) ? foot : sample;
    patch = beyond;
  }
  return sample;
}

// The surface point nearest to x: Newton for the point whose normal points at x. Outside the band
// the nearest sample is near enough: only its side and rough distance matter there.
Vec3 Foot(const MeshField& f, const Vec3& x, Vec3& n, double& distance) {
  if (!InBand(f, x)) {
    const std::int64_t at = f.Near(x);
    Vec3 y = Outlook(f, x, f.sample[f.nearest[at]]);
    if (!f.patch.empty()) y = OnPatches(f, x, y);
    const Vec3 d = x - y;
    const double side = f.distance[at] < 0 ? -1 : 1, apart = Norm(d);
    distance = side * apart;
    n = apart > 0 ? (side / apart) * d : Vec3{0, 0, 1};
    return y;
  }
  Jet jet;
  Vec3 y = Drop(f, x, jet);
  for (int i = 0; i < kMaxMeshSteps; ++i) {
    const double g = std::max(Norm(jet.g), kLeastGradient);
    n = Unit(jet.g, {0, 0, 1});
    distance = Dot(x - y, n);
    const Vec3 aside = x - y - distance * n;
    const double far = Norm(aside);
    if (!(far > kLastMeshStep * std::abs(distance) + kMeshRounding * f.cell)) break;
    // (1 + D S) move = aside in the tangent plane, its curvatures kept from folding
    const Vec3 u = (1 / far) * aside, v = Cross(n, u);
    const double scale = distance / g;
    const double uu = 1 + scale * Dot(u, jet.Times(u)), vv = 1 + scale * Dot(v, jet.Times(v));
    const double uv = scale * Dot(u, jet.Times(v));
    const double mean = 0.5 * (uu + vv), spread = std::sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv);
    Vec3 move;
    if (mean - spread > kLeastFold) {
      const double det = uu * vv - uv * uv;
      move = (far / det) * (vv * u + (-uv) * v);
    } else {
      move = (0.5 / std::max(1.0, mean + spread)) * aside;
    }
    const double size = Norm(move);
    if (size > f.cell) move = (f.cell / size) * move;
    y = Drop(f, y + move, jet);
  }
  return y;
}

struct Field {
  static constexpr bool kHollows = true;
  const MeshField& f;
  mutable Vec3 known;     // where a geodesic starts or ends
  mutable Jet known_jet;  // and what the field is there

  explicit Field(const Surface& s) : f(*s.mesh), known{NAN, NAN, NAN} {}

  Jet JetAt(const Vec3& x) const {
    const bool same = x.x == known.x && x.y == known.y && x.z == known.z;
    return same ? known_jet : Evaluate(f, x);
  }
  ode::Flow At(const Vec3& x, const Vec3& t) const { return ode::FlowOf(JetAt(x), t); }
  double Reach(const Vec3& x, const Vec3& t) const {
    double reach = ReachAt(f, x);
    for (double u : {0.5, 1.0}) reach = std::min(reach, ReachAt(f, x + (u * reach) * t));
    return reach;
  }
  double Wavy(const Vec3& x) const { return WavinessAt(f, x); }
  Vec3 Project(const Vec3& x, Vec3& n) const {
    Jet jet;
    double distance;
    const Vec3 y = Drop(f, InBand(f, x) ? x : Foot(f, x, n, distance), jet);
    n = Unit(jet.g, {0, 0, 1});
    known = y;
    known_jet = jet;
    return y;
  }
  Curvature Bend(const Vec3& x, const Vec3& t, const Vec3& n) const {
    return ode::BendOf(JetAt(x), t, n);
  }
};

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  const Field field(s);
  if (s.mesh->patch.empty()) return ode::Shoot(field, p, t, length);
  Geodesic g;
  g.p = field.Project(p, g.n_p);
  g.t_p = Across(t, g.n_p);
  ShootOverPatches(*s.mesh, length, g);
  return g;
}

double Signed(const Surface& s, const Vec3& x, Vec3& n) {
  double distance;
  const Vec3 y = Foot(*s.mesh, x, n, distance);
  return std::copysign(Norm(x - y), distance);
}

// Steps along the segment by what the distance at the nodes allows; near the surface by half a
// cell, the deepest place made exact on the field.
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u) {
  const MeshField& f = *s.mesh;
  const Vec3 d = b - a;
  const double length = Norm(d);
  Vec3 n;
  u = 0;
  if (!(length > 0)) return Signed(s, a, n);
  double least = 1e300, at = 0;
  bool on_field = false;
  for (int i = 0; i < kMaxMarches; ++i) {
    const Vec3 x = a + (at / length) * d;
    Vec3 node;
    const std::int64_t index = f.Near(x, node);
    const double apart = Norm(x - node), far = f.distance[index];
    const bool in_band = std::abs(far) <= kBand * f.cell && apart <= f.cell;
    const double value = in_band ? Value(f, x) : far < 0 ? far : std::max(apart, far);
    if (value < least) {
      least = value;
      on_field = in_band;
      u = at / length;
    }
    if (at >= length) break;
    // a point outside the grid is farther from the surface than from the grid's border
    const double bound = in_band   ? value - f.cell
                         : far < 0 ? 2 * f.cell
                                   : std::max(apart - f.cell, far - apart);
    at = std::min(length, at + std::max(0.5 * f.cell, bound - f.cell));
  }
  if (on_field) {
    // within a cell the distance is convex
    const double low = std::max(0.0, u - f.cell / length);
    const double wide = std::min(1.0, u + f.cell / length) - low;
    u = low + wide * LeastAt((u - low) / wide, kLastStep, [&](double v) {
                return Dot(Evaluate(f, a + (low + v * wide) * d).g, d);
              });
  }
  return Signed(s, a + u * d, n);
}

}  // namespace

const Shape kShape = {Shoot, Signed, Deepest};

double DistanceRoughly(const Surface& s, const Vec3& x, Vec3& n) {
  const MeshField& f = *s.mesh;
  if (!InBand(f, x)) return Signed(s, x, n);
  const Jet jet = Evaluate(f, x);
  const double g = std::max(Norm(jet.g), kLeastGradient);
  n = Unit(jet.g, {0, 0, 1});
  return jet.f / g;
}

}  // namespace mujocable::mesh
