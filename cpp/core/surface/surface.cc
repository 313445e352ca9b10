#include "core/surface/surface.h"

#include <algorithm>
#include <cmath>

#include "core/mesh/field.h"
#include "core/surface/buried.h"
#include "core/surface/cylinder.h"
#include "core/surface/shapes.h"
#include "core/surface/sphere.h"

namespace mujocable {
namespace {

Vec3 ToLocal(const Surface& s, const Vec3& x) { return Unrotate(s.rot, x - s.pos); }
Vec3 ToWorld(const Surface& s, const Vec3& x) { return s.pos + Rotate(s.rot, x); }

const Shape& ShapeOf(const Surface& s) {
  // no default: the compiler names a kind that is not here
  switch (s.kind) {
    case SurfaceKind::kEllipsoid:
      return ellipsoid::kShape;
    case SurfaceKind::kTorus:
      return torus::kShape;
    case SurfaceKind::kMesh:
      return mesh::kShape;
    case SurfaceKind::kCapsule:
    case SurfaceKind::kBox:
    case SurfaceKind::kCylinder:
    case SurfaceKind::kSphere:
      break;  // the last two have closed forms and are not asked for
  }
  return rounded::kShape;
}

// from the axis of a cylinder or the center of a sphere
Vec3 FromAxis(const Surface& s, const Vec3& x) {
  const Vec3 d = x - s.pos, axis = s.rot.Column(2);
  return s.kind == SurfaceKind::kCylinder ? d - Dot(d, axis) * axis : d;
}

}  // namespace

double CornerBetween(const Vec3& u, const Vec3& v) {
  return std::atan2(Norm(Cross(u, v)), Dot(u, v));
}

void HoldAt(const Vec3& point, const Vec3& a, const Vec3& b, const Vec3& around, Touch& touch) {
  touch.touching = touch.held = true;
  touch.p = touch.q = point;
  touch.t_p = Unit(point - a, around);
  touch.t_q = Unit(b - point, around);
  touch.before = Norm(point - a);
  touch.after = Norm(b - point);
  touch.turn = CornerBetween(touch.t_p, touch.t_q);
}

void HoldAtRim(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way, Touch& touch) {
  const Vec3 ca = a - s.pos, cb = b - s.pos;
  const bool sphere = s.kind == SurfaceKind::kSphere;
  // a sphere has its rim in the plane of the string, which is not well known where that is straight
  const Vec3 axis = sphere ? Across(way.plane, Unit(ca, {1, 0, 0})) : s.rot.Column(2);
  const double swept = sphere ? CornerBetween(ca, cb) : way.swept;
  const double za = sphere ? 0 : Dot(ca, axis), zb = sphere ? 0 : Dot(cb, axis);
  const Vec3 pa = ca - za * axis, pb = cb - zb * axis;
  const Vec3 out = Unit(pa, Perpendicular(axis));
  const Vec3 around = (swept < 0 ? -1 : 1) * Cross(axis, out);
  const double angle = KeeperAngle(Norm(pa), Norm(pb), s.radius, std::abs(swept));
  const double c = std::cos(angle), n = std::sin(angle);
  const Vec3 rim = s.radius * (c * out + n * around);
  // straight along the axis in the unrolled plane
  const double before = Norm(rim - pa), after = Norm(pb - rim);
  const double share = before + after > 0 ? before / (before + after) : 0.5;
  HoldAt(s.pos + rim + (za + share * (zb - za)) * axis, a, b, c * around - n * out, touch);
}

double Waviness(const Surface& s, const Vec3& x) {
  return s.kind == SurfaceKind::kMesh ? WavinessAt(*s.mesh, ToLocal(s, x)) : 0;
}

bool IsSpline(const Surface& s) { return s.kind == SurfaceKind::kMesh && s.mesh->patch.empty(); }

double Extent(const Surface& s) {
  if (s.kind == SurfaceKind::kTorus) return 2 * s.radius;  // around the tube
  if (s.kind == SurfaceKind::kMesh) return s.size[0];
  const double most = std::max({s.size[0], s.size[1], s.size[2]});
  return s.kind == SurfaceKind::kEllipsoid ? most + s.offset : most + s.radius;
}

double DistanceSmooth(const Surface& s, const Vec3& x, Vec3& n) {
  const double distance = ShapeOf(s).distance(s, ToLocal(s, x), n);
  n = Rotate(s.rot, n);
  return distance;
}

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  if (s.kind == SurfaceKind::kCylinder) return cylinder::Shoot(s, p, t, length);
  if (s.kind == SurfaceKind::kSphere) return sphere::Shoot(s, p, t, length);
  if (length < 0) {
    // backward: the same curve run the other way
    Geodesic g = Shoot(s, p, -t, -length);
    TurnRound(g);
    return g;
  }
  Geodesic g = ShapeOf(s).shoot(s, ToLocal(s, p), Unrotate(s.rot, t), length);
  for (Vec3* x : {&g.p, &g.q}) *x = ToWorld(s, *x);
  for (Vec3* v : {&g.t_p, &g.n_p, &g.t_q, &g.n_q}) *v = Rotate(s.rot, *v);
  return g;
}

double Turning(const Surface& s, const Geodesic& g) {
  if (IsSmooth(s)) return g.turn;
  // constant normal curvature on both closed-form surfaces, by the tangent as it is now
  const double along = s.kind == SurfaceKind::kCylinder ? Dot(g.t_p, s.rot.Column(2)) : 0;
  return (1 - along * along) * g.length / s.radius;
}

Touch Tighten(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  if (s.inside) return TightenInside(s, a, b);
  return s.kind == SurfaceKind::kCylinder ? cylinder::Tighten(s, a, b, way)
                                          : sphere::Tighten(s, a, b, way);
}

Touch TightenKept(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  Touch touch = Tighten(s, a, b, way);
  if (!touch.touching && !s.inside) HoldAtRim(s, a, b, touch.way, touch);
  return touch;
}

Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  return s.kind == SurfaceKind::kCylinder ? cylinder::WayThrough(s, a, via, b)
                                          : sphere::WayThrough(s, a, via, b);
}

Homotopy WayAmong(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  if (s.kind != SurfaceKind::kSphere) return WayThrough(s, a, via, b);
  const Vec3 ca = a - s.pos, cb = b - s.pos, cross = Cross(ca, cb);
  const bool collinear = Norm(cross) <= kCollinear * Norm(ca) * Norm(cb);
  return {0, collinear ? Cross(ca, via - s.pos) : cross};
}

Homotopy WayStraight(const Surface& s, const Vec3& a, const Vec3& b) {
  if (s.kind == SurfaceKind::kCylinder) return cylinder::Follow(s, a, b, {});
  if (s.kind == SurfaceKind::kSphere) return {0, Cross(a - s.pos, b - s.pos)};
  return {};
}

Homotopy WayOfArc(const Surface& s, const Vec3& p, const Vec3& t, const Homotopy& way) {
  if (s.kind == SurfaceKind::kSphere) return {way.swept, Cross(p - s.pos, t)};
  return way;
}

Homotopy Follow(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  if (s.kind == SurfaceKind::kCylinder) return cylinder::Follow(s, a, b, way);
  return way;
}

double Distance(const Surface& s, const Vec3& x) {
  if (!IsSmooth(s)) return Norm(FromAxis(s, x)) - s.radius;
  Vec3 n;
  return DistanceSmooth(s, x, n);
}

Vec3 Normal(const Surface& s, const Vec3& x) {
  if (!IsSmooth(s)) return Unit(FromAxis(s, x), s.rot.Column(0));
  Vec3 n;
  DistanceSmooth(s, x, n);
  return n;
}

Vec3 NearestTo(const Surface& s, const Vec3& a, const Vec3& b, double& distance) {
  double u;
  distance = ShapeOf(s).deepest(s, ToLocal(s, a), ToLocal(s, b), u);
  const Vec3 x = a + u * (b - a);
  Vec3 n;
  const double there = DistanceSmooth(s, x, n);
  return x - there * n;
}

double SegmentDepth(const Surface& s, const Vec3& a, const Vec3& b) {
  if (!IsSmooth(s)) {
    const Vec3 from = FromAxis(s, a), d = FromAxis(s, b) - from;
    const double dd = Dot(d, d), u = dd > 0 ? std::clamp(-Dot(from, d) / dd, 0.0, 1.0) : 0;
    return std::max(0.0, s.radius - Norm(from + u * d));
  }
  double u;
  return std::max(0.0, -ShapeOf(s).deepest(s, ToLocal(s, a), ToLocal(s, b), u));
}

}  // namespace mujocable
