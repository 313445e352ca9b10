#include "core/path/search/knots.h"

#include <algorithm>
#include <cmath>

#include "core/path/search/solve.h"
#include "core/surface/shapes.h"

namespace mujocable {
namespace {

// From m along the section with the plane normal to `nu`, first toward `ahead`, until `eye` lies
// above the tangent plane. Returns the number of points written.
int Walk(const Surface& s, const Vec3& m, const Vec3& nu, double sense, const Vec3& eye,
         Vec3* points) {
  Vec3 x = m, n;
  DistanceSmooth(s, x, n);
  const double step = kWalkStep * Extent(s);
  int count = 0;
  // over a mesh something else may be in the way
  const auto seen = [&] {
    if (!(Dot(eye - x, n) > 0)) return false;
    return s.kind != SurfaceKind::kMesh || SegmentDepth(s, x, eye) < kUnderWalk * s.radius;
  };
  while (count < kMaxWalk && !seen()) {
    const Vec3 tangent = Unit(sense * Cross(nu, n));
    Vec3 y = x + step * tangent;
    for (int i = 0; i < kMaxSection; ++i) {
      const double d = DistanceSmooth(s, y, n);
      const Vec3 in_plane = n - Dot(n, nu) * nu;
      const double mm = Dot(in_plane, in_plane);
      if (!(mm > kCutsAcross)) return count;
      y += (-d / mm) * in_plane;
      if (std::abs(d) < kOnSection * s.radius) break;
    }
    if (!Finite(y)) return count;
    x = y;
    DistanceSmooth(s, x, n);
    points[count++] = x;
  }
  return count;
}

// the distance of a knot, where being near is enough: a mesh is asked once, not for its foot point
double Height(const Surface& s, const Vec3& x, Vec3& n) {
  if (s.kind != SurfaceKind::kMesh) return DistanceSmooth(s, x, n);
  const double height = mesh::DistanceRoughly(s, Unrotate(s.rot, x - s.pos), n);
  n = Rotate(s.rot, n);
  return height;
}

}  // namespace

// knots evenly along a polyline between a and b; weights keep the free ends apart from the arc
void KnotString::Spread(const Vec3* points, int count) {
  double length = 0;
  for (int i = 1; i < count; ++i) length += Norm(points[i] - points[i - 1]);
  const double piece = length / (kKnots - 1);
  x_[1] = points[0];
  int at = 0;
  double before = 0;
  for (int k = 1; k < kKnots; ++k) {
    const double want = piece * k;
    while (at + 2 < count && before + Norm(points[at + 1] - points[at]) < want) {
      before += Norm(points[at + 1] - points[at]);
      ++at;
    }
    const Vec3 d = count > 1 ? points[at + 1] - points[at] : Vec3{};
    const double size = Norm(d);
    x_[k + 1] = size > 0 ? points[at] + std::min(1.0, (want - before) / size) * d : points[0];
  }
  const double small = kShortPiece * s_->radius;
  for (int i = 0; i <= kKnots; ++i) weight_[i] = std::max(small, Norm(x_[i + 1] - x_[i]));
}

void PointsAlong(const Surface& s, const Touch& touch, Vec3* points, int count) {
  Vec3 t = touch.t_p;
  points[0] = touch.p;
  for (int k = 1; k < count; ++k) {
    const Geodesic piece = Shoot(s, points[k - 1], t, touch.arc / (count - 1));
    points[k] = piece.q;
    t = piece.t_q;
  }
}

KnotString KnotString::Along(const Surface& s, const Vec3& a, const Vec3& b, const Vec3* points,
                             int count) {
  KnotString string(s, a, b);
  string.Spread(points, count);
  return string;
}

KnotString KnotString::Through(const Surface& s, const Vec3& a, const Vec3& b, const Vec3& m) {
  KnotString string(s, a, b);
  Vec3 n;
  DistanceSmooth(s, m, n);
  // the plane of a, m and b; where they lie on a line, the one that holds the normal
  Vec3 nu = Cross(m - a, b - m);
  if (!(Norm(nu) > kOnLine * Norm(m - a) * Norm(b - m))) nu = Cross(b - a, n);
  nu = Unit(nu, Perpendicular(n));
  const double sense = Dot(Cross(nu, n), b - a) >= 0 ? 1 : -1;
  Vec3 points[2 * kMaxWalk + 1], back[kMaxWalk];
  const int behind = Walk(s, m, nu, -sense, a, back);
  int count = 0;
  for (int i = behind - 1; i >= 0; --i) points[count++] = back[i];
  points[count++] = m;
  count += Walk(s, m, nu, sense, b, points + count);
  string.Spread(points, count);
  return string;
}

void KnotString::Extend() {
  Vec3 points[kKnots + 4];
  int count = 0;
  const bool ring = s_->kind == SurfaceKind::kTorus;
  const double reach = kBeyondReach * (ring ? s_->size[0] + s_->radius : Extent(*s_));
  // the last point of a free end that is out of reach
  const auto away = [&](const Vec3& from, const Vec3& end) {
    const Vec3 d = from - end, c = end - s_->pos;
    const double dd = Dot(d, d), dc = Dot(d, c), rest = dc * dc - dd * (Dot(c, c) - reach * reach);
    if (!(dd > 0) || !(rest > 0)) return end;
    return end + std::clamp((-dc + std::sqrt(rest)) / dd, 0.0, 1.0) * d;
  };
  // where a free end cuts through a ring: around its tube on the side where it passes
  const auto around = [&](const Vec3& from, const Vec3& to) {
    double distance;
    const Vec3 nearest = NearestTo(*s_, from, to, distance);
    if (distance < -kThroughTube * s_->radius) points[count++] = nearest;
  };
  points[count++] = away(x_[0], x_[1]);
  if (ring) around(x_[0], x_[1]);
  for (int k = 1; k <= kKnots; ++k) points[count++] = x_[k];
  if (ring) around(x_[kKnots], x_[kKnots + 1]);
  points[count++] = away(x_[kKnots + 1], x_[kKnots]);
  Spread(points, count);
}

double KnotString::Pull(int sweeps) {
  double largest = 0;
  const bool ring = s_->kind == SurfaceKind::kTorus;
  const auto passes = [&](int k, const Vec3& x) {
    return RingPasses(*s_, x_[k - 1], x) + RingPasses(*s_, x, x_[k + 1]);
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    largest = 0;
    for (int k = 1; k <= kKnots; ++k) {
      const double before = weight_[k - 1], after = weight_[k];
      const Vec3 middle = (1 / (before + after)) * (after * x_[k - 1] + before * x_[k + 1]);
      Vec3 x = x_[k] + kOverRelaxed * (middle - x_[k]), n;
      const double d = Height(*s_, x, n);
      const bool on = d <= 0 || adhere_;
      if (on) x = x - d * n;
      // in or out of the hole of a ring, it stays so
      if (ring && passes(k, x) != passes(k, x_[k])) continue;
      on_[k] = on;
      largest = std::max(largest, Norm(x - x_[k]));
      x_[k] = x;
    }
    if (largest < kKnotsRest * s_->radius) break;
  }
  return largest / s_->radius;
}

bool KnotString::Arc(Touch& touch) const {
  int first = 0, last = 0;
  for (int k = 1; k <= kKnots; ++k) {
    if (!on_[k]) continue;
    if (!first) first = k;
    last = k;
  }
  if (!first) return false;
  ArcOf(first, last, touch);
  return true;
}

void KnotString::ArcOf(int first, int last, Touch& touch) const {
  touch.touching = true;
  touch.p = x_[first];
  touch.q = x_[last];
  touch.arc = 0;
  for (int k = first; k < last; ++k) touch.arc += Norm(x_[k + 1] - x_[k]);
  // the string is tangent where it lands
  touch.t_p = Unit(x_[first] - x_[first - 1], x_[first + 1] - x_[first]);
  touch.t_q = Unit(x_[last + 1] - x_[last], x_[last] - x_[last - 1]);
}

int KnotString::Arcs(Touch* touches, int most) const {
  int first[kKnots], last[kKnots], count = 0;
  for (int k = 1; k <= kKnots; ++k) {
    if (!on_[k]) continue;
    if (!on_[k - 1]) first[count++] = k;
    last[count - 1] = k;
  }
  while (count > most) {
    int least = 0;
    for (int i = 1; i < count; ++i) {
      if (last[i] - first[i] < last[least] - first[least]) least = i;
    }
    std::copy(first + least + 1, first + count, first + least);
    std::copy(last + least + 1, last + count, last + least);
    --count;
  }
  for (int i = 0; i < count; ++i) {
    touches[i] = {};
    ArcOf(first[i], last[i], touches[i]);
  }
  return count;
}

double KnotString::Length() const {
  double length = 0;
  for (int i = 0; i <= kKnots; ++i) length += Norm(x_[i + 1] - x_[i]);
  return length;
}

int RingPasses(const Surface& ring, const Vec3& a, const Vec3& b) {
  const Vec3 axis = ring.rot.Column(2);
  const double from = Dot(a - ring.pos, axis), to = Dot(b - ring.pos, axis);
  if ((from > 0) == (to > 0)) return 0;
  // where it meets the plane of the ring
  const Vec3 out = a + from / (from - to) * (b - a) - ring.pos;
  if (!(Dot(out, out) < ring.size[0] * ring.size[0])) return 0;
  return from > 0 ? -1 : 1;
}

int RingPasses(const Surface& ring, const Strand& strand) {
  int count = 0;
  Vec3 from = strand.a;
  const auto go = [&](const Vec3& to) {
    count += RingPasses(ring, from, to);
    from = to;
  };
  for (int i = 0; i < strand.n; ++i) {
    const Touch& touch = strand[i].touch;
    if (!touch.touching) continue;
    Vec3 points[kPassPoints];
    const int known = touch.arc > 0 ? kPassPoints : 1;
    PointsAlong(*strand[i].surface, touch, points, known);
    for (int k = 0; k < known; ++k) go(points[k]);
  }
  go(strand.b);
  return count;
}

}  // namespace mujocable
