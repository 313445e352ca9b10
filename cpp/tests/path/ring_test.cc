// Rings that a string bears on twice, on both sides of the hole. Judges: a closed form in the
// plane, a discrete string pulled taut, finite differences, the number of times it goes through the
// hole.

#include <algorithm>
#include <cstdio>

#include "tests/kit/certificate.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"
#include "tests/kit/smooth.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::ArcPath;
using test::IsMinimum;
using test::Motion;
using test::Moved;
using test::Node;
using test::Random;
using test::RandomMotion;
using test::RandomSmooth;
using test::Rig;
using test::WrapOn;

constexpr double kPi = 3.141592653589793;

// a ring between two ends, with a hint around it or without
std::vector<Node> RandomEye(Random& random, bool hint) {
  const auto end = [&](double x) {
    return AnchorAt({x, random.Uniform(-0.5, 0.5), random.Uniform(-0.5, 0.5)});
  };
  Surface s = RandomSmooth(random, SurfaceKind::kTorus, 1);
  s.pos = {0, random.Uniform(-0.4, 0.4), random.Uniform(-0.4, 0.4)};
  const Vec3 aside = {0, random.Uniform(-1, 1), random.Uniform(-1, 1)};
  const Node ring = hint ? WrapOn(s, s.pos + 2.0 * Unit(aside)) : WrapOn(s);
  return {end(-2), ring, end(2)};
}

// the two arcs of a ring, as they are remembered
ArcPath ArcsOf(const Rig& rig) {
  const Surface& s = rig.surface(0);
  ArcPath path{rig.nodes.front().pos, rig.nodes.back().pos, {}, {}};
  for (int k = 0; k < 2; ++k) {
    const WrapMemory m = LoadMemory(rig.memory.data() + kWrapMemory * k);
    if (!m.touching) continue;
    path.surfaces.push_back(s);
    path.arcs.push_back(Shoot(s, s.pos + Rotate(s.rot, m.point), Rotate(s.rot, m.tangent), m.arc));
  }
  return path;
}

bool Twice(const Rig& rig) { return ArcsOf(rig).arcs.size() == 2; }

// the path as a polyline
std::vector<Vec3> Polyline(const Rig& rig, double step) {
  std::vector<Vec3> points(100000);
  points.resize(
      SamplePath(rig.elements.data(), rig.record, step, points.data(), (int)points.size()));
  return points;
}

// how often a polyline goes through the disc of a ring, with sign
int Through(const Surface& s, const std::vector<Vec3>& points) {
  int count = 0;
  for (size_t i = 1; i < points.size(); ++i) {
    const Vec3 a = Unrotate(s.rot, points[i - 1] - s.pos), b = Unrotate(s.rot, points[i] - s.pos);
    if ((a.z > 0) == (b.z > 0)) continue;
    const double u = a.z / (a.z - b.z);
    if (std::hypot(a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)) < s.size[0]) {
      count += b.z > a.z ? 1 : -1;
    }
  }
  return count;
}

// deepest cut of any free segment, in tube radii
double Cut(const Rig& rig) {
  const Surface& s = rig.surface(0);
  const ArcPath path = ArcsOf(rig);
  double depth = 0;
  Vec3 from = path.a;
  for (const Geodesic& g : path.arcs) {
    depth = std::max(depth, SegmentDepth(s, from, g.p));
    from = g.q;
  }
  return std::max(depth, SegmentDepth(s, from, path.b)) / s.radius;
}

// Length of a discrete string pulled taut over the ring: knots of even spacing `step` along the
// path that was found, pushed aside at random, then pulled by over-relaxed projection. It may end
// lower than the path only by what its corners cut off, at most step^2 / (24 r^2) of the length.
double PulledLength(const Rig& rig, Random& random, double step, double push) {
  const Surface& s = rig.surface(0);
  const std::vector<Vec3> line = Polyline(rig, 0.01);
  std::vector<Vec3> x = {line[0]};
  double left = step;
  for (size_t i = 1; i < line.size(); ++i) {
    Vec3 from = line[i - 1];
    while (Norm(line[i] - from) > left) {
      from = from + left * Unit(line[i] - from);
      x.push_back(from);
      left = step;
    }
    left -= Norm(line[i] - from);
  }
  x.push_back(line.back());
  const int n = static_cast<int>(x.size());
  for (int i = 1; i + 1 < n; ++i) x[i] += push * s.radius * random.Direction();
  const double over = 2 / (1 + std::sin(kPi / n));
  for (int sweep = 0; sweep < 8 * n; ++sweep) {
    for (int i = 1; i + 1 < n; ++i) {
      // the middle weighted by 1 / length, that is of the polyline's length itself
      const double p = 1 / Norm(x[i] - x[i - 1]), q = 1 / Norm(x[i + 1] - x[i]);
      const Vec3 middle = (1 / (p + q)) * (p * x[i - 1] + q * x[i + 1]);
      Vec3 y = x[i] + (sweep < 2 * n ? over : 1.0) * (middle - x[i]);
      Vec3 normal;
      const double d = DistanceSmooth(s, y, normal);
      if (d < 0) y = y - d * normal;
      // keep the knots apart: along the string nothing is gained
      const Vec3 along = Unit(x[i + 1] - x[i - 1]);
      y += 0.5 * Dot(0.5 * (x[i - 1] + x[i + 1]) - y, along) * along;
      x[i] = y;
    }
  }
  double length = 0;
  for (int i = 1; i < n; ++i) length += Norm(x[i] - x[i - 1]);
  return length;
}

// The string in the plane through the axis sees two circles: over the left, through the hole, under
// the right. Tangent from each end, inner tangent between them.
TEST(BothLipsInThePlaneOfTheAxis) {
  for (double height : {0.05, 0.1, 0.2}) {
    const double ring = 0.3, tube = 0.08, away = 1.0;
    Surface s;
    s.kind = SurfaceKind::kTorus;
    s.size[0] = ring;
    s.radius = tube;
    Rig rig({AnchorAt({-away, 0, height}), WrapOn(s), AnchorAt({away, 0, -height})});
    rig.Cold();
    CHECK(rig.valid());
    CHECK(Twice(rig));
    // one half, by symmetry: from the end to the circle at -ring, on to the origin
    const double reach = std::hypot(away - ring, height);
    const double first = std::sqrt(reach * reach - tube * tube);
    const double second = std::sqrt(ring * ring - tube * tube);
    // directions of both tangents, from x toward z
    const double rise = std::asin(tube / reach) - std::atan2(height, away - ring);
    const double fall = std::asin(tube / ring);
    const double length = 2 * (first + second + tube * (rise + fall));
    // arcs are integrated: their ends to 1e-11 of their length, of which the path feels the square
    CHECK_NEAR(rig.length(), length, 1e-12);
    CHECK_NEAR(rig.record.wrap_angle()[0], 2 * (rise + fall), 1e-10);
    CHECK_NEAR(Norm(rig.record.Entry(0) + rig.record.Exit(0)), 0, 1e-10);
    CHECK_NEAR(rig.record.segment()[0], first, 1e-10);
    CHECK_NEAR(test::SumOfPieces(rig), rig.length(), 1e-15);
  }
}

// Cold, with a side and without: every ring is solved, no segment cuts it, the string goes through
// the hole as often as the line over its hint does, and a discrete string cannot be pulled shorter.
TEST(ColdRingsAreTautAndClear) {
  Random random(31);
  int twice = 0, pulled = 0;
  for (int i = 0; i < 500; ++i) {
    Random own(random.Bits());
    const bool hint = i % 2 == 0;
    Rig rig(RandomEye(own, hint));
    const double length = rig.Cold();
    CHECK(rig.valid());
    if (!rig.valid()) continue;
    CHECK(Cut(rig) < 1e-7);
    const Surface& s = rig.surface(0);
    const Vec3 a = rig.nodes[0].pos, b = rig.nodes[2].pos;
    const std::vector<Vec3> line = Polyline(rig, 0.05);
    if (hint) {
      const Vec3 h = rig.nodes[1].hint;
      const Vec3 m = h - Distance(s, h) * Normal(s, h);
      CHECK_EQ(Through(s, line), Through(s, {a, m, b}));
    } else {
      // through the hole wherever the ends lie on both sides of its plane
      const Vec3 axis = s.rot.Column(2);
      const bool apart = Dot(a - s.pos, axis) * Dot(b - s.pos, axis) < 0;
      CHECK_EQ(std::abs(Through(s, line)), apart);
    }
    if (!Twice(rig)) continue;
    ++twice;
    CHECK(IsMinimum(ArcsOf(rig), 1e-6));
    if (twice % 10 != 0) continue;
    ++pulled;
    const double step = 0.1 * s.radius, corners = step * step / (24 * s.radius * s.radius);
    CHECK(PulledLength(rig, own, step, 0.05) > length * (1 - corners));
  }
  std::printf("  %d of 500 bear twice, %d judged by a discrete string\n", twice, pulled);
  CHECK(twice > 60);
}

// Rigid motions of the ring and of the ends: the rate of the record is the derivative of the
// length, and so is the virtual work of a unit tension, entry and exit of the ring loaded.
TEST(TwoContactsPullAlongTheGradient) {
  Random random(32);
  int judged = 0;
  while (judged < 40) {
    Random own(random.Bits());
    const std::vector<Node> nodes = RandomEye(own, judged % 2 == 0);
    Rig rig(nodes);
    rig.Cold();
    if (!rig.valid() || !Twice(rig) || !IsMinimum(ArcsOf(rig), 1e-2)) continue;
    std::vector<Motion> motions;
    for (int k = 0; k < 3; ++k) motions.push_back(RandomMotion(own, 1));
    Rates(test::Twists(motions).data(), rig.record);
    const double h = 1e-5 * rig.surface(0).radius;
    const auto moved = [&](double time) {
      Rig other(rig);
      for (int k = 0; k < 3; ++k) other.nodes[k] = Moved(nodes[k], motions[k], time);
      other.Warm();
      CHECK(other.valid());
      return other.length();
    };
    const double slope = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    // rounding of the length over the step, with a margin
    CHECK_NEAR(rig.record.length_rate(), slope, 1e-15 * rig.length() / h * 20);
    ++judged;
  }
}

// the turning that friction sees is that of the whole path
TEST(TheAngleIsThatOfBothArcs) {
  Random random(33);
  int judged = 0;
  while (judged < 20) {
    Random own(random.Bits());
    Rig rig(RandomEye(own, judged % 2 == 0));
    rig.Cold();
    if (!rig.valid() || !Twice(rig)) continue;
    const std::vector<Vec3> line = Polyline(rig, 1e-3);
    double turned = 0;
    for (size_t i = 2; i < line.size(); ++i) {
      const Vec3 u = Unit(line[i - 1] - line[i - 2]), v = Unit(line[i] - line[i - 1]);
      if (Norm(line[i] - line[i - 1]) < 1e-9 || Norm(line[i - 1] - line[i - 2]) < 1e-9) continue;
      turned += std::asin(std::min(1.0, Norm(Cross(u, v))));
    }
    // half a piece may be lost where an arc begins or ends
    CHECK_NEAR(rig.record.wrap_angle()[0], turned, 5e-3);
    ++judged;
  }
}

// warm at the same pose, and again after a way there and back in which contacts open and close
TEST(WarmEndsWhereColdDoes) {
  Random random(34);
  int judged = 0, opened = 0, closed = 0;
  for (int i = 0; i < 200; ++i) {
    Random own(random.Bits());
    Rig rig(RandomEye(own, i % 2 == 0));
    const double cold = rig.Cold();
    if (!rig.valid()) continue;
    CHECK_NEAR(rig.Warm(), cold, 1e-13 * cold);
    const Motion motion = RandomMotion(own, 1);
    const Node start = rig.nodes[1];
    bool snapped = false, twice = Twice(rig);
    for (int k = 1; k <= 60; ++k) {
      rig.nodes[1] = Moved(start, motion, 0.3 * std::sin(kPi * k / 60));
      rig.Warm();
      snapped = snapped || !rig.valid();
      opened += !twice && Twice(rig);
      closed += twice && !Twice(rig);
      twice = Twice(rig);
    }
    if (snapped) continue;
    ++judged;
    CHECK_NEAR(rig.length(), cold, 1e-10 * cold);
  }
  std::printf("  %d ways there and back, second contact opened %d, closed %d times\n", judged,
              opened, closed);
  CHECK(judged > 100 && opened > 20 && closed > 20);
}

// The second contact opens and closes without a jump: at every pace the length follows its
// gradient, and at half the pace the errors halve.
TEST(TheSecondContactOpensWithoutAJump) {
  const auto missed = [](int steps, int& changes) {
    Random random(35);
    double sum = 0;
    for (int i = 0; i < 100; ++i) {
      Random own(random.Bits());
      Rig rig(RandomEye(own, i % 2 == 0));
      rig.Cold();
      const Motion motion = RandomMotion(own, 1);
      const Node start = rig.nodes[1];
      bool twice = Twice(rig), valid = rig.valid();
      double before = rig.length(), angle = rig.record.wrap_angle()[0];
      for (int k = 1; k <= steps; ++k) {
        const double pace = 0.3 / steps;
        std::vector<Motion> motions(3);
        motions[1] = {motion.angular, motion.linear, motion.about + (k - 1) * pace * motion.linear};
        Rates(test::Twists(motions).data(), rig.record);
        const double slope = rig.record.length_rate();
        rig.nodes[1] = Moved(start, motion, k * pace);
        rig.Warm();
        if (valid && rig.valid()) {
          sum += std::abs(rig.length() - before - pace * slope);
          if (twice != Twice(rig)) {
            ++changes;
            // the angle has no step either
            CHECK(std::abs(rig.record.wrap_angle()[0] - angle) <
                  100 * pace / rig.surface(0).radius);
          }
        }
        twice = Twice(rig);
        valid = rig.valid();
        before = rig.length();
        angle = rig.record.wrap_angle()[0];
      }
    }
    return sum;
  };
  int coarse = 0, fine = 0;
  const double ratio = missed(200, coarse) / missed(400, fine);
  std::printf("  %d and %d changes, ratio %.3f\n", coarse, fine, ratio);
  CHECK_NEAR(ratio, 2, 0.1);
  CHECK(coarse > 10);
}

TEST(RingsOfAnySize) {
  Random random(36);
  for (int i = 0; i < 60; ++i) {
    Random own(random.Bits());
    const std::vector<Node> nodes = RandomEye(own, i % 2 == 0);
    Rig rig(nodes);
    const double length = rig.Cold();
    for (double scale : {0x1p-10, 0x1p10}) {
      std::vector<Node> scaled = nodes;
      for (Node& node : scaled) {
        node.pos = scale * node.pos;
        node.hint = scale * node.hint;
        node.surface.pos = scale * node.surface.pos;
        node.surface.radius *= scale;
        node.surface.size[0] *= scale;
      }
      Rig other(scaled);
      CHECK_NEAR(other.Cold() / scale, length, 1e-12 * length);
      CHECK_EQ(other.record.status(), rig.record.status());
      CHECK_EQ(Twice(other), Twice(rig));
    }
  }
}

// sixteen rings without an eyelet between: there is no room for all second contacts, and no harm
TEST(ARowOfRings) {
  std::vector<Node> nodes = {AnchorAt({0, 0, -1})};
  for (int i = 0; i < 16; ++i) {
    Surface s;
    s.kind = SurfaceKind::kTorus;
    s.size[0] = 0.3;
    s.radius = 0.05;
    s.pos = {i % 2 ? 0.4 : 0, 0, static_cast<double>(i)};
    nodes.push_back(WrapOn(s));
  }
  nodes.push_back(AnchorAt({0, 0, 16}));
  Rig rig(nodes);
  rig.Cold();
  CHECK(rig.valid());
  const double length = rig.length();
  CHECK_NEAR(rig.Warm(), length, 1e-12 * length);
}

}  // namespace
}  // namespace mujocable
