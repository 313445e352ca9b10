#include <algorithm>
#include <cmath>

#include "core/math/angle.h"
#include "core/math/root.h"
#include "core/surface/shapes.h"
#include "core/surface/tolerance.h"

namespace mujocable::rounded {
namespace {

// A point of the surface: along a flat axis it moves straight, in the other axes it turns about the
// nearest point of the core box.
struct FacePoint {
  double x[3];   // point
  double u[3];   // from the core box, 0 along flat axes
  double t[3];   // tangent
  bool flat[3];  // |x| inside the core box
};

// from the core box's nearest point to x; toward the nearest face when x is inside it, which is
// `inside` away, -1: x is not inside
Vec3 FromCore(const Surface& s, const Vec3& x, double& inside) {
  double u[3];
  for (int i = 0; i < 3; ++i) u[i] = x[i] - std::clamp(x[i], -s.size[i], s.size[i]);
  inside = -1;
  if (u[0] == 0 && u[1] == 0 && u[2] == 0) {
    int face = 0;
    for (int i = 1; i < 3; ++i) {
      if (s.size[i] - std::abs(x[i]) < s.size[face] - std::abs(x[face])) face = i;
    }
    inside = s.size[face] - std::abs(x[face]);
    u[face] = x[face] < 0 ? -1 : 1;
  }
  return Load(u);
}

int Curved(const FacePoint& at) { return 3 - at.flat[0] - at.flat[1] - at.flat[2]; }

Curvature Bend(const Surface& s, const FacePoint& at) {
  if (Curved(at) < 2) return {};
  const Vec3 t = Load(at.t), b = Cross(t, (1 / s.radius) * Load(at.u));
  double tt = 0, bb = 0, bt = 0;
  for (int i = 0; i < 3; ++i) {
    if (at.flat[i]) continue;
    tt += at.t[i] * at.t[i];
    bb += b[i] * b[i];
    bt += b[i] * at.t[i];
  }
  // along n itself b and t have no part
  return {-tt / s.radius, -bb / s.radius, bt / s.radius};
}

// the surface point nearest to p, and the direction t there; fills the start of the geodesic
FacePoint Start(const Surface& s, const Vec3& p, const Vec3& t, Geodesic& g) {
  double inside;
  g.n_p = Unit(FromCore(s, p, inside));
  g.t_p = Across(t, g.n_p);
  FacePoint at;
  Store(at.t, g.t_p);
  for (int i = 0; i < 3; ++i) {
    const double core = std::clamp(p[i], -s.size[i], s.size[i]), n = g.n_p[i];
    at.u[i] = s.radius * n;
    at.x[i] = (inside > 0 && n != 0 ? n * s.size[i] : core) + at.u[i];
    // on the edge of a flat piece the direction decides
    at.flat[i] =
        s.size[i] > 0 && at.u[i] == 0 && (std::abs(core) < s.size[i] || at.t[i] * core <= 0);
  }
  g.p = Load(at.x);
  g.at_p = Bend(s, at);
  return at;
}

// how far until the first axis changes between flat and curved, at most `run`; -1: none does
int NextChange(const Surface& s, const FacePoint& at, double speed, double& run) {
  const double rate = speed / s.radius;
  int changes = -1;
  for (int i = 0; i < 3; ++i) {
    if (s.size[i] == 0) continue;
    double until = INFINITY;
    if (at.flat[i]) {
      if (at.t[i] != 0) until = ((at.t[i] > 0 ? s.size[i] : -s.size[i]) - at.x[i]) / at.t[i];
    } else if (rate > 0 && (at.u[i] != 0 || at.t[i] != 0)) {
      const double along = (at.u[i] < 0 ? -1 : 1) * s.radius * at.t[i] / speed;
      const double phase = at.u[i] == 0 ? kPi : std::atan2(std::abs(at.u[i]), -along);
      until = phase / rate;
    }
    if (until < run) {
      run = std::max(until, 0.0);
      changes = i;
    }
  }
  return changes;
}

// on by `run` over one piece, with the Jacobi fields (3) and the turning (7)
void Advance(const Surface& s, double speed, double run, FacePoint& at, Geodesic& g) {
  const double rate = speed / s.radius;
  const double angle = rate * run, cosine = std::cos(angle), sine = std::sin(angle);
  for (int i = 0; i < 3; ++i) {
    if (at.flat[i]) {
      at.x[i] += at.t[i] * run;
    } else if (rate > 0) {
      const double u = cosine * at.u[i] + sine * s.radius * at.t[i] / speed;
      at.t[i] = cosine * at.t[i] - sine * at.u[i] * rate;
      at.x[i] += u - at.u[i];
      at.u[i] = u;
    }
  }
  if (Curved(at) == 3) {
    const double c = std::cos(run / s.radius), sn = std::sin(run / s.radius), r = s.radius;
    const double a = g.a, b = g.r;
    g.a = c * a + sn * r * g.da;
    g.da = c * g.da - sn / r * a;
    g.r = c * b + sn * r * g.dr;
    g.dr = c * g.dr - sn / r * b;
  } else {
    g.a += run * g.da;
    g.r += run * g.dr;
  }
  g.turn += speed * rate * run;
}

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  Geodesic g;
  g.length = length;
  FacePoint at = Start(s, p, t, g);
  double left = length;
  for (int piece = 0; piece < kMaxRoundedPieces && left > 0; ++piece) {
    // how much of the way turns about the core
    double tt = 0;
    for (int i = 0; i < 3; ++i) tt += at.flat[i] ? 0 : at.t[i] * at.t[i];
    const double speed = Curved(at) > 1 ? std::sqrt(tt) : 0;
    double run = left;
    const int changes = NextChange(s, at, speed, run);
    Advance(s, speed, run, at, g);
    left -= run;
    if (changes < 0) break;
    at.u[changes] = 0;
    at.x[changes] = std::copysign(s.size[changes], at.x[changes]);
    at.flat[changes] = !at.flat[changes];
  }

  g.q = Load(at.x);
  g.n_q = Unit(Load(at.u), g.n_p);
  g.t_q = Across(Load(at.t), g.n_q);
  g.at_q = Bend(s, at);
  return g;
}

double Signed(const Surface& s, const Vec3& x, Vec3& n) {
  double inside;
  const Vec3 u = FromCore(s, x, inside);
  n = Unit(u);
  return (inside >= 0 ? -inside : Norm(u)) - s.radius;
}

// the squared distance from the core box is convex along the segment
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u) {
  const Vec3 d = b - a;
  const auto slope = [&](double v) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = a[i] + v * d[i];
      sum += d[i] * (x - std::clamp(x, -s.size[i], s.size[i]));
    }
    return sum;
  };
  const double dd = Dot(d, d), nearest = dd > 0 ? std::clamp(-Dot(a, d) / dd, 0.0, 1.0) : 0;
  u = LeastAt(nearest, kLastStep, slope);
  Vec3 n;
  return Signed(s, a + u * d, n);
}

}  // namespace

const Shape kShape = {Shoot, Signed, Deepest};

}  // namespace mujocable::rounded
