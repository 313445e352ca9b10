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

// smooth surfaces work in their own frame
Geodesic ShootSmooth(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  const Vec3 from = ToLocal(s, p), along = Unrotate(s.rot, t);
  Geodesic g = s.kind == SurfaceKind::kEllipsoid ? ellipsoid::Shoot(s, from, along, length)
               : s.kind == SurfaceKind::kTorus   ? torus::Shoot(s, from, along, length)
               : s.kind == SurfaceKind::kMesh    ? mesh::Shoot(s, from, along, length)
                                                 : rounded::Shoot(s, from, along, length);
  g.p = ToWorld(s, g.p);
  g.q = ToWorld(s, g.q);
  for (Vec3* v : {&g.t_p, &g.n_p, &g.t_q, &g.n_q}) *v = Rotate(s.rot, *v);
  return g;
}

double SignedLocal(const Surface& s, const Vec3& x, Vec3& n) {
  return s.kind == SurfaceKind::kEllipsoid ? ellipsoid::Signed(s, x, n)
         : s.kind == SurfaceKind::kTorus   ? torus::Signed(s, x, n)
         : s.kind == SurfaceKind::kMesh    ? mesh::Signed(s, x, n)
                                           : rounded::Signed(s, x, n);
}

double DeepestLocal(const Surface& s, const Vec3& a, const Vec3& b, double& u) {
  return s.kind == SurfaceKind::kEllipsoid ? ellipsoid::Deepest(s, a, b, u)
         : s.kind == SurfaceKind::kTorus   ? torus::Deepest(s, a, b, u)
         : s.kind == SurfaceKind::kMesh    ? mesh::Deepest(s, a, b, u)
                                           : rounded::Deepest(s, a, b, u);
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
  const double distance = SignedLocal(s, ToLocal(s, x), n);
  n = Rotate(s.rot, n);
  return distance;
}

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  if (s.kind == SurfaceKind::kCylinder) return cylinder::Shoot(s, p, t, length);
  if (s.kind == SurfaceKind::kSphere) return sphere::Shoot(s, p, t, length);
  return ShootSmooth(s, p, t, length);
}

double Turning(const Surface& s, const Geodesic& g) {
  if (IsSmooth(s)) return g.turn;
  // constant normal curvature on both closed-form surfaces, by the tangent as it is now
  const double along = s.kind == SurfaceKind::kCylinder ? Dot(g.t_p, s.rot.Column(2)) : 0;
  return (1 - along * along) * g.length / s.radius;
}

Touch Tighten(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  if (s.inside) return TightenInside(s, a, b);
  if (s.kind == SurfaceKind::kCylinder) return cylinder::Tighten(s, a, b, way);
  if (s.kind == SurfaceKind::kSphere) return sphere::Tighten(s, a, b, way);
  return {};
}

Touch TightenKept(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  if (s.inside) return TightenInside(s, a, b);
  if (s.kind == SurfaceKind::kCylinder) return cylinder::TightenKept(s, a, b, way);
  if (s.kind == SurfaceKind::kSphere) return sphere::TightenKept(s, a, b, way);
  return {};
}

Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  if (s.kind == SurfaceKind::kCylinder) return cylinder::WayThrough(s, a, via, b);
  if (s.kind == SurfaceKind::kSphere) return sphere::WayThrough(s, a, via, b);
  return {};
}

Homotopy WayAmong(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  return s.kind == SurfaceKind::kSphere ? sphere::WayAmong(s, a, via, b) : WayThrough(s, a, via, b);
}

Homotopy WayStraight(const Surface& s, const Vec3& a, const Vec3& b) {
  if (s.kind == SurfaceKind::kCylinder) return cylinder::Follow(s, a, b, {});
  if (s.kind == SurfaceKind::kSphere) return sphere::WayStraight(s, a, b);
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
  if (s.kind == SurfaceKind::kCylinder) return cylinder::Distance(s, x);
  if (s.kind == SurfaceKind::kSphere) return sphere::Distance(s, x);
  Vec3 n;
  return DistanceSmooth(s, x, n);
}

Vec3 Normal(const Surface& s, const Vec3& x) {
  if (s.kind == SurfaceKind::kCylinder) return cylinder::Normal(s, x);
  if (s.kind == SurfaceKind::kSphere) return sphere::Normal(s, x);
  Vec3 n;
  DistanceSmooth(s, x, n);
  return n;
}

Vec3 NearestTo(const Surface& s, const Vec3& a, const Vec3& b, double& distance) {
  double u;
  distance = DeepestLocal(s, ToLocal(s, a), ToLocal(s, b), u);
  const Vec3 x = a + u * (b - a);
  Vec3 n;
  const double there = DistanceSmooth(s, x, n);
  return x - there * n;
}

double SegmentDepth(const Surface& s, const Vec3& a, const Vec3& b) {
  if (s.kind == SurfaceKind::kCylinder) return cylinder::SegmentDepth(s, a, b);
  if (s.kind == SurfaceKind::kSphere) return sphere::SegmentDepth(s, a, b);
  double u;
  return std::max(0.0, -DeepestLocal(s, ToLocal(s, a), ToLocal(s, b), u));
}

}  // namespace mujocable
