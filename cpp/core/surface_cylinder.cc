#include "surface_cylinder.h"

#include "planar.h"

namespace mujocable::cylinder {
namespace {

// a point in cylinder coordinates, with the unit radial and circumferential vectors (world)
struct Polar {
  double distance, angle, z;
};

Polar ToPolar(const Surface& s, const Vec3& x) {
  const Vec3 local = Unrotate(s.rot, x - s.pos);
  return {std::hypot(local.x, local.y), std::atan2(local.y, local.x), local.z};
}

Vec3 Radial(const Surface& s, double angle) {
  return Rotate(s.rot, {std::cos(angle), std::sin(angle), 0});
}

Vec3 Circumferential(const Surface& s, double angle) {
  return Rotate(s.rot, {-std::sin(angle), std::cos(angle), 0});
}

double WrapToPi(double angle) { return Unwrap(angle, 0); }

}  // namespace

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  const Polar start = ToPolar(s, p);
  const Vec3 axis = s.rot.Column(2);
  Geodesic g;
  g.length = length;
  g.n_p = Radial(s, start.angle);
  g.p = s.pos + s.radius * g.n_p + start.z * axis;

  // direction in the unrolled plane: c along the circle, z along the axis
  const Vec3 circle_p = Circumferential(s, start.angle);
  double c = Dot(t, circle_p), z = Dot(t, axis);
  const double norm = std::hypot(c, z);
  if (norm > 0) {
    c /= norm;
    z /= norm;
  } else {
    c = 1;
    z = 0;
  }
  g.t_p = c * circle_p + z * axis;

  // a straight line there is a helix here
  const double end_angle = start.angle + c * length / s.radius;
  g.n_q = Radial(s, end_angle);
  g.q = s.pos + s.radius * g.n_q + (start.z + z * length) * axis;
  g.t_q = c * Circumferential(s, end_angle) + z * axis;

  // constant curvatures, flat: linear Jacobi fields; b = t x n = z circle - c axis
  g.at_p = {-c * c / s.radius, -z * z / s.radius, z * c / s.radius};
  g.at_q = g.at_p;
  g.r = length;
  return g;
}

Homotopy Follow(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  const double angle = ToPolar(s, b).angle - ToPolar(s, a).angle;
  return {Unwrap(angle, way.swept), way.plane};
}

Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  const double middle = ToPolar(s, via).angle;
  return {WrapToPi(middle - ToPolar(s, a).angle) + WrapToPi(ToPolar(s, b).angle - middle), {}};
}

Touch Tighten(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  const Polar pa = ToPolar(s, a), pb = ToPolar(s, b);
  Touch touch;
  touch.way = {Unwrap(pb.angle - pa.angle, way.swept), way.plane};

  // lifted: the straight line clears the circle on the side it is on
  const double sense = touch.way.swept < 0 ? -1 : 1;
  const Tangent ta = TangentTo(pa.distance, s.radius), tb = TangentTo(pb.distance, s.radius);
  const double wrap = std::abs(touch.way.swept) - ta.angle - tb.angle;
  if (wrap <= 0) return touch;

  // touching: straight in the unrolled plane, so z advances evenly with the planar length
  const double planar = ta.length + s.radius * wrap + tb.length;
  const double dz = pb.z - pa.z, total = std::hypot(planar, dz);
  const double cosine = planar / total, slope = dz / planar;
  const double angle_p = pa.angle + sense * ta.angle, angle_q = pb.angle - sense * tb.angle;
  const Vec3 axis = s.rot.Column(2);
  touch.touching = true;
  touch.p = s.pos + s.radius * Radial(s, angle_p) + (pa.z + slope * ta.length) * axis;
  touch.q = s.pos + s.radius * Radial(s, angle_q) + (pb.z - slope * tb.length) * axis;
  touch.t_p = cosine * (sense * Circumferential(s, angle_p) + slope * axis);
  touch.t_q = cosine * (sense * Circumferential(s, angle_q) + slope * axis);
  touch.arc = s.radius * wrap / cosine;
  touch.turn = wrap * cosine;
  return touch;
}

Touch TightenKept(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  Touch touch = cylinder::Tighten(s, a, b, way);
  if (touch.touching) return touch;
  const Polar pa = ToPolar(s, a), pb = ToPolar(s, b);
  const double sense = touch.way.swept < 0 ? -1 : 1;
  const double theta =
      KeeperAngle(pa.distance, pb.distance, s.radius, std::abs(touch.way.swept));
  const double angle = pa.angle + sense * theta;
  const Vec3 rim = s.pos + s.radius * Radial(s, angle), axis = s.rot.Column(2);
  const double da = Norm(rim + pa.z * axis - a), db = Norm(rim + pb.z * axis - b);
  const double share = da + db > 0 ? da / (da + db) : 0.5;
  touch.touching = touch.held = true;
  touch.p = touch.q = rim + (pa.z + share * (pb.z - pa.z)) * axis;
  const Vec3 tangent = sense * Circumferential(s, angle);
  touch.t_p = Unit(touch.p - a, tangent);
  touch.t_q = Unit(b - touch.q, tangent);
  touch.turn = std::atan2(Norm(Cross(touch.t_p, touch.t_q)), Dot(touch.t_p, touch.t_q));
  return touch;
}

double Distance(const Surface& s, const Vec3& x) { return ToPolar(s, x).distance - s.radius; }

Vec3 Normal(const Surface& s, const Vec3& x) { return Radial(s, ToPolar(s, x).angle); }

double SegmentDepth(const Surface& s, const Vec3& a, const Vec3& b) {
  const Vec3 la = Unrotate(s.rot, a - s.pos), lb = Unrotate(s.rot, b - s.pos);
  const double dx = lb.x - la.x, dy = lb.y - la.y, dd = dx * dx + dy * dy;
  const double u = dd > 0 ? std::clamp(-(la.x * dx + la.y * dy) / dd, 0.0, 1.0) : 0.0;
  return std::max(0.0, s.radius - std::hypot(la.x + u * dx, la.y + u * dy));
}

double Overrun(const Surface& s, const Vec3& x) {
  return std::max(0.0, std::abs(Dot(x - s.pos, s.rot.Column(2))) - s.half_length);
}

}  // namespace mujocable::cylinder
