#include "core/path/follow/parallel.h"

#include <cmath>

#include "core/math/angle.h"
#include "core/path/follow/neighbors.h"
#include "core/path/tolerance.h"
#include "core/surface/circle.h"
#include "core/surface/groove.h"

namespace mujocable {
namespace {

// a vector of the plane
struct Flat {
  double x = 0, y = 0;
};

// the plane across the axes
struct Plane {
  Vec3 origin, x, y, axis;
  Flat Of(const Vec3& point) const {
    const Vec3 d = point - origin;
    return {Dot(d, x), Dot(d, y)};
  }
  double Height(const Vec3& point) const { return Dot(point - origin, axis); }
  Vec3 Vector(const Flat& v) const { return v.x * x + v.y * y; }
};

// A circle that the string runs around, with its radius as the string sees it: positive where the
// center is on the left. Ends of the span are circles of radius zero.
struct Circle {
  Flat center;
  double radius = 0;
};

// the string between two circles
struct Tangent {
  Flat along;
  double length = 0;
};

// d = (length + i offset) along, as complex numbers, with `offset` the difference of the radii
bool Between(const Circle& from, const Circle& to, Tangent& t) {
  const Flat d{to.center.x - from.center.x, to.center.y - from.center.y};
  const double offset = to.radius - from.radius;
  const double square = d.x * d.x + d.y * d.y, rest = square - offset * offset;
  if (!(rest > kShortTangent * kShortTangent * square)) return false;
  const double inverse = 1 / square;
  t.length = std::sqrt(rest);
  t.along = {(t.length * d.x + offset * d.y) * inverse, (t.length * d.y - offset * d.x) * inverse};
  return true;
}

// where the string begins or ends on the circle itself
bool Clamped(const Circle& circle, const Flat& end, Tangent& t) {
  const Flat out{end.x - circle.center.x, end.y - circle.center.y};
  const double distance = std::sqrt(out.x * out.x + out.y * out.y);
  const double size = std::abs(circle.radius);
  if (!(std::abs(distance - size) <= kOnSurface * size)) return false;
  const double sense = circle.radius < 0 ? -1 : 1;
  t = {{-sense * out.y / distance, sense * out.x / distance}, 0};
  return true;
}

}  // namespace

bool AreParallel(const SpanWrap* wraps, int n) {
  if (n < 2) return false;
  for (int i = 0; i < n; ++i) {
    const Surface& s = *wraps[i].surface;
    if (s.kind != SurfaceKind::kCylinder || wraps[i].permanent || IsGrooved(s)) return false;
    const Vec3 across = Cross(s.rot.Column(2), wraps[0].surface->rot.Column(2));
    if (!(Dot(across, across) <= kParallel * kParallel)) return false;
  }
  return true;
}

bool FollowParallel(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, bool& apart) {
  const Surface& first = *wraps[0].surface;
  const Plane plane{first.pos, first.rot.Column(0), first.rot.Column(1), first.rot.Column(2)};
  int index[kMaxSpanWraps], count = 0;
  Flat center[kMaxSpanWraps];
  Circle circle[kMaxSpanWraps + 2];
  circle[0] = {plane.Of(a), 0};
  for (int i = 0; i < n; ++i) {
    const Surface& s = *wraps[i].surface;
    if (wraps[i].hint) return false;
    center[i] = plane.Of(s.pos);
    if (!wraps[i].touch.touching) continue;
    const bool left = (wraps[i].touch.way.swept < 0) == (Dot(s.rot.Column(2), plane.axis) < 0);
    index[count++] = i;
    circle[count] = {center[i], left ? s.radius : -s.radius};
  }
  circle[count + 1] = {plane.Of(b), 0};

  // tangents, then how far the string turns from each to the next
  Tangent tangent[kMaxSpanWraps + 1];
  double turn[kMaxSpanWraps], planar = 0;
  for (int k = 0; k <= count && count > 0; ++k) {
    const bool start = k == 0 && index[0] == 0, end = k == count && index[count - 1] == n - 1;
    if (!(start && Clamped(circle[1], circle[0].center, tangent[0])) &&
        !(end && Clamped(circle[count], circle[count + 1].center, tangent[count])) &&
        !Between(circle[k], circle[k + 1], tangent[k])) {
      return false;
    }
    planar += tangent[k].length;
    if (k == 0) continue;
    const Flat in = tangent[k - 1].along, out = tangent[k].along;
    const double sense = circle[k].radius < 0 ? -1 : 1, radius = std::abs(circle[k].radius);
    const double sine = sense * (in.x * out.y - in.y * out.x), cosine = in.x * out.x + in.y * out.y;
    // seen from the center, the ends of both tangents are further apart
    Tangents to;
    to.length = Pair{tangent[k - 1].length, tangent[k].length};
    to.reach = Both(radius);
    to.distance = Sqrt(to.length * to.length + radius * radius);
    const Lanes angle = AnglesOf(std::abs(sine), cosine, 1, to);
    double& swept = wraps[index[k - 1]].touch.way.swept;
    const double more = angle[1] + angle[2];
    turn[k - 1] = Unwrap(std::copysign(angle[0], sine), std::abs(swept) - more);
    if (!(turn[k - 1] > 0)) return false;
    swept = std::copysign(turn[k - 1] + more, swept);
    planar += radius * turn[k - 1];
  }

  // straight in the unrolled plane, so the height advances evenly with the planar length
  const double bottom = plane.Height(a), rise = plane.Height(b) - bottom;
  const double total = std::sqrt(planar * planar + rise * rise);
  const double cosine = planar / total, up = rise / total, slope = rise / planar;
  double passed = 0;
  for (int k = 1; k <= count; ++k) {
    const Surface& s = *wraps[index[k - 1]].surface;
    Touch& touch = wraps[index[k - 1]].touch;
    const double radius = circle[k].radius, middle = plane.Height(s.pos);
    const auto point = [&](const Flat& along) {
      const Flat out{radius * along.y, -radius * along.x};  // the center is on the left
      return s.pos + plane.Vector(out) + (bottom + slope * passed - middle) * plane.axis;
    };
    const auto direction = [&](const Flat& along) {
      return cosine * plane.Vector(along) + up * plane.axis;
    };
    const Flat in = tangent[k - 1].along, out = tangent[k].along;
    passed += tangent[k - 1].length;
    touch.p = point(in);
    passed += s.radius * turn[k - 1];
    touch.q = point(out);
    touch.t_p = direction(in);
    touch.t_q = direction(out);
    touch.arc = s.radius * turn[k - 1] * total / planar;
    touch.turn = turn[k - 1] * cosine;
  }

  // lifted wraps with these neighbors
  for (int i = 0; i < n; ++i) {
    if (wraps[i].touch.touching) continue;
    wraps[i].touch = TightenRound(a, b, wraps, n, i);
    if (wraps[i].touch.touching) return false;
  }
  // the lines along the segments, which pass a circle's center at a distance of its radius
  apart = count > 0;
  for (int k = 0; k <= count && apart; ++k) {
    const Flat along = tangent[k].along, from = circle[k].center;
    for (int i = 0; i < n && apart; ++i) {
      if ((k > 0 && i == index[k - 1]) || (k < count && i == index[k])) continue;
      const double left = along.x * (center[i].y - from.y) - along.y * (center[i].x - from.x);
      apart = std::abs(left + circle[k].radius) > (1 + kOnSurface) * wraps[i].surface->radius;
    }
  }
  return true;
}

}  // namespace mujocable
