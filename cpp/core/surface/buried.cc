#include "core/surface/buried.h"

#include <algorithm>
#include <cmath>

#include "core/math/angle.h"
#include "core/surface/circle.h"

namespace mujocable {
namespace {

// a number with its slopes along the distances of both ends from the axis and the angle between
struct Slope {
  double value = 0;
  Vec3 d = {};
};

Slope Chain(double value, double slope, const Slope& x) { return {value, slope * x.d}; }
Slope operator+(const Slope& x, const Slope& y) { return {x.value + y.value, x.d + y.d}; }
Slope operator*(double s, const Slope& x) { return Chain(s * x.value, s, x); }
Slope operator-(const Slope& x, const Slope& y) { return x + (-1) * y; }
Slope operator*(const Slope& x, const Slope& y) {
  return Chain(x.value * y.value, y.value, x) + Chain(0, x.value, y);
}
// of what is a length: no slope where there is none
Slope Root(const Slope& x) {
  const double root = std::sqrt(std::max(0.0, x.value));
  return Chain(root, root > 0 ? 0.5 / root : 0, x);
}
Slope Cosine(const Slope& x) { return Chain(std::cos(x.value), -std::sin(x.value), x); }
// angle of the point (c, s)
Slope AngleTo(const Slope& s, const Slope& c) {
  const double square = std::max(s.value * s.value + c.value * c.value, kNoDistance);
  return Chain(std::atan2(s.value, c.value), c.value / square, s) + Chain(0, -s.value / square, c);
}
Slope Between(const Slope& one, const Slope& two, const Slope& angle) {
  return Root(one * one + two * two - 2 * (one * two * Cosine(angle)));
}

// one end, seen along the axis
struct End {
  bool inside = false;
  Slope straight;  // to where the string meets the circle: along a tangent, or along the flat
  Slope angle;     // to that point
  double leg = 0, meets = 0;  // not inside: how far to what is left, and at what angle from it
};

End EndAt(const Slope& distance, const Slope& radius) {
  End end;
  end.inside = distance.value < radius.value;
  const Slope square = distance * distance - radius * radius;
  end.straight = Root(end.inside ? -1 * square : square);
  end.angle = AngleTo(end.straight, end.inside ? distance : radius);
  return end;
}

// the string seen along the axis
struct Planar {
  bool touching = false;
  Slope length;
  double turn = 0;
  double radius = 0;  // that is left of the circle
  End a, b;
};

// what is left of a circle that an end at this distance gives no room, with radius 1
Slope Left(const Slope& distance) {
  const Slope x =
      Chain(std::max(0.0, 2 * distance.value - 1), distance.value > 0.5 ? 2 : 0, distance);
  return x * x * (Slope{3} - 2 * x);
}

Planar Solve(double radius, double at_a, double at_b, double swept) {
  const Slope ra{at_a, {1, 0, 0}}, rb{at_b, {0, 1, 0}}, angle{swept, {0, 0, 1}};
  const Slope left = radius * Left((1 / radius) * (at_a < at_b ? ra : rb));
  Planar planar;
  planar.radius = left.value;
  End &a = planar.a = EndAt(ra, left), &b = planar.b = EndAt(rb, left);

  // nothing in the way: one end lies above the flat of the other, or before its horizon
  const double sum = a.angle.value + b.angle.value;
  const auto above = [&](const End& flat, double here, double there) {
    return flat.inside && swept < kPi / 2 && there * std::cos(swept) >= here;
  };
  const bool before = !a.inside && !b.inside && swept <= sum;
  if (left.value == 0 || before || above(a, at_a, at_b) || above(b, at_b, at_a)) return planar;
  planar.touching = true;
  if (swept > sum) {
    planar.length = a.straight + left * (angle - a.angle - b.angle) + b.straight;
    planar.turn = swept - (a.inside ? 0 : a.angle.value) - (b.inside ? 0 : b.angle.value);
    for (End* end : {&a, &b}) end->leg = end->straight.value, end->meets = end->angle.value;
    return planar;
  }
  // no arc is left, only a corner
  if (a.inside && b.inside) {
    // where both flats meet: x cos(corner) = at_a, x cos(swept - corner) = at_b
    const Slope sine = Chain(std::sin(swept), std::cos(swept), angle);
    const Slope corner = AngleTo(rb - ra * Cosine(angle), ra * sine);
    const double c = std::cos(corner.value);
    const Slope far = ra * Chain(1 / c, std::sin(corner.value) / (c * c), corner);
    planar.length = Between(ra, far, corner) + Between(rb, far, angle - corner);
    planar.turn = swept;
    return planar;
  }
  End &in = a.inside ? a : b, &out = a.inside ? b : a;
  const Slope rest = angle - in.angle, leg = Between(left, a.inside ? rb : ra, rest);
  planar.length = in.straight + leg;
  out.leg = leg.value;
  out.meets = rest.value;
  // from the direction of the flat to that of the leg
  const double away = (a.inside ? at_b : at_a) * std::cos(rest.value) - left.value;
  planar.turn = std::max(0.0, in.angle.value - std::asin(std::clamp(away / leg.value, -1.0, 1.0)));
  return planar;
}

}  // namespace

Touch TightenBuried(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  // both ends around the axis; a sphere has that of the plane of the string
  const bool sphere = s.kind == SurfaceKind::kSphere;
  const Vec3 axis = sphere ? Unit(way.plane, {0, 0, 1}) : s.rot.Column(2);
  const Vec3 ca = a - s.pos, cb = b - s.pos;
  const double za = sphere ? 0 : Dot(ca, axis), zb = sphere ? 0 : Dot(cb, axis);
  const Vec3 pa = ca - za * axis, pb = cb - zb * axis;
  const double at_a = Norm(pa), at_b = Norm(pb);
  const Vec3 ua = Unit(pa, Unit(pb, Perpendicular(axis))), ub = Unit(pb, ua);
  double swept = way.swept;
  if (sphere) {
    swept = std::atan2(Dot(Cross(ua, ub), axis), Dot(ua, ub));
    if (swept < 0) swept += 2 * kPi;
  }
  const double sense = swept < 0 ? -1 : 1;
  const Planar planar = Solve(s.radius, at_a, at_b, std::abs(swept));

  Touch touch;
  touch.way = way;
  touch.clearance = std::min(at_a, at_b) - s.radius;
  touch.touching = planar.touching;
  if (!planar.touching) {
    // nothing holds it to one side, and turns are gone
    if (planar.radius == 0 && !sphere) touch.way.swept = Unwrap(swept, 0);
    return touch;
  }

  // straight in the unrolled plane
  const double flat = planar.length.value, rise = zb - za;
  const double total = std::sqrt(flat * flat + rise * rise), inverse = total > 0 ? 1 / total : 0;
  const double cosine = flat * inverse, up = rise * inverse;
  const Vec3 around_a = sense * Cross(axis, ua), around_b = sense * Cross(axis, ub);
  const auto per = [](double distance) { return distance > 0 ? 1 / distance : 0; };
  const Vec3& d = planar.length.d;
  touch.t_p = cosine * (d[2] * per(at_a) * around_a - d[0] * ua) + up * axis;
  touch.t_q = cosine * (d[2] * per(at_b) * around_b + d[1] * ub) + up * axis;
  touch.p = a;
  touch.q = b;
  // the end that the surface gives way to bears on it where it is
  const double steepness = flat > 0 ? total / flat : 1;
  const auto point = [&](const Vec3& u, const Vec3& around, double angle, double z) {
    return s.pos + planar.radius * (std::cos(angle) * u + std::sin(angle) * around) + z * axis;
  };
  if (!planar.a.inside && at_a >= at_b) {
    touch.before = steepness * planar.a.leg;
    touch.p = point(ua, around_a, planar.a.meets, za + up * touch.before);
  }
  if (!planar.b.inside && at_a < at_b) {
    touch.after = steepness * planar.b.leg;
    touch.q = point(ub, -around_b, planar.b.meets, zb - up * touch.after);
  }
  touch.arc = std::max(0.0, total - touch.before - touch.after);
  touch.turn = planar.turn * cosine;
  return touch;
}

Touch TightenInside(const Surface& s, const Vec3& a, const Vec3& b) {
  Touch touch;
  if (!(SegmentDepth(s, a, b) > 0)) HoldAtRim(s, a, b, WayStraight(s, a, b), touch);
  return touch;
}

}  // namespace mujocable
