// How often a path goes through a ring. Judge: Gauss' linking integral of the closed path with the
// center line of the tube.

#include <vector>

#include "core/path/search/solve.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"
#include "tests/kit/scene.h"

using namespace mujocable;
using namespace mujocable::test;

namespace {

Surface RingAt(Random& random) {
  Surface s;
  s.kind = SurfaceKind::kTorus;
  s.rot = random.Rotation();
  s.pos = random.InBox(1);
  s.size[0] = random.Uniform(0.5, 1);
  s.radius = 0.1 * s.size[0];
  return s;
}

// linking number of a closed polyline with the center line of a ring, by the midpoint rule
double Linking(const Surface& ring, const std::vector<Vec3>& closed) {
  const int around = 400, pieces = 60;
  const double pi = std::acos(-1.0);
  double sum = 0;
  for (size_t i = 0; i + 1 < closed.size(); ++i) {
    for (int k = 0; k < pieces; ++k) {
      const Vec3 d = (1.0 / pieces) * (closed[i + 1] - closed[i]);
      const Vec3 x = closed[i] + (k + 0.5) * d;
      for (int j = 0; j < around; ++j) {
        const double angle = 2 * pi * (j + 0.5) / around, size = ring.size[0];
        const Vec3 y =
            ring.pos + Rotate(ring.rot, {size * std::cos(angle), size * std::sin(angle), 0});
        const Vec3 e = (2 * pi / around) *
                       Rotate(ring.rot, {-size * std::sin(angle), size * std::cos(angle), 0});
        const Vec3 r = x - y;
        sum += Dot(r, Cross(d, e)) / std::pow(Norm(r), 3);
      }
    }
  }
  return sum / (4 * pi);
}

// from the last point back to the first, far outside, never through the disc of the ring
std::vector<Vec3> Closed(const Surface& ring, const std::vector<Vec3>& path) {
  const auto local = [&](const Vec3& x) { return Unrotate(ring.rot, x - ring.pos); };
  const auto world = [&](const Vec3& x) { return ring.pos + Rotate(ring.rot, x); };
  const auto outward = [&](const Vec3& x) {
    const double r = std::hypot(x.x, x.y);
    return r > 1e-9 ? Vec3{20 * x.x / r, 20 * x.y / r, x.z} : Vec3{20, 0, x.z};
  };
  std::vector<Vec3> closed = path;
  const Vec3 from = outward(local(path.back())), to = outward(local(path.front()));
  const double begin = std::atan2(from.y, from.x), end = std::atan2(to.y, to.x);
  closed.push_back(world(from));
  for (int k = 0; k <= 20; ++k) {
    const double t = k / 20.0, angle = begin + t * (end - begin);
    closed.push_back(
        world({20 * std::cos(angle), 20 * std::sin(angle), from.z + t * (to.z - from.z)}));
  }
  closed.push_back(path.front());
  return closed;
}

double FromCenterLine(const Surface& ring, const Vec3& a, const Vec3& b) {
  double nearest = 1e300;
  for (int k = 0; k <= 200; ++k) {
    const Vec3 x = Unrotate(ring.rot, a + k / 200.0 * (b - a) - ring.pos);
    nearest = std::min(nearest, std::hypot(std::hypot(x.x, x.y) - ring.size[0], x.z));
  }
  return nearest;
}

}  // namespace

TEST(PassesAreTheLinkingNumberWithTheRing) {
  Random random(1);
  int through = 0, looked = 0;
  for (int k = 0; k < 60; ++k) {
    const Surface ring = RingAt(random);
    std::vector<Vec3> path;
    int passes = 0;
    bool clear = true;
    for (int i = 0; i < 5; ++i) {
      path.push_back(ring.pos + random.InBox(1.5));
      if (i == 0) continue;
      passes += RingPasses(ring, path[i - 1], path[i]);
      clear = clear && FromCenterLine(ring, path[i - 1], path[i]) > 0.1;
    }
    if (!clear) continue;  // too near for the quadrature
    ++looked;
    through += passes != 0;
    CHECK_NEAR(passes, std::round(Linking(ring, Closed(ring, path))), 1e-12);
    CHECK_NEAR(Linking(ring, Closed(ring, path)), passes, 0.05);
  }
  CHECK(looked > 20 && through > 5);
}

TEST(BackwardTheyAreTheOpposite) {
  Random random(2);
  int through = 0;
  for (int k = 0; k < 1000; ++k) {
    const Surface ring = RingAt(random);
    const Vec3 a = random.InBox(2), b = random.InBox(2);
    through += RingPasses(ring, a, b) != 0;
    CHECK_EQ(RingPasses(ring, a, b), -RingPasses(ring, b, a));
  }
  CHECK(through > 50);
}

// a path with an arc: the sum over fine pieces of that arc
TEST(ArcsCountAsTheyRun) {
  Random random(3);
  int through = 0;
  for (int k = 0; k < 200; ++k) {
    const Surface ring = RingAt(random);
    const Surface ball = SphereAt(ring.pos + random.InBox(0.6), random.Uniform(0.1, 0.4));
    SpanWrap wrap;
    wrap.surface = &ball;
    wrap.touch.touching = true;
    const Geodesic g = Shoot(ball, ball.pos + random.InBox(1), random.InBox(1),
                             random.Uniform(0, 3) * ball.radius);
    wrap.touch.p = g.p;
    wrap.touch.t_p = g.t_p;
    wrap.touch.arc = g.length;
    const Vec3 a = ring.pos + random.InBox(2), b = ring.pos + random.InBox(2);
    int fine = RingPasses(ring, a, g.p);
    Vec3 from = g.p;
    for (int i = 1; i <= 1000; ++i) {
      const Vec3 to = Shoot(ball, g.p, g.t_p, g.length * i / 1000).q;
      fine += RingPasses(ring, from, to);
      from = to;
    }
    fine += RingPasses(ring, from, b);
    // coarse pieces cut corners: skip where one runs along the center line
    if (std::abs(Distance(ring, g.p)) < 0.1 || std::abs(Distance(ring, g.q)) < 0.1) continue;
    through += fine != 0;
    const Strand strand{a, b, &wrap, 1};
    CHECK_EQ(RingPasses(ring, strand), fine);
  }
  CHECK(through > 10);
}
