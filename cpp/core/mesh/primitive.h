// Surfaces that parts are made of: plane, sphere, cylinder, cone, torus. Signed distance with its
// derivatives, fits to points, geodesics; and where two of them touch without a corner.

#ifndef MUJOCABLE_CORE_MESH_PRIMITIVE_H_
#define MUJOCABLE_CORE_MESH_PRIMITIVE_H_

#include <cstdint>
#include <vector>

#include "core/math/geodesic_ode.h"

namespace mujocable {

enum class PrimitiveKind : std::int32_t { kPlane, kSphere, kCylinder, kCone, kTorus };

struct Primitive {
  PrimitiveKind kind = PrimitiveKind::kPlane;
  std::int32_t side = 1;  // 1: outside is away from the center, axis or tube; -1: toward it
  Vec3 center;            // plane: a point of it; cone: where it has its radius
  Vec3 axis{0, 0, 1};     // plane: the outward normal
  double radius = 0;      // torus: of the tube                                           [m]
  double ring = 0;        // of a torus                                                   [m]
  double slope = 0;       // cone: angle by which its normal leans to the axis            [rad]
};

// numbers that make one
int ParametersOf(PrimitiveKind kind);

// signed distance with gradient and Hessian; with the gradient; each alone; the nearest point
Jet JetOf(const Primitive& s, const Vec3& x);
double DistanceOf(const Primitive& s, const Vec3& x, Vec3& gradient);
inline double DistanceOf(const Primitive& s, const Vec3& x) {
  Vec3 gradient;
  return DistanceOf(s, x, gradient);
}
inline Vec3 NormalOf(const Primitive& s, const Vec3& x) {
  Vec3 gradient;
  DistanceOf(s, x, gradient);
  return gradient;
}
inline Vec3 FootOn(const Primitive& s, const Vec3& x, Vec3& gradient) {
  const double distance = DistanceOf(s, x, gradient);
  return x - distance * gradient;
}

// the surface at a distance outside
Primitive MovedOut(const Primitive& s, double offset);

// derivative of the distance by center [3], turn of the axis [3], radius, and ring or slope
inline constexpr int kFree = 8;
void Sensitivity(const Primitive& s, const Vec3& x, double* row);
void Change(const double* step, Primitive& s);
bool MayChange(PrimitiveKind kind, int parameter);
bool IsAngle(PrimitiveKind kind, int parameter);

// What may have the curvatures found around the first of some points with normals, simple surfaces
// first. extent: of the mesh, half the diagonal of its box [m].
std::vector<Primitive> GuessPrimitives(const std::vector<Vec3>& points,
                                       const std::vector<Vec3>& normals, double extent);

// the largest distance of some points
double Worst(const std::vector<Vec3>& points, const Primitive& s);

// Least squares from a first guess; the largest distance left, infinite where there is no fit.
double FitPrimitive(const std::vector<Vec3>& points, Primitive& s);

// A geodesic of length h > 0 on from y, which lies on the surface, at most StepOf(s, x) at once;
// `bending`: the least on the way.
double StepOf(const Primitive& s, const Vec3& x);
ode::State Advance(const Primitive& s, const ode::State& y, double h, double& bending);

// Where two patches meet: a line or a circle, along which their normals agree. Those normals make
// up a plane or a cone, which parts what is nearest to the one from what is nearest to the other.
struct Join {
  std::int32_t patch[2] = {-1, -1};
  std::int64_t round = 0;     // a circle
  Vec3 center;                // of the circle; line: a point of it
  Vec3 axis;                  // of the circle; line: the direction across
  double ring = 0;            // radius of the circle                                      [m]
  double across = 0, up = 0;  // direction across, away from the circle's axis and along it
};

// how far x lies on the side of the second patch, and in which direction that grows
inline double Beyond(const Join& join, const Vec3& x, Vec3& gradient) {
  const Vec3 e = x - join.center;
  if (!join.round) {
    gradient = join.axis;
    return Dot(e, join.axis);
  }
  const double z = Dot(e, join.axis);
  const Vec3 away = e - z * join.axis;
  const double rho = Norm(away);
  gradient = (rho > 0 ? join.across / rho : 0) * away + join.up * join.axis;
  return join.across * (rho - join.ring) + join.up * z;
}

inline double Beyond(const Join& join, const Vec3& x) {
  Vec3 gradient;
  return Beyond(join, x, gradient);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_PRIMITIVE_H_
