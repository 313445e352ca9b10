// A grooved wheel: brute force over points on the edges, finite differences, closed forms.

#include "core/surface/groove.h"

#include <algorithm>

#include "core/math/angle.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"
#include "tests/kit/wheel.h"

using namespace mujocable;
using namespace mujocable::test;

namespace {

// Length over two points on the edge, with the tangents to the bottom between them.
double Over(double edge, const Vec3& a, const Vec3& b, double from, double to) {
  const double leg = std::sqrt(edge * edge - kRadius * kRadius);
  const double bottom = from - to - 2 * std::acos(kRadius / edge);
  if (bottom < 0) return 1e9;
  const Vec3 p{edge * std::cos(from), edge * std::sin(from), 0};
  const Vec3 q{edge * std::cos(to), edge * std::sin(to), 0};
  if (Dot(a - p, p) < 0 || Dot(b - q, q) < 0) return 1e9;  // through the wheel
  return Norm(p - a) + 2 * leg + kRadius * bottom + Norm(b - q);
}

// the least of them, on ever finer grids; from a on the left over the top to b on the right
double Judged(double edge, const Vec3& a, const Vec3& b) {
  double from = 0.75 * kPi, to = 0.25 * kPi, best = 1e9;
  for (double reach = 1.2; reach > 1e-9; reach *= 0.4) {
    const double u = from, v = to;
    for (int i = -8; i <= 8; ++i) {
      for (int j = -8; j <= 8; ++j) {
        const double length = Over(edge, a, b, u + reach * i / 8, v + reach * j / 8);
        if (length < best) best = length, from = u + reach * i / 8, to = v + reach * j / 8;
      }
    }
  }
  return best;
}

}  // namespace

TEST(TheEdgePointsAreWhereThePathIsShortest) {
  Random random(1);
  for (int k = 0; k < 60; ++k) {
    const double depth = random.Uniform(0.005, 0.03);
    const Vec3 a =
        Around(random.Uniform(0.2, 1), random.Uniform(3.3, 4), random.Uniform(-1, 1) * 0.02);
    const Vec3 b =
        Around(random.Uniform(0.2, 1), random.Uniform(-0.9, -0.2), random.Uniform(-1, 1) * 0.02);
    Rig rig = Grooved(depth, a, b);
    rig.Cold();
    CHECK(rig.valid());
    CHECK(rig.record.Touching(0));
    CHECK_NEAR(rig.length(), Judged(kRadius + depth, a, b), 1e-12);
    CHECK_NEAR(SumOfPieces(rig), rig.length(), 1e-14);
    for (const Vec3& edge : {rig.record.Entry(0), rig.record.Exit(0)}) {
      CHECK_NEAR(edge.z, 0, 1e-15);
      CHECK_NEAR(std::hypot(edge.x, edge.y), kRadius + depth, 1e-15);
    }
  }
}

TEST(ThePullIsTheGradientOfTheLength) {
  Random random(2);
  for (int k = 0; k < 400; ++k) {
    const Vec3 a =
        Around(random.Uniform(0.2, 1), random.Uniform(1.9, 3.6), random.Uniform(-1, 1) * 0.03);
    const Vec3 b =
        Around(random.Uniform(0.2, 1), random.Uniform(-0.3, 1.2), random.Uniform(-1, 1) * 0.03);
    Rig rig = Grooved(0.01, a, b);
    rig.Cold();
    if (!rig.record.Touching(0)) continue;
    for (int node : {0, 2}) {
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const double h = 1e-6;
        Rig plus = rig, minus = rig;
        plus.nodes[node].pos += h * axis;
        minus.nodes[node].pos += -h * axis;
        const double slope = (plus.Warm() - minus.Warm()) / (2 * h);
        if (!plus.record.Touching(0) || !minus.record.Touching(0)) continue;
        const double pull =
            node == 0 ? -Dot(rig.record.Direction(0), axis) : Dot(rig.record.Direction(1), axis);
        CHECK_NEAR(pull, slope, 1e-6);
      }
    }
  }
}

// off the bottom, between the flanges: two edge points with a chord between them
TEST(ALiftedCableIsStillBetweenTheFlanges) {
  const double depth = 0.01, edge = kRadius + depth;
  Rig rig = Grooved(depth, {-0.5, 0.05, 0.01}, {0.4, 0.05, 0.006});
  rig.Cold();
  int held = 0, above = 0;
  double before = 0;
  for (int k = 0; k < 700; ++k) {
    for (int node : {0, 2}) rig.nodes[node].pos.y += 1e-4;
    const double now = rig.Warm();
    CHECK(rig.valid());
    if (k > 0) CHECK_NEAR(now, before, 2e-4);
    before = now;
    if (!rig.record.Touching(0)) {
      ++above;
      continue;
    }
    const Vec3 p = rig.record.Entry(0), q = rig.record.Exit(0);
    if (Norm(q - p) < rig.record.arc()[0] - 1e-13) continue;  // around the bottom
    ++held;
    const Vec3 a = rig.nodes[0].pos, b = rig.nodes[2].pos;
    const auto over = [&](double u, double v) {
      const double at_p = std::atan2(p.y, p.x) + u, at_q = std::atan2(q.y, q.x) + v;
      const Vec3 x = Around(edge, at_p, 0), y = Around(edge, at_q, 0);
      return Norm(x - a) + Norm(y - x) + Norm(b - y);
    };
    CHECK_NEAR(over(0, 0), now, 1e-12);
    for (const auto& [u, v] : {std::pair{1e-5, 0.0}, {-1e-5, 0.0}, {0.0, 1e-5}, {0.0, -1e-5}}) {
      CHECK(over(u, v) > now - 1e-15);
    }
  }
  CHECK(held > 50 && above > 50);
}

TEST(InTheMidPlaneAGrooveChangesNothing) {
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const Vec3 a = Around(random.Uniform(0.15, 1), random.Uniform(2, 4), 0);
    const Vec3 b = Around(random.Uniform(0.15, 1), random.Uniform(-0.9, 1), 0);
    Rig grooved = Grooved(0.01, a, b);
    Rig plain = grooved;
    plain.nodes[1].surface.size[0] = 0;
    CHECK_NEAR(grooved.Cold(), plain.Cold(), 1e-9);
  }
}

TEST(AKeeperBeyondTheFlangesIsConservative) {
  Random random(9);
  int over = 0, kinks = 0;
  for (int k = 0; k < 200; ++k) {
    const double depth = random.Uniform(0.004, 0.02);
    const double near = random.Uniform(0.2, 1);
    Rig rig = Grooved(depth, Around(near, random.Uniform(3.3, 4), random.Uniform(-1, 1) * 0.4),
                      Around(random.Uniform(0.2, 1), random.Uniform(-0.9, -0.2), 0.4));
    rig.nodes[1].permanent = true;
    rig.Cold();
    CHECK(rig.valid() && rig.record.Touching(0));
    over += rig.record.Exit(0).z != 0;
    CHECK_NEAR(SumOfPieces(rig), rig.length(), 1e-13);
    for (int node : {0, 2}) {
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const double h = 1e-6;
        Rig plus = rig, minus = rig;
        plus.nodes[node].pos += h * axis;
        minus.nodes[node].pos += -h * axis;
        const double ahead = plus.Warm(), behind = minus.Warm();
        if (std::abs(ahead + behind - 2 * rig.length()) > 1e-3 * h) {
          ++kinks;  // where it comes to be held at one point the load jumps, the length does not
          continue;
        }
        const double pull =
            node == 0 ? -Dot(rig.record.Direction(0), axis) : Dot(rig.record.Direction(1), axis);
        CHECK_NEAR(pull, (ahead - behind) / (2 * h), 1e-6);
      }
    }
  }
  CHECK(over > 100 && kinks < 10);
}

TEST(AKeeperTakesOverFromTheFlangeWithoutAJump) {
  Rig rig = Grooved(0.01, Around(0.3, 3.6, 0), Around(0.3, -0.4, 0));
  rig.nodes[1].permanent = true;
  double before = rig.Cold();
  Vec3 along = rig.record.Direction(1);
  int held = 0, over = 0;
  for (double z = 0; z < 0.4; z += 1e-4) {
    rig.nodes[2].pos.z = z;
    const double now = rig.Warm();
    CHECK_NEAR(now, before, 1.1e-4);
    if (z > 0) CHECK_NEAR(Norm(rig.record.Direction(1) - along), 0, 0.02);
    (rig.record.Exit(0).z == 0 ? held : over) += 1;
    before = now;
    along = rig.record.Direction(1);
  }
  CHECK(held > 100 && over > 100);
}

TEST(AKeeperHoldsWhatItsNeighborLoses) {
  // without the first wheel the straight line passes beside the second one
  Surface one = Wheel(0.004), two = Wheel(0.004);
  two.pos = {0.1, -0.7, 0.2};
  Rig rig({AnchorAt({-1, 0.05, 0}), WrapOn(one, {0, 1, 0}), WrapOn(two, {0.1, -1.5, 0.2}),
           AnchorAt({0.2, 0.2, 0})});
  rig.nodes[1].permanent = rig.nodes[2].permanent = true;
  rig.Cold();
  CHECK(rig.valid() && rig.record.Touching(0) && rig.record.Touching(1));
  rig.nodes[1].permanent = false;
  rig.slack = 1;
  rig.Warm();
  CHECK_EQ(rig.status(), SolveStatus::kDerailed);
  CHECK_EQ(rig.record.status_contact(), 0);
  CHECK_EQ(rig.record.derailments(), 1);
  CHECK(!rig.record.Touching(0) && rig.record.Touching(1));
  rig.Warm();
  CHECK(rig.record.Touching(1));
  CHECK_EQ(rig.record.derailments(), 0);
}

TEST(AKeeperNeverLetsGo) {
  Rig rig = Grooved(0.01, Around(0.5, kPi, 0), Around(0.5, -0.5, 0));
  rig.nodes[1].permanent = true;
  rig.Cold();
  for (double z = 0; z < 1; z += 0.01) {
    rig.nodes[2].pos.z = z;
    rig.Warm();
    CHECK(rig.valid());
    CHECK(rig.record.Touching(0));
  }
  for (double y = 0; y < 1; y += 0.01) {
    rig.nodes[0].pos.y = y;
    rig.nodes[2].pos = Around(0.5, -0.5, 0.02) + Vec3{0, y, 0};
    rig.Warm();
    CHECK(rig.record.Touching(0));
    CHECK(rig.record.Entry(0).z == 0);
  }
}

TEST(SeveralWheelsInARow) {
  // each between points on the edges of the others: stationary as a whole
  Surface one = Wheel(0.01), two = Wheel(0.02);
  two.pos = {0.6, -0.3, 0.015};
  Rig rig({AnchorAt({-0.5, -0.2, 0.01}), WrapOn(one, {0, 1, 0}), WrapOn(two, {0.6, -1, 0}),
           AnchorAt({1.2, 0.3, -0.01})});
  rig.Cold();
  CHECK(rig.valid());
  CHECK(rig.record.Touching(0) && rig.record.Touching(1));
  CHECK_NEAR(SumOfPieces(rig), rig.length(), 1e-14);
  for (int node = 0; node < 4; ++node) {
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      const double h = 1e-6;
      Rig plus = rig, minus = rig;
      for (auto [moved, by] : {std::pair{&plus, h}, std::pair{&minus, -h}}) {
        moved->nodes[node].pos += by * axis;
        moved->nodes[node].surface.pos += by * axis;
      }
      const double slope = (plus.Warm() - minus.Warm()) / (2 * h);
      const Vec3 in = node > 0 ? rig.record.Direction(node - 1) : Vec3{};
      const Vec3 out = node < 3 ? rig.record.Direction(node) : Vec3{};
      CHECK_NEAR(Dot(in - out, axis), slope, 1e-6);
    }
  }
}

// Led aside in small steps, from a wheel that is hardly a groove. The judge is the start anew.
TEST(AWheelBesideASmoothSurfaceKeepsItsCableInTheGroove) {
  Surface body;
  body.kind = SurfaceKind::kEllipsoid;
  body.size[0] = body.radius = 0.1;
  body.size[1] = 0.12;
  body.size[2] = 0.4;
  body.pos = {0.6, 0, 0};
  Rig rig({AnchorAt({-0.5, -0.2, 0}), WrapOn(Wheel(0.003), {0, 0.2, 0}),
           WrapOn(body, {0.6, 0.3, 0}), AnchorAt({1.2, -0.1, 0})});
  rig.Cold();
  for (int k = 0; k < 300; ++k) {
    rig.nodes[0].pos.z += 1e-4;
    const double warm = rig.Warm();
    CHECK(rig.valid() && rig.record.Touching(0) && rig.record.Touching(1));
    CHECK_EQ(rig.record.Entry(0).z, 0);
    Rig anew = rig;
    CHECK_NEAR(anew.Cold(), warm, 1e-10);
  }
}

TEST(ACableThatSlipsOffBesideAWheelSaysSo) {
  Surface pin;
  pin.kind = SurfaceKind::kCapsule;
  pin.radius = 0.1;
  pin.size[2] = 0.2;
  pin.pos = {0.6, 0.05, 0};
  // no wrap that is lifted has moved, however far it is from the origin
  Rig rig({AnchorAt({-0.5, -0.2, 0}), WrapOn(Wheel(0.01), {0, 0.2, 0}), WrapOn(pin, {0.6, 0.3, 0}),
           WrapOn(CylinderAt({0.9, -2, 0}, 0.1), {0.9, -1, 0}), AnchorAt({1.2, -0.1, 0})});
  double before = rig.Cold();
  int slips = 0;
  for (int k = 0; k < 700; ++k) {
    rig.nodes[2].surface.pos.z -= 5e-4;
    const double now = rig.Warm();
    if (before - now > 5e-3) {
      ++slips;
      CHECK_EQ(rig.status(), SolveStatus::kSlipped);
      CHECK_EQ(rig.record.status_contact(), 1);
    } else {
      CHECK(rig.valid());
    }
    before = now;
  }
  CHECK_EQ(slips, 1);
  CHECK(rig.record.Touching(0) && !rig.record.Touching(1));
}

TEST(TheDrawnPathLiesInTheGroove) {
  Rig rig = Grooved(0.02, Around(0.5, 3.5, 0.01), Around(0.4, -0.5, -0.01));
  rig.Cold();
  Vec3 points[200];
  const int n = SamplePath(rig.elements.data(), rig.record, 0.05, points, 200);
  double length = 0;
  for (int i = 1; i < n; ++i) {
    length += Norm(points[i] - points[i - 1]);
    CHECK(std::hypot(points[i].x, points[i].y) > kRadius * (1 - 1e-12));
  }
  CHECK_NEAR(length, rig.length(), 2e-4);
  CHECK(n > 20);
}
