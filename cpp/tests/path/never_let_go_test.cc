// Ten thousand scenes in motion: ends that enter and leave surfaces, obstacles that come and go,
// grooves, cylinders with ends, tubes. In every step there is a path to pull along, its pull
// balances, and its length grows by no more than the motion explains: nothing gains energy.

#include <algorithm>
#include <cstdio>
#include <map>

#include "core/law/wrench.h"
#include "core/surface/groove.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"
#include "tests/kit/smooth.h"

using namespace mujocable;
using namespace mujocable::test;

namespace {

constexpr double kTwoPi = 6.283185307179586;

enum Special { kNothing, kGroove, kEnds, kTube };

struct Scene {
  std::vector<Node> nodes;
  bool single = true;  // one cylinder or sphere in every span
};

Node RandomWrap(Random& random, const Vec3& pos, bool& round) {
  const int kind = random.Index(5 + std::size(kConvexKinds));
  Surface s;
  Node node;
  const Vec3 axis = random.Direction();
  if (kind < 5) {
    s = kind < 2 ? SphereAt({}, random.Uniform(0.1, 0.4))
                 : CylinderAt({}, random.Uniform(0.1, 0.4), axis);
  } else {
    s = RandomSmooth(random, kConvexKinds[kind - 5], 0.5);
    round = false;
  }
  s.pos = pos;
  if (kind == 3) {
    // a wheel about an axis across the row
    s = CylinderAt(pos, s.radius, {0.1 * axis.x, 0.1 * axis.y, 1}, 0.3 * s.radius);
    const double depth = random.Uniform(0.05, 0.4) * s.radius;
    s.size[0] = s.radius + depth;
    s.size[1] = depth;
  }
  if (kind == 4) s.half_length = s.radius * random.Uniform(0.5, 3);
  if (kind < 3 && random.Chance(0.15)) s.inside = true;
  node = WrapOn(s);
  if (random.Chance(0.6) && !s.inside) {
    node.has_hint = true;
    node.hint = s.pos + 2.0 * Unit(Vec3{0, random.Uniform(-1, 1), random.Uniform(-1, 1)});
  }
  node.permanent = kind == 3 && random.Chance(0.2);
  return node;
}

Scene RandomScene(Random& random) {
  Scene scene;
  const auto guide = [&](double x) {
    return Vec3{x, random.Uniform(-0.3, 0.3), random.Uniform(-0.3, 0.3)};
  };
  scene.nodes.push_back(AnchorAt(guide(-1.2)));
  const int n = 1 + random.Index(3);
  for (int i = 0; i < n; ++i) {
    const Vec3 pos = guide(1.6 * i);
    scene.nodes.push_back(RandomWrap(random, pos, scene.single));
    if (i + 1 < n && random.Chance(0.6)) {
      scene.nodes.push_back(EyeletAt(guide(1.6 * i + 0.8)));
    } else if (i + 1 < n) {
      scene.single = false;
    }
  }
  scene.nodes.push_back(AnchorAt(guide(1.6 * n - 0.4)));
  return scene;
}

// dL of the present path for small moves d and turns w of the nodes, theory (5)
double Predicted(const Rig& rig, const std::vector<Vec3>& d, const std::vector<Vec3>& w) {
  const Record& r = rig.record;
  const int n = rig.ncontact;
  double sum = Dot(r.Direction(n), d[n + 1]) - Dot(r.Direction(0), d[0]);
  for (int i = 0; i < n; ++i) {
    if (!r.Touching(i)) continue;
    const Vec3 in = r.Direction(i), out = r.Direction(i + 1);
    const bool wrap = rig.wraps(i);
    const Vec3 c = wrap ? rig.surface(i).pos : rig.nodes[i + 1].pos;
    const Vec3 turn = wrap ? w[i + 1] : Vec3{};
    sum += Dot(in, d[i + 1] + Cross(turn, r.Entry(i) - c)) -
           Dot(out, d[i + 1] + Cross(turn, r.Exit(i) - c));
  }
  return sum;
}

// sum of all forces and of their moments, per unit of tension
double Unbalanced(const Rig& rig) {
  std::vector<int> slot(rig.count());
  std::vector<Wrench> wrench(rig.count());
  for (int i = 0; i < rig.count(); ++i) slot[i] = i;
  for (int i = 0; i <= rig.ncontact; ++i) rig.record.tension()[i] = 1;
  AddLoads(rig.record, slot.data(), [](int) { return Vec3{}; }, wrench.data());
  Vec3 force, moment;
  for (const Wrench& w : wrench) {
    force += w.force;
    moment += w.moment;
  }
  return std::max(Norm(force), Norm(moment));
}

struct Count {
  std::map<int, int> status;
  int steps = 0, scenes = 0, uphill = 0, jumps = 0, unbalanced = 0, kept_again = 0;
  int derailments = 0;
  double worst = 0;
};

void Drive(Random& random, const Scene& scene, int steps, Count& count) {
  Rig rig(scene.nodes);
  const int n = rig.ncontact;
  rig.Cold();
  ++count.scenes;
  std::vector<Vec3> sway(n + 2), spin(n + 2), d(n + 2), w(n + 2);
  std::vector<double> pace(n + 2);
  for (int q = 0; q < n + 2; ++q) {
    sway[q] = random.Uniform(0, 0.5) * random.Direction();
    spin[q] = random.Uniform(0, 0.5) * random.Direction();
    pace[q] = kTwoPi * (1 + random.Index(2)) / steps;
  }
  for (int k = 1; k <= steps; ++k) {
    double size = 0;
    for (int q = 0; q < n + 2; ++q) {
      const double share = std::sin(pace[q] * k) - std::sin(pace[q] * (k - 1));
      d[q] = share * sway[q];
      w[q] = share * spin[q];
      size += Norm(d[q]) + Norm(w[q]);
    }
    const double before = rig.length(), slope = Predicted(rig, d, w);
    const SolveStatus was = rig.status();
    for (int q = 0; q < n + 2; ++q) {
      rig.nodes[q].pos += d[q];
      rig.nodes[q].surface.pos += d[q];
      rig.nodes[q].hint += d[q];
      rig.nodes[q].surface.rot = Turned(rig.nodes[q].surface.rot, w[q]);
    }
    // now and then it hangs loose, which may cost it a groove
    rig.slack = random.Chance(0.05) ? random.Uniform(0, 0.05) : 0;
    const double now = rig.Warm();
    count.derailments += static_cast<int>(rig.record.derailments());
    const SolveStatus is = rig.status();
    ++count.steps;
    ++count.status[static_cast<int>(is)];
    CHECK(is != SolveStatus::kInvalid);
    CHECK(std::isfinite(now));
    CHECK_NEAR(SumOfPieces(rig), now, 1e-9);
    const double unbalanced = Unbalanced(rig);
    // an eyelet a hair inside a smooth surface pulls where it is, not on the surface
    if (unbalanced > (scene.single ? 1e-9 : 2e-2)) ++count.unbalanced;
    if (is == SolveStatus::kKept || was == SolveStatus::kKept) {
      count.kept_again += is == was;
      continue;
    }
    // a keeper holds more than its flanges do, which is no law of a shortest path
    if (std::any_of(rig.nodes.begin(), rig.nodes.end(), [](const Node& x) { return x.permanent; }))
      continue;
    // what the motion explains, to second order; the pull of a buried end changes by the root
    const double explained = std::max(slope, Predicted(rig, d, w));
    const double more = now - before - explained;
    const double rough = 2 * size * std::sqrt(size) + 40 * size * size + 1e-12;
    count.worst = std::max(count.worst, more / size);
    if (more > rough) ++count.uphill;
    const bool event = is == SolveStatus::kDerailed || is == SolveStatus::kSlipped ||
                       was == SolveStatus::kDerailed ||
                       (!scene.single && is == SolveStatus::kLetGo);
    const double least = std::min(slope, Predicted(rig, d, w));
    if (!event && now - before < least - rough) ++count.jumps;
  }
}

}  // namespace

TEST(TenThousandScenesNeverLetGo) {
  Random random(1);
  Count count;
  for (int i = 0; i < 10000; ++i) {
    Random own(random.Bits());
    const Scene scene = RandomScene(own);
    Drive(own, scene, 60, count);
  }
  std::printf(
      "  %d scenes, %d steps: %d valid, %d kept, %d let go, %d slipped, %d derailed; %d uphill, %d "
      "jumps, %d unbalanced; a wheel or end left %d times\n",
      count.scenes, count.steps, count.status[0], count.status[1], count.status[3], count.status[4],
      count.status[5], count.uphill, count.jumps, count.unbalanced, count.derailments);
  CHECK(count.status[3] > 10000);
  CHECK(count.status[5] > 1000);
  CHECK(count.derailments > 500);
  CHECK_EQ(count.uphill, 0);
  CHECK_EQ(count.jumps, 0);
  CHECK_EQ(count.unbalanced, 0);
}
