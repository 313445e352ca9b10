#include "core/math/geodesic_ode.h"
#include "core/surface/shapes.h"
#include "core/surface/tolerance.h"

namespace mujocable::torus {
namespace {

// a point around the ring: distance from the axis and direction there, from the tube's center line
struct Around {
  double rho, x, y;  // x, y: unit vector from the axis
  double out, d;     // beyond the ring radius; distance from the center line
  Vec3 n;            // away from the center line
};

Around AroundRing(double ring, const Vec3& p) {
  Around at;
  at.rho = std::sqrt(p.x * p.x + p.y * p.y);
  at.x = at.rho > 0 ? p.x / at.rho : 1;
  at.y = at.rho > 0 ? p.y / at.rho : 0;
  at.out = at.rho - ring;
  at.d = std::sqrt(at.out * at.out + p.z * p.z);
  const double scale = at.d > 0 ? 1 / at.d : 0;
  at.n = at.d > 0 ? Vec3{scale * at.out * at.x, scale * at.out * at.y, scale * p.z}
                  : Vec3{at.x, at.y, 0};
  return at;
}

// the distance from the center line: unit gradient, principal curvatures 1/d and out/(d rho)
struct Tube {
  double ring, tube;

  explicit Tube(const Surface& s) : ring(s.size[0]), tube(s.radius) {}

  ode::Flow At(const Vec3& p, const Vec3& t) const {
    const Around at = AroundRing(ring, p);
    const double round = at.x * t.y - at.y * t.x, along = at.out / at.rho;
    const double bending = (Dot(t, t) + round * round * (along - 1)) / at.d;
    return {-bending * at.n, bending, along / (at.d * at.d)};
  }
  double Reach(const Vec3& p, const Vec3&) const {
    return kTorusStep * std::min(tube, std::max(AroundRing(ring, p).rho, ring - tube));
  }
  Vec3 Project(const Vec3& p, Vec3& n) const {
    const Around at = AroundRing(ring, p);
    n = at.n;
    return Vec3{ring * at.x, ring * at.y, 0} + tube * n;
  }
  Curvature Bend(const Vec3& p, const Vec3& t, const Vec3& n) const {
    const Around at = AroundRing(ring, p);
    const Vec3 b = Cross(t, n);
    const double t_round = at.x * t.y - at.y * t.x, b_round = at.x * b.y - at.y * b.x;
    const double less = at.out / at.rho - 1;
    return {-(1 + t_round * t_round * less) / at.d, -(1 + b_round * b_round * less) / at.d,
            b_round * t_round * less / at.d};
  }
};

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  return ode::Shoot(Tube(s), p, t, length);
}

double Signed(const Surface& s, const Vec3& x, Vec3& n) {
  const Around at = AroundRing(s.size[0], x);
  n = at.n;
  return at.d - s.radius;
}

// Along a line the squared distance from the center line is a quadratic minus 2 R rho(u), with rho
// convex: its slope has at most three roots, at most one minimum on each side of the point nearest
// to the axis. Both are bracketed exactly, so nothing is missed.
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u) {
  const double ring = s.size[0];
  const Vec3 d = b - a;
  const double dd = Dot(d, d), ad = Dot(a, d);
  const double alpha = d.x * d.x + d.y * d.y, beta = a.x * d.x + a.y * d.y;
  const double gamma = a.x * a.x + a.y * a.y;
  const auto rho = [&](double v) {
    const double x = a.x + v * d.x, y = a.y + v * d.y;
    return std::sqrt(x * x + y * y);
  };
  const auto slope = [&](double v) {
    const double distance = rho(v);
    return ad + v * dd - (distance > 0 ? ring * (alpha * v + beta) / distance : 0);
  };
  Vec3 n;
  double best = Signed(s, a, n), other = Signed(s, b, n);
  u = 0;
  if (other < best) {
    best = other;
    u = 1;
  }
  const auto consider = [&](double low, double high) {
    // slope rises from negative to positive between low and high
    low = std::clamp(low, 0.0, 1.0);
    high = std::clamp(high, 0.0, 1.0);
    double f_low = slope(low), f_high = slope(high);
    if (!(low < high) || f_low > 0 || f_high < 0) return;
    double v = 0.5 * (low + high);
    for (int i = 0; i < kMaxBisections && high - low > kParameterRounding; ++i) {
      // false position, every third time bisection: fewer looks than RootBetween takes here
      v = i % 3 == 2 || !(f_high > f_low) ? 0.5 * (low + high)
                                          : low - f_low * (high - low) / (f_high - f_low);
      const double f = slope(v);
      if (f == 0) break;
      (f > 0 ? high : low) = v;
      (f > 0 ? f_high : f_low) = f;
    }
    const double distance = Signed(s, a + v * d, n);
    if (distance < best) {
      best = distance;
      u = v;
    }
  };
  if (!(dd > 0)) return best;
  if (!(alpha > kCollinear * kCollinear * dd)) {
    consider(0, 1);  // parallel to the axis
    return best;
  }
  // nearest to the axis; left of it the slope is concave, right of it convex
  const double middle = -beta / alpha;
  const double nearest = std::max(0.0, gamma - beta * beta / alpha);
  // where the slope turns: rho^3 = R (alpha gamma - beta^2) / dd
  const double cube = ring * alpha * nearest / dd;
  const double turn2 = std::cbrt(cube * cube) - nearest;
  const double aside = turn2 > 0 ? std::sqrt(turn2 / alpha) : 0;
  consider(0, middle - aside);
  consider(middle + aside, 1);
  return best;
}

}  // namespace

const Shape kShape = {Shoot, Signed, Deepest};

}  // namespace mujocable::torus
