#include "core/mesh/primitive.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math/dense.h"
#include "core/mesh/tolerance.h"

namespace mujocable {
namespace {

static_assert(Padded(kFree) == kFree);  // rows of its systems

// x in the frame of a surface of revolution
struct Round {
  double z, rho;
  Vec3 out, around;  // unit vectors away from the axis and around it
  Round(const Primitive& s, const Vec3& x) {
    const Vec3 e = x - s.center;
    z = Dot(e, s.axis);
    const Vec3 away = e - z * s.axis;
    rho = Norm(away);
    out = rho > kTiny ? (1 / rho) * away : Perpendicular(s.axis);
    around = Cross(s.axis, out);
  }
};

// what the integrator asks of a surface
struct Flowing {
  static constexpr bool kHollows = true;
  const Primitive& s;
  ode::Flow At(const Vec3& x, const Vec3& t) const { return ode::FlowOf(JetOf(s, x), t); }
};

}  // namespace

int ParametersOf(PrimitiveKind kind) { return 3 + static_cast<int>(kind); }

double DistanceOf(const Primitive& s, const Vec3& x, Vec3& g) {
  if (s.kind == PrimitiveKind::kPlane) {
    g = s.axis;
    return Dot(x - s.center, s.axis);
  }
  if (s.kind == PrimitiveKind::kSphere) {
    const Vec3 e = x - s.center;
    const double apart = Norm(e);
    g = apart > kTiny ? (s.side / apart) * e : Vec3{0, 0, 1};
    return s.side * (apart - s.radius);
  }
  const Round at(s, x);
  if (s.kind == PrimitiveKind::kTorus) {
    const double aside = at.rho - s.ring, apart = std::max(std::hypot(aside, at.z), kTiny);
    g = (s.side / apart) * (aside * at.out + at.z * s.axis);
    return s.side * (apart - s.radius);
  }
  // a cone; a cylinder is one without a slope
  const double c = std::cos(s.slope), n = std::sin(s.slope);
  g = s.side * (c * at.out + n * s.axis);
  return s.side * (c * (at.rho - s.radius) + n * at.z);
}

Jet JetOf(const Primitive& s, const Vec3& x) {
  Jet jet;
  jet.f = DistanceOf(s, x, jet.g);
  if (s.kind == PrimitiveKind::kPlane) return jet;
  if (s.kind == PrimitiveKind::kSphere) {
    const double bend = s.side / std::max(jet.f * s.side + s.radius, kTiny);
    jet.xx = jet.yy = jet.zz = bend;
    jet.Add(-bend, jet.g);
    return jet;
  }
  const Round at(s, x);
  jet.Add(Dot(jet.g, at.out) / std::max(at.rho, kTiny), at.around);
  if (s.kind == PrimitiveKind::kTorus) {
    const double apart = std::max(jet.f * s.side + s.radius, kTiny);
    jet.Add(s.side / apart, Cross(jet.g, at.around));
  }
  return jet;
}

Primitive MovedOut(const Primitive& s, double offset) {
  Primitive out = s;
  if (s.kind == PrimitiveKind::kPlane) {
    out.center += offset * s.axis;
  } else {
    out.radius += s.side * offset / std::cos(s.slope);  // only a cone has a slope
  }
  return out;
}

bool MayChange(PrimitiveKind kind, int parameter) {
  if (parameter < 3) return true;
  if (parameter < 6) return kind != PrimitiveKind::kSphere;
  if (parameter == 6) return kind != PrimitiveKind::kPlane;
  return kind == PrimitiveKind::kCone || kind == PrimitiveKind::kTorus;
}

bool IsAngle(PrimitiveKind kind, int parameter) {
  return (parameter >= 3 && parameter < 6) || (parameter == 7 && kind == PrimitiveKind::kCone);
}

void Sensitivity(const Primitive& s, const Vec3& x, double* row) {
  const Vec3 g = NormalOf(s, x);
  Store(row, -g);
  Store(row + 3, -Cross(x - s.center, g));
  const double c = std::cos(s.slope), n = std::sin(s.slope);
  row[6] = -s.side * c;
  const Round at(s, x);
  row[7] = s.kind == PrimitiveKind::kTorus ? -Dot(g, at.out)
                                           : s.side * (c * at.z - n * (at.rho - s.radius));
  for (int i = 0; i < kFree; ++i) {
    if (!MayChange(s.kind, i)) row[i] = 0;
  }
}

void Change(const double* step, Primitive& s) {
  s.center += Load(step);
  s.axis = Unit(s.axis + Cross(Load(step + 3), s.axis), s.axis);
  s.radius += step[6];
  (s.kind == PrimitiveKind::kTorus ? s.ring : s.slope) += step[7];
}

double Worst(const std::vector<Vec3>& points, const Primitive& s) {
  double worst = 0;
  for (const Vec3& x : points) worst = std::max(worst, std::abs(DistanceOf(s, x)));
  return worst;
}

double FitPrimitive(const std::vector<Vec3>& points, Primitive& s) {
  const auto squares = [&](const Primitive& with) -> double {
    if (with.kind != PrimitiveKind::kPlane && !(with.radius > 0)) return INFINITY;
    if (!(std::abs(with.slope) < kSteepest) || with.ring < 0) return INFINITY;
    double sum = 0;
    for (const Vec3& x : points) {
      const double d = DistanceOf(with, x);
      sum += d * d;
    }
    return sum;
  };
  // turns as long as lengths: both of one size in the matrix
  double lever = 0;
  for (const Vec3& x : points) lever = std::max(lever, Norm(x - points[0]));
  if (!(lever > 0)) return INFINITY;
  const auto scale = [&](int i) { return IsAngle(s.kind, i) ? lever : 1.0; };
  double best = squares(s), damping = 1e-3;
  for (int k = 0; k < kMaxFits && std::isfinite(best); ++k) {
    double normal[kFree * kFree] = {}, right[kFree] = {}, row[kFree];
    for (const Vec3& x : points) {
      const double d = DistanceOf(s, x);
      Sensitivity(s, x, row);
      for (int i = 0; i < kFree; ++i) row[i] /= scale(i);
      for (int i = 0; i < kFree; ++i) {
        right[i] -= row[i] * d;
        for (int j = 0; j < kFree; ++j) normal[kFree * i + j] += row[i] * row[j];
      }
    }
    bool better = false;
    double moved = 0;
    for (int tries = 0; tries < kMaxDampings && !better; ++tries) {
      double a[kFree * kFree], step[kFree];
      std::copy(normal, normal + kFree * kFree, a);
      std::copy(right, right + kFree, step);
      for (int i = 0; i < kFree; ++i) {
        a[(kFree + 1) * i] += damping * a[(kFree + 1) * i] + kHeldBack * points.size();
      }
      if (!SolveDense(a, step, kFree, 0)) return INFINITY;
      moved = 0;
      for (int i = 0; i < kFree; ++i) {
        step[i] /= scale(i);
        moved = std::max(moved, std::abs(step[i]) * scale(i));
      }
      Primitive next = s;
      Change(step, next);
      const double now = squares(next);
      better = now < best;
      damping = better ? std::max(1e-9, 0.03 * damping) : 30 * damping;
      if (better) s = next, best = now;
    }
    if (!better || moved < kFitStill * lever) break;
  }
  return std::isfinite(best) ? Worst(points, s) : INFINITY;
}

double StepOf(const Primitive& s, const Vec3& x) {
  if (s.kind == PrimitiveKind::kTorus) {
    return kPrimitiveTurn * std::min(s.radius, std::max(s.ring - s.radius, 0.3 * s.ring));
  }
  return s.kind == PrimitiveKind::kCone ? kPrimitiveTurn * Round(s, x).rho : INFINITY;
}

ode::State Advance(const Primitive& s, const ode::State& y, double h, double& bending) {
  using ode::First;
  using ode::With;
  const Vec3 x = First(y.x), t = First(y.t);
  ode::State next = y;
  const auto flat = [&](const Vec3& to, const Vec3& along) {
    next.x = With(to, y.x[3] + h * y.rest[0]);
    next.t = With(along, y.t[3]);
    next.rest[1] = y.rest[1] + h * y.t[3];
    next.rest[2] = y.rest[2] + h * std::abs(bending);
  };
  if (s.kind == PrimitiveKind::kPlane) {
    bending = 0;
    flat(x + h * t, t);
  } else if (s.kind == PrimitiveKind::kCylinder) {
    const Round at(s, x);
    const double up = Dot(t, s.axis), about = Dot(t, at.around), angle = about * h / s.radius;
    const double c = std::cos(angle), n = std::sin(angle);
    const Vec3 out = c * at.out + n * at.around, around = c * at.around - n * at.out;
    bending = s.side * about * about / s.radius;
    flat(s.center + (at.z + up * h) * s.axis + s.radius * out, up * s.axis + about * around);
  } else if (s.kind == PrimitiveKind::kSphere) {
    const double r = s.radius, c = std::cos(h / r), n = std::sin(h / r);
    const Vec3 out = Unit(x - s.center);
    bending = s.side / r;
    next.x = With(s.center + r * (c * out + n * t), c * y.x[3] + n * r * y.rest[0]);
    next.t = With(c * t - n * out, c * y.t[3] - n / r * y.rest[1]);
    next.rest[0] = c * y.rest[0] - n / r * y.x[3];
    next.rest[1] = c * y.rest[1] + n * r * y.t[3];
    next.rest[2] = y.rest[2] + h / r;
  } else {
    next = ode::Step(Flowing{s}, h, y, bending);
  }
  return next;
}

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
