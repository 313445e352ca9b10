// Surfaces a cable may bear on, posed in the world, and what the route solver asks of them.
//
// A surface answers three questions: the geodesic that leaves a point in a direction, the taut
// string over this surface alone between two outside points, and how deep a segment cuts into it.
// The frame of a curve on a surface is {t, n, b}: tangent, outward normal, b = t x n.

#ifndef MUJOCABLE_CORE_SURFACE_SURFACE_H_
#define MUJOCABLE_CORE_SURFACE_SURFACE_H_

#include <algorithm>

#include "core/math/geodesic.h"
#include "core/math/pair.h"
#include "core/surface/tolerance.h"

namespace mujocable {

struct MeshField;

enum class SurfaceKind { kCylinder, kSphere, kEllipsoid, kTorus, kCapsule, kBox, kMesh };

// all that the closed forms of a cylinder or sphere ask for
struct RoundSurface {
  SurfaceKind kind = SurfaceKind::kSphere;
  double radius = 0;       // cable radius included; the unit of every tolerance   [m]
                           // ellipsoid: least semi-axis, torus: tube, box: rounding, mesh: where
                           // it bends sharply
  double half_length = 0;  // of a cylinder; contact beyond it is reported         [m]
  Vec3 pos;                // center                                               [m]
  Mat3 rot;
};

// a surface in the world; the axis of a cylinder, torus or capsule is the third column of rot
struct Surface : RoundSurface {
  // cylinder: radius of the flanges of its groove, 0: none, and how far from its mid plane a cable
  // falls into it, -; ellipsoid: semi-axes; torus: ring radius, -, -; capsule: 0, 0, half length;
  // box: half sizes of the core that a ball of `radius` sweeps; mesh: half the diagonal of its box,
  // -, -  [m]
  double size[3] = {};
  bool inside = false;  // cylinder, sphere: the cable goes through it and bears on its inner side
  double offset = 0;    // ellipsoid: how far outside it the cable's center runs         [m]
  const MeshField* mesh = nullptr;  // of a mesh
};

// hollows at x bent less than this are the surface's own inaccuracy: a string follows them  [1/m]
double Waviness(const Surface& s, const Vec3& x);

// a surface without a closed form: its string is followed from the one of the step before
inline bool IsSmooth(const Surface& s) { return s.kind >= SurfaceKind::kEllipsoid; }

// a surface that does not bend along some lines: there the end of an arc runs at once
inline bool HasFlats(const Surface& s) {
  return s.kind == SurfaceKind::kCapsule || s.kind == SurfaceKind::kBox ||
         s.kind == SurfaceKind::kMesh;
}

// which way round: how far the string turned about the surface, followed without jumps
struct Homotopy {
  double swept = 0;  // cylinder: signed angle from the point before to the point after [rad]
  Vec3 plane;        // sphere: normal of the wrapping plane, the string turns positively about it
  bool shorter = false;  // sphere: the shorter way in any case, the plane only breaks a tie
};

// the taut string over one surface between two points
struct Touch {
  bool touching = false;
  bool held = false;     // by the keeper of a groove, at one point, with a corner
  Vec3 p, q;             // entry and exit points
  Vec3 t_p, t_q;         // tangents there, along the string
  double arc = 0;        // length on the surface                                      [m]
  double before = 0;     // closed forms: lengths of the segments to p and from q,
  double after = 0;      // which run along the tangents                                [m]
  double turn = 0;       // turning of the tangent on the surface (7)                   [rad]
  double clearance = 0;  // of the nearer of the two points, negative inside        [m]
  Homotopy way;
};

// angle between two directions
double CornerBetween(const Vec3& u, const Vec3& v);

// a string from a to b that is held at one point; around: its direction where an end is there
void HoldAt(const Vec3& point, const Vec3& a, const Vec3& b, const Vec3& around, Touch& touch);

// the same for a cylinder or sphere that the string does not go round: at the point of the circle,
// seen along the axis, over which it is shortest
void HoldAtRim(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way, Touch& touch);

// a mesh that is fitted, not known exactly
bool IsSpline(const Surface& s);

// how large a smooth surface is, as far as a string over it sees                 [m]
double Extent(const Surface& s);

// geodesic from p (projected onto the surface) along t (projected into the tangent plane)
Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);

// total turning of the tangent along an arc (7)
double Turning(const Surface& s, const Geodesic& g);

// shortest string from a to b over this surface alone, in the homotopy class nearest to `way`;
// cylinder and sphere (a smooth surface: SolveSpan)
Touch Tighten(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);

// the same with the keeper of a groove: where the string would lift, it is held at the rim
Touch TightenKept(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);

// homotopy class of the polyline a -> via -> b
Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b);

// The same among several wraps, whose contact points are still moving: about a cylinder the class
// is that of the polyline; a sphere holds no string on one side in space, so there it is the
// shorter way, and `via` decides only where both ways are equal.
Homotopy WayAmong(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b);

// homotopy class of the straight line a -> b, the shorter way round
Homotopy WayStraight(const Surface& s, const Vec3& a, const Vec3& b);

// whether an arc says more about its class than the swept angle does
inline bool ArcShowsWay(const RoundSurface& s) { return s.kind != SurfaceKind::kCylinder; }

// the class of the arc that leaves p along t
Homotopy WayOfArc(const Surface& s, const Vec3& p, const Vec3& t, const Homotopy& way);

// `way` brought up to date for neighbors a and b, by continuity
Homotopy Follow(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);

// signed distance of x from the surface, negative inside                          [m]
double Distance(const Surface& s, const Vec3& x);

// radius of a ball about its center that holds a smooth surface                      [m]
inline double Around(const Surface& s) {
  if (s.kind == SurfaceKind::kMesh) return 1e300;  // not known
  if (s.kind != SurfaceKind::kEllipsoid) return Norm(Load(s.size)) + s.radius;
  return std::max({s.size[0], s.size[1], s.size[2]}) + s.offset;
}

// whether x lies outside for certain: cheaper than the distance; of one point, or of two at a time
template <typename Vector>
MUJOCABLE_INLINE inline bool ClearlyOutside(const Surface& s, const Vector& x) {
  const Vector d = x - s.pos;
  auto square = Dot(d, d), height = 0 * square;
  if (IsSmooth(s)) {
    const double around = Around(s) + kBeyondBall * s.radius;
    return AllNegative(around * around - square);
  }
  if (s.kind == SurfaceKind::kCylinder) height = Dot(s.rot.Column(2), d);
  const double least = (1 + kClearly) * s.radius * s.radius;
  return AllNegative(least + kSquareRounding * square - (square - height * height));
}

// the same for a smooth surface, with the outward unit normal at the surface point nearest to x
double DistanceSmooth(const Surface& s, const Vec3& x, Vec3& n);

// outward unit normal at the surface point nearest to x
Vec3 Normal(const Surface& s, const Vec3& x);

// a smooth surface: the surface point nearest to where the segment a-b comes nearest to it, and
// the signed distance there
Vec3 NearestTo(const Surface& s, const Vec3& a, const Vec3& b, double& distance);

// deepest penetration of the segment a-b, 0 when it stays outside                 [m]
double SegmentDepth(const Surface& s, const Vec3& a, const Vec3& b);

// whether the line from x along d stays outside for certain: cheaper than that
inline bool LineClears(const Surface& s, const Vec3& x, const Vec3& d) {
  if (IsSmooth(s)) return false;
  // across the line, and across the axis of a cylinder
  const Vec3 w = s.pos - x;
  const Vec3 n = s.kind == SurfaceKind::kCylinder ? Cross(d, s.rot.Column(2)) : Cross(d, w);
  const double across = s.kind == SurfaceKind::kCylinder ? Dot(w, n) * Dot(w, n) : Dot(n, n);
  const double unit = s.kind == SurfaceKind::kCylinder ? Dot(n, n) : Dot(d, d);
  return across > (1 + kClearly) * s.radius * s.radius * unit + kSquareRounding * Dot(w, w) * unit;
}

// how far the further of two points at these heights lies beyond the end of a finite cylinder, 0
// when none does                                                                  [m]
inline double Overrun(const RoundSurface& s, const Pair& height) {
  return std::max(0.0, MostSize(height) - s.half_length);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_SURFACE_SURFACE_H_
