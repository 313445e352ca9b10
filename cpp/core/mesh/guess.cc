#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math/dense.h"
#include "core/mesh/primitive.h"
#include "core/mesh/tolerance.h"

namespace mujocable {
namespace {

// principal curvatures at a point, the larger one first, positive on convex
struct Bending {
  double mean = 0, bend[2] = {};  // [1/m]
  Vec3 along[2];                  // directions
  double least = 0;               // flatter than this is flat, as far as the points tell
};

// least squares over the normals; false where the points do not tell
bool BendingAt(const std::vector<Vec3>& points, const std::vector<Vec3>& normals, double extent,
               Bending& found) {
  const Vec3 x = points[0], n = normals[0], u = Perpendicular(n), w = Cross(n, u);
  constexpr int kRow = Padded(3);  // width of a row of the system
  double a[3 * kRow] = {}, b[kRow] = {}, size = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3 dx = points[i] - x, dn = normals[i] - n;
    const double p = Dot(dx, u), q = Dot(dx, w), pn = Dot(dn, u), qn = Dot(dn, w);
    size = std::max(size, Norm(dx));
    a[0] += p * p, a[1] += p * q, a[kRow + 1] += p * p + q * q, a[2 * kRow + 2] += q * q;
    b[0] += p * pn, b[1] += q * pn + p * qn, b[2] += q * qn;
  }
  a[kRow] = a[kRow + 2] = a[2 * kRow + 1] = a[1];
  if (!SolveDense(a, b, 3, kSingular * size * size)) return false;
  const double mean = 0.5 * (b[0] + b[2]), spread = std::hypot(0.5 * (b[0] - b[2]), b[1]);
  const double angle = 0.5 * std::atan2(b[1], 0.5 * (b[0] - b[2]));
  found = {mean,
           {mean + spread, mean - spread},
           {std::cos(angle) * u + std::sin(angle) * w, std::cos(angle) * w - std::sin(angle) * u},
           kExact * extent / (size * size)};
  if (std::abs(found.bend[1]) > std::abs(found.bend[0])) {
    std::swap(found.bend[0], found.bend[1]);
    std::swap(found.along[0], found.along[1]);
  }
  return true;
}

// Cones and tori. A surface of revolution is not told by its curvatures alone: its axis is tried at
// several angles.
std::vector<Primitive> OfRevolution(const Vec3& x, const Vec3& n, const Bending& at,
                                    const Primitive& cylinder) {
  std::vector<Primitive> all;
  for (double lean : {-1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2}) {
    const double c = std::cos(lean), up = std::sin(lean);
    Primitive cone = cylinder;
    cone.kind = PrimitiveKind::kCone;
    cone.axis = c * at.along[1] + up * n;
    cone.slope = cylinder.side * lean;
    cone.radius = c * cylinder.radius;
    cone.center = x - (cone.radius * cylinder.side / c) * (n - up * cone.axis);
    all.push_back(cone);
    for (int profile = 0; profile < 2; ++profile) {
      const double tube = at.bend[profile], turn = at.bend[1 - profile];
      if (!(std::abs(tube) > at.least && std::abs(turn) > at.least)) continue;
      const Vec3 axis = c * at.along[profile] + up * n, middle = x - (1 / tube) * n;
      const Vec3 on_axis = x - (1 / turn) * (n - up * axis);
      const Vec3 center = on_axis + Dot(middle - on_axis, axis) * axis;
      all.push_back({PrimitiveKind::kTorus, tube < 0 ? -1 : 1, center, axis, 1 / std::abs(tube),
                     Norm(middle - center)});
    }
  }
  return all;
}

}  // namespace

std::vector<Primitive> GuessPrimitives(const std::vector<Vec3>& points,
                                       const std::vector<Vec3>& normals, double extent) {
  const Vec3 x = points[0], n = normals[0];
  std::vector<Primitive> guesses = {{.center = x, .axis = n}};
  Bending at;
  if (!BendingAt(points, normals, extent, at) || !(std::abs(at.bend[0]) > at.least)) return guesses;
  const auto bent = [&](PrimitiveKind kind, double bend) {
    return Primitive{.kind = kind,
                     .side = bend < 0 ? -1 : 1,
                     .center = x - (1 / bend) * n,
                     .radius = 1 / std::abs(bend)};
  };
  if (std::abs(at.mean) > at.least) guesses.push_back(bent(PrimitiveKind::kSphere, at.mean));
  Primitive cylinder = bent(PrimitiveKind::kCylinder, at.bend[0]);
  cylinder.axis = at.along[1];
  guesses.push_back(cylinder);

  // those that the points are nearest to
  std::vector<Primitive> round = OfRevolution(x, n, at, cylinder);
  std::ranges::stable_sort(round, {}, [&](const Primitive& s) { return Worst(points, s); });
  for (PrimitiveKind kind : {PrimitiveKind::kCone, PrimitiveKind::kTorus}) {
    int taken = 0;
    for (const Primitive& guess : round) {
      if (guess.kind == kind && taken++ < kMaxGuesses) guesses.push_back(guess);
    }
  }
  return guesses;
}

}  // namespace mujocable
