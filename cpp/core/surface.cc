#include "surface.h"

#include <cmath>

#include "surface_cylinder.h"
#include "surface_sphere.h"

namespace mujocable {

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  switch (s.kind) {
    case SurfaceKind::kCylinder:
      return cylinder::Shoot(s, p, t, length);
    case SurfaceKind::kSphere:
      return sphere::Shoot(s, p, t, length);
  }
  return {};
}

double Turning(const Surface&, const Geodesic& g) {
  // constant normal curvature on both closed-form surfaces
  return std::abs(g.at_p.normal) * g.length;
}

Touch Tighten(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  switch (s.kind) {
    case SurfaceKind::kCylinder:
      return cylinder::Tighten(s, a, b, way);
    case SurfaceKind::kSphere:
      return sphere::Tighten(s, a, b, way);
  }
  return {};
}

Touch TightenKept(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  switch (s.kind) {
    case SurfaceKind::kCylinder:
      return cylinder::TightenKept(s, a, b, way);
    case SurfaceKind::kSphere:
      return sphere::TightenKept(s, a, b, way);
  }
  return {};
}

Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  switch (s.kind) {
    case SurfaceKind::kCylinder:
      return cylinder::WayThrough(s, a, via, b);
    case SurfaceKind::kSphere:
      return sphere::WayThrough(s, a, via, b);
  }
  return {};
}

Homotopy WayAmong(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  return s.kind == SurfaceKind::kSphere ? sphere::WayAmong(s, a, via, b) : WayThrough(s, a, via, b);
}

Homotopy WayStraight(const Surface& s, const Vec3& a, const Vec3& b) {
  switch (s.kind) {
    case SurfaceKind::kCylinder:
      return cylinder::Follow(s, a, b, {});
    case SurfaceKind::kSphere:
      return sphere::WayStraight(s, a, b);
  }
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
  return s.kind == SurfaceKind::kCylinder ? cylinder::Distance(s, x) : sphere::Distance(s, x);
}

Vec3 Normal(const Surface& s, const Vec3& x) {
  return s.kind == SurfaceKind::kCylinder ? cylinder::Normal(s, x) : sphere::Normal(s, x);
}

double SegmentDepth(const Surface& s, const Vec3& a, const Vec3& b) {
  return s.kind == SurfaceKind::kCylinder ? cylinder::SegmentDepth(s, a, b)
                                          : sphere::SegmentDepth(s, a, b);
}

double Overrun(const Surface& s, const Vec3& x) {
  return s.kind == SurfaceKind::kCylinder ? cylinder::Overrun(s, x) : 0;
}

}  // namespace mujocable
