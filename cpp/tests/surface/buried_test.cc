// An end inside a cylinder or sphere: against a polygon cut from the same circle, and the pull
// against finite differences of the length.

#include "core/surface/buried.h"

#include <algorithm>
#include <vector>

#include "core/math/angle.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"

using namespace mujocable;
using namespace mujocable::test;

namespace {

struct Point {
  double x, y;
};

double Turn(const Point& o, const Point& a, const Point& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// length of the hull of the points, counterclockwise from `first` to `last`; both lie on it
double AlongHull(std::vector<Point> points, const Point& first, const Point& last) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Point> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const size_t start = hull.size();
    for (const Point& p : points) {
      while (hull.size() >= start + 2 && Turn(hull[hull.size() - 2], hull.back(), p) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  const auto find = [&](const Point& p) {
    return std::find_if(hull.begin(), hull.end(),
                        [&](const Point& q) { return q.x == p.x && q.y == p.y; }) -
           hull.begin();
  };
  const size_t n = hull.size(), from = find(first), to = find(last);
  if (from == n || to == n) return -1;
  double length = 0;
  for (size_t i = from; i != to; i = (i + 1) % n) {
    const Point &p = hull[i], &q = hull[(i + 1) % n];
    length += std::hypot(q.x - p.x, q.y - p.y);
  }
  return length;
}

// What is left of a circle that gives way to an end at distance m (in radii) and direction 0: a
// polygon of its rim, cut flat at the end. The string turns counterclockwise to b; negative: one of
// them is not on the hull.
double JudgedLength(double m, const Point& b) {
  const double x = std::max(0.0, 2 * m - 1), left = x * x * (3 - 2 * x);
  const Point end{m + 1e-10, 0};  // a corner of its own
  std::vector<Point> points{end, b};
  if (left > m) {
    const double edge = std::sqrt(left * left - m * m);
    points.push_back({m, edge});
    points.push_back({m, -edge});
  }
  const int n = 50000;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * kPi * i / n;
    const Point p{left * std::cos(angle), left * std::sin(angle)};
    if (p.x < m) points.push_back(p);
  }
  return AlongHull(points, end, b);
}

Rig OneWrap(const Surface& s, const Vec3& a, const Vec3& b, const Vec3& hint) {
  return Rig({AnchorAt(a), WrapOn(s, hint), AnchorAt(b)});
}

// a rig whose class is that of the polyline over the hint, with an end at a
double LengthAt(const Surface& s, const Vec3& a, const Vec3& b, const Vec3& hint) {
  Rig rig = OneWrap(s, a, b, hint);
  return rig.Cold();
}

}  // namespace

TEST(TheStringRunsAroundWhatIsLeftOfTheCircle) {
  Random random(1);
  int touching = 0;
  for (int k = 0; k < 120; ++k) {
    const double m = random.Uniform(0.6, 0.999), far = random.Uniform(1.05, 3);
    const double swept = random.Uniform(0.05, 0.95 * kPi);
    const Vec3 a{m, 0, 0}, b{far * std::cos(swept), far * std::sin(swept), 0};
    const Vec3 hint{2 * std::cos(swept / 2), 2 * std::sin(swept / 2), 0};
    Rig rig = OneWrap(CylinderAt({0, 0, 0}, 1), a, b, hint);
    // the axis of CylinderAt may turn x and y: the hint fixes the side
    rig.Cold();
    CHECK_EQ(rig.status(), SolveStatus::kLetGo);
    touching += rig.record.Touching(0);
    const double judged = JudgedLength(m, {b.x, b.y});
    if (judged < 0) {
      // an end is not on the hull: nothing is in the way
      CHECK(!rig.record.Touching(0));
      CHECK_NEAR(rig.length(), Norm(b - a), 1e-12);
    } else {
      CHECK_NEAR(rig.length(), judged, 1e-8);
    }
    CHECK_NEAR(SumOfPieces(rig), rig.length(), 1e-12);
  }
  CHECK(touching > 30);
}

TEST(ThePullOfABuriedEndIsTheGradientOfTheLength) {
  Random random(2);
  int touching = 0, both = 0, spheres = 0;
  for (int k = 0; k < 3000; ++k) {
    const bool sphere = random.Chance(0.5);
    const Surface s = sphere ? SphereAt(random.InBox(1), 0.7)
                             : CylinderAt(random.InBox(1), 0.7, random.Direction());
    const auto place = [&](bool inside) {
      const Vec3 axis = s.rot.Column(2);
      Vec3 out = random.Direction();
      if (!sphere) out = Unit(out - Dot(out, axis) * axis);
      const double distance = 0.7 * (inside ? random.Uniform(0.6, 0.999) : random.Uniform(1.1, 3));
      return s.pos + distance * out + (sphere ? 0 : random.Uniform(-1, 1)) * axis;
    };
    const bool two = random.Chance(0.2);
    const Vec3 a = place(true), b = place(two), hint = place(false);
    Rig rig = OneWrap(s, a, b, hint);
    if (sphere) rig.nodes[1].has_hint = false;
    rig.Cold();
    if (!rig.record.Touching(0)) continue;
    ++touching;
    both += two;
    spheres += sphere;
    const double h = 1e-6;
    for (int node : {0, 2}) {
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        Rig plus = rig, minus = rig;
        plus.nodes[node].pos += h * axis;
        minus.nodes[node].pos += -h * axis;
        const double slope = (plus.Warm() - minus.Warm()) / (2 * h);
        const double pull =
            node == 0 ? -Dot(rig.record.Direction(0), axis) : Dot(rig.record.Direction(1), axis);
        if (!plus.record.Touching(0) || !minus.record.Touching(0)) continue;
        CHECK_NEAR(pull, slope, 2e-4);
      }
    }
    // an end outside pulls with the tension, no more
    if (!two) CHECK_NEAR(Norm(rig.record.Direction(1)), 1, 1e-9);
  }
  CHECK(touching > 1000);
  CHECK(both > 100);
  CHECK(spheres > 300);
}

TEST(LengthAndPullAreContinuousWhereAnEndEnters) {
  Random random(3);
  for (int k = 0; k < 300; ++k) {
    const double swept = random.Uniform(0.1, 0.9 * kPi), far = random.Uniform(1.2, 3);
    const Surface s = CylinderAt({0, 0, 0}, 1);
    const Vec3 b{far * std::cos(swept), far * std::sin(swept), random.Uniform(-1, 1)};
    const Vec3 hint{2 * std::cos(swept / 2), 2 * std::sin(swept / 2), 0};
    Rig outside = OneWrap(s, {1 + 1e-8, 0, 0}, b, hint);
    outside.Cold();
    for (double depth : {1e-4, 1e-6}) {
      Rig inside = OneWrap(s, {1 - depth, 0, 0}, b, hint);
      inside.Cold();
      CHECK_NEAR(inside.length(), outside.length(), 3 * depth);
      // the pull changes by the root of the depth: half the angle of the flat
      CHECK_NEAR(Norm(inside.record.Direction(0) - outside.record.Direction(0)), 0,
                 3 * std::sqrt(depth));
      CHECK_NEAR(Norm(inside.record.Direction(1) - outside.record.Direction(1)), 0,
                 3 * std::sqrt(depth));
    }
  }
}

TEST(OnTheAxisTheStringIsStraight) {
  for (const Surface& s : {CylinderAt({0, 0, 0}, 1), SphereAt({0, 0, 0}, 1)}) {
    for (double off : {0.0, 1e-12, 1e-6}) {
      const Vec3 a{off, 0, 0}, b{0.5, 2, 0.3};
      Rig rig = OneWrap(s, a, b, {2, 0.5, 0});
      rig.Cold();
      CHECK_NEAR(rig.length(), Norm(b - a), 10 * off + 1e-14);
      CHECK_EQ(rig.status(), SolveStatus::kLetGo);
      CHECK_NEAR(rig.record.penetration(), 1 - off, 1e-15);
      for (int i = 0; i < 2; ++i) CHECK(Finite(rig.record.Direction(i)));
    }
  }
}

TEST(SlopesOfBothCallsAgree) {
  // the function itself, without a route
  const Surface s = CylinderAt({0, 0, 0}, 0.1);
  const Vec3 a{0.08, 0, 0}, b{0, -0.5, 0.2};
  const Touch touch = TightenBuried(s, a, b, {-kPi / 2, {}});
  CHECK(touch.touching == (LengthAt(s, a, b, {0.2, -0.2, 0}) > Norm(b - a) + 1e-12));
}
