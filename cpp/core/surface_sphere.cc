#include "surface_sphere.h"

#include "planar.h"

namespace mujocable::sphere {
namespace {

// relative sine below which two directions do not define a plane
constexpr double kCollinear = 1e-12;

// Plane through the center and both neighbors, with the tangents in it; `swept` is the angle from a
// to b about its normal, the others those to the tangent points.
struct Plane {
  Vec3 normal;
  Pair3 c;  // a and b, from the center
  Tangents to;
  double swept, angle_a, angle_b;
};

Plane PlaneOf(const Surface& s, const Vec3& a, const Vec3& b, const Vec3& preferred) {
  Plane plane;
  plane.c = PairOf(a, b) - s.pos;
  plane.to = TangentLines(Dot(plane.c, plane.c), s.radius);
  const Vec3 ca = plane.c.First(), cb = plane.c.Second();
  const Vec3 cross = Cross(ca, cb);
  const double size = plane.to.distance[0] * plane.to.distance[1];
  const double sine = Norm(cross), cosine = Dot(ca, cb);
  const Lanes angle = AnglesOf(sine, cosine, size, plane.to);
  plane.angle_a = angle[1];
  plane.angle_b = angle[2];
  if (sine > kCollinear * size) {
    plane.normal = (1 / sine) * cross;
    plane.swept = angle[0];
    if (Dot(plane.normal, preferred) < 0) {
      plane.normal = -plane.normal;
      plane.swept = 2 * kPi - plane.swept;
    }
  } else {
    // a, b and the center on one line: the remembered plane decides
    const Vec3 ua = Unit(ca, {1, 0, 0});
    const Vec3 inplane = preferred - Dot(preferred, ua) * ua;
    plane.normal = Norm(inplane) > kCollinear ? Unit(inplane) : Perpendicular(ua);
    plane.swept = cosine < 0 ? kPi : 0;
  }
  return plane;
}

Touch Lifted(const Plane& plane) {
  // off the sphere nothing holds the string to one side: it will come back the shorter way
  Touch touch;
  touch.way.plane = plane.swept > kPi ? -plane.normal : plane.normal;
  return touch;
}

}  // namespace

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  Geodesic g;
  g.length = length;
  g.n_p = Unit(p - s.pos, {1, 0, 0});
  const Vec3 tangent = t - Dot(t, g.n_p) * g.n_p;
  g.t_p = Norm(tangent) > kCollinear * Norm(t) ? Unit(tangent) : Perpendicular(g.n_p);
  g.p = s.pos + s.radius * g.n_p;
  const double angle = length / s.radius, c = std::cos(angle), sn = std::sin(angle);
  g.n_q = c * g.n_p + sn * g.t_p;
  g.t_q = c * g.t_p - sn * g.n_p;
  g.q = s.pos + s.radius * g.n_q;
  g.at_p = g.at_q = {-1 / s.radius, -1 / s.radius, 0};
  g.a = c;
  g.da = -sn / s.radius;
  g.r = s.radius * sn;
  g.dr = c;
  return g;
}

Homotopy WayStraight(const Surface& s, const Vec3& a, const Vec3& b) {
  return {0, Cross(a - s.pos, b - s.pos)};
}

Homotopy WayAmong(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  const Vec3 ca = a - s.pos, cb = b - s.pos, cross = Cross(ca, cb);
  const bool collinear = Norm(cross) <= kCollinear * Norm(ca) * Norm(cb);
  return {0, collinear ? Cross(ca, via - s.pos) : cross};
}

Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  const Vec3 ca = a - s.pos, cb = b - s.pos, cv = via - s.pos;
  const Vec3 cross = Cross(ca, cb);
  if (Norm(cross) <= kCollinear * Norm(ca) * Norm(cb)) return {0, Cross(ca, cv)};
  // angles about the plane's normal, a -> via -> b
  const Vec3 n = Unit(cross);
  const double first = std::atan2(Dot(Cross(ca, cv), n), Dot(ca, cv - Dot(cv, n) * n));
  const double second = std::atan2(Dot(Cross(cv, cb), n), Dot(cb, cv - Dot(cv, n) * n));
  return {0, first + second < 0 ? -n : n};
}

Touch Tighten(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  const Plane plane = PlaneOf(s, a, b, way.plane);
  const Tangents& to = plane.to;
  const double wrap = plane.swept - plane.angle_a - plane.angle_b;
  const double clearance = Least(to.distance) - s.radius;
  if (wrap <= 0) {
    Touch lifted = Lifted(plane);
    lifted.clearance = clearance;
    return lifted;
  }

  // unit directions of entry and exit, and tangents there
  const Pair3 turned = Cross(plane.normal, plane.c);
  const Pair reach = to.reach * to.inverse, around = Pair{1, -1} * to.length * to.inverse;
  const Pair3 point = s.pos + Both(s.radius) * (reach * plane.c + around * turned);
  const Pair3 tangent = reach * turned - around * plane.c;
  Touch touch;
  touch.touching = true;
  touch.clearance = clearance;
  touch.p = point.First();
  touch.q = point.Second();
  touch.t_p = tangent.First();
  touch.t_q = tangent.Second();
  touch.before = to.length[0];
  touch.arc = s.radius * wrap;
  touch.after = to.length[1];
  touch.turn = wrap;
  touch.way.plane = plane.normal;
  return touch;
}

Touch TightenKept(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  Touch touch = sphere::Tighten(s, a, b, way);
  if (touch.touching) return touch;
  const Plane plane = PlaneOf(s, a, b, touch.way.plane);
  const double theta =
      KeeperAngle(plane.to.distance[0], plane.to.distance[1], s.radius, plane.swept);
  const Vec3 ua = Unit(plane.c.First(), {1, 0, 0}), va = Cross(plane.normal, ua);
  const Vec3 tangent = std::cos(theta) * va - std::sin(theta) * ua;
  touch.touching = touch.held = true;
  touch.p = touch.q = s.pos + s.radius * (std::cos(theta) * ua + std::sin(theta) * va);
  touch.t_p = Unit(touch.p - a, tangent);
  touch.t_q = Unit(b - touch.q, tangent);
  touch.before = Norm(touch.p - a);
  touch.after = Norm(b - touch.q);
  touch.turn = std::atan2(Norm(Cross(touch.t_p, touch.t_q)), Dot(touch.t_p, touch.t_q));
  return touch;
}

double Distance(const Surface& s, const Vec3& x) { return Norm(x - s.pos) - s.radius; }

Vec3 Normal(const Surface& s, const Vec3& x) { return Unit(x - s.pos, {1, 0, 0}); }

double SegmentDepth(const Surface& s, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a, ca = a - s.pos;
  const double dd = Dot(d, d);
  const double u = dd > 0 ? std::clamp(-Dot(ca, d) / dd, 0.0, 1.0) : 0.0;
  return std::max(0.0, s.radius - Norm(ca + u * d));
}

}  // namespace mujocable::sphere
