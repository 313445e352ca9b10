// Brute force: the taut string over one surface by compass search, over several by tightening one
// after the other again and again. No closed form, no Newton, no tangent condition.

#ifndef MUJOCABLE_TESTS_KIT_BRUTE_H_
#define MUJOCABLE_TESTS_KIT_BRUTE_H_

#include "core/surface/surface.h"
#include "tests/kit/search.h"

namespace mujocable::test {

// the string on one surface; `swept`: polar angle from the point before to the point after it
struct BruteTouch {
  bool touching = true;
  Vec3 p, q;
  double swept = 0;
  double arc = 0;
};

inline Vec3 AtPolar(const Surface& s, double distance, double angle, double z) {
  return s.pos + Rotate(s.rot, {distance * std::cos(angle), distance * std::sin(angle), z});
}

// the point of the unit sphere that lies (u, v) from `pole`, no further than `reach`: arc lengths
// in two perpendicular directions
inline Vec3 AroundPole(const Vec3& pole, double u, double v, double reach) {
  const Vec3 first = Perpendicular(pole), second = Cross(pole, first);
  const double polar = std::min(std::hypot(u, v), reach);
  const Vec3 aside = Unit(u * first + v * second, first);
  return std::cos(polar) * pole + std::sin(polar) * aside;
}

// where AroundPole finds x
inline void FromPole(const Vec3& pole, const Vec3& x, double& u, double& v) {
  const Vec3 first = Perpendicular(pole), second = Cross(pole, first);
  const double polar = std::atan2(Norm(Cross(pole, x)), Dot(pole, x));
  const Vec3 aside = Unit(x - Dot(x, pole) * pole, first);
  u = polar * Dot(aside, first);
  v = polar * Dot(aside, second);
}

// Shortest a -> P -> Q -> b with P seen from a and Q seen from b, both on the cylinder, the arc
// between them straight in the unrolled plane, the polar angle growing by `swept` in all.
inline double BruteCylinder(const Surface& s, const Vec3& a, const Vec3& b, double step,
                            BruteTouch& touch) {
  const double sense = touch.swept < 0 ? -1 : 1, span = std::abs(touch.swept), r = s.radius;
  const Vec3 la = Unrotate(s.rot, a - s.pos), lb = Unrotate(s.rot, b - s.pos);
  const double angle = std::atan2(la.y, la.x);
  const double see_a = std::acos(std::min(1.0, r / std::hypot(la.x, la.y)));
  const double see_b = std::acos(std::min(1.0, r / std::hypot(lb.x, lb.y)));
  const auto place = [&](const std::vector<double>& x, Vec3& p, Vec3& q) {
    // angles from a forward and from b backward, never past each other
    const double u = std::clamp(x[0], 0.0, std::min(see_a, span));
    const double v = std::clamp(x[1], 0.0, std::min(see_b, span - u));
    p = AtPolar(s, r, angle + sense * u, r * x[2]);
    q = AtPolar(s, r, angle + sense * (span - v), r * x[3]);
    return r * std::hypot(span - u - v, x[3] - x[2]);
  };
  const auto length = [&](const std::vector<double>& x) {
    Vec3 p, q;
    const double arc = place(x, p, q);
    return Norm(p - a) + arc + Norm(b - q);
  };
  const Vec3 lp = Unrotate(s.rot, touch.p - s.pos), lq = Unrotate(s.rot, touch.q - s.pos);
  std::vector<double> x = {see_a, see_b, lp.z / r, lq.z / r};
  const double shortest = CompassSearch(length, x, step, 1e-10);
  touch.arc = place(x, touch.p, touch.q);
  return shortest;
}

// the same on a sphere, the shorter arc between P and Q, no plane assumed
inline double BruteSphere(const Surface& s, const Vec3& a, const Vec3& b, double step,
                          BruteTouch& touch) {
  const double r = s.radius;
  const Vec3 ua = Unit(a - s.pos), ub = Unit(b - s.pos);
  const double see_a = std::acos(std::min(1.0, r / Norm(a - s.pos)));
  const double see_b = std::acos(std::min(1.0, r / Norm(b - s.pos)));
  const auto place = [&](const std::vector<double>& x, Vec3& p, Vec3& q) {
    const Vec3 np = AroundPole(ua, x[0], x[1], see_a), nq = AroundPole(ub, x[2], x[3], see_b);
    p = s.pos + r * np;
    q = s.pos + r * nq;
    return r * std::atan2(Norm(Cross(np, nq)), Dot(np, nq));
  };
  const auto length = [&](const std::vector<double>& x) {
    Vec3 p, q;
    const double arc = place(x, p, q);
    return Norm(p - a) + arc + Norm(b - q);
  };
  std::vector<double> x(4);
  FromPole(ua, Unit(touch.p - s.pos), x[0], x[1]);
  FromPole(ub, Unit(touch.q - s.pos), x[2], x[3]);
  const double shortest = CompassSearch(length, x, step, 1e-10);
  touch.arc = place(x, touch.p, touch.q);
  return shortest;
}

// The string over one surface: straight where that is clear, else searched from what `touch` says.
// `swept` follows the polar angle between the neighbors without jumps.
inline double BruteOver(const Surface& s, const Vec3& a, const Vec3& b, double step,
                        BruteTouch& touch) {
  const Vec3 la = Unrotate(s.rot, a - s.pos), lb = Unrotate(s.rot, b - s.pos);
  const double turn = 2 * std::acos(-1.0);
  const double angle = std::atan2(la.x * lb.y - la.y * lb.x, la.x * lb.x + la.y * lb.y);
  touch.swept = angle + turn * std::round((touch.swept - angle) / turn);
  const bool cylinder = s.kind == SurfaceKind::kCylinder;
  const bool short_way = !cylinder || std::abs(touch.swept) < turn / 2;
  touch.touching = !(short_way && SegmentDepth(s, a, b) == 0);
  if (!touch.touching) {
    touch.arc = 0;
    return Norm(b - a);
  }
  return cylinder ? BruteCylinder(s, a, b, step, touch) : BruteSphere(s, a, b, step, touch);
}

// Over several surfaces, from the contacts in `touches`: one after the other until the length no
// longer falls. Returns the length.
inline double BruteChain(const std::vector<Surface>& surfaces, const Vec3& a, const Vec3& b,
                         std::vector<BruteTouch>& touches, int sweeps) {
  const int n = static_cast<int>(surfaces.size());
  const auto before = [&](int i) {
    while (--i >= 0) {
      if (touches[i].touching) return touches[i].q;
    }
    return a;
  };
  const auto after = [&](int i) {
    while (++i < n) {
      if (touches[i].touching) return touches[i].p;
    }
    return b;
  };
  const auto total = [&] {
    double sum = 0;
    Vec3 from = a;
    for (const BruteTouch& touch : touches) {
      if (!touch.touching) continue;
      sum += Norm(touch.p - from) + touch.arc;
      from = touch.q;
    }
    return sum + Norm(b - from);
  };
  double length = 1e300;
  for (int k = 0; k < sweeps; ++k) {
    // wide steps first, later only where the neighbors moved it
    for (int i = 0; i < n; ++i) {
      BruteOver(surfaces[i], before(i), after(i), k < 3 ? 0.3 : 0.01, touches[i]);
    }
    const double now = total();
    if (length - now < 1e-13 * now && k > 3) return now;
    length = now;
  }
  return length;
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_BRUTE_H_
